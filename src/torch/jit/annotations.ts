/**
 * @file Types of scripts from annotations of Python.
 * @mirrors torch/jit/annotations.py
 */
import { EnumType } from "#aten/core/enum_type";
import { inferredTensorType } from "#aten/core/inferred_type";
import type { IValue } from "#aten/core/ivalue";
import * as types from "#aten/core/jit_type";
import { NamedTupleType } from "#aten/core/tuple_type";
import { unifyTypeList } from "#aten/core/type";
import { UnionType } from "#aten/core/union_type";
import { RuntimeError, ValueError } from "#c10/util/Exception";
import { builtins } from "#python/Objects/builtins_of";
import { call } from "#python/Objects/call";
import { AssertionError } from "#python/Objects/library_exceptions";
import { getattr, getattr_or_undefined, repr, str } from "#python/Objects/object";
import { info_of, type TypeObject, type_of } from "#python/Objects/typeobject";
import { import_module } from "#python/vm/import";
import torch from "../index.ts";
import { get_python_cu, type SourceRange, toIValue } from "./_C.ts";
import { _qualified_name } from "./_jit_internal.ts";
import { _add_python_class } from "./_state.ts";

type Type = types.Type;

/** Compiles a class; `_recursive/index.ts` sets it. */
export const classes: { compile: (cls: unknown, loc: SourceRange) => Type | null } = { compile: () => null };

/** `typing.NAME(...)` */
function ask_typing(name: string, annotation: unknown): unknown {
  return call(getattr(import_module("typing"), name), annotation);
}

const class_named = (name: string): unknown => builtins.get(name);

/** Types that an object of Python stands for by identity. */
function known_type(annotation: unknown): Type | null {
  switch (annotation) {
    case class_named("float"):
      return types.FloatType;
    case class_named("complex"):
      return types.ComplexType;
    case class_named("int"):
    case torch.dtype:
      return types.IntType;
    case class_named("str"):
      return types.StringType;
    case class_named("bool"):
      return types.BoolType;
    case getattr(import_module("typing"), "Any"):
      return types.AnyType;
    case torch.device:
      return types.DeviceObjType;
    case torch.Generator:
      return types.GeneratorType;
    default:
      return null;
  }
}

function is_tensor(annotation: unknown): boolean {
  if (annotation === torch.Tensor) return true;
  return (
    typeof annotation === "function" &&
    (annotation as { prototype?: unknown }).prototype instanceof (torch.Tensor as never)
  );
}

function unresolved(annotation: unknown, part: unknown, loc: SourceRange): AssertionError {
  return new AssertionError(
    `Unsupported annotation ${repr(annotation)} could not be resolved because ${repr(part)} could not be resolved. At\n${loc}`,
  );
}

function union_type(annotation: unknown, args: readonly unknown[], loc: SourceRange): Type {
  const none = type_of(null).cls;
  if (args.length === 2 && args.includes(none)) {
    const contained = args.find((arg) => arg !== none);
    const type = try_ann_to_type(contained, loc);
    if (type === null) throw unresolved(annotation, contained, loc);
    return types.OptionalType.create(type);
  }
  const numbers = ["int", "float", "complex"].map(class_named);
  if (args.length === 3 && numbers.every((number) => args.includes(number))) return types.NumberType;
  const members = args.map((arg) => {
    const type = try_ann_to_type(arg, loc);
    if (type === null) throw unresolved(annotation, arg, loc);
    return type;
  });
  return UnionType.create(members);
}

function unknown_annotation(annotation: unknown, loc: SourceRange): ValueError {
  return new ValueError(`Unknown type annotation: '${str(annotation)}' at ${loc.highlight()}`);
}

/** `List[int]`, `tuple[int, str]`, `Optional[Tensor]`, `int | None` and the like. */
function generic_type(annotation: unknown, origin: unknown, loc: SourceRange): Type | null {
  const args = [...(ask_typing("get_args", annotation) as Iterable<unknown>)];
  if (origin === class_named("tuple")) {
    if (args.length === 1 && Array.isArray(args[0]) && args[0].length === 0) return types.TupleType.create([]);
    return types.TupleType.create(args.map((arg) => ann_to_type(arg, loc)));
  }
  if (origin === class_named("list")) {
    const element = try_ann_to_type(args[0], loc);
    return element === null ? null : types.ListType.create(element);
  }
  if (origin === class_named("dict")) {
    const [key, value] = args.map((arg) => ann_to_type(arg, loc));
    return types.DictType.create(key, value);
  }
  const union = getattr(import_module("typing"), "Union");
  const of_types = getattr_or_undefined(import_module("types"), "UnionType");
  if (origin === union || (of_types !== undefined && origin === of_types)) return union_type(annotation, args, loc);
  return null;
}

/** The type of an annotation; null for an object that is none. */
export function try_ann_to_type(annotation: unknown, loc: SourceRange): Type | null {
  if (annotation === undefined) return inferredTensorType;
  if (annotation === null || annotation === type_of(null).cls) return types.NoneType;
  if (is_tensor(annotation)) return types.TensorType;
  const origin = ask_typing("get_origin", annotation);
  if (origin !== null && origin !== undefined) return generic_type(annotation, origin, loc);
  const known = known_type(annotation);
  if (known !== null) return known;
  const info = info_of(annotation);
  if (info === undefined) return null;
  const interface_name = getattr_or_undefined(annotation, "__torch_script_interface__");
  if (interface_name !== undefined) return get_python_cu().get_interface(interface_name as string);
  return (
    enum_type(annotation, info, loc) ?? named_tuple_type(annotation, info, loc) ?? classes.compile(annotation, loc)
  );
}

export function ann_to_type(annotation: unknown, loc: SourceRange): Type {
  const type = try_ann_to_type(annotation, loc);
  if (type === null) throw unknown_annotation(annotation, loc);
  return type;
}

/** The type of the values of an enum's members, which must be one. */
function enum_value_type(values: readonly unknown[], loc: SourceRange): Type {
  const members = [...new Set(values.map((value) => type_of(value).cls))].map((cls) => ann_to_type(cls, loc));
  return unifyTypeList(members, []) ?? types.AnyType;
}

export function enum_type(cls: unknown, info: TypeObject | undefined, loc: SourceRange): EnumType | null {
  if (info === undefined || !info.heap) return null;
  const base = info_of(getattr(import_module("enum"), "Enum"));
  if (base === undefined || !info.is_subtype(base)) return null;
  const name = _qualified_name(cls);
  const known = get_python_cu().get_type(name);
  if (known instanceof EnumType) return known;
  const members = [...(call(class_named("list"), cls) as Iterable<unknown>)];
  const values = members.map((member) => getattr(member, "value"));
  if (values.length === 0) throw new ValueError(`No enum values defined for: '${repr(type_of(cls).cls)}'`);
  const value_type = enum_value_type(values, loc);
  const names_values = members.map(
    (member, i) => [getattr(member, "name") as string, toIValue(values[i], value_type)] as const,
  );
  const type = EnumType.create(name, value_type, names_values, get_python_cu());
  get_python_cu().register_type(type);
  _add_python_class(type, cls);
  return type;
}

/** A class that `NamedTuple` or `namedtuple` made. Fields without annotation are tensors. */
export function named_tuple_type(cls: unknown, info: TypeObject | undefined, loc: SourceRange): NamedTupleType | null {
  if (info === undefined || !info.heap || !info.is_subtype(info_of(class_named("tuple")) as TypeObject)) return null;
  const fields = getattr_or_undefined(cls, "_fields") as Iterable<string> | undefined;
  if (fields === undefined) return null;
  const name = _qualified_name(cls);
  const known = get_python_cu().get_type(name);
  const annotations = (getattr_or_undefined(cls, "__annotations__") ?? new Map()) as Map<unknown, unknown>;
  const default_values = (getattr_or_undefined(cls, "_field_defaults") ?? new Map()) as Map<unknown, unknown>;
  const names = [...fields];
  const field_types = names.map((field) =>
    annotations.has(field) ? ann_to_type(annotations.get(field), loc) : inferredTensorType,
  );
  const defaults: IValue[] = [];
  for (const [i, field] of names.entries()) {
    if (default_values.has(field)) defaults.push(toIValue(default_values.get(field), field_types[i]));
  }
  const type = new NamedTupleType(name, names, field_types, defaults);
  if (known !== null) {
    if (!known.isSubtypeOf(type)) throw new RuntimeError(`Can't redefine NamedTuple: ${type.repr_str()}`);
    return known as NamedTupleType;
  }
  get_python_cu().register_type(type);
  _add_python_class(type, cls);
  return type;
}
