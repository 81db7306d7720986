/** sprig's random functions, from the seed of the evaluation: the same text when a pass is repeated. */

import { toBase64, toHex } from "../../std/bytes.js";
import type { Prng } from "../../std/prng.js";
import { type CallContext, ValueFault } from "../values/value.js";
import { define, int, type SprigRow } from "./define.js";

const LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
const DIGITS = "0123456789";
const ASCII = Array.from({ length: 95 }, (_unused, index) => String.fromCharCode(32 + index)).join("");

const MAX_LENGTH = 1_000_000;

function text(name: string, alphabet: string): SprigRow {
  return define(name, ["int"], ([count], call) => {
    const prng = charged(count, call);
    return Array.from({ length: count }, () => alphabet.charAt(prng.below(alphabet.length))).join("");
  });
}

function charged(count: number, call: CallContext): Prng {
  if (count < 0) throw new ValueFault("runtime error: makeslice: len out of range");
  if (count > MAX_LENGTH) throw new ValueFault("memory budget exceeded");
  call.spend(count);
  return call.random();
}

export const randomRows: readonly SprigRow[] = [
  text("randAlphaNum", LETTERS + DIGITS),
  text("randAlpha", LETTERS),
  text("randNumeric", DIGITS),
  text("randAscii", ASCII),
  define("randInt", ["int", "int"], ([from, to], call) => {
    if (to <= from || to - from >= 2 ** 32) throw new ValueFault("invalid argument to Intn");
    return int(from + call.random().below(to - from));
  }),
  define("randBytes", ["int"], ([count], call) => toBase64(bytes(count, charged(count, call)))),
  define("shuffle", ["string"], ([from], call) => shuffled([...from], charged(from.length, call)).join("")),
  define("uuidv4", [], (_none, call) => uuid(bytes(16, call.random()))),
];

function bytes(count: number, prng: Prng): Uint8Array {
  return Uint8Array.from({ length: count }, () => prng.below(256));
}

function shuffled(characters: string[], prng: Prng): readonly string[] {
  for (let index = characters.length - 1; index > 0; index--) {
    const other = prng.below(index + 1);
    [characters[index], characters[other]] = [characters[other] ?? "", characters[index] ?? ""];
  }
  return characters;
}

function uuid(random: Uint8Array): string {
  random[6] = ((random[6] ?? 0) & 0x0f) | 0x40;
  random[8] = ((random[8] ?? 0) & 0x3f) | 0x80;
  return toHex(random).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
