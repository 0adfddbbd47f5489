/**
 * @file An edge of the graph: the node that receives a gradient, and the number of its input.
 * @mirrors torch/csrc/autograd/edge.h
 */
import type { Node } from "./node.ts";

export class Edge {
  /** The node; null in an invalid edge, whose gradient nobody needs. Python prints it as `(None, 0)`. */
  readonly function: Node | null;
  /** Number of the input of `function`, which is the number of the output of the forward call that made it. */
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

/** The invalid edge. Edges never change, so one object is enough. */
export const INVALID_EDGE = new Edge();
