/**
 * @file One arrow of the graph: which node receives a gradient, and as which of its inputs.
 * @mirrors torch/csrc/autograd/edge.h
 */
import type { Node } from "./node.ts";

export class Edge {
  /** Null in an invalid edge: nobody wants that gradient. Python prints it as `(None, 0)`. */
  readonly function: Node | null;
  /** Which input of `function` (which output of the forward call that made it). */
  readonly input_nr: number;

  constructor(fn: Node | null = null, input_nr = 0) {
    this.function = fn;
    this.input_nr = input_nr;
  }

  is_valid(): boolean {
    return this.function !== null;
  }

  equal(other: Edge): boolean {
    return this.function === other.function && this.input_nr === other.input_nr;
  }
}

/** Edges never change, so every invalid one can be the same object. */
export const INVALID_EDGE = new Edge();
