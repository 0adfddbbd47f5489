/**
 * @file The stack of function transforms (`torch.func.grad`, `vmap`), and what its layers do with the values of a call.
 * @mirrors aten/src/ATen/functorch/DynamicLayer.h
 * @differs A layer is its interpreter, and the level's life handle is kept there; PyTorch has a class around it and a map from levels to handles.
 * @see DynamicLayer.impl.ts (the two keys), Interpreter.ts
 */
import type { Argument, FunctionSchema } from "#aten/core/function_schema";
import { IValue } from "#aten/core/ivalue";
import { List } from "#aten/core/List";
import type { Stack } from "#aten/core/stack";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { DispatchKey } from "#c10/core/DispatchKey";
import { tls_set_dispatch_key_included } from "#c10/core/impl/LocalDispatchKeySet";
import { TORCH_CHECK, TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import type { Interpreter } from "./Interpreter.ts";

const dynamicLayerStack: Interpreter[] = [];
/** By level; a level has one also while its layer is off the stack. */
const life_handles = new Map<number, { readonly alive: boolean }>();
let allow_inplace_requires_grad = false;
let during_functorch_transform = false;

// The stack ----------------------------------------------------------------------------------------------------------------

export function getDynamicLayerStack(): readonly Interpreter[] {
  return dynamicLayerStack;
}

/** The innermost transform; null outside of transforms. */
export function maybeCurrentDynamicLayer(): Interpreter | null {
  return dynamicLayerStack.at(-1) ?? null;
}

export function getLifeHandleForLevel(level: number): { readonly alive: boolean } {
  const handle = life_handles.get(level);
  TORCH_INTERNAL_ASSERT(handle !== undefined, "level should be alive");
  return handle as { readonly alive: boolean };
}

export function setDynamicLayerFrontBackKeysIncluded(included: boolean): void {
  tls_set_dispatch_key_included(DispatchKey.FuncTorchDynamicLayerFrontMode, included);
  tls_set_dispatch_key_included(DispatchKey.FuncTorchDynamicLayerBackMode, included);
}

export function pushDynamicLayer(layer: Interpreter): number {
  const layerId = 1 + dynamicLayerStack.length;
  TORCH_INTERNAL_ASSERT(layerId === layer.level());
  dynamicLayerStack.push(layer);
  life_handles.set(layerId, layer.life_handle);
  if (layerId === 1) setDynamicLayerFrontBackKeysIncluded(true);
  return layerId;
}

export function popDynamicLayer(): Interpreter {
  const layer = dynamicLayerStack.pop();
  TORCH_INTERNAL_ASSERT(layer !== undefined, "dynamicLayerStack.size() > 0");
  if (dynamicLayerStack.length === 0) setDynamicLayerFrontBackKeysIncluded(false);
  return layer as Interpreter;
}

/** Runs `fn` without the innermost layer. */
export function without_top<R>(fn: () => R): R {
  const layer = popDynamicLayer();
  try {
    return fn();
  } finally {
    pushDynamicLayer(layer);
  }
}

/** Ends a level: its tensors are dead from now on. */
export function popDynamicLayerAndDeleteMetadata(): Interpreter {
  const layer = popDynamicLayer();
  layer.life_handle.alive = false;
  life_handles.delete(layer.level());
  return layer;
}

/** `DynamicLayerStack[ 1:Grad 2:Vmap ]` */
export function dumpDynamicLayerStack(): string {
  return `DynamicLayerStack[ ${dynamicLayerStack.map((layer) => `${layer} `).join("")}]`;
}

// Settings of the thread ---------------------------------------------------------------------------------------------------

export function setInplaceRequiresGradAllowed(allowed: boolean): void {
  allow_inplace_requires_grad = allowed;
}
export function getInplaceRequiresGradAllowed(): boolean {
  return allow_inplace_requires_grad;
}
export function setDuringFunctorchTransform(during_transform: boolean): void {
  during_functorch_transform = during_transform;
}
export function getDuringFunctorchTransform(): boolean {
  return during_functorch_transform;
}

const unsupported = (method: string, hint: string): string =>
  `You are attempting to call Tensor.${method}() ${hint}inside of a function being transformed by a functorch transform. ` +
  "This is unsupported, please attempt to use the functorch transforms " +
  `(e.g. grad, vjp, jacrev, jacfwd, hessian) or call ${method}() outside of a function being transformed instead.`;

export function checkSupportsInplaceRequiresGrad(): void {
  TORCH_CHECK(
    dynamicLayerStack.length === 0 || allow_inplace_requires_grad,
    unsupported("requires_grad_", "(or perhaps using torch.autograd.functional.* APIs) "),
  );
}

export function checkSupportsRetainGrad(): void {
  TORCH_CHECK(dynamicLayerStack.length === 0, unsupported("retain_grad", ""));
}

// Values on the stack of a call ----------------------------------------------------------------------------------------------

function mapped(value: IValue, func: (t: Tensor) => Tensor): IValue {
  if (value.isTensor()) {
    const tensor = value.toTensor() as Tensor;
    const replacement = func(tensor);
    return replacement === tensor ? value : IValue.fromTensor(replacement);
  }
  if (!value.isList()) return value;
  const list = value.toList();
  if (!list.vec().some((element) => element.isTensor())) return value;
  return IValue.fromList(
    new List(
      list.elementType(),
      list.vec().map((element) => mapped(element, func)),
    ),
  );
}

/**
 * Replaces the tensors among some values of a stack, also in lists.
 * @param func also gets whether the value's position, counted from `begin`, is one of `skips`
 */
export function foreachTensorInplace(
  stack: Stack,
  begin: number,
  end: number,
  func: (t: Tensor, skipped: boolean) => Tensor,
  skips: readonly number[] = [],
): void {
  for (let i = begin; i < end; i++) {
    const skipped = skips.includes(i - begin);
    stack[i] = mapped(stack[i], (t) => func(t, skipped));
  }
}

/** Whether the operator writes its first argument, returns it, and aliases nothing else. */
export function isInplaceOp(schema: FunctionSchema): boolean {
  if (!schema.is_mutable() || schema.returns().length !== 1) return false;
  const [first, ...others] = schema.arguments();
  if (first.alias_info()?.isWrite() !== true) return false;
  if (others.some((arg) => arg.alias_info() !== null)) return false;
  return schema.returns()[0].alias_info()?.isWrite() === true;
}

function same_set(a: Argument, b: Argument): boolean {
  const [x, y] = [a.alias_info(), b.alias_info()];
  return x !== null && y !== null && String([...x.beforeSets()]) === String([...y.beforeSets()]);
}

const aliased_inputs = new WeakMap<FunctionSchema, ReadonlyMap<number, number>>();

/** The positions of results by the arguments that they may alias: the position of this result. */
export function findAliasedInputs(schema: FunctionSchema): ReadonlyMap<number, number> {
  const known = aliased_inputs.get(schema);
  if (known !== undefined) return known;
  const found = new Map<number, number>();
  for (const [res, ret] of schema.returns().entries()) {
    const inp = schema.arguments().findIndex((arg) => same_set(arg, ret));
    if (inp >= 0) found.set(inp, res);
  }
  aliased_inputs.set(schema, found);
  return found;
}
