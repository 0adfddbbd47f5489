/**
 * @file The kernel of the key Functionalize: an operator that changes its arguments becomes one that does not, and a view is remembered.
 * @mirrors torchgen/packaged/ATen/templates/RegisterFunctionalization.cpp
 * @differs One boxed kernel reads what it must do from the operator's schema; PyTorch generates a kernel for each operator that has aliases.
 */
import { Dispatcher, type OperatorHandle } from "#aten/core/dispatch/Dispatcher";
import type { Argument, FunctionSchema } from "#aten/core/function_schema";
import { parseSchema } from "#aten/core/function_schema_parser";
import { IValue } from "#aten/core/ivalue";
import { List } from "#aten/core/List";
import { popn, type Stack } from "#aten/core/stack";
import { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { Device } from "#c10/core/Device";
import { DeviceType } from "#c10/core/DeviceType";
import { DispatchKey } from "#c10/core/DispatchKey";
import { tls_is_dispatch_key_included } from "#c10/core/impl/LocalDispatchKeySet";
import { TORCH_CHECK, TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { inverse_of } from "./FunctionalInverses.ts";
import { set_functionalize } from "./FunctionalizeFallbackKernel.ts";
import type { ViewMeta } from "./FunctionalStorageImpl.ts";
import {
  FunctionalTensorWrapper,
  from_functional_tensor,
  getFunctionalizationReapplyViewsTLS,
  isFunctionalTensor,
  skip_functionalize,
  to_functional_tensor,
  wrapper_of,
} from "./FunctionalTensorWrapper.ts";

// Values -------------------------------------------------------------------------------------------------------------------

/** The value with every tensor replaced. */
function map_tensors(value: IValue, fn: (t: Tensor) => Tensor): IValue {
  if (value.isTensor()) return IValue.fromTensor(fn(value.toTensor()));
  if (!value.isList()) return value;
  const list = value.toList();
  return IValue.fromList(
    new List(
      list.elementType(),
      list.vec().map((element) => map_tensors(element, fn)),
    ),
  );
}

function tensors_of(value: IValue): Tensor[] {
  if (value.isTensor()) return value.toTensor().defined() ? [value.toTensor()] : [];
  return value.isList() ? value.toList().vec().flatMap(tensors_of) : [];
}

const unwrapped = (values: readonly IValue[]): IValue[] =>
  values.map((value) => map_tensors(value, from_functional_tensor));

/** Calls an operator below functionalization; its results. */
function call_below(op: OperatorHandle, args: readonly IValue[]): IValue[] {
  const stack = [...args];
  skip_functionalize(() => op.callBoxed(stack));
  return stack;
}

// The operator that does the same without changing its arguments ------------------------------------------------------------------

const by_base_name = new Map<string, OperatorHandle[]>();

function overloads(name: string): readonly OperatorHandle[] {
  if (by_base_name.size === 0)
    for (const op of Dispatcher.singleton().operators()) {
      if (!op.hasSchema()) continue;
      const of_name = by_base_name.get(op.schema().name()) ?? [];
      of_name.push(op);
      by_base_name.set(op.schema().name(), of_name);
    }
  return by_base_name.get(name) ?? [];
}

/** A text that is equal for operators which differ only in what they change. */
const signature = (args: readonly Argument[]): string => args.map((arg) => `${arg.name()}: ${arg.type()}`).join(", ");

/** The first operator of these names that changes nothing and takes the arguments of `op`, except those for results. */
function counterpart(op: OperatorHandle, names: readonly string[]): OperatorHandle | undefined {
  const inputs = op
    .schema()
    .arguments()
    .filter((arg) => !arg.is_out());
  const pure = names.flatMap(overloads).filter((other) => !other.schema().is_mutable());
  const taking = (args: readonly Argument[]): OperatorHandle | undefined =>
    pure.find((other) => signature(other.schema().arguments()) === signature(args));
  return taking(inputs) ?? taking([...inputs, ...FACTORY_OPTIONS]);
}

/** The arguments that a factory has after those of its out variant, which takes them from the result. */
const FACTORY_OPTIONS = parseSchema(
  "options(*, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
).arguments();

function factory_options(out: Tensor): IValue[] {
  const values = [out.scalar_type(), out.layout(), out.device(), null];
  return values.map((value, i) => IValue.from(value, FACTORY_OPTIONS[i].real_type()));
}

/** `fn`, asked once for each operator. */
function once_for_each(fn: (op: OperatorHandle) => OperatorHandle): (op: OperatorHandle) => OperatorHandle {
  const known = new Map<OperatorHandle, OperatorHandle>();
  return (op) => {
    let found = known.get(op);
    if (found === undefined) {
      found = fn(op);
      known.set(op, found);
    }
    return found;
  };
}

/** `transpose_` -> `transpose` */
const base_name = (op: OperatorHandle): string => op.schema().name().replace(/_$/, "");

const functional_variant = once_for_each((op) => {
  const found = counterpart(op, [op.schema().name(), base_name(op), `${base_name(op)}_functional`]);
  TORCH_CHECK(
    found !== undefined,
    "Functionalization: no operator does what ",
    op.operator_name(),
    " does without mutation.",
  );
  return found as OperatorHandle;
});

// Views ----------------------------------------------------------------------------------------------------------------------

const name_in_aten = (schema: FunctionSchema): string =>
  [schema.name().replace(/^aten::/, ""), schema.overload_name()].filter((part) => part !== "").join(".");

/** The operator that copies in place of viewing; the view itself if it has no copy. */
const view_copy = once_for_each((op) => counterpart(op, [`${op.schema().name()}_copy`]) ?? op);

/** The operator that takes the view. */
const taken_by = (op: OperatorHandle): OperatorHandle => (getFunctionalizationReapplyViewsTLS() ? op : view_copy(op));

function arguments_by_name(schema: FunctionSchema, args: readonly IValue[]): Readonly<Record<string, never>> {
  const named: Record<string, unknown> = {};
  for (const [i, arg] of schema.arguments().entries()) if (i > 0) named[arg.name()] = args[i].toJS(arg.real_type());
  return named as Readonly<Record<string, never>>;
}

/** How the view is taken again, and put back. @param args the view's arguments, self first */
function view_meta(op: OperatorHandle, args: readonly IValue[], out_idx: number | null): ViewMeta {
  const schema = op.schema();
  const taken = taken_by(op);
  const name = name_in_aten(schema);
  const named = arguments_by_name(schema, args);
  const result_of = ([result]: readonly IValue[]): Tensor =>
    out_idx === null ? result.toTensor() : result.toList().get(out_idx).toTensor();
  return {
    is_multi_output: out_idx !== null,
    is_as_strided: name === "as_strided",
    forward: (base) => result_of(call_below(taken, [IValue.fromTensor(base), ...args.slice(1)])),
    replay(base) {
      const stack = [IValue.fromTensor(base), ...args.slice(1)];
      op.callBoxed(stack);
      return result_of(stack);
    },
    reverse: (base, mutated_view) =>
      skip_functionalize(() => inverse_of(name)(base, mutated_view, named, out_idx ?? 0)),
  };
}

type Kernel = (op: OperatorHandle, args: readonly IValue[], stack: Stack) => void;

/** A kernel for calls on functional tensors; other calls go below. */
function on_wrapper(
  kernel: (op: OperatorHandle, args: readonly IValue[], stack: Stack, self: FunctionalTensorWrapper) => void,
): Kernel {
  return (op, args, stack) => {
    const self = wrapper_of(args[0].toTensor());
    if (self === null) stack.push(...call_below(op, args));
    else kernel(op, args, stack, self);
  };
}

/** Whether tensors of the device are functional in every program, because its backend cannot view or write. */
function device_opted_into_functionalization(device: Device): boolean {
  return device.type() === DeviceType.XLA || device.type() === DeviceType.Lazy;
}

/** Takes a view of a tensor without memory: a view that is impossible is refused before a backend records its copy. */
function compute_reference_meta(op: OperatorHandle, value: Tensor, args: readonly IValue[]): void {
  const options = value.options().device(Device.of(DeviceType.Meta));
  call_below(op, [IValue.fromTensor(at.empty_strided(value.sizes(), value.strides(), options)), ...args.slice(1)]);
}

const view = on_wrapper((op, args, stack, self) => {
  const value = self.value(); // it may be behind: then the view is, too
  if (device_opted_into_functionalization(value.device())) compute_reference_meta(op, value, args);
  const [result] = call_below(taken_by(op), [IValue.fromTensor(value), ...args.slice(1)]);
  const wrap = (t: Tensor, out_idx: number | null): Tensor =>
    new Tensor(new FunctionalTensorWrapper(t, self, view_meta(op, args, out_idx)));
  let i = 0;
  stack.push(map_tensors(result, (t) => wrap(t, result.isList() ? i++ : null)));
});

/** `transpose_`: the tensor itself becomes a view. */
const view_in_place = on_wrapper((op, args, stack, self) => {
  const viewing = counterpart(op, [base_name(op)]);
  TORCH_INTERNAL_ASSERT(viewing !== undefined);
  self.mutate_view_meta(view_meta(viewing as OperatorHandle, args, null));
  stack.push(args[0]);
});

// The kernel -----------------------------------------------------------------------------------------------------------------

function mutate(op: OperatorHandle, args: readonly IValue[], stack: Stack): void {
  const schema = op.schema();
  const parameters = schema.arguments();
  const written = args.filter((_, i) => parameters[i].alias_info()?.isWrite() === true).flatMap(tensors_of);
  if (!written.every(isFunctionalTensor)) {
    TORCH_CHECK(
      !args.flatMap(tensors_of).some(isFunctionalTensor),
      "mutating a non-functional tensor with a functional tensor is not allowed.",
      " Please ensure that all of your inputs are wrapped inside of a functionalize() call.",
    );
    stack.push(...call_below(op, args));
    return;
  }
  const inputs = args.filter((_, i) => !parameters[i].is_out());
  const functional = functional_variant(op);
  if (functional.schema().arguments().length > inputs.length) inputs.push(...factory_options(written[0]));
  const results = call_below(functional, unwrapped(inputs)).flatMap(tensors_of);
  const news = results.slice(results.length - written.length);
  for (const [i, t] of written.entries()) {
    const wrapper = wrapper_of(t) as FunctionalTensorWrapper;
    wrapper.replace_(news[i]);
    wrapper.commit_update();
    wrapper.sync_();
  }
  // A result is the argument that was written, or a value of its own.
  let own = 0;
  for (const ret of schema.returns()) {
    const of = parameters.findIndex((arg) => ret.alias_info() !== null && same_set(arg, ret));
    stack.push(of === -1 ? IValue.fromTensor(to_functional_tensor(results[own++])) : args[of]);
  }
}

function same_set(a: Argument, b: Argument): boolean {
  const [x, y] = [a.alias_info(), b.alias_info()];
  return x !== null && y !== null && String([...x.beforeSets()]) === String([...y.beforeSets()]);
}

function pure(op: OperatorHandle, args: readonly IValue[], stack: Stack): void {
  const given = args.flatMap(tensors_of);
  const wrap = given.length === 0 || given.some(isFunctionalTensor);
  const results = call_below(op, unwrapped(args));
  stack.push(...(wrap ? results.map((result) => map_tensors(result, to_functional_tensor)) : results));
}

/** A fresh tensor, which no other tensor views. */
function lift(op: OperatorHandle, args: readonly IValue[], stack: Stack): void {
  const self = args[0].toTensor();
  if (isFunctionalTensor(self)) stack.push(args[0]);
  else stack.push(...call_below(op, args).map((result) => map_tensors(result, to_functional_tensor)));
}

/** `lift_fresh_copy`: the copy is an operator that every backend has. */
function lift_copy(_op: OperatorHandle, args: readonly IValue[], stack: Stack): void {
  const clone = Dispatcher.singleton().findSchemaOrThrow("aten::clone", "");
  pure(clone, [...args, IValue.None], stack);
}

/** `resize_`: a larger tensor is a new value, a smaller one a view of the old. */
const resize = on_wrapper((op, args, stack, self) => {
  const size = args[1].toIntList();
  const numel = size.reduce((product, n) => product * n, 1);
  self.sync_();
  if (numel > self.numel()) {
    const [value] = call_below(functional_variant(op), unwrapped(args));
    self.replace_(value.toTensor());
    self.commit_update();
  } else if (String(size) !== String(self.sizes())) {
    const as_strided = Dispatcher.singleton().findSchemaOrThrow("aten::as_strided", "");
    const strides = size.map((_, i) => size.slice(i + 1).reduce((product, n) => product * Math.max(n, 1), 1));
    const types = as_strided.schema().arguments();
    const given = [args[0], args[1], IValue.from(strides, types[2].real_type()), IValue.None];
    self.mutate_view_meta(view_meta(as_strided, given, null));
  }
  stack.push(args[0]);
});

/** `_to_copy` to a device without functionalization: there it ends, and the result is an ordinary tensor. */
function to_copy(op: OperatorHandle, args: readonly IValue[], stack: Stack): void {
  const device = args[op.schema().argumentIndexWithName("device") as number];
  const from = args[0].toTensor().device();
  const to = device.isNone() ? from : (device.payload as Device);
  const ends =
    !tls_is_dispatch_key_included(DispatchKey.Functionalize) &&
    device_opted_into_functionalization(from) &&
    !device_opted_into_functionalization(to);
  if (ends) stack.push(...call_below(op, unwrapped(args)));
  else pure(op, args, stack);
}

const special = new Map<string, Kernel>([
  ["aten::_to_copy", to_copy],
  ["aten::lift_fresh", lift],
  ["aten::lift", lift],
  ["aten::lift_fresh_copy", lift_copy],
  ["aten::resize_", resize],
]);

function functionalize(op: OperatorHandle, stack: Stack): void {
  const schema = op.schema();
  const has_alias = schema.returns().some((ret) => ret.alias_info() !== null);
  const own = special.get(schema.name());
  if (
    own === undefined &&
    (has_alias || schema.is_mutable()) &&
    op.hasKernelForDispatchKey(DispatchKey.CompositeImplicitAutograd)
  ) {
    Dispatcher.singleton().callBoxedForDispatchKey(op, DispatchKey.CompositeImplicitAutograd, stack);
    return;
  }
  const args = popn(stack, schema.arguments().length);
  if (own !== undefined) own(op, args, stack);
  else if (op.hasTag("inplace_view")) view_in_place(op, args, stack);
  else if (schema.is_mutable()) mutate(op, args, stack);
  else if (has_alias || schema.name() === "aten::_unsafe_view") view(op, args, stack);
  else pure(op, args, stack);
}

set_functionalize(functionalize);
