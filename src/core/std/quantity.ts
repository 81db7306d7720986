/** Kubernetes quantities, such as `100m`, `1.5Gi`, `2e3`: exact, in nano units. */

import { err, ok, type Result } from "./result.js";

export interface Quantity {
  /** The value times 10^9, rounded away from zero where the text was finer. */
  readonly nano: bigint;
  readonly format: QuantityFormat;
}

export type QuantityFormat = "DecimalSI" | "BinarySI" | "DecimalExponent";

const NANO = 1_000_000_000n;
/** As Kubernetes does, a larger one is taken for this one: with an exponent a short text says a number beyond all bounds. */
const NANO_MAX = (2n ** 63n - 1n) * NANO;
const DECIMAL_SUFFIXES: readonly string[] = ["n", "u", "m", "", "k", "M", "G", "T", "P", "E"];
const BINARY_SUFFIXES: readonly string[] = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];
const SHAPE = /^([+-]?)(\d*)(?:\.(\d*))?(n|u|m|k|[MGTPE]|[KMGTPE]i|[eE][+-]?\d{1,3})?$/;

/** The quantity, or Kubernetes' message for a text that is none. */
export function parseQuantity(text: string): Result<Quantity> {
  const match = SHAPE.exec(text);
  const [, sign = "", whole = "", fraction = "", suffix = ""] = match ?? [];
  if (match === null || (whole === "" && fraction === "") || text.length > 100) {
    return err("quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
  }
  const { base, exponent, format } = scaleOf(suffix);
  const digits = BigInt(whole + fraction || "0") * NANO;
  const power = 10n ** BigInt(fraction.length);
  const scaled = exponent >= 0 ? digits * base ** BigInt(exponent) : digits;
  const divisor = exponent >= 0 ? power : power * base ** BigInt(-exponent);
  const exact = ceilDivide(scaled, divisor);
  const nano = exact > NANO_MAX ? NANO_MAX : exact;
  return ok({ nano: sign === "-" ? -nano : nano, format });
}

interface Scale {
  readonly base: bigint;
  readonly exponent: number;
  readonly format: QuantityFormat;
}

function scaleOf(suffix: string): Scale {
  if (suffix.endsWith("i")) {
    return { base: 1024n, exponent: BINARY_SUFFIXES.indexOf(suffix), format: "BinarySI" };
  }
  if (/^[eE][+-]?\d/.test(suffix)) return { base: 10n, exponent: Number(suffix.slice(1)), format: "DecimalExponent" };
  return { base: 1000n, exponent: DECIMAL_SUFFIXES.indexOf(suffix) - 3, format: "DecimalSI" };
}

function ceilDivide(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}

/** In whole units, rounded away from zero. */
export function quantityValue(quantity: Quantity): number {
  return Number(awayFromZero(quantity.nano, NANO));
}

/** In thousandths, rounded away from zero: CPUs as Kubernetes counts them. */
export function milliValue(quantity: Quantity): number {
  return Number(awayFromZero(quantity.nano, 1_000_000n));
}

function awayFromZero(value: bigint, unit: bigint): bigint {
  return value < 0n ? -ceilDivide(-value, unit) : ceilDivide(value, unit);
}

/** Negative, zero or positive. */
export function compareQuantity(left: Quantity, right: Quantity): number {
  if (left.nano === right.nano) return 0;
  return left.nano < right.nano ? -1 : 1;
}

export function addQuantity(left: Quantity, right: Quantity): Quantity {
  return { nano: left.nano + right.nano, format: left.nano === 0n ? right.format : left.format };
}

/** The canonical text: whole digits with the largest suffix that loses nothing. */
export function formatQuantity(quantity: Quantity): string {
  if (quantity.nano === 0n) return "0";
  const isSmall = quantity.nano > -1024n * NANO && quantity.nano < 1024n * NANO;
  if (quantity.format === "BinarySI" && !isSmall) return formatBinary(quantity.nano);
  let mantissa = quantity.nano;
  let step = 0;
  while (mantissa % 1000n === 0n && step < DECIMAL_SUFFIXES.length - 1) {
    mantissa /= 1000n;
    step++;
  }
  if (quantity.format !== "DecimalExponent") return `${mantissa}${DECIMAL_SUFFIXES[step] ?? ""}`;
  const exponent = (step - 3) * 3;
  return exponent === 0 ? String(mantissa) : `${mantissa}e${exponent}`;
}

function formatBinary(nano: bigint): string {
  let mantissa = awayFromZero(nano, NANO);
  let step = 0;
  while (mantissa % 1024n === 0n && step < BINARY_SUFFIXES.length - 1) {
    mantissa /= 1024n;
    step++;
  }
  return `${mantissa}${BINARY_SUFFIXES[step] ?? ""}`;
}
