/**
 * @file The parts of a program's text that are not code.
 * @original
 */

/**
 * The text with comments, strings and regular expressions replaced by spaces. Code inside `${}` is replaced too: it
 * contains no loops.
 */
export function blankLiterals(js: string): string {
  const literal =
    /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[\s\S])*`|(?<=[(,=:[!&|?{};\n]\s*)\/(?![*/])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\//g;
  return js.replace(literal, (text) => text.replace(/[^\n]/g, " "));
}
