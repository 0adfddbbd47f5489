/**
 * @file The fallback of autograd keys for an operator without autograd kernel: it runs the operator, and warns if
 * backward reaches it.
 * @mirrors torch/csrc/autograd/autograd_not_implemented_fallback.h
 */
import type { OperatorHandle } from "#aten/core/dispatch/Dispatcher";
import type { IValue } from "#aten/core/ivalue";
import { AutoDispatchBelowADInplaceOrView, AutoDispatchBelowAutograd } from "#aten/core/LegacyTypeDispatch";
import { CppFunction } from "#aten/core/library";
import type { Stack } from "#aten/core/stack";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { after_ADInplaceOrView_keyset, after_autograd_keyset, type DispatchKeySet } from "#c10/core/DispatchKeySet";
import { GradMode } from "#c10/core/GradMode";
import { NotImplementedError, TORCH_CHECK, TORCH_WARN } from "#c10/util/Exception";
import { tracer } from "#c10/util/Trace";
import { Edge } from "./edge.ts";
import { isFwGradDefined } from "./FunctionsManual/ForwardMode.ts";
import { any_forward_level } from "./forward_grad.ts";
import { any_variable_requires_grad, collect_next_edges } from "./function.ts";
import { NotImplemented } from "./functions/basic_ops.ts";
import { set_history } from "./functions/utils.ts";
import { Node, type variable_list } from "./node.ts";
import { undefined_variables } from "./owning_list.ts";
import {
  can_mutate_inplace,
  can_mutate_inplace_result,
  check_inplace,
  rebase_history,
  throw_error_out_requires_grad,
  trace_node,
} from "./VariableTypeUtils.ts";
import { isDifferentiableType } from "./variable/impl.ts";
import { rebase_history as impl_rebase_history } from "./variable/rebase_history.ts";

export const AutogradFallbackMode = {
  /** Behaves as if the autograd key were a fallthrough. */
  Nothing: 0,
  /** Warns when a gradient would have to go through. */
  Warn: 1,
  Error: 2,
} as const;
export type AutogradFallbackMode = (typeof AutogradFallbackMode)[keyof typeof AutogradFallbackMode];

let kAutogradFallbackMode: AutogradFallbackMode = AutogradFallbackMode.Warn;

export function setAutogradFallbackMode(mode: AutogradFallbackMode): void {
  TORCH_CHECK(mode !== AutogradFallbackMode.Error, "NYI: mode='error'");
  kAutogradFallbackMode = mode;
}

export function getAutogradFallbackMode(): AutogradFallbackMode {
  return kAutogradFallbackMode;
}

function warnAutogradNotImplemented(op_name: string): void {
  TORCH_WARN(
    `${op_name}: an autograd kernel was not registered to the Autograd key(s) ` +
      "but we are trying to backprop through it. This may lead to silently incorrect behavior. " +
      "This behavior is deprecated and will be removed in a future version of PyTorch. " +
      "If your operator is differentiable, please ensure you have registered an " +
      "autograd kernel to the correct Autograd key (e.g. DispatchKey::Autograd, " +
      "DispatchKey::CompositeImplicitAutograd). If your operator is not " +
      "differentiable, or to squash this warning and use the previous behavior, " +
      "please register torch::CppFunction::makeFallthrough() to DispatchKey::Autograd.",
  );
}

/** The node of such an operator: it warns, and passes no gradient on. */
class WarnNotImplemented extends Node {
  private readonly op_name: string;
  private readonly num_outputs_: number;

  constructor(op_name: string, num_outputs: number) {
    super();
    this.op_name = op_name;
    this.num_outputs_ = num_outputs;
  }

  name(): string {
    return "torch::autograd::WarnNotImplemented";
  }

  apply(_inputs: variable_list): variable_list {
    warnAutogradNotImplemented(this.op_name);
    return undefined_variables(this.num_outputs_);
  }
}

function tensors_of(values: readonly IValue[]): variable_list {
  const tensors: variable_list = [];
  for (const value of values) {
    if (value.isTensor()) tensors.push(value.toTensor());
    else if (value.isTensorList()) tensors.push(...value.toTensorList());
  }
  return tensors;
}

/** `basicAutogradNotImplementedFallback`. */
export function basicAutogradNotImplementedFallbackImpl(
  op: OperatorHandle,
  dispatch_keys: DispatchKeySet,
  stack: Stack,
): void {
  const schema = op.schema();
  const op_name = schema.operator_name().name;
  const num_arguments = schema.arguments().length;
  const num_returns = schema.returns().length;
  const below = dispatch_keys.and(after_autograd_keyset);
  if (kAutogradFallbackMode === AutogradFallbackMode.Nothing) {
    op.redispatchBoxed(below, stack);
    return;
  }
  const inputs = tensors_of(stack.slice(stack.length - num_arguments));
  if (!GradMode.is_enabled() || !any_variable_requires_grad(inputs)) {
    op.redispatchBoxed(below, stack);
    return;
  }
  const grad_fn = new WarnNotImplemented(op_name, inputs.length);
  grad_fn.set_next_edges(collect_next_edges(inputs));
  op.redispatchBoxed(below, stack);
  const returned = stack.slice(stack.length - num_returns);
  for (const [i, value] of returned.entries()) {
    const is_mutable_output = schema.returns()[i]?.alias_info()?.isWrite() ?? false;
    for (const t of tensors_of([value])) {
      if (!t.defined() || !isDifferentiableType(t.scalar_type())) continue;
      if (t.requires_grad()) {
        // If the kernel used differentiable operators, their graph stays, with a warning when backward passes.
        t._register_hook(warn_hook(op_name));
        if (t.is_view() && is_mutable_output && t._base().requires_grad()) t._base()._register_hook(warn_hook(op_name));
      } else if (is_mutable_output) {
        const output_nr = grad_fn.add_input_metadata(t);
        impl_rebase_history(t, new Edge(grad_fn, output_nr));
      } else {
        set_history(t, grad_fn);
      }
    }
  }
}

function warn_hook(op_name: string): (grad: Tensor) => undefined {
  return () => {
    warnAutogradNotImplemented(op_name);
  };
}

/** Calls `fn` for every tensor among `size` values from `start`, including those in lists; `position` counts values. */
function foreach_tensor(stack: Stack, start: number, size: number, fn: (t: Tensor, position: number) => void): void {
  for (let i = 0; i < size; i++) {
    const value = stack[start + i];
    if (value.isTensor()) {
      const t = value.toTensor();
      if (t.defined()) fn(t, i);
    } else if (value.isTensorList() || value.isOptionalTensorList()) {
      for (const t of value.toTensorList() as (Tensor | null)[]) if (t?.defined()) fn(t, i);
    }
  }
}

/** The kernel registered for operators that are known to have no derivative: forward works, backward throws. */
function autogradNotImplementedFallbackImpl(op: OperatorHandle, dispatch_keys: DispatchKeySet, stack: Stack): void {
  const schema = op.schema();
  const op_name = schema.operator_name().name;
  const arguments_ = schema.arguments();
  const returns = schema.returns();
  const stack_start = stack.length - arguments_.length;

  const is_inplace_output = returns.map((r) => r.alias_info()?.isWrite() ?? false);
  const aliased_outputs = returns.filter((r) => r.alias_info() !== null && !r.is_write()).length;
  TORCH_CHECK(
    aliased_outputs <= 1,
    "Expected only a single output in the operator schema to have a non-write alias annotation (i.e., 'Tensor(a)'). " +
      "Non-composite functions where multiple outputs are aliased with inputs aren't supported." +
      "Please rewrite your function as a composite function.",
  );

  const tensors_requiring_grad: Tensor[] = [];
  if (GradMode.is_enabled()) {
    foreach_tensor(stack, stack_start, arguments_.length, (t) => {
      if (t.requires_grad()) tensors_requiring_grad.push(t);
    });
  }
  if (any_forward_level) {
    foreach_tensor(stack, stack_start, arguments_.length, (t) => {
      if (isFwGradDefined(t))
        throw new NotImplementedError(`Trying to use forward AD with ${op_name} that does not support it.`);
    });
  }
  const any_requires_grad = tensors_requiring_grad.length > 0;
  const has_out_arg = arguments_.some((a) => a.is_out());
  foreach_tensor(stack, stack_start, arguments_.length, (t, i) => {
    if (!(arguments_[i]?.is_write() ?? false)) return;
    if (!has_out_arg) check_inplace(t, any_requires_grad);
    // Only a leaf and its views throw: out variants of these operators once accepted anything, and programs depend on it.
    else if (can_mutate_inplace(t, any_requires_grad) !== can_mutate_inplace_result.success)
      throw_error_out_requires_grad(op_name);
  });

  let grad_fn: NotImplemented | null = null;
  if (any_requires_grad) {
    grad_fn = new NotImplemented(op_name);
    grad_fn.set_next_edges(collect_next_edges(tensors_requiring_grad));
    if (tracer !== null) trace_node(grad_fn);
  }

  // Version counters and views are the work of ADInplaceOrView; if there are neither, the backend comes next.
  const needs_ADInplaceOrView = aliased_outputs > 0 || is_inplace_output.includes(true);
  const guard = needs_ADInplaceOrView ? new AutoDispatchBelowAutograd() : new AutoDispatchBelowADInplaceOrView();
  try {
    op.redispatchBoxed(
      dispatch_keys.and(needs_ADInplaceOrView ? after_autograd_keyset : after_ADInplaceOrView_keyset),
      stack,
    );
  } finally {
    guard.restore();
  }

  if (grad_fn === null) return;
  foreach_tensor(stack, stack.length - returns.length, returns.length, (t, i) => {
    if (!isDifferentiableType(t.scalar_type())) return;
    if (is_inplace_output[i]) rebase_history(t, grad_fn);
    else set_history(t, grad_fn);
  });
}

const fallback = CppFunction.makeFromBoxedFunction(
  autogradNotImplementedFallbackImpl,
  "autogradNotImplementedFallback",
);

export function autogradNotImplementedFallback(): CppFunction {
  return fallback;
}
