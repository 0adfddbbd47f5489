/**
 * @file Operations that the classes of variables ask of a translator: operators, sequences, constants, truth, calls that become nodes.
 * @mirrors torch/_dynamo/symbolic_convert.py#InstructionTranslatorBase
 */
import { NotImplementedError } from "#c10/util/Exception";
import { binary_op } from "#python/Objects/abstract/numbers";
import { builtins } from "#python/Objects/builtins_of";
import { type BaseException, NameError } from "#python/Objects/exceptions";
import { is_function, type PyFunction } from "#python/Objects/funcobject";
import { list_from } from "#python/Objects/iterobject";
import { repr } from "#python/Objects/object";
import { PySet } from "#python/Objects/setobject";
import { PySlice } from "#python/Objects/sliceobject";
import { as_python_exception } from "#python/vm/errors";
import type { Frame } from "#python/vm/frame";
import { same_object } from "#python/vm/protocols";
import { torch } from "#torch/_torch";
import { call_function } from "#torch/fx/callables";
import { operator } from "#torch/fx/proxy/index";
import { name_of } from "#torch/fx/qualified_names";
import { unimplemented } from "./graph_break.ts";
import * as graph_break_hints from "./graph_break_hints.ts";
import type { OutputGraph } from "./output_graph.ts";
import { AttrSource } from "./source.ts";
import type { InstructionTranslatorBase } from "./symbolic_convert.ts";
import { allowed_in_graph, compiled_functions, disabled } from "./trace_rules.ts";
import { type Kwargs, NO_KWARGS, type VariableTracker } from "./variables/base.ts";
import { build } from "./variables/build.ts";
import { ConstantVariable } from "./variables/constant.ts";
import { constant_call } from "./variables/constant_call.ts";
import { ConstDictVariable, dict_items } from "./variables/dicts.ts";
import { FloatVariable } from "./variables/float.ts";
import { UserFunctionVariable } from "./variables/functions.ts";
import { ListIteratorVariable, ObjectIteratorVariable } from "./variables/iter.ts";
import { BaseListVariable, ListVariable, SliceVariable, TupleVariable } from "./variables/lists.ts";
import { NumberVariable, proxies, SymNodeVariable, TensorVariable } from "./variables/tensor.ts";
import { UserDefinedObjectVariable } from "./variables/user_defined.ts";

/** Names in `operator` for the argument of `BINARY_OP`. */
const BINARY = [
  "add",
  "and_",
  "floordiv",
  "lshift",
  "matmul",
  "mul",
  "mod",
  "or_",
  "pow",
  "rshift",
  "sub",
  "truediv",
  "xor",
];
export const BINARY_OPERATORS: readonly string[] = [...BINARY, ...BINARY.map((name) => `i${name.replace("_", "")}`)];
export const COMPARE_OPERATORS = ["lt", "le", "eq", "ne", "gt", "ge"] as const;
const REFLECTED: Readonly<Record<string, string>> = { lt: "gt", le: "ge", gt: "lt", ge: "le", eq: "eq", ne: "ne" };

const infix = (sign: string) => (a: string, b: string) => `${a} ${sign} ${b}`;
/** How guards write operators of floats. */
const FLOAT_TEXTS: Readonly<Record<string, (...texts: string[]) => string>> = {
  add: infix("+"),
  sub: infix("-"),
  mul: infix("*"),
  truediv: infix("/"),
  floordiv: infix("//"),
  mod: infix("%"),
  pow: infix("**"),
  lt: infix("<"),
  le: infix("<="),
  gt: infix(">"),
  ge: infix(">="),
  eq: infix("=="),
  ne: infix("!="),
  neg: (a = "") => `-${a}`,
};

/** `__add__` for `add`, `__and__` for `and_`. */
const dunder = (name: string): string => `__${name.replace(/_$/, "")}__`;
const is_comparison = (name: string): boolean => name in REFLECTED;
/** The operator that computes the same, but not in place. */
const plain_name = (name: string): string => {
  const at = BINARY_OPERATORS.indexOf(name);
  return at >= BINARY.length ? (BINARY[at - BINARY.length] as string) : name;
};

export abstract class Operations {
  abstract readonly output: OutputGraph;
  protected abstract get tx(): InstructionTranslatorBase;
  abstract super_arguments(): VariableTracker[];

  /** The variable of a value that needs no guard. */
  value(value: unknown): VariableTracker {
    return build(this.tx, value, null);
  }
  builtin(name: string): unknown {
    return builtins.get(name);
  }
  name_error(name: string): BaseException {
    return as_python_exception(new NameError(`name '${name}' is not defined`));
  }

  /** The value of a constant; a number that depends on sizes is fixed. */
  constant_of(given: VariableTracker): unknown {
    const of = given.realize();
    if (of instanceof NumberVariable) return of.evaluate();
    if (of instanceof SliceVariable)
      return new PySlice(...(of.items.map((it) => this.constant_of(it)) as [unknown, unknown, unknown]));
    return of.as_python_constant();
  }

  /** The elements of anything that can be gone through. */
  sequence(given: VariableTracker): VariableTracker[] {
    const of = given.realize();
    if (of instanceof ConstantVariable && !["string"].includes(typeof of.value)) {
      if (typeof of.value === "object" && of.value !== null) return constant_call_items(this.tx, of);
    }
    if (of instanceof UserDefinedObjectVariable && is_function(of.type.lookup("__iter__")))
      return this.iterator(of).unpack_var_sequence(this.tx);
    try {
      return of.unpack_var_sequence(this.tx);
    } catch (error) {
      if (!(error instanceof NotImplementedError)) throw error;
      return unimplemented({
        gb_type: "Unsupported iteration",
        context: of.toString(),
        explanation: `Dynamo does not know how to iterate over ${of.toString()}`,
        hints: [...graph_break_hints.SUPPORTABLE],
      });
    }
  }

  /** `iter(value)`. */
  iterator(given: VariableTracker): ListIteratorVariable {
    const of = given.realize();
    if (of instanceof ListIteratorVariable) return of;
    if (!(of instanceof UserDefinedObjectVariable)) return new ListIteratorVariable(this.sequence(of));
    const method = of.type.lookup("__iter__");
    if (!is_function(method)) return new ListIteratorVariable(this.sequence(of));
    const found = new UserFunctionVariable(method).call_function(this.tx, [of], NO_KWARGS).realize();
    if (found instanceof ListIteratorVariable) return found;
    if (found instanceof UserDefinedObjectVariable && is_function(found.type.lookup("__next__")))
      return new ObjectIteratorVariable(this.tx, found);
    return new ListIteratorVariable(this.sequence(found));
  }

  /** The elements one after the other: a generator goes on when the next is asked for. */
  *iterate(given: VariableTracker): Generator<VariableTracker> {
    const of = this.iterator(given);
    for (let next = of.next_variable(); next !== null; next = of.next_variable()) yield next;
  }

  is_true(given: VariableTracker): boolean {
    const of = given.realize();
    const known = of instanceof UserDefinedObjectVariable ? this.truth_of_object(of) : of.truth(this.tx);
    if (known !== null) return known;
    return unimplemented({
      gb_type: "Data-dependent branching",
      context: `attempted to jump with ${of.toString()}`,
      explanation:
        "Detected data-dependent branching (e.g. `if my_tensor.sum() > 0:`). Dynamo does not support tracing dynamic control flow.",
      hints: [...graph_break_hints.FUNDAMENTAL, "Use `torch.cond` to express dynamic control flow."],
    });
  }
  private truth_of_object(of: UserDefinedObjectVariable): boolean {
    const own = of.truth(this.tx);
    if (own !== null) return own;
    for (const name of ["__bool__", "__len__"]) {
      const method = of.type.lookup(name);
      if (is_function(method))
        return this.is_true(new UserFunctionVariable(method).call_function(this.tx, [of], NO_KWARGS));
    }
    return true;
  }

  /** Whether two variables hold equal values. */
  same_value(a: VariableTracker, b: VariableTracker): boolean {
    const [x, y] = [a.realize(), b.realize()];
    if (x === y) return true;
    if (x.is_tensor() || y.is_tensor()) throw new NotImplementedError("comparison of a tensor with an element");
    if (x.is_python_constant() && y.is_python_constant())
      return call_function(operator("eq"), [x.as_python_constant(), y.as_python_constant()]) === true;
    if (x instanceof BaseListVariable && y instanceof BaseListVariable)
      return (
        x.vt_name === y.vt_name &&
        x.items.length === y.items.length &&
        x.items.every((it, i) => this.same_value(it, y.items[i] as VariableTracker))
      );
    return this.is_true(this.call_operator("eq", [x, y]));
  }
  contains(items: readonly VariableTracker[], of: VariableTracker): VariableTracker {
    return new ConstantVariable(items.some((it) => this.same_value(it, of)));
  }
  /** Whether two variables are one object; null if that is not known. */
  same_object(a: VariableTracker, b: VariableTracker): boolean | null {
    const [x, y] = [a.realize(), b.realize()];
    if (x === y) return true;
    const is_plain = (it: VariableTracker): boolean => it.is_python_constant() && !(it instanceof BaseListVariable);
    if (is_plain(x) && is_plain(y)) return same_object(x.as_python_constant(), y.as_python_constant());
    if (is_plain(x) || is_plain(y) || x.vt_name !== y.vt_name) return false;
    if (x.is_tensor()) return x.as_proxy() === y.as_proxy();
    if (
      x instanceof UserDefinedObjectVariable &&
      y instanceof UserDefinedObjectVariable &&
      (x.value ?? y.value) !== null
    )
      return x.value === y.value;
    return x.mutation !== null && y.mutation !== null ? false : null;
  }

  sorted(items: readonly VariableTracker[], kwargs: Kwargs): VariableTracker[] {
    const key = kwargs.get("key")?.realize();
    const reverse = kwargs.has("reverse") && this.is_true(kwargs.get("reverse") as VariableTracker);
    const keyed = items.map((it) => {
      const of =
        key === undefined || (key.is_python_constant() && key.as_python_constant() === null)
          ? it
          : key.call_function(this.tx, [it.realize()], NO_KWARGS);
      return { it, key: this.constant_of(of) };
    });
    const less = (a: unknown, b: unknown): boolean => call_function(operator("lt"), [a, b]) === true;
    const order = (a: { key: unknown }, b: { key: unknown }): number =>
      less(a.key, b.key) ? -1 : less(b.key, a.key) ? 1 : 0;
    const result = keyed.sort(reverse ? (a, b) => order(b, a) : order);
    return result.map(({ it }) => it);
  }

  // ---- Nodes

  call_node(
    op: "call_function" | "call_method",
    target: unknown,
    args: readonly unknown[],
    kwargs: ReadonlyMap<string, unknown>,
  ): VariableTracker {
    return this.output.call_node(op, target, args, kwargs);
  }
  call_in_graph(fn: unknown, args: readonly VariableTracker[], kwargs: Kwargs): VariableTracker {
    return this.output.call_node(
      "call_function",
      fn,
      args.map((arg) => arg.realize().as_proxy()),
      proxies(new Map([...kwargs].map(([name, it]) => [name, it.realize()]))),
    );
  }
  size_of(of: TensorVariable, size: unknown, i: number): VariableTracker {
    return this.output.size_of(of, size, i);
  }
  with_fake<T>(run: () => T): T {
    return this.output.fake_mode.with(run);
  }
  /** An attribute of an input, such as its gradient. */
  source_attribute(of: VariableTracker, name: string): VariableTracker {
    const source = new AttrSource(of.source as NonNullable<VariableTracker["source"]>, name);
    const { original } = of as TensorVariable;
    if (original === null) throw new NotImplementedError(`${name} of a tensor that is no input`);
    return build(this.tx, (original as unknown as Record<string, unknown>)[name] ?? null, source);
  }

  is_allowed_in_graph(fn: object): boolean {
    return allowed_in_graph.has(fn);
  }
  disabled_reason(fn: object): string | null {
    return disabled.get(fn) ?? null;
  }
  /** The function that a compiled one was made of: inside a compiled function it is simply followed. */
  compiled_original(fn: object): PyFunction | null {
    return compiled_functions.get(fn) ?? null;
  }

  // ---- Operators

  call_operator(name: string, given: readonly VariableTracker[]): VariableTracker {
    const args = given.map((it) => it.realize());
    const [a, b] = args as [VariableTracker, VariableTracker];
    if (args.some((it) => it instanceof TensorVariable)) {
      const of_tensor = this.tensor_operator(name, args);
      if (of_tensor !== null) return of_tensor;
    }
    if (name === "getitem") return a.call_method(this.tx, "__getitem__", [b], NO_KWARGS);
    if (name === "setitem") return a.call_method(this.tx, "__setitem__", args.slice(1), NO_KWARGS);
    if (name === "delitem") return a.call_method(this.tx, "__delitem__", args.slice(1), NO_KWARGS);
    if (name === "contains") return a.call_method(this.tx, "__contains__", [b], NO_KWARGS);
    const of_object = this.object_operator(name, a, b);
    if (of_object !== null) return of_object;
    const of_list = b === undefined ? null : this.list_operator(name, a, b);
    if (of_list !== null) return of_list;
    const of_floats = this.float_operation(operator(plain_name(name)), args, FLOAT_TEXTS[plain_name(name)] ?? null);
    if (of_floats !== null) return of_floats;
    if (args.some((it) => it instanceof SymNodeVariable) && args.every((it) => it.can_be_proxy()))
      return this.output.call_node(
        "call_function",
        operator(plain_name(name)),
        args.map((it) => it.as_proxy()),
        new Map(),
      );
    if (args.every((it) => it.is_python_constant())) {
      const values = args.map((it) => it.as_python_constant());
      const at = BINARY_OPERATORS.indexOf(name);
      return constant_call(this.tx, () =>
        at >= 0 ? binary_op(values[0], values[1], at) : call_function(operator(name), values),
      );
    }
    const text = args.map((it) => it.python_type_name()).join(", ");
    return unimplemented({
      gb_type: "Failed to trace builtin operator",
      context: `builtin ${name} [${args.map((it) => `<class 'torch._dynamo.variables.${it.vt_name}'>`).join(", ")}] False`,
      explanation: `Dynamo does not know how to trace builtin operator \`${name}\` with argument types ['${text}'] (has_kwargs False)`,
      hints: [
        `Avoid calling builtin \`${name}\` with argument types ['${text}']. Consider using an equivalent alternative function/method to \`${name}\`.`,
        "Please report an issue to PyTorch.",
      ],
    });
  }

  /**
   * A function of numbers some of which are floats that vary: a node.
   * @param spelled how guards write it; null: by the function's name
   */
  float_operation(
    fn: unknown,
    args: readonly VariableTracker[],
    spelled: ((...texts: string[]) => string) | null,
    target: unknown = fn,
  ): VariableTracker | null {
    if (!args.some((it) => it instanceof FloatVariable)) return null;
    // With a number that depends on sizes the float is fixed: a guard of sizes would not read it again.
    if (args.some((it) => it instanceof SymNodeVariable)) return this.call_operator_of_fixed(fn, args);
    const of = args.filter(
      (it): it is FloatVariable | ConstantVariable => it instanceof FloatVariable || it instanceof ConstantVariable,
    );
    if (of.length !== args.length) return null;
    const value = call_function(
      fn,
      of.map((it) => (it instanceof FloatVariable ? it.hint : it.value)),
    );
    const texts = of.map((it) => (it instanceof FloatVariable ? it.formula.text : repr(it.value)));
    const text = spelled === null ? `${name_of(fn) ?? "f"}(${texts.join(", ")})` : spelled(...texts);
    const compute = (frame: Frame): unknown =>
      call_function(
        fn,
        of.map((it) => (it instanceof FloatVariable ? it.formula.compute(frame) : it.value)),
      );
    return this.output.float_node(this.tx, target, of, value, { text, compute });
  }

  private call_operator_of_fixed(fn: unknown, args: readonly VariableTracker[]): VariableTracker {
    const fixed = args.map((it) => (it instanceof FloatVariable ? it.fixed() : it));
    return this.output.call_node(
      "call_function",
      fn,
      fixed.map((it) => it.as_proxy()),
      new Map(),
    );
  }

  private tensor_operator(name: string, args: readonly VariableTracker[]): VariableTracker | null {
    const [a, b] = args as [VariableTracker, VariableTracker];
    if (name === "contains")
      return this.call_node(
        "call_method",
        "__contains__",
        args.map((it) => it.as_proxy()),
        new Map(),
      );
    if (
      (name === "eq" || name === "ne") &&
      [a, b].some((it) => it.is_python_constant() && it.as_python_constant() === null)
    )
      return new ConstantVariable(name === "ne");
    if ((name === "getitem" || name === "setitem" || name === "delitem") && !(a instanceof TensorVariable)) return null;
    if (a instanceof UserDefinedObjectVariable || b instanceof UserDefinedObjectVariable) return null;
    if (
      (name === "mul" || name === "add") &&
      [a, b].some((it) => it instanceof BaseListVariable || it instanceof ConstDictVariable)
    )
      return null;
    const by_symbol = name === "getitem" && b instanceof SymNodeVariable; // an index would fix it
    const result = this.output.call_node(
      "call_function",
      by_symbol ? torch.select : operator(name),
      by_symbol ? [a.as_proxy(), 0, b.as_proxy()] : args.map((it) => it.as_proxy()),
      new Map(),
    );
    return name === "setitem" ? new ConstantVariable(null) : result;
  }

  /** The methods of a class of the program. */
  private object_operator(name: string, a: VariableTracker, b: VariableTracker | undefined): VariableTracker | null {
    if (b === undefined) {
      if (!(a instanceof UserDefinedObjectVariable)) return null;
      const method = a.type.lookup(dunder(name));
      return is_function(method) ? new UserFunctionVariable(method).call_function(this.tx, [a], NO_KWARGS) : null;
    }
    const plain = plain_name(name);
    const attempts: [VariableTracker, string, VariableTracker][] = is_comparison(name)
      ? [
          [a, dunder(name), b],
          [b, dunder(REFLECTED[name] as string), a],
        ]
      : [
          [a, dunder(name), b],
          [a, dunder(plain), b],
          [b, `__r${dunder(plain).slice(2)}`, a],
        ];
    for (const [of, method_name, other] of attempts) {
      if (!(of instanceof UserDefinedObjectVariable)) continue;
      const method = of.type.lookup(method_name);
      if (!is_function(method)) continue;
      const result = new UserFunctionVariable(method).call_function(this.tx, [of, other], NO_KWARGS).realize();
      if (!(result.is_python_constant() && result.python_type_name() === "NotImplementedType")) return result;
    }
    if (
      (name === "eq" || name === "ne") &&
      (a instanceof UserDefinedObjectVariable || b instanceof UserDefinedObjectVariable)
    ) {
      const is_same = this.same_object(a, b);
      if (is_same !== null) return new ConstantVariable(is_same === (name === "eq"));
    }
    return null;
  }

  private list_operator(name: string, a: VariableTracker, b: VariableTracker): VariableTracker | null {
    const plain = plain_name(name);
    if (plain === "add" && a instanceof ListVariable && name === "iadd") {
      a.call_method(this.tx, "extend", [b], NO_KWARGS);
      return a;
    }
    if (plain === "add" && a instanceof BaseListVariable && b instanceof BaseListVariable) {
      if (a instanceof ListVariable && b instanceof ListVariable)
        return new ListVariable([...a.items, ...b.items], null, "new");
      if (a instanceof TupleVariable && b instanceof TupleVariable) return new TupleVariable([...a.items, ...b.items]);
    }
    if (plain === "mul") {
      const [list, times] = a instanceof BaseListVariable ? [a, b] : [b, a];
      if (
        (list instanceof ListVariable || list instanceof TupleVariable) &&
        (times.is_python_constant() || times instanceof SymNodeVariable)
      ) {
        const count = Number(this.constant_of(times));
        const items = Array.from({ length: Math.max(count, 0) }, () => list.items).flat();
        return list instanceof ListVariable ? new ListVariable(items, null, "new") : new TupleVariable(items);
      }
    }
    if (name === "eq" || name === "ne") {
      if (
        a instanceof BaseListVariable &&
        b instanceof BaseListVariable &&
        !(a.is_python_constant() && b.is_python_constant())
      )
        return new ConstantVariable(this.same_value(a, b) === (name === "eq"));
      if (a instanceof ConstDictVariable && b instanceof ConstDictVariable) {
        a.install_dict_keys_match_guard(this.tx);
        b.install_dict_keys_match_guard(this.tx);
        const is_same =
          a.items.size === b.items.size &&
          a
            .entries()
            .every(([key, it]) => b.items.has(key) && this.same_value(it, b.items.get(key) as VariableTracker));
        return new ConstantVariable(is_same === (name === "eq"));
      }
    }
    if (plain === "or_" && a instanceof ConstDictVariable && b instanceof ConstDictVariable) {
      const items = dict_items(this.tx, a);
      for (const [key, it] of dict_items(this.tx, b)) items.set(key, it);
      return new ConstDictVariable(items);
    }
    return null;
  }
}

function constant_call_items(tx: InstructionTranslatorBase, of: ConstantVariable): VariableTracker[] {
  const { value } = of;
  if (value instanceof PySet) return [...(value as unknown as Iterable<unknown>)].map((it) => tx.value(it));
  return list_from(value).map((it) => tx.value(it));
}
