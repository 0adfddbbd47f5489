/**
 * @file Guards: conditions that must hold in a later call, so that the compiled form of a frame is right for it, too.
 * @mirrors torch/_dynamo/guards.py
 *
 *     TENSOR_MATCH L['x']       the class, dtype, device, sizes and strides of a tensor
 *     CONSTANT_MATCH L['n']     L['n'] == 2
 *     SHAPE_ENV                 what the translator assumed of sizes that are symbols
 * A guard reads its value from the frame by its source. The compiled form is used if all guards hold; the first that does not is the reason for
 * another compilation.
 * @differs Guards are a list in the order in which they were made, and no tree; there are no guards on the ids of builtins, which cannot change here.
 */

import { FUNCTION } from "#python/Objects/call";
import type { PyDict } from "#python/Objects/dictobject";
import type { PyFunction } from "#python/Objects/funcobject";
import { repr, richcompare } from "#python/Objects/object";
import { full_name, type TypeObject, type_of } from "#python/Objects/typeobject";
import type { Frame } from "#python/vm/frame";
import { same_object } from "#python/vm/protocols";
import { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import type { ShapeEnv } from "#torch/fx/experimental/symbolic_shapes/index";
import { compare, type Expr } from "#torch/utils/_sympy/expr";
import { evaluate } from "#torch/utils/_sympy/functions";
import type { FrameSummary } from "./exc.ts";
import type { Getter, Source } from "./source.ts";

export interface Guard {
  /** The source as text; empty for what belongs to no variable. */
  readonly name: string;
  readonly kind: string;
  readonly code_list: readonly string[];
  /** Tells guards apart that are of one kind and have no code. */
  readonly detail?: string;
  /** The whole condition for a reader, if `code_list` has not all of it. */
  readonly text?: () => string;
  /** Whether it holds in a frame that has not run yet. */
  readonly check: (frame: Frame) => boolean;
  /** Why it does not hold. */
  readonly reason: (frame: Frame) => string;
  /** Where the program stood when the guard was made. */
  stack: readonly FrameSummary[];
}

/** The name of a source in a reason: `L['x']` is `x`. */
const local_text = (text: string): string => text.replace(/L\['(\w+)'\]/g, "$1");

/** A guard whose reason is its condition. */
export function by_code(
  kind: string,
  source: Source | null,
  code_list: string[],
  holds: (value: unknown) => boolean,
): Guard {
  const get = source?.getter;
  return {
    name: source?.name ?? "",
    kind,
    code_list,
    check: (frame) => holds(get?.(frame)),
    reason: () => local_text((code_list.at(-1) ?? "").padEnd(60)),
    stack: [],
  };
}

/** Whether two constants are the same: 1, 1.0 and True are three. */
export function same_constant(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a === "number" && typeof b === "number") return Number.isNaN(a) && Number.isNaN(b);
  return type_of(a) === type_of(b) && richcompare(a, b, "==") === true;
}

export const CONSTANT_MATCH = (source: Source, value: unknown): Guard =>
  by_code("CONSTANT_MATCH", source, [`${source.name} == ${repr(value)}`], (it) => same_constant(it, value));

export const EQUALS_MATCH = (source: Source, value: unknown): Guard =>
  by_code("EQUALS_MATCH", source, [`${source.name} == ${repr(value)}`], (it) => same_constant(it, value));

const type_text = (type: TypeObject): string => `<class '${full_name(type)}'>`;
const type_code = (name: string, type: TypeObject): string => `___check_type_id(${name}, ID), type=${type_text(type)}`;

export function TYPE_MATCH(source: Source, value: unknown): Guard {
  const type = type_of(value);
  return by_code("TYPE_MATCH", source, [type_code(source.name, type)], (it) => type_of(it) === type);
}

export const ID_MATCH = (source: Source, value: unknown, kind = "ID_MATCH"): Guard =>
  by_code(kind, source, [`___check_obj_id(${source.name}, ID), type=${type_text(type_of(value))}`], (it) =>
    same_object(it, value),
  );

/** A function of the program: its code must be the same. */
export function CLOSURE_MATCH(source: Source, fn: PyFunction): Guard {
  const { code } = fn[FUNCTION];
  const of = (it: unknown): unknown => (it as Partial<PyFunction> | null)?.[FUNCTION]?.code;
  return {
    ...by_code("CLOSURE_MATCH", source, [], (it) => of(it) === code),
    reason: () => local_text(`___check_obj_id(${source.name}.__code__, ID)`),
  };
}

export function SEQUENCE_LENGTH(source: Source, value: readonly unknown[]): Guard {
  const type = type_of(value);
  const { length } = value;
  const { name } = source;
  return {
    ...by_code(
      "SEQUENCE_LENGTH",
      source,
      [type_code(name, type), length === 0 ? `not ${name}` : `len(${name}) == ${length}`],
      (it) => Array.isArray(it) && it.length === length && type_of(it) === type,
    ),
  };
}

export function DICT_KEYS_MATCH(source: Source, dict: ReadonlyMap<unknown, unknown>): Guard {
  const keys = [...dict.keys()];
  const { name } = source;
  return by_code(
    "DICT_KEYS_MATCH",
    source,
    [`len(${name}) == ${keys.length}`, `list(dict.keys(${name})) == ${repr(keys)}`],
    (it) =>
      it instanceof Map && it.size === keys.length && [...it.keys()].every((key, i) => same_constant(key, keys[i])),
  );
}

/** Whether a dict has a key. */
export const DICT_CONTAINS = (source: Source, key: unknown, has: boolean): Guard =>
  by_code(
    "DICT_CONTAINS",
    source,
    [`${has ? "" : "not "}___dict_contains(${repr(key)}, ${source.name})`],
    (it) => it instanceof Map && it.has(key) === has,
  );

/** The hooks of a module, which are none. */
export const EMPTY_NN_MODULE_HOOKS_DICT = (source: Source): Guard => ({
  ...by_code(
    "EMPTY_NN_MODULE_HOOKS_DICT",
    source,
    [],
    (it) => it === undefined || (it instanceof Map && it.size === 0),
  ),
  reason: () => local_text(`not ${source.name}`),
});

/** An object has no attribute of its own that hides a method of its class. */
export const NOT_PRESENT_IN_GENERIC_DICT = (source: Source, attribute: string): Guard => ({
  ...by_code("NOT_PRESENT_IN_GENERIC_DICT", source, [], (it) => !Object.hasOwn(it as object, attribute)),
  detail: attribute,
  reason: () => local_text(`not ___dict_contains('${attribute}', ${source.name}.__dict__)`),
});

/** Two sources hold one object. */
export function DUPLICATE_INPUT(a: Source, b: Source): Guard {
  const other = a.getter;
  const own = b.getter;
  return {
    name: b.name,
    kind: "DUPLICATE_INPUT",
    code_list: [`${a.name} is ${b.name}`],
    check: (frame) => own(frame) === other(frame),
    reason: () => local_text(`${a.name} is ${b.name}`),
    stack: [],
  };
}

/** Sizes or strides of a tensor that must be as they were; null: not asked. */
export type Expected = readonly (number | null)[];

const DYNAMIC_MARKS = ["dynamic", "weak_dynamic", "unbacked", "strict_unbacked", "static"];

/** The guard of a tensor. */
export function TENSOR_MATCH(source: Source, value: Tensor, sizes: Expected, strides: Expected): Guard {
  const { name } = source;
  const get = source.getter;
  const type = type_of(value);
  const { dtype, device, requires_grad } = value;
  const device_text = String(device);
  const rank = sizes.length;
  const mismatch = (t: unknown): string | null => {
    if (!(t instanceof Tensor))
      return `expected type of '${local_text(name)}' to be a tensor type, ' but found ${type_text(type_of(t))}`;
    if (type_of(t) !== type)
      return `expected type of '${local_text(name)}' to be a tensor type, ' but found ${type_text(type_of(t))}`;
    const what = `tensor '${local_text(name)}'`;
    if (t.dtype !== dtype)
      return `${what} dtype mismatch. expected ${scalar_name(dtype)}, actual ${scalar_name(t.dtype)}`;
    if (String(t.device) !== device_text)
      return `${what} device mismatch. expected ${device_text}, actual ${String(t.device)}`;
    if (t.requires_grad !== requires_grad)
      return `${what} requires_grad mismatch. expected requires_grad=${requires_grad ? 1 : 0}`;
    const actual = t.cdata.sizes();
    if (actual.length !== rank) return `${what} rank mismatch. expected ${rank}, actual ${actual.length}`;
    for (const [i, size] of sizes.entries())
      if (size !== null && actual[i] !== size)
        return `${what} size mismatch at index ${i}. expected ${size}, actual ${actual[i]}`;
    const actual_strides = t.cdata.strides();
    for (const [i, stride] of strides.entries())
      if (stride !== null && actual_strides[i] !== stride)
        return `${what} stride mismatch at index ${i}. expected ${stride}, actual ${actual_strides[i]}`;
    return null;
  };
  return {
    name,
    kind: "TENSOR_MATCH",
    code_list: DYNAMIC_MARKS.map((mark) => `hasattr(${name}, '_dynamo_${mark}_indices') == False`),
    text: () =>
      `check_tensor(${name}, ${type.name}, ${String(dtype)}, device=${device_text}, requires_grad=${requires_grad ? "True" : "False"}, size=[${sizes.map((size) => size ?? "None").join(", ")}], stride=[${strides.map((stride) => stride ?? "None").join(", ")}])`,
    check: (frame) => mismatch(get(frame)) === null,
    reason: (frame) => mismatch(get(frame)) as string,
    stack: [],
  };
}

const SCALAR_NAMES: Readonly<Record<string, string>> = {
  float32: "Float",
  float64: "Double",
  float16: "Half",
  bfloat16: "BFloat16",
  int64: "Long",
  int32: "Int",
  int16: "Short",
  int8: "Char",
  uint8: "Byte",
  bool: "Bool",
  complex64: "ComplexFloat",
  complex128: "ComplexDouble",
};
const scalar_name = (dtype: unknown): string => {
  const name = String(dtype).replace("torch.", "");
  return SCALAR_NAMES[name] ?? name;
};

/** Tensors that were several objects are so again. */
export function NO_TENSOR_ALIASING(sources: readonly Source[]): Guard {
  const getters = sources.map((source) => source.getter);
  const duplicate = (frame: Frame): number => {
    const seen = new Set<unknown>();
    return getters.findIndex((get) => {
      const value = get(frame);
      if (seen.has(value)) return true;
      seen.add(value);
      return false;
    });
  };
  return {
    name: "",
    kind: "NO_TENSOR_ALIASING",
    code_list: [],
    check: (frame) => duplicate(frame) < 0,
    reason: (frame) => {
      const i = duplicate(frame);
      return `Duplicate tensor found where not expected! ${sources[i]?.name} should not alias to anything, but is aliased. Total number of duplicate tensors: 1.`;
    },
    stack: [],
  };
}

// ---- The state of the library

function global_guard(kind: string, name: string, code: string[], read: () => unknown, reason: string): Guard {
  const before = read();
  return { name, kind, code_list: code, check: () => read() === before, reason: () => reason, stack: [] };
}

/** The seven guards that every compiled form has. */
export const global_guards = (): Guard[] => [
  global_guard("SHAPE_ENV", "", [], () => null, ""),
  global_guard(
    "AUTOGRAD_SAVED_TENSORS_HOOKS",
    "",
    ["torch._functorch.aot_autograd.utils.top_saved_tensors_hooks ids == None"],
    () => null,
    "",
  ),
  global_guard(
    "DEFAULT_DEVICE",
    "",
    ["utils_device.CURRENT_DEVICE == None"],
    () => String(torch.get_default_device()),
    "utils_device.CURRENT_DEVICE == None",
  ),
  global_guard(
    "DETERMINISTIC_ALGORITHMS",
    "",
    [],
    () => torch.are_deterministic_algorithms_enabled(),
    "DETERMINISTIC_ALGORITHMS",
  ),
  global_guard("GRAD_MODE", "", [], () => torch.is_grad_enabled(), "GLOBAL_STATE changed: grad_mode "),
  global_guard("GLOBAL_STATE", "", [], () => torch.get_default_dtype(), "GLOBAL_STATE changed: default_dtype "),
  global_guard("TORCH_FUNCTION_STATE", "", [], () => null, ""),
];

/** A number of the frame that the translator took for an expression over symbols: a size, a stride, an int. */
export interface TrackedNumber {
  readonly name: string;
  readonly get: Getter;
  readonly expr: Expr;
}

/** The guard of all that the translator assumed of symbols: they are read from the sizes of the frame's tensors. */
export function shape_guard(shape_env: ShapeEnv, tracked: readonly TrackedNumber[]): Guard | null {
  const symbols = new Map<string, TrackedNumber>();
  for (const each of tracked) {
    const name = String(each.expr);
    if (each.expr.constant === null && each.expr.free_symbols().has(name) && !symbols.has(name))
      symbols.set(name, each);
  }
  if (symbols.size === 0) return null;
  const spelled = (text: string): string => text.replace(/\b[su]\d+\b/g, (name) => symbols.get(name)?.name ?? name);
  const failed = (frame: Frame): string | null => {
    const values = new Map([...symbols].map(([name, { get }]) => [name, Number(get(frame))]));
    const value_of = (name: string): number | null => values.get(name) ?? null;
    for (const { name, get, expr } of tracked)
      if (expr.constant === null && evaluate(expr, value_of) !== Number(get(frame)))
        return `${name} == ${spelled(String(expr))}`;
    for (const [name, value] of values) {
      const range = shape_env.var_to_range.get(name);
      if (range === undefined) continue;
      if (value < range.lower) return `${range.lower} <= ${spelled(name)}`;
      if (value > range.upper) return `${spelled(name)} <= ${range.upper}`;
    }
    for (const [name, expr] of shape_env.replacements) {
      const value = values.get(name);
      if (value !== undefined && evaluate(expr, value_of) !== value)
        return `${spelled(name)} == ${spelled(String(expr))}`;
    }
    for (const { expr } of shape_env.guards) {
      const [lhs, rhs] = [evaluate(expr.lhs, value_of), evaluate(expr.rhs, value_of)];
      if (lhs !== null && rhs !== null && !compare(expr.op, lhs, rhs)) return spelled(String(expr));
    }
    return null;
  };
  return {
    name: "",
    kind: "SHAPE_ENV",
    code_list: [],
    check: (frame) => failed(frame) === null,
    reason: (frame) => local_text(failed(frame) as string),
    stack: [],
  };
}

/** All guards of one compiled form. */
export class CheckFunctionManager {
  readonly guards: readonly Guard[];

  constructor(guards: readonly Guard[]) {
    this.guards = guards;
  }

  check(frame: Frame): boolean {
    for (const guard of this.guards) {
      try {
        if (!guard.check(frame)) return false;
      } catch {
        return false; // the value is not there any more
      }
    }
    return true;
  }

  /** The first guard that does not hold. */
  failed(frame: Frame): Guard | null {
    return (
      this.guards.find((guard) => {
        try {
          return !guard.check(frame);
        } catch {
          return true;
        }
      }) ?? null
    );
  }
}

/** Whether a value is a dict of Python. */
export const is_dict = (value: unknown): value is PyDict => value instanceof Map;
