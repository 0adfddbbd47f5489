/**
 * @file Codegen in a worker of its own: it and its parsers are fetched when a reader's edit needs them.
 * @original
 */
import { problemOf, readsOf, regenerate } from "./codegen.ts";
import type { CodegenRequest, FromCodegen } from "./protocol.ts";

const scope = self as unknown as {
  postMessage(message: FromCodegen): void;
  addEventListener(type: "message", listener: (event: MessageEvent<CodegenRequest>) => void): void;
};

scope.addEventListener("message", ({ data: { id, pristine, edits, whole } }) => {
  const before = new Map(pristine);
  const after = new Map([...before, ...edits]);
  const edited = edits.map(([path]) => path);
  try {
    const reads = whole ? [] : readsOf(after, before, edited);
    if (reads === null || reads.some((path) => !before.has(path))) {
      scope.postMessage({ id, reads });
      return;
    }
    const outputs = regenerate(after, before, edited);
    scope.postMessage({ id, outputs: [...outputs] });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    scope.postMessage({ id, problem: problemOf(error) ?? { file: edits[0]?.[0] ?? "", line: 0, column: 0, message } });
  }
});
