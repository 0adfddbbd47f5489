/**
 * @file What an autograd key does for an operator without autograd kernel: run it, and warn if backward comes through.
 * @mirrors torch/csrc/autograd/autograd_not_implemented_fallback.h
 */
import type { OperatorHandle } from "../../../aten/core/dispatch/Dispatcher.ts";
import { AutoDispatchBelowADInplaceOrView } from "../../../aten/core/LegacyTypeDispatch.ts";
import { CppFunction } from "../../../aten/core/library.ts";
import type { IValue } from "../../../aten/core/ivalue.ts";
import type { Stack } from "../../../aten/core/stack.ts";
import { Tensor } from "../../../aten/generated/core/TensorBody.ts";
import { after_autograd_keyset, type DispatchKeySet } from "../../../c10/core/DispatchKeySet.ts";
import { GradMode } from "../../../c10/core/GradMode.ts";
import { TORCH_CHECK, TORCH_WARN } from "../../../c10/util/Exception.ts";
import { any_variable_requires_grad, collect_next_edges } from "./function.ts";
import { NotImplemented } from "./functions/basic_ops.ts";
import { set_history } from "./functions/utils.ts";
import { Node, type variable_list } from "./node.ts";
import { Edge } from "./edge.ts";
import { isDifferentiableType, rebase_history } from "./variable.impl.ts";
import { check_inplace, throw_error_out_requires_grad } from "./VariableTypeUtils.ts";

export const AutogradFallbackMode = {
  /** As if the autograd key were a fallthrough. */
  Nothing: 0,
  /** Warn when a gradient would have to come through. */
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

/** The node of such an operator: says so, and lets no gradient through. */
class WarnNotImplemented extends Node {
  private readonly op_name: string;
  private readonly num_outputs_: number;

  constructor(op_name: string, num_outputs: number) {
    super();
    this.op_name = op_name;
    this.num_outputs_ = num_outputs;
  }

  name(): string {
    return "WarnNotImplemented";
  }

  apply(_inputs: variable_list): variable_list {
    warnAutogradNotImplemented(this.op_name);
    return Array.from({ length: this.num_outputs_ }, () => new Tensor());
  }
}

function tensors_of(values: readonly IValue[]): variable_list {
  const tensors: variable_list = [];
  for (const value of values) {
    if (value.isTensor()) tensors.push(value.toTensor() as Tensor);
    else if (value.isTensorList()) tensors.push(...(value.toTensorList() as Tensor[]));
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
        // The kernel used differentiable operators: their graph stands, with a warning on the way through.
        t._register_hook(warn_hook(op_name));
        if (t.is_view() && is_mutable_output && t._base().requires_grad()) t._base()._register_hook(warn_hook(op_name));
      } else if (is_mutable_output) {
        const output_nr = grad_fn.add_input_metadata(t);
        rebase_history(t, new Edge(grad_fn, output_nr));
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

/** The kernel registered for operators that are known to have no derivative: forward works, backward throws. */
function autogradNotImplementedFallbackImpl(op: OperatorHandle, dispatch_keys: DispatchKeySet, stack: Stack): void {
  const schema = op.schema();
  const op_name = schema.operator_name().name;
  const args = schema.arguments();
  const arguments_ = stack.slice(stack.length - args.length);
  const inputs = tensors_of(arguments_);
  const any_requires_grad = GradMode.is_enabled() && any_variable_requires_grad(inputs);
  const written: variable_list = [];
  for (const [i, argument] of args.entries()) {
    if (!argument.is_write()) continue;
    if (any_requires_grad && argument.kwarg_only()) throw_error_out_requires_grad(op_name.replace(/^aten::/, ""));
    written.push(...tensors_of([arguments_[i] as IValue]));
  }
  let grad_fn: NotImplemented | null = null;
  if (any_requires_grad) {
    grad_fn = new NotImplemented(op_name);
    grad_fn.set_next_edges(collect_next_edges(inputs));
    for (const t of written) check_inplace(t, any_requires_grad);
  }
  const guard = new AutoDispatchBelowADInplaceOrView();
  try {
    op.redispatchBoxed(dispatch_keys.and(after_autograd_keyset), stack);
  } finally {
    guard.restore();
  }
  if (grad_fn === null) return;
  for (const t of tensors_of(stack.slice(stack.length - schema.returns().length))) {
    if (!t.defined() || !isDifferentiableType(t.scalar_type())) continue;
    if (written.some((w) => w.is_same(t))) {
      const output_nr = grad_fn.add_input_metadata(t);
      rebase_history(t, new Edge(grad_fn, output_nr));
    } else {
      set_history(t, grad_fn);
    }
  }
}

export function autogradNotImplementedFallback(): CppFunction {
  return CppFunction.makeFromBoxedFunction(autogradNotImplementedFallbackImpl, "autogradNotImplementedFallback");
}
