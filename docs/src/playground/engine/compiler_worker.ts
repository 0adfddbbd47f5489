/**
 * @file A compiler in a worker of its own: it turns texts into modules and runs none of them.
 * @original
 */
import type { FromCompiler, ToCompiler } from "./protocol.ts";
import { SyntaxProblem, transpile } from "./transpile.ts";

const scope = self as unknown as {
  postMessage(message: FromCompiler): void;
  addEventListener(type: "message", listener: (event: MessageEvent<ToCompiler>) => void): void;
};

scope.addEventListener("message", ({ data: { id, texts, watched } }) => {
  try {
    scope.postMessage({ id, modules: texts.map(([path, text]) => transpile(path, text, watched)) });
  } catch (error) {
    if (!(error instanceof SyntaxProblem)) throw error;
    scope.postMessage({ id, problem: error.problem });
  }
});
