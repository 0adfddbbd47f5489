/**
 * @file How many columns a terminal gives to a text: characters of East Asia and pictures take two.
 * @mirrors Parser/pegen.c#_PyPegen_calculate_display_width (CPython 3.11)
 */

/** The characters that Unicode 14 calls wide or full-width. */
const WIDE = new RegExp(
  `[${[
    String.raw`\u{1100}-\u{115f}\u{231a}-\u{231b}\u{2329}-\u{232a}\u{23e9}-\u{23ec}\u{23f0}\u{23f3}\u{25fd}-\u{25fe}\u{2614}-\u{2615}`,
    String.raw`\u{2648}-\u{2653}\u{267f}\u{2693}\u{26a1}\u{26aa}-\u{26ab}\u{26bd}-\u{26be}\u{26c4}-\u{26c5}\u{26ce}\u{26d4}\u{26ea}`,
    String.raw`\u{26f2}-\u{26f3}\u{26f5}\u{26fa}\u{26fd}\u{2705}\u{270a}-\u{270b}\u{2728}\u{274c}\u{274e}\u{2753}-\u{2755}\u{2757}`,
    String.raw`\u{2795}-\u{2797}\u{27b0}\u{27bf}\u{2b1b}-\u{2b1c}\u{2b50}\u{2b55}\u{2e80}-\u{303e}\u{3041}-\u{3247}\u{3250}-\u{4dbf}`,
    String.raw`\u{4e00}-\u{a4c6}\u{a960}-\u{a97c}\u{ac00}-\u{d7a3}\u{f900}-\u{fad9}\u{fe10}-\u{fe19}\u{fe30}-\u{fe6b}\u{ff01}-\u{ff60}`,
    String.raw`\u{ffe0}-\u{ffe6}\u{16fe0}-\u{1b2fb}\u{1f004}\u{1f0cf}\u{1f18e}\u{1f191}-\u{1f19a}\u{1f200}-\u{1f320}\u{1f32d}-\u{1f335}`,
    String.raw`\u{1f337}-\u{1f37c}\u{1f37e}-\u{1f393}\u{1f3a0}-\u{1f3ca}\u{1f3cf}-\u{1f3d3}\u{1f3e0}-\u{1f3f0}\u{1f3f4}`,
    String.raw`\u{1f3f8}-\u{1f43e}\u{1f440}\u{1f442}-\u{1f4fc}\u{1f4ff}-\u{1f53d}\u{1f54b}-\u{1f54e}\u{1f550}-\u{1f567}\u{1f57a}`,
    String.raw`\u{1f595}-\u{1f596}\u{1f5a4}\u{1f5fb}-\u{1f64f}\u{1f680}-\u{1f6c5}\u{1f6cc}\u{1f6d0}-\u{1f6d2}\u{1f6d5}-\u{1f6df}`,
    String.raw`\u{1f6eb}-\u{1f6ec}\u{1f6f4}-\u{1f6fc}\u{1f7e0}-\u{1f7f0}\u{1f90c}-\u{1f93a}\u{1f93c}-\u{1f945}\u{1f947}-\u{1f9ff}`,
    String.raw`\u{1fa70}-\u{1faf6}\u{20000}-\u{3fffd}`,
  ].join("")}]`,
  "u",
);

/** Columns of a text. */
export function display_width(text: string): number {
  let width = 0;
  for (const character of text) width += character > "\x7f" && WIDE.test(character) ? 2 : 1;
  return width;
}
