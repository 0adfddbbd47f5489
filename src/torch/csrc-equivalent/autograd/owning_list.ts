/**
 * @file A list that owns its tensors: each slot is a reference, as each slot of a C++ vector is.
 * @original C++ copies, moves and destroys a `variable_list` (`std::vector<Variable>`), and the counts follow.
 * JavaScript has no such operations, so here they are methods.
 */
import { Tensor } from "#aten/generated/core/TensorBody";
import type { variable_list } from "./node.ts";
import { decref, incref } from "./use_count.ts";

// Note [Lists that own]
// ~~~~~~~~~~~~~~~~~~~~~
// Between the engine and its nodes a `variable_list` is a plain array, which counts nothing. References that the engine
// itself holds are in an OwningList; only there do its counts change:
//
//   C++                          here
//   variable_list v = f();       const v = new OwningList(f());
//   variable_list w = v;         const w = v.copy();
//   v = f(std::move(v));         v.assign(f(v.tensors));
//   v[i] = t;                    v.set(i, t);
//   w[j] = std::move(v[i]);      w.take(j, v, i);
//   return v;                    return v.release();    to a caller whose references are not counted
//   }                            v.clear();             the end of v's scope
//
// The moment when a list ends decides whether AccumulateGrad and InputBuffer may reuse its tensors; see
// Note [Who counts references].

/** The undefined tensor for every empty slot; handles never change, so one is enough. */
export const UNDEFINED = new Tensor();

/** `variable_list(n)`. */
export function undefined_variables(n: number): variable_list {
  // The usual cases: an array literal reserves exactly the room for its elements.
  if (n === 1) return [UNDEFINED];
  if (n === 2) return [UNDEFINED, UNDEFINED];
  if (n === 3) return [UNDEFINED, UNDEFINED, UNDEFINED];
  const list: variable_list = [];
  for (let i = 0; i < n; i++) list.push(UNDEFINED);
  return list;
}

const NO_TENSORS: variable_list = [];

export class OwningList {
  /** The tensors, for reading and for calls. Invariant: no other OwningList has this array. */
  tensors: variable_list;

  constructor(tensors: variable_list = NO_TENSORS) {
    this.tensors = tensors;
    for (let i = 0; i < tensors.length; i++) retain(tensors[i]);
  }

  size(): number {
    return this.tensors.length;
  }

  copy(): OwningList {
    return new OwningList(this.tensors.slice());
  }

  /** Replaces the tensors held so far; the same array means no change. */
  assign(tensors: variable_list): void {
    if (tensors === this.tensors) return;
    for (let i = 0; i < tensors.length; i++) retain(tensors[i]);
    this.clear();
    this.tensors = tensors;
  }

  set(index: number, tensor: Tensor): void {
    retain(tensor);
    drop(this.tensors[index]);
    this.tensors[index] = tensor;
  }

  /** Moves slot `from_index` of `from` into slot `index`. Precondition: this slot is empty. */
  take(index: number, from: OwningList, from_index: number): void {
    this.tensors[index] = from.tensors[from_index];
    from.tensors[from_index] = UNDEFINED;
  }

  release(): variable_list {
    const tensors = this.tensors;
    this.clear();
    return tensors;
  }

  /** Releases all slots. The array itself is not changed, because a node may have kept it. */
  clear(): void {
    const tensors = this.tensors;
    for (let i = 0; i < tensors.length; i++) drop(tensors[i]);
    this.tensors = NO_TENSORS;
  }
}

function retain(tensor: Tensor): void {
  if (tensor.defined()) incref(tensor);
}

function drop(tensor: Tensor): void {
  if (tensor.defined()) decref(tensor);
}
