/**
 * @file The definition of an exercise: the fields of `exercise.yaml`, read and checked. Every text that a learner sees is data.
 * @original
 */
import type { TestUtil } from "#torch/_library/opcheck";
import type { Query } from "./checks/query.ts";

/** Three texts: where to look, what to do, almost the lines themselves. */
export type Texts = readonly [where: string, what: string, almost: string];

/** Hints for a failure; with `seen`, only for a failure that showed this text at its first difference. */
export interface Hint {
  readonly seen?: string;
  readonly texts: Texts;
}

/** A place of ours, `file#name`, and PyTorch's file for it. */
export interface LookAt {
  readonly ours: string;
  readonly pytorch: string;
}

/** An answer that the learner wrote, compared with a recording made at that moment. */
export interface Predict {
  /** The learner's file of answers; by default the first file to edit. */
  readonly file?: string;
  /** The answer's name in this file. */
  readonly answer: string;
  readonly question: string;
  /** The choices offered by a page; without them, the answer is typed. */
  readonly choices?: readonly string[];
  /** How many choices form an answer: one; some, in their listed order; or some, in the learner's order. */
  readonly pick?: "one" | "some" | "order";
  /** The recorded call, by its name in `calls.ts`. */
  readonly call: string;
  /** A query on the recording; or the call's result. */
  readonly truth: Query | "result";
  /** Number of last parts of a name that are enough for an answer; by default one. */
  readonly parts?: number;
}

/** The cells that the learner's function computes, compared row by row with PyTorch's. */
export interface Table {
  readonly golden: string;
  readonly cases: readonly string[];
}

/** The learner's function of key sets, compared call by call with the key sets of PyTorch's kernels. */
export interface KeySets {
  readonly golden: string;
  readonly calls: readonly string[];
  readonly compute: "union" | "keyset" | "key";
}

/**
 * The path of a call: the hops of the named operators; `nodes` adds the nodes made for backward, `loops` the loops over elements.
 */
export interface Path {
  readonly call: string;
  readonly of: readonly string[];
  readonly hops: readonly string[];
}

/** Gradients compared with finite differences; `twice` differentiates them again. */
export interface Grad {
  readonly call: string;
  readonly twice?: boolean;
}

/** The result of `torch.library.opcheck` for an operator. */
export interface OpCheck {
  readonly op: string;
  readonly call: string;
  readonly tests: readonly TestUtil[];
}

/** Values, dtype, shape and strides compared with PyTorch's. */
export interface Value {
  readonly golden: string;
  readonly call: string;
}

/** The lines that a program answers, or the text of its error, compared with PyTorch's word for word. */
export interface Outcome {
  readonly golden: string;
  readonly call: string;
}

/** The learner's engine on graphs from PyTorch. */
export interface Order {
  readonly golden: string;
  readonly graphs: readonly string[];
  readonly compute: "dependencies" | "order";
}

/** The values that a call keeps until backward: dtype and shape of each storage, in order, and the number of bytes. */
export interface Saved {
  readonly call: string;
  readonly keeps: readonly string[];
  readonly bytes: number;
}

/**
 * The learner's kernel, run by the learner's `launch` on the simulated card (../kernel/gpu.ts), compared with PyTorch's results.
 */
export interface Kernel {
  readonly golden: string;
  /** The WGSL file. */
  readonly file: string;
  /** The function in the learner's module, or in `calls.ts`, that runs it: `(gpu, kernel, ...inputs) => results`. */
  readonly launch: string;
  /** Allowed difference relative to the greatest value: sums of floats depend on their order. */
  readonly rtol?: number;
  /** The largest number of buffer elements read, by the case's name: on a card, reads cost the most. */
  readonly reads?: Readonly<Record<string, number>>;
  /** The largest number of memory accesses by one invocation, in all dispatches together: the others wait for it. */
  readonly longest?: Readonly<Record<string, number>>;
  /** The exact number of buffer elements written: an invocation without work must write nothing. */
  readonly writes?: Readonly<Record<string, number>>;
  /** The largest number of invocations started. */
  readonly invocations?: Readonly<Record<string, number>>;
}

/** Generated files: codegen must succeed, and these texts must be in these files. */
export interface Codegen {
  readonly has: readonly { readonly file: string; readonly text: string }[];
}

/**
 * A call's result is written to a file and read again, also by PyTorch if it is installed: values, dtype, strides, shared memory.
 */
export interface Roundtrip {
  readonly call: string;
}

/** The learner's pass on captured programs: each is a call in `calls.ts` whose first input is a `CapturedProgram`. */
export interface Ir {
  readonly programs: readonly {
    readonly call: string;
    /** FileCheck lines of the graph before the pass, such as `CHECK: mul`; and after it. */
    readonly before: readonly string[];
    readonly after: readonly string[];
  }[];
}

export interface CheckKinds {
  readonly predict: Predict;
  readonly table: Table;
  readonly keyset: KeySets;
  readonly path: Path;
  readonly grad: Grad;
  readonly opcheck: OpCheck;
  readonly value: Value;
  readonly outcome: Outcome;
  readonly order: Order;
  readonly saved: Saved;
  readonly codegen: Codegen;
  readonly kernel: Kernel;
  readonly roundtrip: Roundtrip;
  readonly ir: Ir;
}

export type Kind = keyof CheckKinds;

export interface Check<K extends Kind = Kind> {
  readonly id: string;
  /** The fact that holds if the check passes. */
  readonly says: string;
  readonly kind: K;
  readonly spec: CheckKinds[K];
  readonly look_at: LookAt;
  readonly hints: readonly Hint[];
}

/** A known wrong answer: the solution with this patch fails this check and gets this hint. */
export interface Mistake {
  readonly patch: string;
  readonly check: string;
  readonly seen?: string;
}

/** A file that the learner edits: it replaces the tree's file, or is appended to it. */
export interface Edit {
  readonly file: string;
  readonly appended: boolean;
}

export interface Exercise {
  /** The folder's name: `06-dispatch-table`. */
  readonly id: string;
  readonly title: string;
  readonly goal: string;
  readonly minutes: number;
  /** Exercises whose content this one uses. */
  readonly needs: readonly string[];
  /** The part of the library that it explains. */
  readonly room: string;
  /** Whether it can be done in a page. */
  readonly browser: boolean;
  /** The files to edit; the first is the one to begin with. */
  readonly edits: readonly Edit[];
  /** Further files that are laid over the tree but are not the learner's task. */
  readonly given: readonly Edit[];
  readonly pytorch: readonly { readonly file: string; readonly symbol: string }[];
  /** Pages of the site that explain what it practises. */
  readonly pages: readonly string[];
  readonly checks: readonly Check[];
  readonly mistakes: readonly Mistake[];
}

/** The learner's module, whose functions `calls.ts` receives; null if there are only answers, or files of the tree. */
export function moduleOf({ edits }: Exercise): string | null {
  return edits.find(({ file }) => /\.(?:ts|py)$/.test(file) && !isOfTheTree(file))?.file ?? null;
}

/** Whether a file replaces one of the library's. */
export function isOfTheTree(file: string): boolean {
  return /^(?:src|tools)\//.test(file);
}

/** Whether the learner's files change the library itself. */
export function changesTheTree({ edits }: Exercise): boolean {
  return edits.some(({ file }) => isOfTheTree(file));
}

/** The kinds of checks; each is a file in `checks/`. */
export const KINDS: readonly Kind[] = [
  "predict",
  "table",
  "keyset",
  "path",
  "grad",
  "opcheck",
  "value",
  "outcome",
  "order",
  "saved",
  "codegen",
  "kernel",
  "roundtrip",
  "ir",
];

/** An error in an exercise's own files, which is not the learner's fault. */
export class ExerciseError extends Error {
  override readonly name = "ExerciseError";
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * @param id the folder's name
 * @param fields the content of `exercise.yaml`
 * @throws {ExerciseError} naming the field
 */
export function readExercise(id: string, fields: Fields): Exercise {
  const bad = (what: string): never => {
    throw new ExerciseError(`exercises/${id}/exercise.yaml: ${what}`);
  };
  const field = <T>(name: string, type: "string" | "number" | "boolean" | "object"): T => {
    const value = fields[name];
    return typeof value === type && value !== null ? (value as T) : bad(`"${name}" should be a ${type}`);
  };
  if (fields["id"] !== id) bad(`"id" should be the folder's name`);
  const checks = field<Fields[]>("checks", "object").map((check) => readCheck(check, bad));
  if (checks.length === 0) bad("it checks nothing");
  const mistakes = field<Mistake[]>("mistakes", "object");
  for (const { patch, check } of mistakes)
    if (!checks.some((c) => c.id === check)) bad(`${patch} is to fail ${check}, and there is no such check`);
  return {
    id,
    title: field("title", "string"),
    goal: field("goal", "string"),
    minutes: field("minutes", "number"),
    needs: field("needs", "object"),
    room: field("room", "string"),
    browser: field("browser", "boolean"),
    edits: readEdits(field("edits", "object")),
    given: readEdits((fields["given"] ?? []) as WrittenEdit[]),
    pytorch: field("pytorch", "object"),
    pages: (fields["pages"] ?? []) as string[],
    checks,
    mistakes,
  };
}

type WrittenEdit = string | { readonly append: string };

function readEdits(edits: readonly WrittenEdit[]): Edit[] {
  return edits.map((edit) =>
    typeof edit === "string" ? { file: edit, appended: false } : { file: edit.append, appended: true },
  );
}

/** The field of a check that holds its data also names its kind: `path: {call: ..., hops: [...]}`. */
function readCheck(fields: Fields, bad: (what: string) => never): Check {
  const id = String(fields["id"]);
  const kind = KINDS.find((name) => name in fields) ?? bad(`${id}: no kind of check; there are ${KINDS.join(", ")}`);
  const hints = (fields["hints"] as (Texts | Hint)[] | undefined) ?? [];
  const read = hints.map((hint): Hint => (Array.isArray(hint) ? { texts: hint as Texts } : (hint as Hint)));
  if (read.at(-1)?.seen !== undefined || read.length === 0) bad(`${id}: the last hints should be for any failure`);
  for (const { texts } of read) if (texts.length !== 3) bad(`${id}: hints are three: where, what, almost`);
  const look_at = fields["look_at"] as LookAt | undefined;
  if (look_at === undefined) bad(`${id}: "look_at" is missing`);
  return {
    id,
    says: String(fields["says"]),
    kind,
    spec: fields[kind] as CheckKinds[Kind],
    look_at: look_at as LookAt,
    hints: read,
  };
}
