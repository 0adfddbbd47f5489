/**
 * @file The lanes of training and of inference in a recording of walkthroughs/inference.py: what the page docs/content/walkthroughs/inference.mdx says of them.
 */
import { readFileSync } from "node:fs";
import "glasstorch/jit";
import { python } from "glasstorch/python";
import { laneOf, record, type TraceEvent } from "glasstorch/trace";
import { expect, test } from "vitest";

const text = readFileSync(new URL("../../walkthroughs/inference.py", import.meta.url), "utf8");
const once = text.replace("range(200)", "range(1)").replace(/^assert losses.*$/m, "");
const trace = record(() => python(once, { filename: "inference.py", stdout: () => {} }));

/** Events below a line of the program. */
function below(file: string, line: number): TraceEvent[] {
  const is_inside = (event: TraceEvent): boolean => {
    for (let at: TraceEvent | null = event; at !== null; at = trace.parent(at))
      if (at.kind === "line" && at.source?.file.endsWith(file) === true && at.source.line === line) return true;
    return false;
  };
  return trace.events.filter(is_inside);
}

const lanes = (events: readonly TraceEvent[]): Set<string> =>
  new Set(events.map((event) => laneOf(event, trace.parent(event))));
const line_of = (part: string): number => once.split("\n").findIndex((line) => line.includes(part)) + 1;

test("training passes the binding and makes nodes of autograd; the loaded program does neither", () => {
  const training = below("inference.py", line_of("loss = nn.functional.mse_loss"));
  const serving = below("server.py", 5);
  expect(lanes(training).has("binding")).toBe(true);
  expect(training.some(({ kind }) => kind === "autograd")).toBe(true);
  expect(lanes(training).has("runtime")).toBe(false);
  expect(lanes(serving).has("binding")).toBe(false);
  expect(serving.some(({ kind }) => kind === "autograd")).toBe(false);
  for (const lane of ["compile", "runtime", "dispatcher", "native", "loop", "memory"])
    expect(lanes(serving).has(lane), lane).toBe(true);
});
