/** Order: of strings by their UTF-8 bytes, as Go sorts them, never by locale; and what an operator says of an order. */

/** Negative, zero or positive, for `Array.prototype.sort`. Code points order as their UTF-8 bytes do. */
export function compareUtf8(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left !== right) return surrogatesLast(left) - surrogatesLast(right);
  }
  return a.length - b.length;
}

/** UTF-16 puts surrogate pairs before U+E000–U+FFFF; UTF-8 puts them after. */
function surrogatesLast(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit <= 0xdfff ? unit + 0x2000 : unit - 0x800;
}

/** Whether `<`, `<=`, `>` or `>=` holds of what orders as negative, zero or positive. */
export function holdsOfOrder(operator: string, order: number): boolean {
  switch (operator) {
    case "<":
      return order < 0;
    case "<=":
      return order <= 0;
    case ">":
      return order > 0;
    default:
      return order >= 0;
  }
}
