/**
 * @file Values of scripts as Python has them, and back: dicts, named tuples, members of enums, objects of classes, modules.
 * @mirrors torch/csrc/jit/python/pybind_utils.cpp#toPyObject
 * @differs `pybind_utils.ts` converts what operators of the dispatcher take and give. Here are the kinds that only scripts have, so that
 * they are loaded with scripts only.
 */
import { ClassType } from "#aten/core/class_type";
import { Dict } from "#aten/core/Dict";
import type { EnumType } from "#aten/core/enum_type";
import { type ComplexDouble, IValue } from "#aten/core/ivalue";
import { EnumHolder, Object_ } from "#aten/core/ivalue_inl";
import type { Type } from "#aten/core/jit_type";
import type { Stack } from "#aten/core/stack";
import { NamedTupleType } from "#aten/core/tuple_type";
import { RuntimeError } from "#c10/util/Exception";
import { call } from "#python/Objects/call";
import { PyComplex } from "#python/Objects/complexobject";
import { PyDict } from "#python/Objects/dictobject";
import { getattr, getattr_or_undefined, setattr } from "#python/Objects/object";
import { tuple } from "#python/Objects/tupleobject";
import { Float, isDict } from "#torch/csrc-equivalent/utils/python_numbers";
import { tryToInferType } from "./infer_type.ts";
import { cast_error, script_conversions, toIValue, toPyObject } from "./pybind_utils.ts";
import { python_str } from "./python_str.ts";
import { python_frontend } from "./python_sugared_value.ts";
import { entries_of, module_wrapper, script_object_of } from "./script_objects.ts";

/** Boxes a value whose type only scripts have; null if the type is another one. */
function box(obj: unknown, type: Type): IValue | null {
  switch (type.kind()) {
    case "DictType":
      return obj instanceof Map || isDict(obj) ? box_dict(entries_of(obj), type) : null;
    case "TupleType":
      if (!(type instanceof NamedTupleType) || !Array.isArray(obj)) return null;
      return IValue.fromNamedTuple(
        obj.map((item, i) => toIValue(item, type.containedType(i))),
        type,
      );
    case "ClassType":
      return IValue.fromObject(box_object(obj, type as ClassType));
    case "InterfaceType": {
      const object = script_object_of(obj);
      return object === null ? null : IValue.fromObject(object);
    }
    case "EnumType":
      return box_enum(obj, type as EnumType);
    case "AnyType": {
      const inferred = tryToInferType(obj);
      if ("reason" in inferred) throw new cast_error(`Cannot infer type of ${String(obj)}\n:${inferred.reason}`);
      return toIValue(obj, inferred.type);
    }
    case "UnionType": {
      const inferred = tryToInferType(obj);
      const inner = "type" in inferred ? inferred.type : null;
      const member = type.containedTypes().find((candidate) => inner?.isSubtypeOf(candidate) === true);
      if (member === undefined) {
        throw new cast_error(
          `Expected a member of ${type.annotation_str()} but instead found type ${inner?.annotation_str() ?? "unknown"}`,
        );
      }
      return toIValue(obj, member);
    }
    case "ComplexType":
      return obj instanceof PyComplex ? IValue.fromComplexDouble(obj as ComplexDouble) : null;
    default:
      return null;
  }
}
script_conversions.box = box;

function box_dict(entries: Iterable<[unknown, unknown]>, type: Type): IValue {
  const [key, value] = type.containedTypes();
  const dict = new Dict(key, value);
  for (const [k, v] of entries) dict.insert(toIValue(k, key), toIValue(v, value));
  return IValue.fromDict(dict);
}

/** An object of a script class from one of Python: each attribute is converted. */
function box_object(obj: unknown, type: ClassType): Object_ {
  const known = script_object_of(obj);
  if (known !== null) return known;
  const object = new Object_(type, type.numAttributes());
  for (const { name, type: of } of type.getAttributes()) {
    const value = getattr_or_undefined(obj, name);
    if (value === undefined) {
      throw new cast_error(`Tried to cast object to type ${type.repr_str()} but object was missing attribute ${name}`);
    }
    try {
      object.setAttr(name, toIValue(value, of));
    } catch {
      throw new cast_error(`Could not get attribute '${name}' for object of type ${type.repr_str()}`);
    }
  }
  return object;
}

function box_enum(obj: unknown, type: EnumType): IValue {
  const name = getattr_or_undefined(obj, "name");
  const member = type.enumNamesValues().find(([known]) => known === name);
  if (member === undefined) throw new cast_error(`Unable to cast ${String(obj)} to ${type.annotation_str()}`);
  return IValue.fromEnum(new EnumHolder(type, member[0], member[1]));
}

/** A value of a script for Python. An integral float stays a float. */
export function toPythonObject(value: IValue): unknown {
  switch (value.tag) {
    case "Double": {
      const number = value.toDouble();
      return Number.isInteger(number) ? Float(number) : number;
    }
    case "ComplexDouble": {
      const { real, imag } = value.payload as ComplexDouble;
      return new PyComplex(real, imag);
    }
    case "String":
      return python_str(value.toStringRef());
    case "GenericList":
      return value.toList().vec().map(toPythonObject);
    case "GenericDict": {
      const dict = new PyDict();
      for (const { key, value: item } of value.toGenericDict().entries())
        dict.set(toPythonObject(key), toPythonObject(item));
      return dict;
    }
    case "Tuple": {
      const elements = value.toTuple();
      const items = elements.map(toPythonObject);
      const cls = elements.named_type === undefined ? null : python_class(elements.named_type);
      return cls === null ? tuple(items) : call(cls, ...items);
    }
    case "Enum": {
      const holder = value.toEnumHolder();
      return getattr(class_or_error(holder.type()), holder.name());
    }
    case "Object":
      return object_for_python(value.toObject());
    default:
      return toPyObject(value);
  }
}

function python_class(type: Type): unknown {
  return python_frontend.current?.python_class(type) ?? null;
}

function class_or_error(type: Type): unknown {
  const cls = python_class(type);
  if (cls === null) {
    throw new RuntimeError(`Unknown reference to ScriptClass ${type.annotation_str()}. (Did you forget to import it?)`);
  }
  return cls;
}

/** A new object of the Python class, with the attributes that the script's object has. */
function object_for_python(object: Object_): unknown {
  const type = object.type();
  if (type instanceof ClassType && type.is_module() && module_wrapper.wrap !== null) return module_wrapper.wrap(object);
  const cls = class_or_error(type);
  const made = call(getattr(cls, "__new__"), cls);
  for (let slot = 0; slot < type.numAttributes(); slot++) {
    setattr(made, type.getAttributeName(slot), toPythonObject(object.getSlot(slot)));
  }
  return made;
}

/** The result of a script, from its stack. */
export function result_for_python(stack: Stack): unknown {
  return toPythonObject(stack[stack.length - 1]);
}
