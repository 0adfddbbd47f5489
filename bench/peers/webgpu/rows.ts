/**
 * @file The rows on the GPU: every library makes a call, then reads one element of its result, as a program does that waits for it.
 * @original
 */
import { type Case, CLASSES, HIDDEN, numbers } from "../rows.ts";

export type Op = "mm" | "sum" | "softmax" | "add" | "chain" | "train";

export interface Row {
  readonly op: Op;
  /** Shape of both operands; for `train`, shape of the batch. */
  readonly shape: readonly number[];
}

export const ROWS: readonly Row[] = [
  { op: "mm", shape: [256, 256] },
  { op: "mm", shape: [512, 512] },
  { op: "mm", shape: [1024, 1024] },
  { op: "sum", shape: [1e6] },
  { op: "softmax", shape: [256, 1024] },
  { op: "add", shape: [1e6] },
  { op: "train", shape: [64, 784] },
  { op: "chain", shape: [4] },
];

/** Additions that wait for each other. */
export const LINKS = 100;

export function name_of({ op, shape }: Row): string {
  const size = shape.join("x");
  if (op === "train") return `a step of training, ${size}-${HIDDEN}-${CLASSES}`;
  return op === "chain" ? `${LINKS} adds of ${size}, one after the other` : `${op}, ${size}`;
}

export const operands = ({ shape }: Row): [Float32Array, Float32Array] => [numbers(1, shape), numbers(2, shape)];

/** Null for what the library does not have. */
export interface Library {
  make(row: Row): Case;
}

/** On the device; what a row's answer is told by. */
export type OpenOnDevice = () => Promise<Library>;
