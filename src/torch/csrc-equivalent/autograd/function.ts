/**
 * @file Helpers between tensors and nodes: edges of a call's inputs, `create_gradient_edge`, sizes kept for zeros.
 * @mirrors torch/csrc/autograd/function.h
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import type { TensorOptions } from "#c10/core/TensorOptions";
import { Edge, INVALID_EDGE } from "./edge.ts";
import type { edge_list, Node, variable_list } from "./node.ts";
import { gradient_edge, set_gradient_edge } from "./variable/impl.ts";

export { get_current_node } from "./node.ts";

/** Makes `variable` the next output of `fn`. */
export function create_gradient_edge(variable: Tensor, fn: Node): void {
  const input_nr = fn.add_input_metadata(variable);
  set_gradient_edge(variable, new Edge(fn, input_nr));
}

export function any_variable_requires_grad(variables: variable_list): boolean {
  for (let i = 0; i < variables.length; i++) {
    const variable = variables[i];
    if (variable.defined() && variable.requires_grad()) return true;
  }
  return false;
}

/** One edge per input, with lists spread in place; an invalid edge if there is no tensor or nobody needs its gradient. */
export function collect_next_edges(...variables: (Tensor | null | readonly (Tensor | null)[])[]): edge_list {
  const [a, b] = variables;
  // The usual arrays have exactly the right length: one that grows from empty reserves room for 17 elements.
  if (variables.length === 1 && !Array.isArray(a)) return [edge_of(a as Tensor | null)];
  if (variables.length === 2 && !Array.isArray(a) && !Array.isArray(b))
    return [edge_of(a as Tensor | null), edge_of(b as Tensor | null)];
  return collect_edges(variables);
}

function collect_edges(variables: readonly (Tensor | null | readonly (Tensor | null)[])[]): edge_list {
  const next_edges: edge_list = [];
  for (let i = 0; i < variables.length; i++) {
    const variable = variables[i];
    if (variable === null) {
      next_edges.push(INVALID_EDGE);
    } else if (Array.isArray(variable)) {
      for (const element of variable as readonly (Tensor | null)[]) next_edges.push(edge_of(element));
    } else {
      next_edges.push(edge_of(variable as Tensor));
    }
  }
  return next_edges;
}

function edge_of(variable: Tensor | null): Edge {
  return variable?.defined() ? gradient_edge(variable) : INVALID_EDGE;
}

/** The metadata kept of an input if only zeros of its shape and type will be needed. */
export class TypeAndSize {
  readonly sym_sizes: readonly number[];
  readonly options: TensorOptions;

  constructor(t: Tensor) {
    this.sym_sizes = t.sizes();
    this.options = t.options();
  }

  zeros(): Tensor {
    return at.zeros([...this.sym_sizes], this.options);
  }
}
