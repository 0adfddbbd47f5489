/**
 * @file Single characters: their classes and their case mappings.
 * @mirrors Objects/unicodectype.c (CPython 3.11)
 * @differs The engine's version of Unicode decides (15 and later); CPython 3.11 has Unicode 14. They differ in characters that were added since.
 */

/** Digits that are no decimal digits: superscripts and digits in circles. */
const OTHER_DIGIT =
  /^[\u00b2\u00b3\u00b9\u1369-\u1371\u19da\u2070\u2074-\u2079\u2080-\u2089\u2460-\u2468\u2474-\u247c\u2488-\u2490\u24ea\u24f5-\u24fd\u24ff\u2776-\u277e\u2780-\u2788\u278a-\u2792\u{10a40}-\u{10a43}\u{10e60}-\u{10e68}\u{11052}-\u{1105a}\u{1f100}-\u{1f10a}]$/u;
/** Chinese characters that mean a number. */
const NUMBER_WORD =
  /^[\u3405\u3483\u382a\u3b4d\u4e00\u4e03\u4e07\u4e09\u4e5d\u4e8c\u4e94\u4e96\u4ebf\u4ec0\u4edf\u4ee8\u4f0d\u4f70\u5104\u5146\u5169\u516b\u516d\u5341\u5343-\u5345\u534c\u53c1-\u53c4\u56db\u58f1\u58f9\u5e7a\u5efe\u5eff\u5f0c-\u5f0e\u5f10\u62fe\u634c\u67d2\u6f06\u7396\u767e\u8086\u842c\u8cae\u8cb3\u8d30\u9621\u9646\u964c\u9678\u96f6\uf96b\uf973\uf978\uf9b2\uf9d1\uf9d3\uf9fd\u{20001}\u{20064}\u{200e2}\u{20121}\u{2092a}\u{20983}\u{2098c}\u{2099c}\u{20aea}\u{20afd}\u{20b19}\u{22390}\u{22998}\u{23b1b}\u{2626d}\u{2f890}]$/u;

const DECIMAL = /^\p{Nd}$/u;
const NUMBER = /^\p{N}$/u;
const LETTER = /^\p{L}$/u;
const UPPER = /^\p{Uppercase}$/u;
const LOWER = /^\p{Lowercase}$/u;
const TITLE = /^\p{Lt}$/u;
const CASED = /^[\p{Uppercase}\p{Lowercase}\p{Lt}]$/u;
const IGNORABLE = /^\p{Case_Ignorable}$/u;

export const is_decimal = (character: string): boolean => DECIMAL.test(character);
export const is_digit = (character: string): boolean => is_decimal(character) || OTHER_DIGIT.test(character);
export const is_numeric = (character: string): boolean => NUMBER.test(character) || NUMBER_WORD.test(character);
export const is_alpha = (character: string): boolean => LETTER.test(character);
export const is_upper = (character: string): boolean => UPPER.test(character);
export const is_lower = (character: string): boolean => LOWER.test(character);
export const is_title = (character: string): boolean => TITLE.test(character);
/** Whether a character has upper, lower or title case. */
export const is_cased = (character: string): boolean => CASED.test(character);
/** Whether the rule for a final sigma looks past a character. */
export const is_case_ignorable = (character: string): boolean => IGNORABLE.test(character);

const DIGRAPH = /^[\u01c4-\u01cc\u01f1-\u01f3]$/;
const GEORGIAN = /^[\u10d0-\u10ff]$/;

/** A character as the first of a word, which JavaScript has no function for. */
export function to_title(character: string): string {
  if (character < "\x80") return character.toUpperCase();
  const code = character.codePointAt(0) as number;
  // Letters such as U+01C4 stand in threes: both letters large, the first large, both small.
  if (DIGRAPH.test(character)) return String.fromCodePoint(code - ((code - (code < 0x1f1 ? 0x1c4 : 0x1f1)) % 3) + 1);
  if (GEORGIAN.test(character)) return character; // it has capitals, but words do not begin with them
  const upper = character.toUpperCase();
  const first = String.fromCodePoint(upper.codePointAt(0) as number);
  const rest = upper.slice(first.length);
  if (code === 0x149) return upper; // an apostrophe and its letter
  // A Greek letter with a small iota below keeps it below.
  if (code >= 0x1f80 && code < 0x2000 && rest.endsWith("\u0399")) {
    const below = `${first}${rest.slice(0, -1)}\u0345`;
    return rest.length === 1 ? below.normalize("NFC") : below;
  }
  return first + rest.toLowerCase();
}

/** A character for comparisons that ignore case. */
export function to_casefold(character: string): string {
  if (character < "\x80") return character.toLowerCase();
  const code = character.codePointAt(0) as number;
  if (code === 0x131) return character; // an i without a dot is another letter
  if (code === 0x1e9e) return "ss"; // the capital sharp s
  // Cherokee had capitals first, so its texts compare by them.
  if ((code >= 0x13a0 && code < 0x1400) || (code >= 0xab70 && code < 0xabc0)) return character.toUpperCase();
  return character.toUpperCase().toLowerCase();
}
