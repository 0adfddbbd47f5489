/**
 * @file The lanes of training and of inference in a recording of walkthroughs/inference.py: what the page docs/content/walkthroughs/inference.mdx says of them.
 */
import { readFileSync } from "node:fs";
import "glasstorch/jit";
import { python } from "glasstorch/python";
import { laneOf, record, type TraceEvent } from "glasstorch/trace";
import { expect, test } from "vitest";
import { torch } from "../../src/cpp.ts";

const text = readFileSync(new URL("../../walkthroughs/inference.py", import.meta.url), "utf8");
const once = text.replace("range(200)", "range(1)").replace(/^assert losses.*$/m, "");
let program: Readonly<Record<string, unknown>> = {};
const trace = record(() => {
  program = python(once, { filename: "inference.py", stdout: () => {} }) as unknown as typeof program;
});

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

test("the entry without a front end reads the same file, and answers the same", () => {
  const numbers = (value: unknown): number[] => (value as { flatten(): { tolist(): number[] } }).flatten().tolist();
  const question = Float32Array.from(numbers(program["x"]).slice(0, 6));
  const net = torch.jit.load((program["file"] as { readonly data: Uint8Array }).data.slice());
  const answer = net.forward([torch.from_array(question, [3, 2])]).toTensor();
  const found = [...Array(3).keys()].map((i) => torch.select_int(answer, 0, i).view([]).item().toDouble());
  expect(found).toEqual(numbers(program["expected"]));
});
