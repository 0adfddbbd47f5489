/**
 * @file Extends the common translation for programs in a page: loops that can be stopped, and `using` for browsers without it.
 * @original
 */
import { blankLiterals } from "../../../../tools/module_loader/literals.ts";
import * as common from "../../../../tools/module_loader/transpile.ts";

export { type Module, type Problem, SyntaxProblem } from "../../../../tools/module_loader/transpile.ts";

/**
 * `watched`: loops tell the line they are at, so that an endless one can be named.
 * @throws {SyntaxProblem}
 */
export function transpile(path: string, text: string, watched = false): common.Module {
  let { js } = common.transpile(path, text);
  if (/\busing\b/.test(js)) js = disposeAtEnd(js);
  if (watched) js = watchLoops(js);
  return { path, js };
}

/** `using g = new Guard();` for browsers that do not know it: to the end of its block, `try`, and then `g` is disposed of. */
export function disposeAtEnd(js: string): string {
  const blank = blankLiterals(js);
  const found = /(?<![\w$.])using(?= +([A-Za-z_$][\w$]*) *=)/.exec(blank);
  if (found === null) return js;
  const [word, name] = found;
  const end = blank.indexOf(";", found.index) + 1;
  const close = closing(blank, end, "{", "}");
  const rest = disposeAtEnd(`${js.slice(end, close)}`);
  return `${js.slice(0, found.index)}const${js.slice(found.index + word.length, end)}try{${rest}}finally{${name}[Symbol.dispose]();}${disposeAtEnd(js.slice(close))}`;
}

/** Puts `__at(line)` at the beginning of every loop's body; strings, comments and regular expressions are passed over. */
export function watchLoops(js: string): string {
  const marks: number[] = [];
  const blank = blankLiterals(js);
  for (const found of blank.matchAll(/(?<![\w$.])(?:while|for(?: await)?) *\(|(?<![\w$.])do\s*\{/g)) {
    const end = found.index + found[0].length;
    if (found[0].startsWith("do")) marks.push(end);
    else {
      const close = closing(blank, end, "(", ")");
      const body = /^\s*\{/.exec(blank.slice(close + 1));
      if (body !== null) marks.push(close + 1 + body[0].length);
      else if (found[0].startsWith("while")) marks.push(-end); // no braces, or the end of do … while: watch the condition
    }
  }
  let out = "";
  let from = 0;
  let line = 1;
  for (const mark of marks.sort((a, b) => Math.abs(a) - Math.abs(b))) {
    const at = Math.abs(mark);
    const text = js.slice(from, at);
    line += text.split("\n").length - 1;
    out += `${text}__at(${line})${mark < 0 ? "," : ";"}`;
    from = at;
  }
  return out + js.slice(from);
}

/** The position of what closes the parenthesis or block that is open at `from`. */
function closing(text: string, from: number, open: string, close: string): number {
  let depth = 1;
  for (let i = from; i < text.length; i++) {
    if (text[i] === open) depth++;
    else if (text[i] === close && --depth === 0) return i;
  }
  return text.length;
}
