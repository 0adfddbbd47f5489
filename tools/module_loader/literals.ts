/**
 * @file Finds the parts of a program's text that are not code.
 * @original
 */

/** The text with spaces in place of comments, strings and regular expressions. Code inside `${}` is blanked too: no loop can be there. */
export function blankLiterals(js: string): string {
  const literal =
    /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[\s\S])*`|(?<=[(,=:[!&|?{};\n]\s*)\/(?![*/])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\//g;
  return js.replace(literal, (text) => text.replace(/[^\n]/g, " "));
}
