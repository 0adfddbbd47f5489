/**
 * @file The runner of an exercise's checks, in their order, up to the first that fails. It is the same in Node and in a page.
 * @original
 */
import { type Check, type CheckKinds, type Exercise, ExerciseError, type Kind, moduleOf } from "../exercise.ts";
import type { Failure, Finding, Report } from "../report.ts";
import type { Host, Session, Yours } from "./host.ts";
import { own_words } from "./own_words.ts";

/** The data available to a check. */
export interface Scope {
  readonly host: Host;
  /** The learner's first file. */
  readonly file: string;
  readonly yours: Yours;
  readonly session: Session;
  /** Tells the learner about a check that could not run here. */
  readonly note: (text: string) => void;
  /** Tells the learner where a kernel ran. */
  readonly ran: (where: string) => void;
}

export type Checker<K extends Kind> = (spec: CheckKinds[K], scope: Scope) => Promise<Finding | null> | Finding | null;

/** Imported when needed: the output of codegen can be checked without the library. */
const checkers: { readonly [K in Kind]: () => Promise<Checker<K>> } = {
  predict: async () => (await import("./predict.ts")).predict,
  table: async () => (await import("./table.ts")).table,
  keyset: async () => (await import("./keyset.ts")).keyset,
  path: async () => (await import("./path.ts")).path,
  grad: async () => (await import("./grad.ts")).grad,
  opcheck: async () => (await import("./opcheck.ts")).opcheck,
  value: async () => (await import("./value.ts")).value,
  outcome: async () => (await import("./outcome.ts")).outcome,
  order: async () => (await import("./order.ts")).order,
  saved: async () => (await import("./saved.ts")).saved,
  codegen: async () => (await import("./codegen.ts")).codegen,
  kernel: async () => (await import("./kernel.ts")).kernel,
  ir: async () => (await import("./ir.ts")).ir,
  roundtrip: async () => (await import("./roundtrip.ts")).roundtrip,
};

export async function run(exercise: Exercise, host: Host): Promise<Report> {
  const passed: string[] = [];
  const notes: string[] = [];
  let ranOn: string | null = null;
  const told = (): Pick<Report, "notes" | "ran"> => ({
    ...(notes.length === 0 ? {} : { notes }),
    ...(ranOn === null ? {} : { ran: ranOn }),
  });
  const telling: Telling = {
    note: (text) => notes.push(text),
    ran: (where) => {
      ranOn = where;
    },
  };
  for (const check of exercise.checks) {
    const finding = await runOne(check, exercise, host, telling);
    if (finding !== null) {
      const call = finding.call ?? ("call" in check.spec ? check.spec.call : null);
      const failure: Failure = { ...finding, check: check.id, call };
      return { exercise: exercise.id, passed, failure, ...told() };
    }
    passed.push(check.id);
  }
  return { exercise: exercise.id, passed, failure: null, ...told() };
}

type Telling = Pick<Scope, "note" | "ran">;

async function runOne(check: Check, exercise: Exercise, host: Host, telling: Telling): Promise<Finding | null> {
  let session: Session | null = null;
  try {
    const generated = await host.generated();
    if (generated?.error != null) return codegenRefuses(generated.error);
    const { file } = exercise.edits[0];
    const checker = (await checkers[check.kind]()) as Checker<Kind>;
    if (check.kind === "codegen")
      return await checker(check.spec, { host, file, yours: {}, session: { calls: {} }, ...telling });
    host.begins?.();
    const module = moduleOf(exercise);
    const yours = module === null ? {} : await host.yours(module);
    session = await host.open(yours);
    return await checker(check.spec, { host, file, yours, session, ...telling });
  } catch (error) {
    if (error instanceof ExerciseError) throw error;
    return thrown(error);
  } finally {
    session?.close?.();
  }
}

/** The finding for codegen errors: the first in full, and the number of others. */
function codegenRefuses(error: string): Finding {
  const [first, ...others] = error.split(/\n(?!\s)/).map((each) =>
    each
      .split("\n")
      .map((line) => line.trim())
      .join("; "),
  );
  return {
    headline: "codegen finds an error in your lines",
    rows: [{ expected: "generated files", yours: "an error, and nothing was written" }],
    first: 0,
    because: others.length === 0 ? first : `${first}; and ${others.length} more`,
    seen: error,
  };
}

/** The finding for an unexpected error. */
function thrown(error: unknown): Finding {
  const { name, message } = error instanceof Error ? error : { name: "Error", message: String(error) };
  const text = own_words(message).trim().split("\n").slice(0, 3).join(" ");
  return {
    headline: `stopped by an error (${name})`,
    rows: [{ expected: "an answer", yours: "an error" }],
    first: 0,
    because: text,
    seen: text,
  };
}
