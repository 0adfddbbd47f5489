/**
 * @file The calls that every library makes, and their input.
 * @original
 */

export type Op = "add" | "mul" | "exp" | "tanh" | "sum" | "softmax" | "mm" | "bmm" | "train";

export interface Row {
  readonly op: Op;
  /** Shape of both operands; for `train`, shape of the batch. */
  readonly shape: readonly number[];
}

const rows = (op: Op, ...shapes: (readonly number[])[]): Row[] => shapes.map((shape) => ({ op, shape }));

export const ROWS: readonly Row[] = [
  ...rows("add", [4], [100], [1000], [1e6]),
  ...rows("mul", [4], [100], [1000], [1e6]),
  ...rows("exp", [1e6]),
  ...rows("tanh", [1e6]),
  ...rows("sum", [1e6]),
  ...rows("softmax", [1024, 1024]),
  ...rows("mm", [64, 64], [256, 256], [1024, 1024]),
  ...rows("bmm", [64, 32, 32]),
  ...rows("train", [64, 784]),
];

export const THREAD_ROWS: readonly Row[] = [...rows("add", [1e6]), ...rows("mm", [512, 512])];

export function name_of({ op, shape }: Row): string {
  return op === "train" ? `a step of training, ${shape.join("x")}-${HIDDEN}-${CLASSES}` : `${op}, ${shape.join("x")}`;
}

/** One row in one library. */
export interface Case {
  /** The timed functions: they compute, and free memory as the library's documentation asks. If it knows several ways, all are timed and the fastest counts. */
  readonly ways: readonly (() => unknown)[];
  /** All numbers of the result. Asked before anything is timed. */
  result(): ArrayLike<number> | Promise<ArrayLike<number>>;
}

export interface Library {
  /** On how many threads it computes: 1 where it cannot have more. */
  readonly threads: number;
  /** Whether a call says later that it is done. */
  readonly awaited: boolean;
  /** Null for what the library does not have. */
  make(row: Row): Case | null;
}

/** Opens a library; exported by a module beside this one. */
export type Open = (threads: number) => Promise<Library>;

// biome-ignore lint/suspicious/noExplicitAny: packages that need not be installed
export type Package = any;

/** Numbers from -1 to 1, times `scale`; equal in every process. */
export function numbers(seed: number, shape: readonly number[], scale = 1): Float32Array {
  let state = seed;
  return Float32Array.from({ length: shape.reduce((a, b) => a * b, 1) }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return (state / 2 ** 31) * scale;
  });
}

/** The operands of a row. */
export const operands = ({ shape }: Row): [Float32Array, Float32Array] => [numbers(1, shape), numbers(2, shape)];

// The step of training ------------------------------------------------------------------------------------------------

export const HIDDEN = 128;
export const CLASSES = 10;
export const LEARNING_RATE = 0.1;
/** How many losses are compared: the second and third tell of gradients and of the optimizer. */
export const LOSSES = 3;

/** A batch, its classes, also as rows of 0 and 1, and the weights of two layers, `(in, out)`. */
export function training([batch, features]: readonly number[]) {
  const labels = Int32Array.from({ length: batch }, (_, i) => (i * 7) % CLASSES);
  const one_hot = new Float32Array(batch * CLASSES);
  for (const [i, label] of labels.entries()) one_hot[i * CLASSES + label] = 1;
  return {
    batch,
    features,
    images: numbers(1, [batch, features]),
    labels,
    one_hot,
    w1: numbers(3, [features, HIDDEN], features ** -0.5),
    b1: numbers(4, [HIDDEN], features ** -0.5),
    w2: numbers(5, [HIDDEN, CLASSES], HIDDEN ** -0.5),
    b2: numbers(6, [CLASSES], HIDDEN ** -0.5),
  };
}
