/**
 * @file One worker of the fuzzer: makes programs, replays them, and tells its parent what differed. A process of its own, so that a
 * program which never ends can be stopped.
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
  /** Seeds of programs to be made, or programs made before. */
  readonly programs: readonly (number | Program)[];
  readonly length: number;
  /** Only calls with one of these texts, between commas, in their name. */
  readonly only: string | null;
  /** How many programs of one cause are made small. */
  readonly examples: number;
  /** Whether PyTorch's record is to be told. */
  readonly records: boolean;
}

/** What happened to one program. */
export interface Told {
  readonly seed: number;
  readonly steps: number;
  readonly errors: number;
  readonly calls: readonly string[];
  /** `lost`: PyTorch itself crashed; `unwritten`: the difference was memory that nobody wrote. */
  readonly outcome: "same" | "differs" | "lost" | "unwritten";
  readonly cause?: string;
  readonly program?: Program;
  /** Of a program that does not differ, if it was asked for. */
  readonly record?: ProgramRecord;
  readonly difference?: Difference;
}

async function work(task: Task, tell: (told: Told) => void): Promise<void> {
  const library = await load(task.tree);
  const names = inventory(library);
  const first = new Python(task.python, names, 0x55);
  const second = new Python(task.python, names, 0xff); // malloc writes the complement: a bool of 0x55 and one of 0 differ
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
