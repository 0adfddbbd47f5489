/**
 * @file Dicts with constant keys, and sets of constants.
 * @mirrors torch/_dynamo/variables/dicts.py, torch/_dynamo/variables/sets.py
 */
import { KeyError } from "#c10/util/Exception";
import { dict_type, PyDict } from "#python/Objects/dictobject";
import { repr } from "#python/Objects/object";
import type { PySet } from "#python/Objects/setobject";
import { type TypeObject, type_of } from "#python/Objects/typeobject";
import { as_python_exception } from "#python/vm/errors";
import type { PyCodegen } from "../codegen.ts";
import { unimplemented } from "../graph_break.ts";
import * as graph_break_hints from "../graph_break_hints.ts";
import { DICT_CONTAINS, DICT_KEYS_MATCH } from "../guards.ts";
import { ObservedException } from "../observed.ts";
import type { Source } from "../source.ts";
import { type Kwargs, type Mutation, type Translator, VariableTracker } from "./base.ts";
import { ConstantVariable } from "./constant.ts";
import { ListVariable, TupleVariable } from "./lists.ts";

/** A key as the map below has it: the value of a constant, or the variable of an object. */
export function key_of(tx: Translator, key: VariableTracker): unknown {
  const of = key.realize();
  if (of.is_python_constant()) return of.as_python_constant();
  if (of.is_tensor()) return of;
  return tx.constant_of(of);
}

export class ConstDictVariable extends VariableTracker {
  /** A dict of the machine, so that 1, 1.0 and True are one key. */
  readonly items: PyDict;
  readonly type: TypeObject;
  /** The dict in this call, of which only some keys were asked; null once all were. */
  private original: ReadonlyMap<unknown, unknown> | null;

  constructor(
    items: PyDict,
    type: TypeObject = dict_type,
    source: Source | null = null,
    mutation: Mutation = "new",
    original: ReadonlyMap<unknown, unknown> | null = null,
  ) {
    super(source, mutation);
    this.items = items;
    this.type = type;
    this.original = original;
  }
  override toString(): string {
    return `ConstDictVariable(${this.items.size})`;
  }
  override python_type(): TypeObject {
    return this.type;
  }
  override children(): Iterable<VariableTracker> {
    return this.items.values() as Iterable<VariableTracker>;
  }
  entries(): [unknown, VariableTracker][] {
    return [...this.items] as [unknown, VariableTracker][];
  }
  /** All keys matter from now on. */
  install_dict_keys_match_guard(tx: Translator): void {
    if (this.original === null || this.source === null) return;
    tx.output.install_guard(DICT_KEYS_MATCH(this.source, this.original));
    this.original = null;
  }
  override is_python_constant(): boolean {
    return this.mutation !== "existing" && this.entries().every(([, it]) => it.realize().is_python_constant());
  }
  override as_python_constant(): unknown {
    const result = new PyDict();
    for (const [key, it] of this.entries()) result.set(key, it.realize().as_python_constant());
    return result;
  }
  override as_proxy(): unknown {
    const result = new PyDict();
    for (const [key, it] of this.entries()) result.set(key, it.realize().as_proxy());
    return result;
  }
  override truth(tx: Translator): boolean {
    this.install_dict_keys_match_guard(tx);
    return this.items.size > 0;
  }
  override unpack_var_sequence(tx: Translator): VariableTracker[] {
    this.install_dict_keys_match_guard(tx);
    return [...this.items.keys()].map((key) => tx.value(key));
  }
  override reconstruct(codegen: PyCodegen): void {
    const is_plain = this.type === dict_type;
    if (!is_plain) {
      codegen.load_const(this.type.cls);
      codegen.push_null_below();
    }
    for (const [key, it] of this.entries()) {
      codegen.load_const(key);
      codegen.reconstruct(it);
    }
    codegen.append("BUILD_MAP", this.items.size);
    if (!is_plain) codegen.call(1);
  }

  /** The value of a key that the dict lacks; null: there is none. */
  protected missing(_tx: Translator, _key: VariableTracker): VariableTracker | null {
    return null;
  }
  private reorder(tx: Translator, name: string, key: VariableTracker, is_last: boolean): VariableTracker {
    const entries = this.entries();
    const at =
      name === "popitem" ? (is_last ? entries.length - 1 : 0) : entries.findIndex(([it]) => it === key_of(tx, key));
    const entry = entries[at];
    if (entry === undefined)
      throw new ObservedException(
        as_python_exception(
          new KeyError(name === "popitem" ? "'popitem(): dictionary is empty'" : repr(key_of(tx, key))),
        ),
      );
    entries.splice(at, 1);
    if (name === "move_to_end") entries.splice(is_last ? entries.length : 0, 0, entry);
    this.items.clear();
    for (const [it, value] of entries) this.items.set(it, value);
    return name === "popitem" ? new TupleVariable([tx.value(entry[0]), entry[1]]) : new ConstantVariable(null);
  }

  private get(tx: Translator, key: unknown): VariableTracker | null {
    const found = (this.items.get(key) as VariableTracker | undefined) ?? null;
    if (found === null && this.original !== null && this.source !== null)
      tx.output.install_guard(DICT_CONTAINS(this.source, key, false));
    return found;
  }

  override call_method(
    tx: Translator,
    name: string,
    args: readonly VariableTracker[],
    kwargs: Kwargs,
  ): VariableTracker {
    const [first, second] = args as [VariableTracker, VariableTracker | undefined];
    const mutated = (): void => {
      this.install_dict_keys_match_guard(tx);
      tx.output.side_effects.mutation(this);
    };
    switch (name) {
      case "__getitem__": {
        const key = key_of(tx, first);
        const found = this.get(tx, key);
        if (found !== null) return found;
        const made = this.missing(tx, first);
        if (made !== null) return made;
        throw new ObservedException(as_python_exception(new KeyError(repr(key))));
      }
      case "get":
        return this.get(tx, key_of(tx, first)) ?? second ?? new ConstantVariable(null);
      case "__contains__": {
        const has = this.get(tx, key_of(tx, first)) !== null;
        if (has && this.original !== null && this.source !== null)
          tx.output.install_guard(DICT_CONTAINS(this.source, key_of(tx, first), true));
        return new ConstantVariable(has);
      }
      case "__len__":
        this.install_dict_keys_match_guard(tx);
        return new ConstantVariable(this.items.size);
      case "keys":
        return new ListVariable(this.unpack_var_sequence(tx));
      case "values":
        this.install_dict_keys_match_guard(tx);
        return new ListVariable([...this.items.values()] as VariableTracker[]);
      case "items":
        this.install_dict_keys_match_guard(tx);
        return new ListVariable(this.entries().map(([key, it]) => new TupleVariable([tx.value(key), it])));
      case "move_to_end":
      case "popitem": {
        if (this.type.name !== "OrderedDict" && name === "move_to_end") break;
        mutated();
        const is_last = args[name === "popitem" ? 0 : 1] ?? kwargs.get("last");
        return this.reorder(tx, name, first, is_last === undefined || tx.is_true(is_last));
      }
      case "copy":
        this.install_dict_keys_match_guard(tx);
        return new ConstDictVariable(copy_of(this.items), this.type);
      case "__setitem__":
        if (this.original !== null && this.source !== null) this.install_dict_keys_match_guard(tx);
        mutated();
        this.items.set(key_of(tx, first), second);
        return new ConstantVariable(null);
      case "__delitem__":
        if (this.get(tx, key_of(tx, first)) === null)
          throw new ObservedException(as_python_exception(new KeyError(repr(key_of(tx, first)))));
        mutated();
        this.items.delete(key_of(tx, first));
        return new ConstantVariable(null);
      case "clear":
        mutated();
        this.items.clear();
        return new ConstantVariable(null);
      case "pop": {
        const key = key_of(tx, first);
        const found = this.get(tx, key) ?? second;
        if (found === undefined) throw new ObservedException(as_python_exception(new KeyError(repr(key))));
        mutated();
        this.items.delete(key);
        return found;
      }
      case "setdefault": {
        const key = key_of(tx, first);
        const found = this.get(tx, key);
        if (found !== null) return found;
        mutated();
        const value = second ?? new ConstantVariable(null);
        this.items.set(key, value);
        return value;
      }
      case "update": {
        const added = first === undefined ? new PyDict() : dict_items(tx, first);
        mutated();
        for (const [key, value] of added) this.items.set(key, value);
        for (const [key, value] of kwargs) this.items.set(key, value);
        return new ConstantVariable(null);
      }
      default:
    }
    return super.call_method(tx, name, args, kwargs);
  }
}

/** `collections.defaultdict` that the followed code made. */
export class DefaultDictVariable extends ConstDictVariable {
  private readonly factory: VariableTracker;

  constructor(items: PyDict, type: TypeObject, factory: VariableTracker) {
    super(items, type);
    this.factory = factory;
  }
  override is_python_constant(): boolean {
    return false;
  }
  protected override missing(tx: Translator, key: VariableTracker): VariableTracker | null {
    const factory = this.factory.realize();
    if (factory.is_python_constant() && factory.as_python_constant() === null) return null;
    const made = factory.call_function(tx, [], new Map());
    this.call_method(tx, "__setitem__", [key, made], new Map());
    return made;
  }
  override reconstruct(codegen: PyCodegen): void {
    codegen.load_const(this.type.cls);
    codegen.push_null_below();
    codegen.reconstruct(this.factory);
    for (const [key, it] of this.entries()) {
      codegen.load_const(key);
      codegen.reconstruct(it);
    }
    codegen.append("BUILD_MAP", this.items.size);
    codegen.call(2);
  }
}

function copy_of(dict: PyDict): PyDict {
  const made = new PyDict();
  for (const [key, value] of dict) made.set(key, value);
  return made;
}

/** The entries of `dict(value)`. */
export function dict_items(tx: Translator, given: VariableTracker): PyDict {
  const value = given.realize();
  if (value instanceof ConstDictVariable) {
    value.install_dict_keys_match_guard(tx);
    return copy_of(value.items);
  }
  const made = new PyDict();
  for (const pair of tx.sequence(value)) {
    const [key, it] = tx.sequence(pair);
    made.set(key_of(tx, key as VariableTracker), it);
  }
  return made;
}

/** A set whose elements are constants. */
export class SetVariable extends VariableTracker {
  readonly items: PySet;

  constructor(items: PySet, source: Source | null = null, mutation: Mutation = "new") {
    super(source, mutation);
    this.items = items;
  }
  override python_type(): TypeObject {
    return type_of(this.items);
  }
  override is_python_constant(): boolean {
    return this.mutation !== "existing";
  }
  override as_python_constant(): unknown {
    return this.items;
  }
  override truth(): boolean {
    return this.elements().length > 0;
  }
  private elements(): unknown[] {
    return [...(this.items as unknown as Iterable<unknown>)];
  }
  override unpack_var_sequence(tx: Translator): VariableTracker[] {
    return this.elements().map((it) => tx.value(it));
  }
  override reconstruct(codegen: PyCodegen): void {
    for (const it of this.elements()) codegen.load_const(it);
    codegen.append("BUILD_SET", this.elements().length);
  }
  override call_method(
    tx: Translator,
    name: string,
    args: readonly VariableTracker[],
    kwargs: Kwargs,
  ): VariableTracker {
    if (this.source !== null && !READS_SET.has(name))
      return unimplemented({
        gb_type: "Unsupported method call",
        context: `call_method ${this.toString()} ${name}`,
        explanation: `Dynamo does not know how to trace method \`${name}\` of class \`set\``,
        hints: [...graph_break_hints.SUPPORTABLE],
      });
    return new ConstantVariable(this.items).call_method(tx, name, args, kwargs);
  }
}

const READS_SET: ReadonlySet<string> = new Set([
  "__contains__",
  "__len__",
  "union",
  "intersection",
  "difference",
  "issubset",
  "issuperset",
  "copy",
]);
