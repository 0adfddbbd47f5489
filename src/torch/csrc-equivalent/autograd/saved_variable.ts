/**
 * @file A tensor that forward saves for backward, and the check that nobody changed it in between.
 * @mirrors torch/csrc/autograd/saved_variable.h
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import { GradMode } from "#c10/core/GradMode";
import { TORCH_CHECK, TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { AnomalyMode } from "./anomaly_mode.ts";
import { Edge } from "./edge.ts";
import { any_forward_level, ForwardGrad } from "./forward_grad.ts";
import type { Node } from "./node.ts";
import { UNDEFINED } from "./owning_list.ts";
import { get_default_saved_variable_hooks, type SavedVariableHooks } from "./saved_variable_hooks.ts";
import { decref, incref } from "./use_count.ts";
import {
  grad_accumulator,
  make_variable,
  make_variable_with_edge,
  set_grad_accumulator,
  set_version_counter,
  tensor_data,
  version_counter,
} from "./variable/impl.ts";
import type { AutogradMeta } from "./variable/index.ts";

export const ERR_BACKWARD_TWICE =
  "Trying to backward through the graph a second time (or directly access saved tensors after they have already " +
  "been freed). Saved intermediate values of the graph are freed when you call .backward() or autograd.grad(). Specify " +
  "retain_graph=True if you need to backward through the graph a second time or if you need to access saved tensors " +
  "after calling backward.";

// Note [What a SavedVariable keeps]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// An input of the node (or a leaf) is kept as it is: `saved_original_`. An output's `grad_fn` is the very node that
// saves it, so keeping the tensor itself would make a cycle: its bytes are kept without history, and `unpack` restores
// the history, with the node that unpacks (`saved_for`). Both share the version counter of the original, so a later
// in-place change is detected: `saved_version_` is then behind, and backward throws instead of computing with changed
// values.

/** `variable.grad_fn()`, read directly unless the variable is a view that may have to be regenerated. */
function grad_fn_of(variable: Tensor): Node | null {
  const meta = variable.impl_.autograd_meta_ as AutogradMeta | null;
  if (meta === null) return null;
  return meta.is_view_ ? (variable.grad_fn() as Node | null) : meta.grad_fn_;
}

export class SavedVariable {
  private data_: Tensor | null = null;
  private was_default_constructed_ = true;
  private is_inplace_on_view_ = false;
  private saved_original_ = false;
  private is_leaf_ = false;
  private saved_version_ = 0;
  private output_nr_ = 0;
  private hooks_: SavedVariableHooks | null = null;
  /** The tangent of a tensor that is not kept itself. */
  private fw_grad_: ForwardGrad | null = null;
  /** With `is_inplace_on_view_`: the CopySlices that made the output. @differs A strong reference; PyTorch's is weak. */
  private weak_grad_fn_: Node | null = null;
  // Filled by save_metadata only.
  private grad_fn_: Node | null = null;
  private grad_accumulator_: Node | null = null;
  private requires_grad_ = false;

  /** @param is_inplace_on_view whether it is an output that is a view changed in place, whose history is not the node's alone */
  constructor(variable: Tensor | null = null, is_output = false, is_inplace_on_view = false) {
    if (variable === null || !variable.defined()) return;
    const impl = variable.impl_;
    TORCH_CHECK(
      !impl.is_inference(),
      "Inference tensors cannot be saved for backward. Please do not use " +
        "Tensors created in inference mode in computation tracked by autograd. " +
        "To work around this, you can make a clone to get a normal tensor and " +
        "use it in autograd, or use `torch.no_grad()` instead of " +
        "`torch.inference_mode()`.",
    );
    this.was_default_constructed_ = false;
    this.saved_version_ = impl.version_counter().current_version();
    this.is_leaf_ = variable.is_leaf();
    if (is_inplace_on_view) {
      TORCH_INTERNAL_ASSERT(!this.is_leaf_ && is_output);
      this.is_inplace_on_view_ = true;
      this.weak_grad_fn_ = grad_fn_of(variable);
    }

    // A number wrapped as a tensor does not belong to the user, so hooks must not see it.
    if (get_default_saved_variable_hooks !== null && !impl.is_wrapped_number()) {
      const hooks = get_default_saved_variable_hooks();
      if (hooks !== null) {
        this.save_metadata(variable, is_output);
        this.set_hooks_and_pack_data(hooks, variable);
        return;
      }
    }

    if (!is_output || this.is_leaf_) {
      this.saved_original_ = true;
      this.data_ = variable;
    } else {
      this.save_metadata(variable, is_output);
      this.data_ = tensor_data(variable);
    }
    incref(this.data_);
  }

  private save_metadata(data: Tensor, is_output: boolean): void {
    this.output_nr_ = data.output_nr();
    if (this.is_leaf_) {
      this.grad_accumulator_ = grad_accumulator(data);
      this.requires_grad_ = data.requires_grad();
    } else if (!is_output) {
      this.grad_fn_ = data.grad_fn() as Node | null;
    }
    const fw_grad = any_forward_level ? data._fw_grad(0) : null;
    if (fw_grad?.defined()) {
      this.fw_grad_ = new ForwardGrad();
      this.fw_grad_.set_value(fw_grad, 0);
    }
  }

  /** The tensor with its history. @param saved_for the node that owns this, for its own outputs */
  unpack(saved_for: Node | null = null): Tensor {
    const saved = this.data_;
    if (saved === null) {
      if (this.was_default_constructed_) return UNDEFINED;
      TORCH_CHECK(this.hooks_ !== null, ERR_BACKWARD_TWICE);
      return this.unpack_with_hooks(this.hooks_, saved_for);
    }
    // A tensor that was a leaf when it was saved may have history now, and the message below should name it.
    let grad_fn = this.saved_original_ ? grad_fn_of(saved) : this.weak_grad_fn_;
    if (!this.is_leaf_) grad_fn = this.check_not_detached(grad_fn, saved_for);
    const current_version = saved.impl_.version_counter().current_version();
    if (current_version !== this.saved_version_) this.throw_modified(saved, current_version, grad_fn);
    return this.saved_original_ ? saved : this.with_history(saved, grad_fn);
  }

  private unpack_with_hooks(hooks: SavedVariableHooks, saved_for: Node | null): Tensor {
    const own_grad_fn = this.is_inplace_on_view_ ? this.weak_grad_fn_ : this.grad_fn_;
    const grad_fn = this.is_leaf_ ? null : this.check_not_detached(own_grad_fn, saved_for);
    const data = hooks.call_unpack_hook();
    const has_tangent = this.fw_grad_ !== null && !this.fw_grad_.empty();
    if (grad_fn === null && !this.requires_grad_ && !data.requires_grad() && !has_tangent) return data;
    return this.with_history(data, grad_fn);
  }

  /** The node to restore as history: the saved one, or the one that unpacks. */
  private check_not_detached(grad_fn: Node | null, saved_for: Node | null): Node {
    const fn = grad_fn ?? saved_for;
    TORCH_CHECK(
      fn !== null,
      "Trying to use a saved tensor that has been detached in-place, i.e. with .detach_()." +
        "This is not supported, please use out-of-place `.detach()` instead",
    );
    return fn;
  }

  /** A view is restored as an ordinary tensor over the same bytes, because nobody changes an unpacked tensor in place. */
  private with_history(data: Tensor, grad_fn: Node | null): Tensor {
    const result =
      grad_fn === null
        ? make_variable(data, this.requires_grad_)
        : make_variable_with_edge(data, new Edge(grad_fn, this.output_nr_));
    set_version_counter(result, version_counter(data));
    if (this.grad_accumulator_ !== null) set_grad_accumulator(result, this.grad_accumulator_);
    if (this.fw_grad_ !== null && !this.fw_grad_.empty()) result._set_fw_grad(this.fw_grad_.value(0), 0, false);
    return result;
  }

  private throw_modified(data: Tensor, current_version: number, grad_fn: Node | null): never {
    let message =
      "one of the variables needed for gradient computation has been modified by an inplace operation: " +
      `[${data.toString()} [${data.sizes().join(", ")}]]`;
    if (grad_fn !== null) message += `, which is output ${this.output_nr_} of ${grad_fn.forward_op_name()},`;
    message += ` is at version ${current_version}; expected version ${this.saved_version_} instead.`;
    message += AnomalyMode.is_enabled()
      ? " Hint: the backtrace further above shows the operation that failed to compute its gradient. The variable in " +
        "question was changed in there or anywhere later. Good luck!"
      : " Hint: enable anomaly detection to find the operation that failed to compute its gradient, with " +
        "torch.autograd.set_detect_anomaly(True, check_nan=False).";
    TORCH_CHECK(false, message);
  }

  register_hooks(hooks: SavedVariableHooks): void {
    TORCH_CHECK(
      this.hooks_ === null,
      "Calling register_hooks on a saved tensor whose hooks have already been set. " +
        "Hint: only one pair of hooks is allowed at a time.",
    );
    const data = this.data_;
    if (data === null) {
      TORCH_CHECK(
        this.was_default_constructed_,
        "Calling register_hooks on a saved tensor after it has been freed. " +
          "Saved intermediate values of the graph are freed when you call " +
          ".backward() or autograd.grad(). Specify retain_graph=True if you " +
          "need to backward through the graph a second time or if you need to " +
          "access saved variables after calling backward.",
      );
      TORCH_CHECK(false, "Calling register_hooks on a saved tensor with value None is forbidden");
    }
    if (this.saved_original_) this.save_metadata(data, false);
    this.set_hooks_and_pack_data(hooks, data);
    decref(data);
    this.data_ = null;
  }

  private set_hooks_and_pack_data(hooks: SavedVariableHooks, data: Tensor): void {
    this.hooks_ = hooks;
    const grad_mode = GradMode.is_enabled();
    GradMode.set_enabled(false);
    try {
      const version = version_counter(data).current_version();
      hooks.call_pack_hook(this.saved_original_ ? data.detach() : data);
      TORCH_CHECK(
        version === version_counter(data).current_version(),
        "A saved tensor pack hook is modifying its input in place. " +
          "Tensors provided as input to pack hook cannot be modified by " +
          "in-place operations as this can lead to unexpected side-effects. " +
          "Please open an issue if you need to perform in-place operations on " +
          "the input to a pack hook.",
      );
    } finally {
      GradMode.set_enabled(grad_mode);
    }
  }

  /** Releases the tensor after backward, unless the graph is kept. */
  reset_data(): void {
    this.hooks_ = null;
    this.grad_fn_ = null;
    this.fw_grad_?.clear();
    this.fw_grad_ = null;
    if (this.data_ !== null) {
      decref(this.data_);
      this.data_ = null;
    }
  }
}
