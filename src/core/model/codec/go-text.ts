/** How Go writes numbers as text. */

/** `strconv.FormatFloat(x, 'f', -1, 64)`: the shortest digits, never an exponent (Argo's AnyString). */
export function plainNumber(value: number): string {
  if (Object.is(value, -0)) return "-0";
  const shortest = String(value);
  const match = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(shortest);
  if (match === null) return shortest;
  const sign = match[1] ?? "";
  const digits = `${match[2] ?? ""}${match[3] ?? ""}`;
  const point = 1 + Number(match[4]);
  if (point <= 0) return `${sign}0.${"0".repeat(-point)}${digits}`;
  return digits.length <= point
    ? `${sign}${digits}${"0".repeat(point - digits.length)}`
    : `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
}

/**
 * `strconv.FormatFloat(x, 'g', -1, 64)`, integers in full: what sigs.k8s.io/yaml puts into a text field. (Go knows
 * `1e7` from `10000000` and writes the first as it was; here both are the integer.)
 */
export function generalNumber(value: number): string {
  if (Number.isSafeInteger(value)) return Object.is(value, -0) ? "-0" : String(value);
  const [digits = "", exponent = "0"] = value.toExponential().split("e");
  const power = Number(exponent);
  // The exponent form takes over below 1e-4 and from 1e6 on, and has two digits of exponent at least.
  if (power >= -4 && power < 6) return plainNumber(value);
  const size = String(Math.abs(power)).padStart(2, "0");
  return `${digits}e${power < 0 ? "-" : "+"}${size}`;
}
