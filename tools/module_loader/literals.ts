/**
 * @file What in a program's text is no code.
 * @original
 */

/** The same text with comments, strings and regular expressions as spaces. Code inside `${}` stays blank too: no loop stands there. */
export function blankLiterals(js: string): string {
  const literal =
    /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[\s\S])*`|(?<=[(,=:[!&|?{};\n]\s*)\/(?![*/])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\//g;
  return js.replace(literal, (text) => text.replace(/[^\n]/g, " "));
}
