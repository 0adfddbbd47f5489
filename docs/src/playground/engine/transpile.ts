/**
 * @file One module of TypeScript to a JavaScript function body that `loader.ts` can run. Lines stay where they are.
 * @original
 */
import { transform } from "sucrase";
import { blankLiterals } from "./literals.ts";

/** A text that cannot be run; lines and columns count from 1, 0 is unknown. */
export interface Problem {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

export class SyntaxProblem extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(`${problem.file}:${problem.line}:${problem.column}: ${problem.message}`);
    this.name = "SyntaxProblem";
    this.problem = problem;
  }
}

export interface Module {
  readonly path: string;
  /** Body of a function of `require`, `exports` and `__meta`. */
  readonly js: string;
  /** It may export more than it does here: not all of it has come. */
  readonly partial?: boolean;
}

/**
 * `watched`: loops tell the line they are at, so that an endless one can be named.
 * @throws {SyntaxProblem}
 */
export function transpile(path: string, text: string, watched = false): Module {
  let js: string;
  try {
    js = transform(text, {
      transforms: ["typescript", "imports"],
      disableESTransforms: true,
      keepUnusedImports: true,
      filePath: path,
    }).code;
  } catch (error) {
    throw new SyntaxProblem(problemOf(path, error as Error));
  }
  if (text.includes("import.meta")) js = js.replace(/\bimport\.meta\b/g, "__meta");
  if (/\busing\b/.test(js)) js = disposeAtEnd(js);
  if (watched) js = watchLoops(js);
  return { path, js: hoistExports(js) };
}

/** The message of sucrase, without its name and position. */
function problemOf(file: string, error: Error & { loc?: { line: number; column: number } }): Problem {
  const message = error.message.replace(/^Error transforming [^:]*: /, "").replace(/ \(\d+:\d+\)$/, "");
  return { file, line: error.loc?.line ?? 0, column: error.loc?.column ?? 0, message };
}

/**
 * A module in a circle may be asked for its functions before its body has run: ECMAScript gives them, so their exports come first.
 * And a module's own name wins over one that `export *` brings, so it is there before.
 */
function hoistExports(js: string): string {
  const declared = new Set<string>();
  for (const found of js.matchAll(/^ *(?:async )?function\*? *([A-Za-z_$][\w$]*)/gm)) declared.add(found[1]);
  const stars = js.includes("_createStarExport(");
  let first = "";
  for (const found of js.matchAll(/\bexports\. ?([A-Za-z_$][\w$]*) = ([A-Za-z_$][\w$]*);/g))
    if (declared.has(found[2])) first += found[0];
    else if (stars) first += `exports.${found[1]} = void 0;`;
  return js.startsWith('"use strict";') ? `"use strict";${first}${js.slice(13)}` : first + js;
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
