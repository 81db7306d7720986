/** SHA-1, SHA-256, SHA-512 and Adler-32. */

/** The message padded to whole blocks, with its length in bits at the end. */
function pad(bytes: Uint8Array, block: 64 | 128): Uint8Array {
  const lengthBytes = block / 8;
  const size = Math.ceil((bytes.length + 1 + lengthBytes) / block) * block;
  const padded = new Uint8Array(size);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  new DataView(padded.buffer).setBigUint64(size - 8, BigInt(bytes.length) * 8n);
  return padded;
}

function rotateLeft(value: number, by: number): number {
  return (value << by) | (value >>> (32 - by));
}

export function sha1(bytes: Uint8Array): Uint8Array {
  const state = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0].map((word) => word | 0);
  const view = new DataView(pad(bytes, 64).buffer);
  for (let at = 0; at < view.byteLength; at += 64) sha1Block(state, view, at);
  return bytesOf32(state);
}

function sha1Block(state: number[], view: DataView, at: number): void {
  const words: number[] = [];
  for (let index = 0; index < 16; index++) words.push(view.getInt32(at + index * 4));
  for (let index = 16; index < 80; index++) {
    const mixed = word(words, index - 3) ^ word(words, index - 8) ^ word(words, index - 14) ^ word(words, index - 16);
    words.push(rotateLeft(mixed, 1));
  }
  let [a, b, c, d, e] = [word(state, 0), word(state, 1), word(state, 2), word(state, 3), word(state, 4)];
  for (let index = 0; index < 80; index++) {
    const [mixed, constant] = sha1Round(index, [b, c, d]);
    const next = (rotateLeft(a, 5) + mixed + e + constant + word(words, index)) | 0;
    [a, b, c, d, e] = [next, a, rotateLeft(b, 30), c, d];
  }
  addInto(state, [a, b, c, d, e]);
}

function sha1Round(index: number, [b, c, d]: readonly [number, number, number]): readonly [number, number] {
  if (index < 20) return [(b & c) | (~b & d), 0x5a827999];
  if (index < 40) return [b ^ c ^ d, 0x6ed9eba1];
  if (index < 60) return [(b & c) | (b & d) | (c & d), 0x8f1bbcdc];
  return [b ^ c ^ d, 0xca62c1d6];
}

function word(words: readonly number[], index: number): number {
  return words[index] ?? 0;
}

function addInto(state: number[], values: readonly number[]): void {
  for (const [index, value] of values.entries()) state[index] = (word(state, index) + value) | 0;
}

function bytesOf32(state: readonly number[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(state.length * 4));
  for (const [index, value] of state.entries()) view.setInt32(index * 4, value);
  return new Uint8Array(view.buffer);
}

/** The first 80 primes: the constants of SHA-2 are the fractions of their roots. */
function primes(count: number): readonly bigint[] {
  const found: bigint[] = [];
  for (let candidate = 2n; found.length < count; candidate++) {
    if (!found.some((prime) => candidate % prime === 0n)) found.push(candidate);
  }
  return found;
}

/** The first 64 bits behind the point of the square or cube root. */
function rootFraction(value: bigint, degree: 2n | 3n): bigint {
  const target = value << (64n * degree);
  let low = 0n;
  let high = 1n << 80n;
  while (high - low > 1n) {
    const middle = (low + high) >> 1n;
    if (middle ** degree <= target) low = middle;
    else high = middle;
  }
  return BigInt.asUintN(64, low);
}

interface Sha2Constants {
  readonly rounds64: readonly bigint[];
  readonly start64: readonly bigint[];
  readonly rounds32: readonly number[];
  readonly start32: readonly number[];
}

/** Worked out at the first use: a program that hashes nothing does not wait for them. */
let remembered: Sha2Constants | undefined;

function constants(): Sha2Constants {
  if (remembered !== undefined) return remembered;
  const found = primes(80);
  const rounds64 = found.map((prime) => rootFraction(prime, 3n));
  const start64 = found.slice(0, 8).map((prime) => rootFraction(prime, 2n));
  const upper = (fraction: bigint): number => Number(fraction >> 32n) | 0;
  remembered = { rounds64, start64, rounds32: rounds64.slice(0, 64).map(upper), start32: start64.map(upper) };
  return remembered;
}

export function sha256(bytes: Uint8Array): Uint8Array {
  const state = [...constants().start32];
  const view = new DataView(pad(bytes, 64).buffer);
  for (let at = 0; at < view.byteLength; at += 64) sha256Block(state, view, at);
  return bytesOf32(state);
}

function rotateRight(value: number, by: number): number {
  return (value >>> by) | (value << (32 - by));
}

function sha256Block(state: number[], view: DataView, at: number): void {
  const words: number[] = [];
  for (let index = 0; index < 16; index++) words.push(view.getInt32(at + index * 4));
  for (let index = 16; index < 64; index++) {
    const early = word(words, index - 15);
    const late = word(words, index - 2);
    const small = rotateRight(early, 7) ^ rotateRight(early, 18) ^ (early >>> 3);
    const large = rotateRight(late, 17) ^ rotateRight(late, 19) ^ (late >>> 10);
    words.push((word(words, index - 16) + small + word(words, index - 7) + large) | 0);
  }
  const { rounds32 } = constants();
  let v: readonly number[] = [...state];
  for (let index = 0; index < 64; index++) v = sha256Round(v, word(words, index) + word(rounds32, index));
  addInto(state, v);
}

function sha256Round(v: readonly number[], input: number): readonly number[] {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = v;
  const sumE = rotateRight(e, 6) ^ rotateRight(e, 11) ^ rotateRight(e, 25);
  const sumA = rotateRight(a, 2) ^ rotateRight(a, 13) ^ rotateRight(a, 22);
  const first = (h + sumE + ((e & f) ^ (~e & g)) + input) | 0;
  const second = (sumA + ((a & b) ^ (a & c) ^ (b & c))) | 0;
  return [(first + second) | 0, a, b, c, (d + first) | 0, e, f, g];
}

function rotate64(value: bigint, by: bigint): bigint {
  return BigInt.asUintN(64, (value >> by) | (value << (64n - by)));
}

export function sha512(bytes: Uint8Array): Uint8Array {
  let state = constants().start64;
  const view = new DataView(pad(bytes, 128).buffer);
  for (let at = 0; at < view.byteLength; at += 128) state = sha512Block(state, view, at);
  const out = new DataView(new ArrayBuffer(64));
  for (const [index, value] of state.entries()) out.setBigUint64(index * 8, value);
  return new Uint8Array(out.buffer);
}

function sha512Block(state: readonly bigint[], view: DataView, at: number): readonly bigint[] {
  const words: bigint[] = [];
  const get = (index: number): bigint => words[index] ?? 0n;
  for (let index = 0; index < 16; index++) words.push(view.getBigUint64(at + index * 8));
  for (let index = 16; index < 80; index++) {
    const early = get(index - 15);
    const late = get(index - 2);
    const small = rotate64(early, 1n) ^ rotate64(early, 8n) ^ (early >> 7n);
    const large = rotate64(late, 19n) ^ rotate64(late, 61n) ^ (late >> 6n);
    words.push(BigInt.asUintN(64, get(index - 16) + small + get(index - 7) + large));
  }
  const { rounds64 } = constants();
  let v = state;
  for (let index = 0; index < 80; index++) v = sha512Round(v, get(index) + (rounds64[index] ?? 0n));
  return state.map((value, index) => BigInt.asUintN(64, value + (v[index] ?? 0n)));
}

function sha512Round(v: readonly bigint[], input: bigint): readonly bigint[] {
  const [a = 0n, b = 0n, c = 0n, d = 0n, e = 0n, f = 0n, g = 0n, h = 0n] = v;
  const sumE = rotate64(e, 14n) ^ rotate64(e, 18n) ^ rotate64(e, 41n);
  const sumA = rotate64(a, 28n) ^ rotate64(a, 34n) ^ rotate64(a, 39n);
  const first = h + sumE + ((e & f) ^ (BigInt.asUintN(64, ~e) & g)) + input;
  const second = sumA + ((a & b) ^ (a & c) ^ (b & c));
  return [BigInt.asUintN(64, first + second), a, b, c, BigInt.asUintN(64, d + first), e, f, g];
}

export function adler32(bytes: Uint8Array): number {
  let a = 1;
  let b = 0;
  for (const byte of bytes) {
    a = (a + byte) % 65_521;
    b = (b + a) % 65_521;
  }
  return ((b << 16) | a) >>> 0;
}
