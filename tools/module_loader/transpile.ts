/**
 * @file Translation of one TypeScript module to the body of a JavaScript function. Lines keep their numbers.
 * @original Python compiles a module to a code object, and keeps it in `__pycache__`.
 */
import { transform } from "sucrase";

/** An error in a text; lines and columns count from 1, 0 is unknown. */
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
  /** Whether the text is incomplete, so that it may export more than here. */
  readonly partial?: boolean;
}

/** @throws {SyntaxProblem} */
export function transpile(path: string, text: string): Module {
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
  return { path, js: hoistExports(copyConstants(js, text)) };
}

const STAR_EXPORT = "Object.defineProperty(exports, key, {enumerable: true, configurable: true, get: () => obj[key]})";

/**
 * `export *` defines a function for each name, which asks the other module at each use. A value that is there never changes, so it is
 * copied instead, except if it is a variable: a module lists its variables.
 */
function copyConstants(js: string, text: string): string {
  const variables = Array.from(text.matchAll(/^export let ([\w$]+)/gm), (found) => found[1]);
  const copied = js.replace(
    STAR_EXPORT,
    `if (!obj.__esModule || obj.__variables?.includes(key) || Object.getOwnPropertyDescriptor(obj, key).value === undefined) ${STAR_EXPORT}; else exports[key] = obj[key]`,
  );
  if (variables.length === 0) return copied;
  const listed = `Object.defineProperty(exports, "__variables", { value: ${JSON.stringify(variables)} });`;
  return copied.replace('"use strict";', `"use strict";${listed}`);
}

/** The message of sucrase, without its name and position. */
function problemOf(file: string, error: Error & { loc?: { line: number; column: number } }): Problem {
  const message = error.message.replace(/^Error transforming [^:]*: /, "").replace(/ \(\d+:\d+\)$/, "");
  return { file, line: error.loc?.line ?? 0, column: error.loc?.column ?? 0, message };
}

/**
 * Puts exports of functions first: a module in a circle may be asked for its functions before its body has run, as
 * ECMAScript allows. A module's own name also takes precedence over one from `export *`, so it must exist before.
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
