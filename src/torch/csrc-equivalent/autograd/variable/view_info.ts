/**
 * @file The relation of a view to its base: how to make the same view of another tensor, and whether changes of it can
 * be tracked.
 * @mirrors torch/csrc/autograd/variable.h#ViewInfo
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import { TORCH_CHECK } from "#c10/util/Exception";

/** Replays a view on another base. Generated classes hold the arguments of one view call each. */
export abstract class ViewFunc {
  abstract call(base: Tensor): Tensor;
  abstract clone_and_set(): ViewFunc;

  get_tensors(): Tensor[] {
    return [];
  }
}

/** A view of a view: both calls are replayed one after the other. */
export class ChainedViewFunc extends ViewFunc {
  private readonly first: ViewFunc;
  private readonly second: ViewFunc;

  constructor(first: ViewFunc, second: ViewFunc) {
    super();
    this.first = first;
    this.second = second;
  }

  call(input_base: Tensor): Tensor {
    return this.second.call(this.first.call(input_base));
  }

  clone_and_set(): ViewFunc {
    return new ChainedViewFunc(this.first.clone_and_set(), this.second.clone_and_set());
  }

  override get_tensors(): Tensor[] {
    return [...this.first.get_tensors(), ...this.second.get_tensors()];
  }
}

/** A view that cannot be replayed; it throws an error that says why. */
export class ErroringViewFunc extends ViewFunc {
  private readonly error_msg: string;

  constructor(error_msg: string) {
    super();
    this.error_msg = error_msg;
  }

  call(): Tensor {
    TORCH_CHECK(false, this.error_msg);
  }

  clone_and_set(): ViewFunc {
    return new ErroringViewFunc(this.error_msg);
  }
}

/** A view whose replay is a plain function. */
export class FunctionViewFunc extends ViewFunc {
  private readonly view_fn: (base: Tensor) => Tensor;

  constructor(view_fn: (base: Tensor) => Tensor) {
    super();
    this.view_fn = view_fn;
  }

  call(base: Tensor): Tensor {
    return this.view_fn(base);
  }

  clone_and_set(): ViewFunc {
    return this;
  }
}

/** The relation of a view to its base. `base_` is never itself a view: views of views are chained to the root. */
export class ViewInfo {
  readonly base_: Tensor;
  /** Replays the view; null if `as_strided` on the base gives the same view. */
  readonly view_fn_: ViewFunc | null;
  readonly rev_view_fn_: ((view: Tensor) => Tensor) | null;

  constructor(base: Tensor, view_fn: ViewFunc | null, rev_view_fn: ((view: Tensor) => Tensor) | null) {
    TORCH_CHECK(base.defined(), "base is undefined");
    this.base_ = base;
    this.view_fn_ = view_fn;
    this.rev_view_fn_ = rev_view_fn;
  }

  has_view_fn(): boolean {
    return this.view_fn_ !== null;
  }

  view_fn(): ViewFunc {
    TORCH_CHECK(this.view_fn_ !== null, "Can only access the view function if it exists.");
    return this.view_fn_;
  }

  rev_view_fn(): (view: Tensor) => Tensor {
    TORCH_CHECK(this.rev_view_fn_ !== null, "Can only access the reverse view function if it exists.");
    return this.rev_view_fn_;
  }

  /**
   * The info of a view of `base`, where `base` is the view that this info describes: it leads from `base_` directly to
   * the new view. Without a `view_func` for the new step, `as_strided` on `base_` is enough, unless this step already
   * needed a function.
   */
  chain(
    base: Tensor,
    tensor: Tensor,
    view_func: ViewFunc | null = null,
    rev_view_func: ((view: Tensor) => Tensor) | null = null,
  ): ViewInfo {
    if (view_func !== null) {
      if (this.view_fn_ !== null) {
        const prev_rev_fn = this.rev_view_fn_;
        const rev = rev_view_func === null || prev_rev_fn === null ? null : compose(rev_view_func, prev_rev_fn);
        return new ViewInfo(this.base_, new ChainedViewFunc(this.view_fn_.clone_and_set(), view_func), rev);
      }
      // The base is an as_strided view of its own base: replay that first.
      const size = [...base.sizes()];
      const stride = [...base.strides()];
      const storage_offset = base.storage_offset();
      const as_strided = new FunctionViewFunc((root) => root.as_strided(size, stride, storage_offset));
      const root = this.base_;
      const back = (root_view: Tensor): Tensor =>
        root_view.as_strided([...root.sizes()], [...root.strides()], root.storage_offset());
      return new ViewInfo(
        this.base_,
        new ChainedViewFunc(as_strided, view_func),
        rev_view_func === null ? null : compose(rev_view_func, back),
      );
    }
    if (this.view_fn_ !== null) {
      const size = [...tensor.sizes()];
      const stride = [...tensor.strides()];
      const storage_offset = tensor.storage_offset();
      const as_strided = new FunctionViewFunc((input_base) => input_base.as_strided(size, stride, storage_offset));
      return new ViewInfo(this.base_, new ChainedViewFunc(this.view_fn_.clone_and_set(), as_strided), null);
    }
    return new ViewInfo(this.base_, null, null);
  }
}

function compose(first: (view: Tensor) => Tensor, second: (view: Tensor) => Tensor): (view: Tensor) => Tensor {
  return (view) => second(first(view));
}

/** The reason why an in-place change of this view cannot be tracked; DEFAULT if it can. */
export const CreationMeta = {
  DEFAULT: 0,
  IN_CUSTOM_FUNCTION: 1,
  MULTI_OUTPUT_NODE: 2,
  NO_GRAD_MODE: 3,
  INFERENCE_MODE: 4,
} as const;
export type CreationMeta = (typeof CreationMeta)[keyof typeof CreationMeta];

/** The reason for a view of a view: the newer one, except that inference mode always stays. */
export function propagate_creation_meta(
  prev_view_creation_meta: CreationMeta,
  new_view_creation_meta: CreationMeta,
): CreationMeta {
  if (new_view_creation_meta === CreationMeta.DEFAULT) return prev_view_creation_meta;
  return prev_view_creation_meta === CreationMeta.INFERENCE_MODE ? prev_view_creation_meta : new_view_creation_meta;
}
