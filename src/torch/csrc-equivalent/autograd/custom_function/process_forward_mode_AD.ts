/**
 * @file Forward mode through a custom Function: its `jvp` gives the tangents of the outputs, which must have the same
 * relations as the outputs themselves, in place or as views.
 * @mirrors torch/csrc/autograd/custom_function.cpp#_process_forward_mode_AD
 */
import { Tensor } from "#aten/generated/core/TensorBody";
import { AutoFwGradMode } from "#c10/core/GradMode";
import type { TensorImpl } from "#c10/core/TensorImpl/index";
import { TORCH_CHECK, TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { any_forward_level } from "#torch/csrc-equivalent/autograd/forward_grad";
import type { variable_list } from "#torch/csrc-equivalent/autograd/node";
import { get_view_autograd_meta, isDifferentiableType } from "#torch/csrc-equivalent/autograd/variable/index";

/** A user's `jvp`: from the inputs and their tangents (undefined where there is none) to those of the outputs. */
export type _jvp_fn_t = (inputs: variable_list, grad_inputs: variable_list) => variable_list;

/** The outputs of a Function, before and after they were wrapped, and its marks. */
export interface FunctionOutputs {
  readonly raw_outputs: readonly (Tensor | null)[];
  readonly outputs: readonly (Tensor | null)[];
  readonly non_differentiable: ReadonlySet<TensorImpl>;
  readonly dirty_inputs: ReadonlySet<TensorImpl>;
}

/** An input with a tangent, as it was before `jvp`. */
interface Tracked {
  readonly grad: Tensor;
  readonly version: number;
}

const LEVEL = 0;

export function _process_forward_mode_AD(
  inputs: variable_list,
  { raw_outputs, outputs, non_differentiable, dirty_inputs }: FunctionOutputs,
  jvp_user_function: _jvp_fn_t,
): void {
  if (!any_forward_level) return;
  const tracked = inputs.map((input) => track(input));
  if (tracked.every((each) => each === null)) return;
  const forward_grads = without_forward_mode(() =>
    jvp_user_function(
      inputs,
      tracked.map((each) => each?.grad ?? new Tensor()),
    ),
  );
  TORCH_CHECK(
    forward_grads.length === outputs.length,
    "Function's jvp returned an invalid number of forward gradients (expected ",
    outputs.length,
    " but got ",
    forward_grads.length,
    ")",
  );
  for (const [i, raw] of raw_outputs.entries()) {
    if (raw === null) continue;
    const out = outputs[i];
    const out_grad = forward_grads[i];
    const is_differentiable = !non_differentiable.has(raw.impl_) && isDifferentiableType(raw.scalar_type());
    if (out === null || !out.defined() || !is_differentiable) {
      TORCH_CHECK(
        !out_grad.defined(),
        "Function's jvp returned a gradient at position ",
        i,
        ", but  the corresponding forward output is not a differentiable Tensor.You should return None at that position instead.",
      );
      continue;
    }
    if (dirty_inputs.has(raw.impl_)) {
      set_of_dirty(inputs, tracked, out, raw, out_grad);
    } else if (!set_of_output(inputs, out, out_grad)) {
      return;
    }
  }
}

function track(input: Tensor): Tracked | null {
  const grad = input.defined() ? input._fw_grad(LEVEL) : input;
  return grad.defined() ? { grad, version: grad._version() } : null;
}

function without_forward_mode<T>(run: () => T): T {
  const guard = new AutoFwGradMode(false);
  try {
    return run();
  } finally {
    guard.restore();
  }
}

/** An input that was changed in place keeps its tangent, which `jvp` must have changed in place too. */
function set_of_dirty(
  inputs: variable_list,
  tracked: readonly (Tracked | null)[],
  out: Tensor,
  raw: Tensor,
  out_grad: Tensor,
): void {
  const index = inputs.findLastIndex((input) => input.impl_ === raw.impl_);
  TORCH_CHECK(
    index >= 0,
    "Only input Tensors should be given to ctx.mark_dirty(). If a Tensor is not an input, there is no need to pass it to mark_dirty().",
  );
  const before = tracked[index];
  if (before === null) {
    out._set_fw_grad(out_grad, LEVEL, true);
    return;
  }
  TORCH_CHECK(
    out_grad._version() !== before.version,
    "An inplace custom Function is not modifying the forward mode gradients inplace. If the forward is modifying an input " +
      "inplace, then the jvp function must modify the corresponding gradient inplace.",
  );
  TORCH_CHECK(
    out_grad.is_same(before.grad),
    "An inplace custom Function is not returning the forward mode gradients as-is. If the forward is modifying an input " +
      "inplace, then the jvp function must modify the gradient inplace and return it as-is.",
  );
}

function forward_base(t: Tensor): Tensor | null {
  const meta = get_view_autograd_meta(t);
  return meta?.has_fw_view() ? meta.get_forward_view().base_ : null;
}

/** Returns false where PyTorch processes no further output: after a view whose input has no tangent. */
function set_of_output(inputs: variable_list, out: Tensor, out_grad: Tensor): boolean {
  TORCH_INTERNAL_ASSERT(inputs.every((input) => input.impl_ !== out.impl_));
  const base = out.is_view() ? forward_base(out) : null;
  const viewed =
    base === null
      ? undefined
      : inputs.find((input) => ((input.is_view() ? forward_base(input) : null) ?? input).impl_ === base.impl_);
  if (viewed !== undefined) {
    const input_grad = viewed._fw_grad(LEVEL);
    if (!input_grad.defined()) {
      out._set_fw_grad(out_grad, LEVEL, true);
      return false;
    }
    check_view_of(input_grad, out_grad);
  }
  out._set_fw_grad(out_grad, LEVEL, false);
  return true;
}

/** The tangent of a view must be a view of the tangent. */
function check_view_of(input_grad: Tensor, out_grad: Tensor): void {
  const out_base = out_grad.is_view() ? forward_base(out_grad) : null;
  TORCH_CHECK(
    out_base !== null,
    "A custom Function's forward is returning a view (or an input as-is) but the jvp is not returning a view.",
  );
  const input_base = input_grad.is_view() ? forward_base(input_grad) : null;
  if (input_base !== null)
    TORCH_CHECK(
      input_base.is_same(out_base),
      "A custom Function is returning a view but the jvp is not returning a view of the same base as the given grad input.",
    );
  else
    TORCH_CHECK(
      input_grad.is_same(out_base),
      "A custom Function is returning a view but the jvp is not returning a view of the given grad input.",
    );
}
