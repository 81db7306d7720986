/** Arithmetic on the decimal digits of floats: 0.1 + 0.2 is 0.3. */

interface Decimal {
  readonly digits: bigint;
  /** Times ten to this power. */
  readonly exponent: number;
}

/** Digits kept behind the point of a quotient. */
const QUOTIENT_DIGITS = 16;

/** Beyond this range digits are so many that floats do as well. */
const MAX_EXPONENT = 100;

export function decimalArithmetic(operator: "+" | "-" | "*" | "/", left: number, right: number): number {
  const a = decimalOf(left);
  const b = decimalOf(right);
  if (a === undefined || b === undefined) return inFloats(operator, left, right);
  switch (operator) {
    case "+":
      return sum(a, b);
    case "-":
      return sum(a, { ...b, digits: -b.digits });
    case "*":
      return numberOf({ digits: a.digits * b.digits, exponent: a.exponent + b.exponent });
    case "/":
      return b.digits === 0n ? inFloats("/", left, right) : quotient(a, b);
  }
}

function inFloats(operator: "+" | "-" | "*" | "/", left: number, right: number): number {
  switch (operator) {
    case "+":
      return left + right;
    case "-":
      return left - right;
    case "*":
      return left * right;
    case "/":
      return left / right;
  }
}

function decimalOf(value: number): Decimal | undefined {
  if (!Number.isFinite(value)) return undefined;
  const [mantissa = "0", power = "0"] = value.toExponential().split("e");
  const fraction = mantissa.split(".")[1] ?? "";
  const exponent = Number(power) - fraction.length;
  if (Math.abs(exponent) > MAX_EXPONENT) return undefined;
  return { digits: BigInt(mantissa.replace(".", "")), exponent };
}

function numberOf({ digits, exponent }: Decimal): number {
  return Number(`${digits}e${exponent}`);
}

function sum(a: Decimal, b: Decimal): number {
  const exponent = Math.min(a.exponent, b.exponent);
  const aligned = (value: Decimal): bigint => value.digits * 10n ** BigInt(value.exponent - exponent);
  return numberOf({ digits: aligned(a) + aligned(b), exponent });
}

function quotient(a: Decimal, b: Decimal): number {
  const shift = a.exponent - b.exponent + QUOTIENT_DIGITS;
  const dividend = shift >= 0 ? a.digits * 10n ** BigInt(shift) : a.digits;
  const divisor = shift >= 0 ? b.digits : b.digits * 10n ** BigInt(-shift);
  // Half away from zero: half the divisor is added in the direction of the dividend.
  const half = (divisor < 0n ? -divisor : divisor) / 2n;
  const rounded = (dividend + (dividend < 0n ? -half : half)) / divisor;
  return numberOf({ digits: rounded, exponent: -QUOTIENT_DIGITS });
}
