import { expect, test } from "vitest";
import { sprintf } from "./printf.js";

/** What Go 1.26 prints for int64 5, 255 and -7. */
test.each([
  ["%d", "5", "255", "-7"],
  ["%02d", "05", "255", "-7"],
  ["%5d|", "    5|", "  255|", "   -7|"],
  ["%-5d|", "5    |", "255  |", "-7   |"],
  ["%x", "5", "ff", "-7"],
  ["%02X", "05", "FF", "-7"],
  ["%#x", "0x5", "0xff", "-0x7"],
  ["%o", "5", "377", "-7"],
  ["%O", "0o5", "0o377", "-0o7"],
  ["%b", "101", "11111111", "-111"],
  ["%c", "\u0005", "ÿ", "\ufffd"],
  ["%U", "U+0005", "U+00FF", "U+FFFFFFFFFFFFFFF9"],
  ["%v", "5", "255", "-7"],
  ["%T", "int64", "int64", "int64"],
  ["%+d", "+5", "+255", "-7"],
  ["% d", " 5", " 255", "-7"],
  ["%+v", "5", "255", "-7"],
  ["%.5d", "00005", "00255", "-00007"],
  ["%05x", "00005", "000ff", "-0007"],
  ["%#08x|", "0x00000005|", "0x000000ff|", "-0x0000007|"],
  ["%s", "%!s(int64=5)", "%!s(int64=255)", "%!s(int64=-7)"],
  ["%e", "%!e(int64=5)", "%!e(int64=255)", "%!e(int64=-7)"],
  ["%f", "%!f(int64=5)", "%!f(int64=255)", "%!f(int64=-7)"],
  ["%z", "%!z(int64=5)", "%!z(int64=255)", "%!z(int64=-7)"],
  ["a", "a%!(EXTRA int64=5)", "a%!(EXTRA int64=255)", "a%!(EXTRA int64=-7)"],
  ["%d%d", "5%!d(MISSING)", "255%!d(MISSING)", "-7%!d(MISSING)"],
  ["%", "%!(NOVERB)%!(EXTRA int64=5)", "%!(NOVERB)%!(EXTRA int64=255)", "%!(NOVERB)%!(EXTRA int64=-7)"],
  ["100%% %d", "100% 5", "100% 255", "100% -7"],
  ["testuser%02X", "testuser05", "testuserFF", "testuser-7"],
] as const)("%s", (format, five, large, negative) => {
  expect([5n, 255n, -7n].map((value) => sprintf(format, [value]))).toEqual([five, large, negative]);
});

test.each([
  ["%s|%5s|%-5s|%.2s|%q", ["a", "b", "c", "long", 'q"'], 'a|    b|c    |lo|"q\\""'],
  ["%v %.2f %08.3f %e %g", [1e6, 1.005, 3.125, 12345.678, 0.00001], "1e+06 1.00 0003.125 1.234568e+04 1e-05"],
  ["%t %v", [true, false], "true false"],
] as const)("%s", (format, args, expected) => {
  expect(sprintf(format, args)).toBe(expected);
});

test("a width that would fill the memory is cut", () => {
  expect(sprintf("%99999999d", [1n]).length).toBe(1_000_000);
});
