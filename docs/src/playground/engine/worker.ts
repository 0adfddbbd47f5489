/**
 * @file The one script of the playground's workers: it compiles batches of texts, or it is the place of one run.
 * @original
 */
import type { FromCompiler, FromRunner, ToCompiler, ToRunner } from "./protocol.ts";
import { Runtime } from "./runtime.ts";
import { SyntaxProblem, transpile } from "./transpile.ts";

const scope = self as unknown as {
  postMessage(message: FromRunner | FromCompiler): void;
  addEventListener(type: "message", listener: (event: MessageEvent<ToRunner | ToCompiler>) => void): void;
  addEventListener(type: "unhandledrejection", listener: (event: PromiseRejectionEvent) => void): void;
};

let runtime: Runtime | null = null;

function run(message: ToRunner): void {
  runtime ??= new Runtime((told) => scope.postMessage(told));
  if (message.type === "run") {
    Object.assign(console, runtime.console); // the library's warnings are shown, too
    void runtime.run(message.request);
    return;
  }
  runtime.add(message.modules);
  if (message.preload) runtime.preload();
  else scope.postMessage({ type: "ready", ms: 0 });
}

function compile({ id, texts }: ToCompiler): void {
  try {
    scope.postMessage({ id, modules: texts.map(([path, text]) => transpile(path, text)) });
  } catch (error) {
    if (!(error instanceof SyntaxProblem)) throw error;
    scope.postMessage({ id, problem: error.problem });
  }
}

scope.addEventListener("message", ({ data }) => ("id" in data ? compile(data) : run(data)));
scope.addEventListener("unhandledrejection", (event) => {
  event.preventDefault();
  runtime?.fail(event.reason);
});
