/**
 * @file What an exercise is: the fields of `exercise.yaml`, read and held to their form. Every text a learner sees is data.
 * @original
 */
import type { TestUtil } from "#torch/_library/opcheck";
import type { Query } from "./checks/query.ts";

/** Three texts: where to look, what to do, almost the lines themselves. */
export type Texts = readonly [where: string, what: string, almost: string];

/** Hints for a failure; with `seen`, only for one that showed this text at its first difference. */
export interface Hint {
  readonly seen?: string;
  readonly texts: Texts;
}

/** A place of ours, `file#name`, and the file in which PyTorch has the same. */
export interface LookAt {
  readonly ours: string;
  readonly pytorch: string;
}

/** An answer the learner wrote, held against a recording made at that moment. */
export interface Predict {
  /** The learner's file of answers; the first of the files to edit if none is named. */
  readonly file?: string;
  /** The answer's name in it. */
  readonly answer: string;
  readonly question: string;
  /** What a page offers to choose from; without it, the answer is written. */
  readonly choices?: readonly string[];
  /** How many of them are an answer: one; some, in the order in which they stand; or some, in the learner's order. */
  readonly pick?: "one" | "some" | "order";
  /** The recorded call, by its name in `calls.ts`. */
  readonly call: string;
  /** Asked of the recording; or what the call returns. */
  readonly truth: Query | "result";
  /** Of a name the last part is answer enough; where that is said of many, so many of the last. */
  readonly parts?: number;
}

/** The cells that the learner's function computes, row by row, against PyTorch's. */
export interface Table {
  readonly golden: string;
  readonly cases: readonly string[];
}

/** The learner's function of key sets, call by call, against what PyTorch's kernels were entered with. */
export interface KeySets {
  readonly golden: string;
  readonly calls: readonly string[];
  readonly compute: "union" | "keyset" | "key";
}

/** The path of a call: the hops of the operators named, with `nodes` the nodes made for backward, with `loops` the loops over elements. */
export interface Path {
  readonly call: string;
  readonly of: readonly string[];
  readonly hops: readonly string[];
}

/** Gradients against finite differences; `twice` differentiates them again. */
export interface Grad {
  readonly call: string;
  readonly twice?: boolean;
}

/** What `torch.library.opcheck` says of an operator. */
export interface OpCheck {
  readonly op: string;
  readonly call: string;
  readonly tests: readonly TestUtil[];
}

/** Values, dtype, shape and strides against PyTorch's. */
export interface Value {
  readonly golden: string;
  readonly call: string;
}

/** The learner's engine on graphs that PyTorch made. */
export interface Order {
  readonly golden: string;
  readonly graphs: readonly string[];
  readonly compute: "dependencies" | "order";
}

/** What a call keeps until backward: dtype and shape of each storage, in order, and all bytes. */
export interface Saved {
  readonly call: string;
  readonly keeps: readonly string[];
  readonly bytes: number;
}

/** The learner's kernel, run by the learner's `launch` on the card that is none (../kernel/gpu.ts), against PyTorch's results. */
export interface Kernel {
  readonly golden: string;
  /** The file of WGSL. */
  readonly file: string;
  /** The function of the learner's module, or of `calls.ts`, that runs it: `(gpu, kernel, ...inputs) => results`. */
  readonly launch: string;
  /** May the result differ in its last digits: relative to the greatest. Sums of floats depend on their order. */
  readonly rtol?: number;
  /** At most so many elements of buffers read, for a case by its name: on a card nothing costs more. */
  readonly reads?: Readonly<Record<string, number>>;
  /** At most so often may one invocation touch memory, in all dispatches together: the others wait for it. */
  readonly longest?: Readonly<Record<string, number>>;
  /** Exactly so many elements of buffers written: what has nothing to do writes nothing. */
  readonly writes?: Readonly<Record<string, number>>;
  /** At most so many invocations started. */
  readonly invocations?: Readonly<Record<string, number>>;
}

/** Generated files: the run ends well, and these texts stand in these files. */
export interface Codegen {
  readonly has: readonly { readonly file: string; readonly text: string }[];
}

/** What a call returns is written to a file and read again, by PyTorch, too, where there is one: values, dtype, strides, what shares memory. */
export interface Roundtrip {
  readonly call: string;
}

export interface CheckKinds {
  readonly predict: Predict;
  readonly table: Table;
  readonly keyset: KeySets;
  readonly path: Path;
  readonly grad: Grad;
  readonly opcheck: OpCheck;
  readonly value: Value;
  readonly order: Order;
  readonly saved: Saved;
  readonly codegen: Codegen;
  readonly kernel: Kernel;
  readonly roundtrip: Roundtrip;
}

export type Kind = keyof CheckKinds;

export interface Check<K extends Kind = Kind> {
  readonly id: string;
  /** What holds if it passes. */
  readonly says: string;
  readonly kind: K;
  readonly spec: CheckKinds[K];
  readonly look_at: LookAt;
  readonly hints: readonly Hint[];
}

/** A known wrong answer: the solution with this patch fails this check, and is given this hint. */
export interface Mistake {
  readonly patch: string;
  readonly check: string;
  readonly seen?: string;
}

/** A file that the learner edits: in the place of the tree's, or behind its last line. */
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
  /** Exercises whose matter this one uses. */
  readonly needs: readonly string[];
  /** The room of the house it lights. */
  readonly room: string;
  /** Whether a page can do it. */
  readonly browser: boolean;
  /** First the file to begin with. */
  readonly edits: readonly Edit[];
  /** Files that are laid over the tree as well, and are not the learner's matter. */
  readonly given: readonly Edit[];
  readonly pytorch: readonly { readonly file: string; readonly symbol: string }[];
  /** Pages of the site that tell what it practises. */
  readonly pages: readonly string[];
  readonly checks: readonly Check[];
  readonly mistakes: readonly Mistake[];
}

/** The learner's module, whose functions `calls.ts` is given; null where there are only answers, or files of the tree. */
export function moduleOf({ edits }: Exercise): string | null {
  return edits.find(({ file }) => file.endsWith(".ts") && !isOfTheTree(file))?.file ?? null;
}

/** A file that stands for one of the library's. */
export function isOfTheTree(file: string): boolean {
  return /^(?:src|tools)\//.test(file);
}

/** Whether the library itself is another with the learner's files. */
export function changesTheTree({ edits }: Exercise): boolean {
  return edits.some(({ file }) => isOfTheTree(file));
}

/** Each is a file of `checks/`. */
export const KINDS: readonly Kind[] = [
  "predict",
  "table",
  "keyset",
  "path",
  "grad",
  "opcheck",
  "value",
  "order",
  "saved",
  "codegen",
  "kernel",
  "roundtrip",
];

/** What is wrong with an exercise's own files; the learner is not to blame. */
export class ExerciseError extends Error {
  override readonly name = "ExerciseError";
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * @param id the folder's name
 * @param fields what stands in `exercise.yaml`
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

/** A check names its kind by the field that holds the rest: `path: {call: ..., hops: [...]}`. */
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
