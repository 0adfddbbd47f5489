/**
 * @file Python's own functions, applied to variables: `len(xs)`, `isinstance(x, torch.Tensor)`, `zip(a, b)`.
 * @mirrors torch/_dynamo/variables/builtin.py
 */
import { AttributeError, ValueError } from "#c10/util/Exception";
import { builtins } from "#python/Objects/builtins_of";
import { PyDict } from "#python/Objects/dictobject";
import { StopIteration } from "#python/Objects/exceptions";
import { is_builtin } from "#python/Objects/methodobject";
import { repr } from "#python/Objects/object";
import { PySet } from "#python/Objects/setobject";
import { PyTuple } from "#python/Objects/tupleobject";
import { info_of, type TypeObject, type_of } from "#python/Objects/typeobject";
import { as_python_exception } from "#python/vm/errors";
import { sym_int, sym_max, sym_min } from "#torch/_sym_functions";
import { torch } from "#torch/_torch";
import { call_function } from "#torch/fx/callables";
import { operator } from "#torch/fx/proxy/index";
import { name_of, operator_name } from "#torch/fx/qualified_names";
import { unimplemented } from "../graph_break.ts";
import { ObservedException } from "../observed.ts";
import type { Source } from "../source.ts";
import { type Kwargs, NO_KWARGS, ObjectVariable, type Translator, type VariableTracker } from "./base.ts";
import { ConstantVariable } from "./constant.ts";
import { constant_call } from "./constant_call.ts";
import { ConstDictVariable, dict_items, SetVariable } from "./dicts.ts";
import { FloatVariable } from "./float.ts";
import { SkipFunctionVariable } from "./functions.ts";
import { ListIteratorVariable } from "./iter.ts";
import { BaseListVariable, ListVariable, RangeVariable, SliceVariable, TupleVariable } from "./lists.ts";
import { SuperVariable } from "./misc.ts";
import { NodeVariable, NumberVariable, SymNodeVariable, TensorVariable } from "./tensor.ts";
import { UserDefinedObjectVariable } from "./user_defined.ts";

type Args = readonly VariableTracker[];
type Rule = (tx: Translator, args: Args, kwargs: Kwargs) => VariableTracker | null;

const NONE = (): ConstantVariable => new ConstantVariable(null);
const all_constant = (args: Iterable<VariableTracker>): boolean => [...args].every((arg) => arg.is_python_constant());
const observed = (error: Error): never => {
  throw new ObservedException(as_python_exception(error));
};

/** The type of a variable; null if nobody knows it. */
function type_or_null(of: VariableTracker): TypeObject | null {
  try {
    return of.python_type();
  } catch {
    return null;
  }
}

/** Numbers of which at least one depends on sizes or data. */
const is_symbolic_pair = (a: VariableTracker, b: VariableTracker): boolean =>
  [a, b].some((it) => it instanceof SymNodeVariable) &&
  [a, b].every((it) => it instanceof SymNodeVariable || it.is_python_constant());

function reduce(tx: Translator, name: "gt" | "lt", args: Args): VariableTracker | null {
  const items = args.length === 1 ? tx.sequence(args[0] as VariableTracker) : [...args];
  const [first, ...rest] = items.map((it) => it.realize());
  if (first === undefined) return null;
  if (items.some((it) => it.realize().is_tensor())) return null;
  return rest.reduce<VariableTracker>((best, it) => {
    if (is_symbolic_pair(best, it))
      return tx.call_node(
        "call_function",
        name === "gt" ? sym_max : sym_min,
        [best.as_proxy(), it.as_proxy()],
        new Map(),
      );
    return tx.is_true(tx.call_operator(name, [it, best])) ? it : best;
  }, first);
}

/** `max` of two tensors is that of their elements. */
const tensor_extreme = (tx: Translator, fn: unknown, args: Args): VariableTracker | null =>
  args.length === 2 && args.every((it) => it.is_tensor()) ? tx.call_in_graph(fn, args, NO_KWARGS) : null;

function has_attribute(tx: Translator, of: VariableTracker, name: string): boolean {
  if (of.is_python_constant() && !(of instanceof BaseListVariable))
    return (
      constant_call(tx, () =>
        call_function(builtins.get("hasattr"), [of.as_python_constant(), name]),
      ).as_python_constant() === true
    );
  if (of instanceof TensorVariable) return call_function(builtins.get("hasattr"), [of.fake, name]) === true;
  try {
    of.var_getattr(tx, name);
    return true;
  } catch (error) {
    if (error instanceof ObservedException && error.exception instanceof AttributeError) return false;
    throw error;
  }
}

/** The classes that `isinstance` asks: classes, or a tuple of them. */
const classes_of = (given: unknown): unknown[] => (given instanceof PyTuple ? given.flatMap(classes_of) : [given]);

/** The variable that PyTorch's own text of a builtin gives the value, which names the node. */
function named(of: VariableTracker, name: string): VariableTracker {
  const value = of.realize();
  if (value instanceof NodeVariable) value.set_name_hint(name);
  return value;
}

const RULES: Readonly<Record<string, Rule>> = {
  len: (tx, [of]) => (of as VariableTracker).call_method(tx, "__len__", [], NO_KWARGS),
  isinstance(tx, [of, cls]) {
    const type = type_or_null(of as VariableTracker);
    if (type === null) return null;
    const classes = classes_of(tx.constant_of(cls as VariableTracker));
    if (
      of instanceof TensorVariable ||
      of instanceof UserDefinedObjectVariable ||
      !all_constant([of as VariableTracker])
    )
      return new ConstantVariable(classes.some((it) => is_subclass(of as VariableTracker, type, it)));
    return null;
  },
  getattr(tx, [of, name, otherwise]) {
    const attribute = tx.constant_of(name as VariableTracker) as string;
    if (otherwise !== undefined && !has_attribute(tx, of as VariableTracker, attribute)) return otherwise;
    return (of as VariableTracker).var_getattr(tx, attribute);
  },
  hasattr: (tx, [of, name]) =>
    new ConstantVariable(has_attribute(tx, of as VariableTracker, tx.constant_of(name as VariableTracker) as string)),
  setattr: (tx, [of, name, value]) =>
    (of as VariableTracker).call_method(
      tx,
      "__setattr__",
      [name as VariableTracker, value as VariableTracker],
      NO_KWARGS,
    ),
  range: (tx, args) => new RangeVariable(tx, args),
  slice: (_tx, args) => {
    const [a, b, c] = args;
    return new SliceVariable(
      b === undefined ? [NONE(), a as VariableTracker, NONE()] : [a as VariableTracker, b, c ?? NONE()],
    );
  },
  enumerate(tx, [of, start], kwargs) {
    const first = start ?? kwargs.get("start");
    const from = first === undefined ? 0 : Number(tx.constant_of(first));
    return new ListIteratorVariable(
      tx
        .sequence(of as VariableTracker)
        .map((it, i) => new TupleVariable([new ConstantVariable(from + i), named(it, "x")])),
    );
  },
  zip(tx, args, kwargs) {
    const columns = args.map((it) => tx.sequence(it));
    const lengths = columns.map((it) => it.length);
    const strict = kwargs.get("strict");
    if (strict !== undefined && tx.is_true(strict) && new Set(lengths).size > 1) {
      const at = lengths.findIndex((it) => it !== lengths[0]);
      const before = at === 1 ? "argument 1" : `arguments 1-${at}`;
      const word = (lengths[at] as number) < (lengths[0] as number) ? "shorter" : "longer";
      return observed(new ValueError(`zip() argument ${at + 1} is ${word} than ${before}`));
    }
    const length = columns.length === 0 ? 0 : Math.min(...lengths);
    return new ListIteratorVariable(
      Array.from({ length }, (_, i) => new TupleVariable(columns.map((it) => it[i] as VariableTracker))),
    );
  },
  map(tx, [fn, ...rest]) {
    const columns = rest.map((it) => tx.sequence(it));
    const length = Math.min(...columns.map((it) => it.length));
    return new ListIteratorVariable(
      Array.from({ length }, (_, i) =>
        (fn as VariableTracker).call_function(
          tx,
          columns.map((it) => (it[i] as VariableTracker).realize()),
          NO_KWARGS,
        ),
      ),
    );
  },
  filter(tx, [fn, of]) {
    const is_none =
      (fn as VariableTracker).is_python_constant() && (fn as VariableTracker).as_python_constant() === null;
    return new ListIteratorVariable(
      tx
        .sequence(of as VariableTracker)
        .filter((it) =>
          tx.is_true(is_none ? it.realize() : (fn as VariableTracker).call_function(tx, [it.realize()], NO_KWARGS)),
        ),
    );
  },
  reversed: (tx, [of]) => new ListIteratorVariable(tx.sequence(of as VariableTracker).reverse()),
  iter: (tx, args) => (args.length === 1 ? tx.iterator(args[0] as VariableTracker) : null),
  next(tx, [of, otherwise]) {
    if (of instanceof UserDefinedObjectVariable && otherwise === undefined)
      return of.call_method(tx, "__next__", [], NO_KWARGS);
    if (!(of instanceof ListIteratorVariable)) return null;
    return of.next_variable() ?? otherwise ?? observed(new StopIteration());
  },
  list: (tx, [of]) => new ListVariable(of === undefined ? [] : tx.sequence(of), null, "new"),
  tuple: (tx, [of]) => new TupleVariable(of === undefined ? [] : tx.sequence(of)),
  dict(tx, [of], kwargs) {
    const items = of === undefined ? new PyDict() : dict_items(tx, of);
    for (const [name, value] of kwargs) items.set(name, value);
    return new ConstDictVariable(items);
  },
  set(tx, [of]) {
    const made = new PySet();
    for (const it of of === undefined ? [] : tx.sequence(of)) made.add(tx.constant_of(it.realize()));
    return new SetVariable(made);
  },
  sorted: (tx, [of], kwargs) => new ListVariable(tx.sorted(tx.sequence(of as VariableTracker), kwargs), null, "new"),
  sum(tx, [of, start], kwargs) {
    const from = start ?? kwargs.get("start") ?? new ConstantVariable(0);
    let value = from;
    for (const it of tx.iterate(of as VariableTracker))
      value = named(tx.call_operator("add", [value, named(it, "element")]), "value");
    return value;
  },
  max: (tx, args, kwargs) =>
    kwargs.size > 0 ? null : (tensor_extreme(tx, torch.maximum, args) ?? reduce(tx, "gt", args)),
  min: (tx, args, kwargs) =>
    kwargs.size > 0 ? null : (tensor_extreme(tx, torch.minimum, args) ?? reduce(tx, "lt", args)),
  any(tx, [of]) {
    for (const it of tx.iterate(of as VariableTracker)) if (tx.is_true(it)) return new ConstantVariable(true);
    return new ConstantVariable(false);
  },
  all(tx, [of]) {
    for (const it of tx.iterate(of as VariableTracker)) if (!tx.is_true(it)) return new ConstantVariable(false);
    return new ConstantVariable(true);
  },
  abs: (tx, [of]) =>
    of instanceof NodeVariable && !(of instanceof FloatVariable)
      ? tx.call_node("call_function", of.is_tensor() ? builtins.get("abs") : operator("abs"), [of.node], new Map())
      : null,
  bool: (tx, [of]) =>
    of === undefined
      ? null
      : of instanceof TensorVariable
        ? of.call_method(tx, "item", [], NO_KWARGS)
        : new ConstantVariable(tx.is_true(of)),
  type(tx, args) {
    if (args.length !== 1) return null;
    const type = type_or_null(args[0] as VariableTracker);
    return type === null ? null : tx.value(type.cls);
  },
  callable: (_tx, [of]) =>
    of instanceof TensorVariable || (of as VariableTracker).is_python_constant() ? null : new ConstantVariable(true),
  super(tx, args) {
    const [cls, self] = args.length === 2 ? args : tx.super_arguments();
    return new SuperVariable(cls as VariableTracker, self as VariableTracker);
  },
  int: (tx, [of]) =>
    of instanceof SymNodeVariable
      ? of
      : of instanceof TensorVariable
        ? of.call_method(tx, "item", [], NO_KWARGS)
        : null,
  float: (tx, [of]) =>
    of instanceof TensorVariable
      ? of.call_method(tx, "item", [], NO_KWARGS)
      : of instanceof SymNodeVariable
        ? tx.call_node("call_function", builtins.get("float"), [of.node], new Map())
        : null,
  divmod: (tx, [a, b]) =>
    new TupleVariable([
      tx.call_operator("floordiv", [a as VariableTracker, b as VariableTracker]),
      tx.call_operator("mod", [a as VariableTracker, b as VariableTracker]),
    ]),
};

function is_subclass(of: VariableTracker, type: TypeObject, cls: unknown): boolean {
  const other = info_of(cls) ?? info_of_library(cls);
  if (other === undefined) return false;
  if (of instanceof TensorVariable) return call_function(builtins.get("isinstance"), [tensor_like(of), cls]) === true;
  if (of instanceof UserDefinedObjectVariable && of.value !== null)
    return call_function(builtins.get("isinstance"), [of.value, cls]) === true;
  return type.mro.includes(other);
}
/** The class of a tensor is that of the real one: a fake tensor is no class of the program's. */
const tensor_like = (of: TensorVariable): unknown =>
  of.node.type !== null && of.node.op === "placeholder" ? (of.original ?? of.fake) : of.fake;
const info_of_library = (cls: unknown): TypeObject | undefined =>
  typeof cls === "function" ? (type_of(cls).name === "type" ? info_of(cls) : undefined) : undefined;

/** The functions of the graph that stand for Python's. */
const FLOAT_TARGETS: Readonly<Record<string, () => unknown>> = {
  max: () => sym_max,
  min: () => sym_min,
  int: () => sym_int,
  abs: () => operator("abs"),
};

/** Functions that only compute: with constants they are called at once. */
const PURE: ReadonlySet<string> = new Set([
  "abs",
  "all",
  "any",
  "bin",
  "bool",
  "bytes",
  "chr",
  "complex",
  "divmod",
  "float",
  "format",
  "frozenset",
  "hash",
  "hex",
  "int",
  "isinstance",
  "issubclass",
  "len",
  "max",
  "min",
  "oct",
  "ord",
  "pow",
  "repr",
  "round",
  "str",
  "sum",
  "type",
  "callable",
  "slice",
  "sorted",
  "tuple",
  "list",
  "dict",
  "set",
  "hasattr",
  "getattr",
  "ascii",
  "range",
  "id",
]);

/** The name of a builtin; null if the value is none. */
function builtin_name(value: unknown): string | null {
  const name = info_of(value)?.name ?? name_of(value);
  return name !== undefined && builtins.get(name) === value ? name : null;
}
export const is_known_builtin = (value: unknown): boolean =>
  builtin_name(value) !== null || operator_name(value) !== null;

export class BuiltinVariable extends ObjectVariable {
  override readonly value: unknown;

  constructor(value: unknown, source: Source | null = null) {
    super(source);
    this.value = value;
  }
  override toString(): string {
    return `BuiltinVariable(${builtin_name(this.value) ?? name_of(this.value) ?? repr(this.value)})`;
  }
  override python_type(): TypeObject {
    return type_of(this.value);
  }
  override as_proxy(): unknown {
    return this.value;
  }
  override var_getattr(tx: Translator, name: string): VariableTracker {
    return new ConstantVariable(this.value).var_getattr(tx, name);
  }
  override call_method(
    tx: Translator,
    name: string,
    args: readonly VariableTracker[],
    kwargs: Kwargs,
  ): VariableTracker {
    const [self, ...rest] = args;
    if (self !== undefined && info_of(this.value) !== undefined && name !== "__new__" && name !== "fromkeys")
      return self.realize().call_method(tx, name, rest, kwargs);
    return new ConstantVariable(this.value).call_method(tx, name, args, kwargs);
  }

  /** Functions of numbers that are nodes of the graph when a float varies; null for another function. */
  private call_with_floats(tx: Translator, args: Args, kwargs: Kwargs): VariableTracker | null {
    if (kwargs.size > 0 || !args.some((it) => it instanceof NumberVariable)) return null;
    const name = builtin_name(this.value);
    const function_name = name_of(this.value) ?? "";
    const [first] = args;
    if (first instanceof SymNodeVariable && SYMBOLIC_MATH.has(function_name) && is_pure_module(this.value))
      return tx.call_node("call_function", sym_math(function_name), [first.node], new Map());
    if (!args.some((it) => it instanceof FloatVariable)) return null;
    if (name === "float" && args.length === 1) return args[0] as VariableTracker;
    const target = FLOAT_TARGETS[name ?? ""];
    if (target !== undefined) return tx.float_operation(this.value, args, null, target());
    return is_pure_module(this.value) ? tx.float_operation(this.value, args, null) : null;
  }

  override call_function(tx: Translator, given: readonly VariableTracker[], kwargs: Kwargs): VariableTracker {
    const args = given.map((it) => it.realize());
    const of_floats = this.call_with_floats(tx, args, kwargs);
    if (of_floats !== null) return of_floats;
    const operation = operator_name(this.value);
    if (operation !== null && kwargs.size === 0) return tx.call_operator(operation, args);
    const name = builtin_name(this.value);
    const rule = name === null || !Object.hasOwn(RULES, name) ? undefined : RULES[name];
    const found = rule?.(tx, args, kwargs) ?? null;
    if (found !== null) return found;
    const values = [...kwargs.values()].map((it) => it.realize());
    const is_pure = name !== null ? PURE.has(name) : is_pure_module(this.value);
    const fixed = is_pure ? args.map((it) => (it instanceof FloatVariable ? it.fixed() : it)) : args;
    if (is_pure && all_constant([...fixed, ...values]))
      return constant_call(tx, () =>
        call_function(
          this.value,
          fixed.map((it) => it.as_python_constant()),
          new Map([...kwargs].map(([key, it]) => [key, it.realize().as_python_constant()])),
        ),
      );
    // A function that no rule knows, and that is no builtin of Python's.
    if (name === null) return new SkipFunctionVariable(this.value).call_function(tx, args, kwargs);
    if (name === "repr" && args[0] instanceof TensorVariable) return args[0].call_method(tx, "__repr__", [], NO_KWARGS);
    const text = name;
    const types = `[${args.map((it) => `'${it.python_type_name()}'`).join(", ")}]`;
    const has_kwargs = kwargs.size > 0 ? "True" : "False";
    return unimplemented({
      gb_type: "Failed to trace builtin operator",
      context: `builtin ${text} [${args.map((it) => `<class 'torch._dynamo.variables.${variable_module(it)}.${it.vt_name}'>`).join(", ")}] ${has_kwargs}`,
      explanation: `Dynamo does not know how to trace builtin operator \`${text}\` with argument types ${types} (has_kwargs ${has_kwargs})`,
      hints: [
        `Avoid calling builtin \`${text}\` with argument types ${types}. Consider using an equivalent alternative function/method to \`${text}\`.`,
        `If you are attempting to call a logging function (e.g. \`${text}\`), you can try adding it to \`torch._dynamo.config.reorderable_logging_functions\`.`,
        "Please report an issue to PyTorch.",
      ],
    });
  }
}

/** Functions of `math` that leave a symbol one. */
const SYMBOLIC_MATH: ReadonlySet<string> = new Set("sqrt cos cosh sin sinh tan tanh asin acos atan log2".split(" "));
const sym_math = (name: string): unknown => (torch as unknown as Record<string, unknown>)[`_sym_${name}`];

/** The functions of `math`, which compute and nothing else. */
const is_pure_module = (value: unknown): boolean =>
  is_builtin(value) &&
  repr(value).startsWith("<built-in function ") &&
  name_of(value) !== undefined &&
  MATH.has(name_of(value) as string);
const MATH: ReadonlySet<string> = new Set([
  "sqrt",
  "sin",
  "cos",
  "tan",
  "exp",
  "log",
  "log2",
  "log10",
  "log1p",
  "floor",
  "ceil",
  "pow",
  "prod",
  "gcd",
  "isnan",
  "isinf",
  "isfinite",
  "fabs",
  "trunc",
  "atan",
  "atan2",
  "asin",
  "acos",
  "sinh",
  "cosh",
  "tanh",
  "erf",
  "hypot",
  "fmod",
  "copysign",
  "degrees",
  "radians",
  "factorial",
  "comb",
  "isclose",
  "expm1",
]);

const MODULES: Readonly<Record<string, string>> = {
  ConstantVariable: "constant",
  TensorVariable: "tensor",
  SymNodeVariable: "tensor",
  ListVariable: "lists",
  TupleVariable: "lists",
  SizeVariable: "lists",
  ConstDictVariable: "dicts",
  UserFunctionVariable: "functions",
  UserDefinedObjectVariable: "user_defined",
  UnspecializedNNModuleVariable: "nn_module",
};
const variable_module = (of: VariableTracker): string => MODULES[of.vt_name] ?? "base";
