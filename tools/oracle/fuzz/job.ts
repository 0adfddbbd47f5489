/**
 * @file One worker of the fuzzer: it makes programs, replays them, and reports differences to its parent. It is a
 * separate process, so that a program that never ends can be stopped.
 * @original
 */
import { cause } from "./cause.ts";
import { compare, type Difference } from "./compare.ts";
import { inventory, load } from "./library.ts";
import type { Program, ProgramRecord } from "./program.ts";
import { Python } from "./python.ts";
import { type Failure, shrink } from "./shrink.ts";

export interface Task {
  readonly tree: string;
  readonly python: string;
  /** Seeds of programs to make, or finished programs. */
  readonly programs: readonly (number | Program)[];
  readonly length: number;
  /** Only calls whose name contains one of these texts, separated by commas. */
  readonly only: string | null;
  /** Number of programs per cause that are made small. */
  readonly examples: number;
  /** Whether to return PyTorch's record. */
  readonly records: boolean;
}

/** The outcome of one program. */
export interface Told {
  readonly seed: number;
  readonly steps: number;
  readonly errors: number;
  readonly calls: readonly string[];
  /** `lost`: PyTorch itself crashed; `unwritten`: the difference was in uninitialized memory. */
  readonly outcome: "same" | "differs" | "lost" | "unwritten";
  readonly cause?: string;
  readonly program?: Program;
  /** PyTorch's record of a program that does not differ, if it was requested. */
  readonly record?: ProgramRecord;
  readonly difference?: Difference;
}

async function work(task: Task, tell: (told: Told) => void): Promise<void> {
  const library = await load(task.tree);
  const names = inventory(library);
  const first = new Python(task.python, names, 0x55);
  const second = new Python(task.python, names, 0xff); // malloc fills memory with the complement, so a bool is 0x55 in one run and 0 in the other
  const seen = new Map<string, number>();
  for (const one of task.programs) {
    const seed = typeof one === "number" ? one : one.seed;
    const question = typeof one === "number" ? { write: one, length: task.length, only: task.only } : { record: one };
    const answer: { program?: Program; record?: ProgramRecord } | null = await first.ask(question);
    const program = typeof one === "number" ? answer?.program : one;
    const record = answer?.record;
    if (program === undefined || record === undefined) {
      tell({ seed, steps: 0, errors: 0, calls: [], outcome: "lost" });
      continue;
    }
    const facts = {
      seed,
      steps: program.steps.length,
      errors: record.records.filter((r) => r.error !== undefined).length,
      calls: program.steps.map((s) => s.call),
    };
    const difference = compare(library, program, record);
    if (difference === null) {
      tell({ ...facts, outcome: "same", ...(task.records ? { program, record } : {}) });
      continue;
    }
    const again = await second.ask({ record: program });
    if (JSON.stringify(again?.record) !== JSON.stringify(record)) {
      tell({ ...facts, outcome: "unwritten", program, difference });
      continue;
    }
    let failure: Failure = {
      program: { ...program, steps: program.steps.slice(0, difference.step + 1) },
      difference,
    };
    const count = (seen.get(cause(difference)) ?? 0) + 1;
    seen.set(cause(difference), count);
    if (count <= task.examples) failure = await shrink(library, first, failure);
    tell({ ...facts, outcome: "differs", cause: cause(failure.difference), ...failure });
  }
  first.stop();
  second.stop();
}

process.on("message", (task: Task) => {
  work(task, (told) => process.send?.(told)).then(
    () => process.disconnect(),
    (error) => {
      console.error(error);
      process.exit(1);
    },
  );
});
