/**
 * @file Optimizers in archives:
 *
 *   pytorch_version    "1.5.0"
 *   state              for each parameter that has one, by its key:  step, exp_avg, ...
 *   param_groups       param_groups/size, and for each group:  params/size, params/0 (a key), ..., options (lr, betas, ...)
 *
 * A key says which parameter a state belongs to; in C++ it is the address of the tensor, here a number that the tensor keeps.
 * @mirrors torch/csrc/api/include/torch/optim/serialize.h
 * @differs Archives that were written before version 1.5.0 are refused.
 */
import { IValue } from "#aten/core/ivalue";
import { TensorType } from "#aten/core/jit_type";
import { List } from "#aten/core/List";
import { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { Scalar } from "#c10/core/Scalar";
import { ScalarType } from "#c10/core/ScalarType";
import type { TensorImpl } from "#c10/core/TensorImpl/index";
import { TensorOptions } from "#c10/core/TensorOptions";
import { TORCH_CHECK } from "#c10/util/Exception";
import { values_of } from "../arg.ts";
import type { InputArchive } from "../serialize/input-archive.ts";
import type { OutputArchive } from "../serialize/output-archive.ts";
import type { OptimizerOptions, OptimizerParamGroup } from "./optimizer.ts";

/** The type of a value in an archive. */
export type ValueKind = "int" | "double" | "bool" | "string" | "tensor" | "tensors" | "doubles";
/** The fields of a state, with their types. Those that are null or undefined are not written. */
export type StateKind<S> = { readonly [K in keyof S & string]: ValueKind };

const keys = new WeakMap<TensorImpl, string>();
let last_key = 0;

function key_of(parameter: Tensor): string {
  const impl = parameter.unsafeGetTensorImpl();
  let key = keys.get(impl);
  if (key === undefined) {
    last_key += 16;
    key = String(last_key);
    keys.set(impl, key);
  }
  return key;
}

function to_ivalue(kind: ValueKind, value: unknown): IValue | null {
  if (value === null || value === undefined) return kind === "tensor" ? null : IValue.None;
  switch (kind) {
    case "int":
      return IValue.fromInt(value as number);
    case "double":
      return IValue.fromDouble(value as number);
    case "bool":
      return IValue.fromBool(value as boolean);
    case "string":
      return IValue.fromString(value as string);
    case "doubles":
      return IValue.fromTuple((value as number[]).map(IValue.fromDouble));
    case "tensors":
      return IValue.fromList(new List(TensorType, (value as Tensor[]).map(IValue.fromTensor)));
    case "tensor":
      return (value as Tensor).defined() ? IValue.fromTensor(value as Tensor) : null;
  }
}

function from_ivalue(kind: ValueKind, value: IValue | null): unknown {
  if (value === null) return new Tensor();
  if (value.isNone()) return null;
  switch (kind) {
    case "int":
      return Number(value.toInt());
    case "double":
      return value.toDouble();
    case "bool":
      return value.toBool();
    case "string":
      return value.toStringRef();
    case "doubles":
      return value.toTuple().map((item) => item.toDouble());
    case "tensors":
      return value
        .toList()
        .vec()
        .map((item) => item.toTensor());
    case "tensor":
      return value.toTensor();
  }
}

/** The types of an optimizer's options, from their values. */
const option_kinds: Readonly<Record<string, ValueKind>> = {
  amsgrad: "bool",
  betas: "doubles",
  centered: "bool",
  history_size: "int",
  line_search_fn: "string",
  max_eval: "int",
  max_iter: "int",
  nesterov: "bool",
};
const kind_of = (name: string): ValueKind => option_kinds[name] ?? "double";

const size_tensor = (size: number): Tensor => at.full([], Scalar.fromInt(size), new TensorOptions(ScalarType.Long));

export function write_optimizer<S extends object>(
  archive: OutputArchive,
  groups: readonly OptimizerParamGroup[],
  states: ReadonlyMap<TensorImpl, S>,
  kind: StateKind<S>,
): void {
  archive.write("pytorch_version", IValue.fromString("1.5.0"));
  const state_archive = archive.nested();
  for (const parameter of groups.flatMap((group) => group.params())) {
    const state = states.get(parameter.unsafeGetTensorImpl());
    if (state === undefined) continue;
    const entry = archive.nested();
    for (const [name, type] of Object.entries(kind) as [keyof S & string, ValueKind][]) {
      const value = to_ivalue(type, state[name]);
      if (value !== null) entry.write(name, value);
    }
    state_archive.write(key_of(parameter), entry);
  }
  archive.write("state", state_archive);

  const groups_archive = archive.nested();
  groups_archive.write("param_groups/size", size_tensor(groups.length));
  for (const [i, group] of groups.entries()) {
    const entry = archive.nested();
    entry.write("params/size", size_tensor(group.params().length));
    for (const [j, parameter] of group.params().entries())
      entry.write(`params/${j}`, IValue.fromString(key_of(parameter)));
    const options = archive.nested();
    for (const [name, value] of Object.entries(values_of(group.options())))
      options.write(name, to_ivalue(kind_of(name), value) as IValue);
    entry.write("options", options);
    groups_archive.write(`param_groups/${i}`, entry);
  }
  archive.write("param_groups", groups_archive);
}

/** Reads everything before anything is changed. */
export function read_optimizer<O extends OptimizerOptions, S extends object>(
  archive: InputArchive,
  groups: readonly OptimizerParamGroup<O>[],
  states: Map<TensorImpl, S>,
  kind: StateKind<S>,
): void {
  const version = archive.try_read_ivalue("pytorch_version");
  TORCH_CHECK(version !== null, "archives of optimizers that were written before version 1.5.0 cannot be read");
  TORCH_CHECK(version.toStringRef() === "1.5.0", `unknown version of an optimizer's archive: ${version.toStringRef()}`);
  const state_archive = archive.read_archive("state");
  const groups_archive = archive.read_archive("param_groups");
  const count = Number(groups_archive.read("param_groups/size").item().toLong());
  TORCH_CHECK(count === groups.length, "loaded state dict has a different number of parameter groups");

  const new_states: [TensorImpl, S][] = [];
  const new_options = groups.map((group, i) => {
    const entry = groups_archive.read_archive(`param_groups/${i}`);
    TORCH_CHECK(
      Number(entry.read("params/size").item().toLong()) === group.params().length,
      "loaded state dict contains a parameter group that has a different size than the optimizer's parameter group",
    );
    for (const [j, parameter] of group.params().entries()) {
      const state = state_archive.try_read_archive(entry.read_ivalue(`params/${j}`).toStringRef());
      if (state === null) continue;
      const fields = Object.entries(kind).map(([name, type]) => [
        name,
        from_ivalue(type as ValueKind, type === "tensor" ? state.try_read_ivalue(name) : state.read_ivalue(name)),
      ]);
      new_states.push([parameter.unsafeGetTensorImpl(), Object.fromEntries(fields) as S]);
    }
    const options = group.options().copy();
    const given = entry.read_archive("options");
    for (const name of Object.keys(values_of(options))) {
      const setter = (options as unknown as Record<string, (value: unknown) => void>)[name];
      setter.call(options, from_ivalue(kind_of(name), given.read_ivalue(name)));
    }
    return options;
  });
  for (const [impl, state] of new_states) states.set(impl, state);
  for (const [i, group] of groups.entries()) group.set_options(new_options[i]);
}
