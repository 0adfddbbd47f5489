/**
 * @file The levels of forward-mode differentiation, and the tangents that a tensor has at each of them.
 * @mirrors torch/csrc/autograd/forward_grad.h
 *
 * In miniature:
 *
 *     level 0 = [ForwardGrad of x, ForwardGrad of sin(x)]      ForwardADLevel: every holder of a tangent of this level
 *     x.fw_grad_       = { 0: tangent of x }                   ForwardGrad: tangents by level
 *     sin(x).fw_grad_  = { 0: cos(x) * tangent of x }
 *
 * A level that ends takes its tangents away from all holders. An operator whose inputs have a tangent computes that of
 * its result: the blocks are generated from the `result:` lines of derivatives.yaml.
 */
import { Tensor } from "#aten/generated/core/TensorBody";
import { TORCH_CHECK, TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { decref, incref } from "./use_count.ts";

/**
 * Whether a level exists. Without one no tensor has a tangent, so that a kernel asks its inputs only if this is set.
 * @differs PyTorch asks every input of every call.
 */
export let any_forward_level = false;

const all_forward_levels: ForwardADLevel[] = [];

export class ForwardADLevel {
  private readonly idx_: number;
  /** @differs Weak references, since JavaScript has no destructor that could take a holder out; PyTorch's are strong. */
  private readonly grads_ = new Set<WeakRef<ForwardGrad>>();

  constructor(idx: number) {
    this.idx_ = idx;
  }

  /** Begins the next level, and returns its number. */
  static get_next_idx(): number {
    const new_index = all_forward_levels.length;
    TORCH_CHECK(new_index === 0, "Nested forward mode AD is not supported at the moment");
    all_forward_levels.push(new ForwardADLevel(new_index));
    any_forward_level = true;
    return new_index;
  }

  /** Ends the level, with the tangents that tensors have at it. */
  static release_idx(idx: number): void {
    TORCH_CHECK(
      idx + 1 === all_forward_levels.length,
      "Exiting a forward AD level that is not the last that was created is not support. Ensure they are released in the reverse order they were created.",
    );
    const level = all_forward_levels.pop();
    any_forward_level = all_forward_levels.length > 0;
    level?.release();
  }

  static get_by_idx(idx: number): ForwardADLevel {
    const level = ForwardADLevel.try_get_by_idx(idx);
    TORCH_CHECK(
      level !== null,
      "Trying to access a forward AD level with an invalid index. This index was either not created or is already deleted.",
    );
    return level;
  }

  static try_get_by_idx(idx: number): ForwardADLevel | null {
    return all_forward_levels[idx] ?? null;
  }

  insert(grad: ForwardGrad): void {
    this.grads_.add(grad.weak_self);
  }

  erase(grad: ForwardGrad): void {
    this.grads_.delete(grad.weak_self);
  }

  private release(): void {
    for (const weak of this.grads_) weak.deref()?.reset(this.idx_, false);
    this.grads_.clear();
  }
}

const UNDEFINED = new Tensor();

/** The tangents of one tensor, by level. It belongs to an AutogradMeta or a SavedVariable. */
export class ForwardGrad {
  private readonly content_ = new Map<number, Tensor>();
  /** The one weak reference by which levels know this object. */
  readonly weak_self: WeakRef<ForwardGrad> = new WeakRef(this);

  static undef_grad(): Tensor {
    return UNDEFINED;
  }

  set_value(value: Tensor, level: number): void {
    ForwardADLevel.get_by_idx(level).insert(this);
    incref(value);
    this.content_.set(level, value);
  }

  /** Takes the tangent of `level` away. @param update_level whether the level must forget this object too */
  reset(level: number, update_level = true): void {
    if (update_level) ForwardADLevel.get_by_idx(level).erase(this);
    const value = this.content_.get(level);
    TORCH_INTERNAL_ASSERT(value !== undefined, "Resetting a non-existent level.");
    decref(value);
    this.content_.delete(level);
  }

  /** Takes all tangents away: the owner does not need them any more. */
  clear(): void {
    for (const level of [...this.content_.keys()]) this.reset(level, ForwardADLevel.try_get_by_idx(level) !== null);
  }

  /** The tangent at `level`; undefined if there is none. */
  value(level: number): Tensor {
    return this.content_.get(level) ?? UNDEFINED;
  }

  contains(level: number): boolean {
    return this.content_.has(level);
  }

  empty(): boolean {
    return this.content_.size === 0;
  }
}
