/**
 * @file Codegen in a worker of its own: it and its parsers are fetched when a reader's edit needs them.
 * @original
 */
import { problemOf, regenerate } from "./codegen.ts";
import type { CodegenRequest, FromCodegen } from "./protocol.ts";

const scope = self as unknown as {
  postMessage(message: FromCodegen): void;
  addEventListener(type: "message", listener: (event: MessageEvent<CodegenRequest>) => void): void;
};

scope.addEventListener("message", ({ data: { id, pristine, edits } }) => {
  const before = new Map(pristine);
  try {
    const outputs = regenerate(
      new Map([...before, ...edits]),
      before,
      edits.map(([path]) => path),
    );
    scope.postMessage({ id, outputs: [...outputs] });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    scope.postMessage({ id, problem: problemOf(error) ?? { file: edits[0]?.[0] ?? "", line: 0, column: 0, message } });
  }
});
