/** Cases of single characters that JavaScript has no function for. */
import { expect, test } from "vitest";
import { is_decimal, is_digit, is_numeric, to_casefold, to_title } from "#python/Objects/unicodectype";

test("title case is upper case, but for digraphs, ligatures, Georgian, and iotas below a letter", () => {
  for (const character of ["Ǆ", "ǅ", "ǆ"]) expect(to_title(character)).toBe("ǅ");
  expect(to_title("ǳ")).toBe("ǲ");
  expect(to_title("ﬁ")).toBe("Fi");
  expect(to_title("ß")).toBe("Ss");
  expect(to_title("ა")).toBe("ა");
  expect(to_title("ᾳ")).toBe("ᾼ");
  expect(to_title("ᾷ")).toBe("\u0391\u0342\u0345");
  expect(to_title("é")).toBe("É");
});

test("casefold goes by upper case, but not for a dotless i and for Cherokee", () => {
  expect(to_casefold("ß")).toBe("ss");
  expect(to_casefold("ẞ")).toBe("ss");
  expect(to_casefold("ς")).toBe("σ");
  expect(to_casefold("ı")).toBe("ı");
  expect(to_casefold("ꭰ")).toBe("Ꭰ");
});

test("each decimal digit is a digit, and each digit is numeric", () => {
  for (const [character, decimal, digit, numeric] of [
    ["5", true, true, true],
    ["٣", true, true, true],
    ["²", false, true, true],
    ["½", false, false, true],
    ["百", false, false, true],
    ["a", false, false, false],
  ] as const) {
    expect([is_decimal(character), is_digit(character), is_numeric(character)]).toEqual([decimal, digit, numeric]);
  }
});
