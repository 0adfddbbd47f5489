/**
 * @file A list that owns its tensors: each slot is a reference, as each slot of a C++ vector is.
 * @original C++ copies, moves and destroys a `variable_list` (`std::vector<Variable>`), and the counts follow. JavaScript has
 * none of the three, so here they have names.
 */
import { Tensor } from "#aten/generated/core/TensorBody";
import type { variable_list } from "./node.ts";
import { decref, incref } from "./use_count.ts";

// Note [Lists that own]
// ~~~~~~~~~~~~~~~~~~~~~
// Between the engine and its nodes a `variable_list` is a plain array, which counts nothing. What the engine itself holds stands
// in an OwningList; only there do its counts go up and down:
//
//   C++                          here
//   variable_list v = f();       const v = new OwningList(f());
//   variable_list w = v;         const w = v.copy();
//   v = f(std::move(v));         v.assign(f(v.tensors));
//   v[i] = t;                    v.set(i, t);
//   w[j] = std::move(v[i]);      w.take(j, v, i);
//   return v;                    return v.release();    to someone whose references nobody counts
//   }                            v.clear();             the end of v's scope
//
// When a list dies decides what AccumulateGrad and InputBuffer may do with its tensors; see Note [Who counts references].

/** Handles never change, so one undefined tensor fills every empty slot. */
export const UNDEFINED = new Tensor();

/** `variable_list(n)`. */
export function undefined_variables(n: number): variable_list {
  // Nearly every node: a literal has room for its elements and no more.
  if (n === 1) return [UNDEFINED];
  if (n === 2) return [UNDEFINED, UNDEFINED];
  if (n === 3) return [UNDEFINED, UNDEFINED, UNDEFINED];
  const list: variable_list = [];
  for (let i = 0; i < n; i++) list.push(UNDEFINED);
  return list;
}

const NO_TENSORS: variable_list = [];

export class OwningList {
  /** To read, and to call with. Invariant: no other OwningList has this array. */
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

  /** `tensors` in place of those held so far; the very same array means that nothing changes. */
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

  /** Moves slot `from_index` of `from` into a slot of ours. Precondition: that is empty. */
  take(index: number, from: OwningList, from_index: number): void {
    this.tensors[index] = from.tensors[from_index];
    from.tensors[from_index] = UNDEFINED;
  }

  release(): variable_list {
    const tensors = this.tensors;
    this.clear();
    return tensors;
  }

  /** The array itself stays as it is: a node may have kept it. */
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
