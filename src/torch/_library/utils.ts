/**
 * @file Helper functions on schemas for the registration functions.
 * @mirrors torch/_library/utils.py
 */
import type { Type } from "#aten/core/jit_type";
import { RuntimeError, ValueError } from "#c10/util/Exception";
import { isDict, type PyFunctionSchema, TensorBase } from "#torch/_C";
import type { OpOverload } from "#torch/_ops";

export { lookup_op } from "#torch/_ops";
export { split_keywords as split_args } from "#torch/_signature";

/** The result of a registration; `destroy` undoes it. */
export class RegistrationHandle {
  private readonly _on_destroy: () => void;
  constructor(on_destroy: () => void) {
    this._on_destroy = on_destroy;
  }
  destroy(): void {
    this._on_destroy();
  }
}

export function parse_namespace(qualname: string): [namespace: string, name: string] {
  const splits = qualname.split("::");
  if (splits.length !== 2) {
    throw new ValueError(
      `Expected \`qualname\` to be of the form "namespace::name", but got ${qualname}. ` +
        "The qualname passed to the torch.library APIs must consist of a namespace and a name, e.g. aten::sin",
    );
  }
  return splits as [string, string];
}

/**
 * Whether the operator changes nothing in place, returns something, and returns no view; with `allow_valid_view`, a view of its only tensor
 * is allowed.
 */
export function is_functional_schema(schema: PyFunctionSchema, options: { allow_valid_view?: boolean } = {}): boolean {
  if (schema.is_mutable) return false;
  const isTensor = (arg: { type: Type }): boolean => arg.type.kind() === "TensorType";
  if (schema.returns.some((ret) => ret.alias_info !== null && !ret.alias_info.is_write)) {
    return (
      options.allow_valid_view === true &&
      schema.arguments.filter(isTensor).length === 1 &&
      schema.returns.filter(isTensor).length === 1
    );
  }
  return schema.returns.length > 0;
}

/** Whether a type is `Tensor[]`, `Tensor?[]` or `Tensor[]?`. */
export function is_tensorlist_like_type(type: Type): boolean {
  const inner = type.kind() === "OptionalType" ? type.containedType() : type;
  return inner.kind() === "ListType" && is_tensor_like_type(inner.containedType());
}

/** Whether a type is `Tensor` or `Tensor?`. */
export function is_tensor_like_type(type: Type): boolean {
  return (type.kind() === "OptionalType" ? type.containedType() : type).kind() === "TensorType";
}

export function has_kwarg_only_args(schema: PyFunctionSchema): boolean {
  return schema.arguments.some((arg) => arg.kwarg_only);
}

export function has_kwarg_only_tensors(schema: PyFunctionSchema): boolean {
  return schema.arguments.some(
    (arg) => arg.kwarg_only && (is_tensor_like_type(arg.type) || is_tensorlist_like_type(arg.type)),
  );
}

export function has_tensor_arg(schema: PyFunctionSchema): boolean {
  return schema.arguments.some((arg) => is_tensor_like_type(arg.type) || is_tensorlist_like_type(arg.type));
}

/** The index of the argument `device` if its type is Device, else null. */
export function get_device_arg_index(schema: PyFunctionSchema): number | null {
  const index = schema.arguments.findIndex((arg) => arg.type.kind() === "DeviceObjType" && arg.name === "device");
  return index < 0 ? null : index;
}

/** The arguments that a schema declares as mutable: positions of positional ones, names of the others. */
export function mutated_args_kwargs(schema: PyFunctionSchema): [idxs: number[], keys: string[]] {
  const idxs: number[] = [];
  const keys: string[] = [];
  schema.arguments.forEach((arg, i) => {
    if (!arg.is_write) return;
    if (arg.kwarg_only) keys.push(arg.name);
    else idxs.push(i);
  });
  return [idxs, keys];
}

/** Adds the default values, which the dispatcher does not pass to a kernel. */
export function fill_defaults(
  schema: PyFunctionSchema,
  args: readonly unknown[],
  kwargs: Readonly<Record<string, unknown>>,
): [args: unknown[], kwargs: Record<string, unknown>] {
  const all_args: unknown[] = [];
  const all_kwargs: Record<string, unknown> = {};
  schema.arguments.forEach((info, i) => {
    if (info.kwarg_only)
      all_kwargs[info.name] = Object.hasOwn(kwargs, info.name) ? kwargs[info.name] : info.default_value;
    else all_args.push(i < args.length ? args[i] : info.default_value);
  });
  return [all_args, all_kwargs];
}

/** Whether an operator only changes its arguments and returns nothing, so that its fake kernel may do nothing. */
export function can_generate_trivial_fake_impl(op: OpOverload): boolean {
  return op._schema.is_mutable && op._schema.returns.length === 0;
}

/** The tensors among the arguments, including those in lists and dicts. */
export function* iter_tensors(args: readonly unknown[]): Generator<TensorBase> {
  for (const arg of args) {
    if (arg instanceof TensorBase) yield arg;
    else if (Array.isArray(arg)) yield* iter_tensors(arg);
    else if (isDict(arg)) yield* iter_tensors(Object.values(arg));
  }
}

/** Refuses outputs of a custom operator that alias its inputs or each other; autograd and compilers rely on this. */
export function check_aliasing_constraint(name: string, args: readonly unknown[], result: unknown): void {
  const storages = new Set<unknown>();
  for (const tensor of iter_tensors(args)) storages.add(tensor.cdata.storage().unsafeGetStorageImpl());
  for (const tensor of iter_tensors(Array.isArray(result) ? result : [result])) {
    const storage = tensor.cdata.storage().unsafeGetStorageImpl();
    if (storages.has(storage)) {
      throw new RuntimeError(
        `${name} (with implementation in ???): The output of this custom operator (1) must not ` +
          "also be an input to this custom operator and (2) may not alias any inputs to this custom operator " +
          "or other returns. The most common way to trigger this error is if " +
          "we have y = custom_op(x) and y and x are the same Tensor. " +
          "Please instead return a clone of the offending output " +
          "tensor(s) (e.g. return x.clone()) or refactor the custom operator to not return y.",
      );
    }
    storages.add(storage);
  }
}
