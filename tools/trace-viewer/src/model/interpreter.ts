/**
 * @file The runs of TorchScript's interpreter in a recording: instructions, and the stack and registers before each step.
 * @original
 */
import type { SourcePosition, ValueRecord } from "../../../../src/trace/event.ts";
import type { TraceModel } from "./TraceModel.ts";

export interface InterpreterStep {
  /** Index of its event. */
  readonly event: number;
  /** `LOADC 5`, and the node that it belongs to. */
  readonly text: string;
  readonly node: string;
  readonly pc: number;
  /** The function, if it is not the one that the run began with. */
  readonly called: string | null;
  /** Values on the stack, the top last. */
  readonly stack: readonly ValueRecord[];
  readonly registers: readonly { readonly register: string; readonly value: ValueRecord; readonly changed: boolean }[];
  /** Where the node was written in the program. */
  readonly source: SourcePosition | null;
}

export interface InterpreterRun {
  readonly event: number;
  readonly title: string;
  /** `0 STOREN 1 2`, ... */
  readonly instructions: readonly string[];
  readonly steps: readonly InterpreterStep[];
}

export function runsOf(model: TraceModel): InterpreterRun[] {
  const runs: InterpreterRun[] = [];
  model.events.forEach((event, i) => {
    const running = model.graphs[event.graphs?.["running"] ?? -1];
    if (event.kind !== "runtime" || running === undefined) return;
    const steps: InterpreterStep[] = [];
    const places = new Map(running.nodes.map(({ id, source }) => [id, source]));
    let before: Readonly<Record<string, ValueRecord>> = {};
    for (let at = i + 1; at <= (model.last[i] as number); at++) {
      const step = model.event(at);
      if (step.pc === undefined || model.parent[at] !== i) continue;
      const registers = step.registers ?? {};
      const last = before;
      steps.push({
        event: at,
        text: step.name,
        node: String(step["note"] ?? ""),
        pc: step.pc,
        called: (step.depth ?? 1) > 1 ? String(step["function"]) : null,
        stack: Array.isArray(step.stack) ? (step.stack as readonly ValueRecord[]) : [],
        registers: Object.entries(registers).map(([register, value]) => ({
          register,
          value,
          changed: JSON.stringify(last[register]) !== JSON.stringify(value),
        })),
        source: places.get(step.graph_node ?? "") ?? null,
      });
      before = registers;
    }
    const instructions = (running.code ?? "").split("\n");
    if (steps.length > 0) runs.push({ event: i, title: String(event["note"] ?? ""), instructions, steps });
  });
  return runs;
}
