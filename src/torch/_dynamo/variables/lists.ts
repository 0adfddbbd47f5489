/**
 * @file Lists, tuples and what is like them: sizes, ranges, slices, named tuples.
 * @mirrors torch/_dynamo/variables/lists.py
 */
import { IndexError, NotImplementedError, TypeError_, ValueError } from "#c10/util/Exception";
import { repr } from "#python/Objects/object";
import { type PyRange, range_type } from "#python/Objects/rangeobject";
import { PySlice, places } from "#python/Objects/sliceobject";
import { tuple } from "#python/Objects/tupleobject";
import { info_of, list_type, type TypeObject, type_of } from "#python/Objects/typeobject";
import { as_python_exception } from "#python/vm/errors";
import { THPSize_NewFromSizes } from "#torch/_C";
import { call_function } from "#torch/fx/callables";
import type { Node } from "#torch/fx/node";
import type { PyCodegen } from "../codegen.ts";
import { ObservedException } from "../observed.ts";
import type { Source } from "../source.ts";
import { type Kwargs, type Mutation, type Translator, VariableTracker } from "./base.ts";
import { ConstantVariable } from "./constant.ts";

const raise = (error: Error): never => {
  throw new ObservedException(as_python_exception(error));
};

export abstract class BaseListVariable extends VariableTracker {
  items: VariableTracker[];

  constructor(items: VariableTracker[], source: Source | null = null, mutation: Mutation = null) {
    super(source, mutation);
    this.items = items;
  }
  override toString(): string {
    return `${this.vt_name}(length=${this.items.length})`;
  }
  override children(): Iterable<VariableTracker> {
    return this.items;
  }
  override truth(): boolean {
    return this.items.length > 0;
  }
  override is_python_constant(): boolean {
    return this.mutation !== "existing" && this.items.every((it) => it.realize().is_python_constant());
  }
  protected values(): unknown[] {
    return this.items.map((it) => it.realize().as_python_constant());
  }
  protected proxies(): unknown[] {
    return this.items.map((it) => it.realize().as_proxy());
  }
  override unpack_var_sequence(): VariableTracker[] {
    return [...this.items];
  }
  protected abstract like(items: VariableTracker[]): VariableTracker;

  getitem(tx: Translator, key: VariableTracker): VariableTracker {
    const index = tx.constant_of(key);
    if (index instanceof PySlice)
      return this.like([...places(index, this.items.length)].map((i) => this.items[i] as VariableTracker));
    if (typeof index !== "number" && typeof index !== "boolean")
      return raise(
        new TypeError_(`${this.python_type().name} indices must be integers or slices, not ${type_of(index).name}`),
      );
    return this.items.at(Number(index)) ?? raise(new IndexError(`${this.python_type().name} index out of range`));
  }

  override call_method(
    tx: Translator,
    name: string,
    args: readonly VariableTracker[],
    kwargs: Kwargs,
  ): VariableTracker {
    if (name === "__getitem__") return this.getitem(tx, args[0] as VariableTracker);
    if (name === "__len__") return new ConstantVariable(this.items.length);
    if (name === "__contains__") return tx.contains(this.items, args[0] as VariableTracker);
    if (name === "index" || name === "count") {
      const wanted = args[0] as VariableTracker;
      const equal = this.items.map((it) => tx.same_value(it.realize(), wanted));
      if (name === "count") return new ConstantVariable(equal.filter(Boolean).length);
      const at = equal.indexOf(true);
      return at >= 0
        ? new ConstantVariable(at)
        : raise(new ValueError(not_found(this.python_type(), tx.constant_of(wanted))));
    }
    return super.call_method(tx, name, args, kwargs);
  }
}

/** `tuple.index` and `list.index` say it in their own ways. */
const not_found = (type: TypeObject, value: unknown): string =>
  type === list_type ? `${repr(value)} is not in list` : `${type.name}.index(x): x not in ${type.name}`;

export class ListVariable extends BaseListVariable {
  override python_type(): TypeObject {
    return list_type;
  }
  override as_python_constant(): unknown {
    return this.values();
  }
  override as_proxy(): unknown {
    return this.proxies();
  }
  protected like(items: VariableTracker[]): VariableTracker {
    return new ListVariable(items, null, "new");
  }
  override reconstruct(codegen: PyCodegen): void {
    for (const it of this.items) codegen.reconstruct(it);
    codegen.append("BUILD_LIST", this.items.length);
  }

  override call_method(
    tx: Translator,
    name: string,
    args: readonly VariableTracker[],
    kwargs: Kwargs,
  ): VariableTracker {
    if (kwargs.size === 0 && this.change(tx, name, args)) return new ConstantVariable(null);
    const [first] = args;
    if (name === "pop" && kwargs.size === 0) {
      const at = first === undefined ? -1 : Number(tx.constant_of(first));
      if (this.items.at(at) === undefined)
        return raise(new IndexError(this.items.length === 0 ? "pop from empty list" : "pop index out of range"));
      tx.output.side_effects.mutation(this);
      return this.items.splice(at, 1)[0] as VariableTracker;
    }
    if (name === "copy") return this.like([...this.items]);
    if (name === "sort") {
      const sorted = tx.sorted(this.items, kwargs);
      tx.output.side_effects.mutation(this);
      this.items = sorted;
      return new ConstantVariable(null);
    }
    return super.call_method(tx, name, args, kwargs);
  }

  /** Methods that change the list and return None. */
  private change(tx: Translator, name: string, args: readonly VariableTracker[]): boolean {
    const [first, second] = args;
    const { items } = this;
    const mutated = (): void => tx.output.side_effects.mutation(this);
    switch (name) {
      case "append":
        mutated();
        items.push(first as VariableTracker);
        return true;
      case "extend": {
        const added = tx.sequence(first as VariableTracker);
        mutated();
        items.push(...added);
        return true;
      }
      case "insert":
        mutated();
        items.splice(Number(tx.constant_of(first as VariableTracker)), 0, second as VariableTracker);
        return true;
      case "clear":
        mutated();
        items.length = 0;
        return true;
      case "reverse":
        mutated();
        items.reverse();
        return true;
      case "remove": {
        const at = items.findIndex((it) => tx.same_value(it.realize(), first as VariableTracker));
        if (at < 0) raise(new ValueError("list.remove(x): x not in list"));
        mutated();
        items.splice(at, 1);
        return true;
      }
      case "__setitem__": {
        const key = tx.constant_of(first as VariableTracker);
        mutated();
        if (key instanceof PySlice) {
          const at = [...places(key, items.length)];
          const given = tx.sequence(second as VariableTracker);
          if (key.step === null || key.step === 1) {
            const start = at[0] ?? Math.min(Math.max(Number(key.start ?? 0), 0), items.length);
            items.splice(start, at.length, ...given);
          } else for (const [k, i] of at.entries()) items[i] = given[k] as VariableTracker;
          return true;
        }
        const i = Number(key) < 0 ? Number(key) + items.length : Number(key);
        if (i < 0 || i >= items.length) raise(new IndexError("list assignment index out of range"));
        items[i] = second as VariableTracker;
        return true;
      }
      case "__delitem__": {
        const key = tx.constant_of(first as VariableTracker);
        mutated();
        if (key instanceof PySlice) {
          const gone = new Set(places(key, items.length));
          this.items = items.filter((_, i) => !gone.has(i));
        } else items.splice(Number(key), 1);
        return true;
      }
      default:
        return false;
    }
  }
}

export class TupleVariable extends BaseListVariable {
  override python_type(): TypeObject {
    return type_of(tuple([]));
  }
  override as_python_constant(): unknown {
    return tuple(this.values());
  }
  override as_proxy(): unknown {
    return tuple(this.proxies());
  }
  protected like(items: VariableTracker[]): VariableTracker {
    return new TupleVariable(items);
  }
  override reconstruct(codegen: PyCodegen): void {
    for (const it of this.items) codegen.reconstruct(it);
    codegen.append("BUILD_TUPLE", this.items.length);
  }
}

/** `torch.Size`. */
/** `collections.deque` that the followed code made. */
export class DequeVariable extends ListVariable {
  private readonly cls: unknown;
  private readonly maxlen: number | null;

  constructor(items: VariableTracker[], cls: unknown, maxlen: number | null) {
    super(items, null, "new");
    this.cls = cls;
    this.maxlen = maxlen;
    this.trim(true);
  }
  override python_type(): TypeObject {
    return info_of(this.cls) as TypeObject;
  }
  override is_python_constant(): boolean {
    return false;
  }
  protected override like(items: VariableTracker[]): VariableTracker {
    return new DequeVariable(items, this.cls, this.maxlen);
  }
  override reconstruct(codegen: PyCodegen): void {
    codegen.load_const(this.cls);
    codegen.push_null_below();
    super.reconstruct(codegen);
    codegen.load_const(this.maxlen);
    codegen.call(2);
  }
  /** A deque that is full loses elements at its other end. */
  private trim(at_start: boolean): void {
    const over = this.maxlen === null ? 0 : this.items.length - this.maxlen;
    if (over > 0) this.items.splice(at_start ? 0 : this.items.length - over, over);
  }
  override call_method(
    tx: Translator,
    name: string,
    args: readonly VariableTracker[],
    kwargs: Kwargs,
  ): VariableTracker {
    const [first] = args;
    switch (name) {
      case "appendleft":
        this.items.unshift(first as VariableTracker);
        this.trim(false);
        return new ConstantVariable(null);
      case "extendleft":
        this.items.unshift(...tx.sequence(first as VariableTracker).reverse());
        this.trim(false);
        return new ConstantVariable(null);
      case "popleft":
        return this.items.shift() ?? raise(new IndexError("pop from an empty deque"));
      case "rotate": {
        const { length } = this.items;
        const by =
          length === 0 ? 0 : (((first === undefined ? 1 : Number(tx.constant_of(first))) % length) + length) % length;
        this.items.unshift(...this.items.splice(length - by, by));
        return new ConstantVariable(null);
      }
      case "pop":
        return this.items.pop() ?? raise(new IndexError("pop from an empty deque"));
      default: {
        const result = super.call_method(tx, name, args, kwargs);
        this.trim(true);
        return result;
      }
    }
  }
}

export class SizeVariable extends TupleVariable {
  /** The node that computes it, for the sizes of a tensor that vary. */
  node: Node | null = null;

  override python_type(): TypeObject {
    return type_of(THPSize_NewFromSizes([]));
  }
  override as_python_constant(): unknown {
    return THPSize_NewFromSizes(this.values() as number[]);
  }
  override as_proxy(): unknown {
    return this.node ?? tuple(this.proxies());
  }
  protected override like(items: VariableTracker[]): VariableTracker {
    return new SizeVariable(items);
  }
  override reconstruct(codegen: PyCodegen): void {
    codegen.load_const(type_of(THPSize_NewFromSizes([])).cls);
    codegen.push_null_below();
    super.reconstruct(codegen);
    codegen.call(1);
  }
  override call_method(
    tx: Translator,
    name: string,
    args: readonly VariableTracker[],
    kwargs: Kwargs,
  ): VariableTracker {
    if (name === "numel")
      return this.items.reduce<VariableTracker>(
        (n, it) => tx.call_operator("mul", [n, it.realize()]),
        new ConstantVariable(1),
      );
    return super.call_method(tx, name, args, kwargs);
  }
}

/** An object of a class that `namedtuple` made. */
export class NamedTupleVariable extends TupleVariable {
  readonly type: TypeObject;
  readonly fields: readonly string[];

  constructor(
    items: VariableTracker[],
    type: TypeObject,
    source: Source | null = null,
    fields: readonly string[] = [...((type.lookup("_fields") ?? []) as Iterable<string>)],
  ) {
    super(items, source);
    this.type = type;
    this.fields = fields;
  }
  override python_type(): TypeObject {
    return this.type;
  }
  override is_python_constant(): boolean {
    return false;
  }
  protected override like(items: VariableTracker[]): VariableTracker {
    return new TupleVariable(items);
  }
  override var_getattr(tx: Translator, name: string): VariableTracker {
    const at = this.fields.indexOf(name);
    return at >= 0 ? (this.items[at] as VariableTracker) : super.var_getattr(tx, name);
  }
  override reconstruct(codegen: PyCodegen): void {
    codegen.load_const(this.type.cls);
    codegen.push_null_below();
    for (const it of this.items) codegen.reconstruct(it);
    codegen.call(this.items.length);
  }
}

export class RangeVariable extends BaseListVariable {
  private readonly range: PyRange | null;

  /** @param given start, stop and step, or fewer */
  constructor(tx: Translator, given: readonly VariableTracker[], source: Source | null = null) {
    super([...given], source);
    const values = given.map((it) => tx.constant_of(it.realize()));
    this.range = call_function(range_type.cls, values) as PyRange;
  }
  override python_type(): TypeObject {
    return range_type;
  }
  override is_python_constant(): boolean {
    return true;
  }
  override as_python_constant(): unknown {
    return this.range;
  }
  override as_proxy(): unknown {
    return this.range;
  }
  override truth(): boolean {
    return this.unpack_var_sequence().length > 0;
  }
  override unpack_var_sequence(): VariableTracker[] {
    return [...(this.range as unknown as Iterable<number>)].map((i) => new ConstantVariable(i));
  }
  protected like(items: VariableTracker[]): VariableTracker {
    return new ListVariable(items, null, "new");
  }
  override reconstruct(codegen: PyCodegen): void {
    codegen.load_const(range_type.cls);
    codegen.push_null_below();
    for (const it of this.items) codegen.reconstruct(it);
    codegen.call(this.items.length);
  }
  override call_method(
    tx: Translator,
    name: string,
    args: readonly VariableTracker[],
    kwargs: Kwargs,
  ): VariableTracker {
    return new ConstantVariable(this.range).call_method(tx, name, args, kwargs);
  }
}

export class SliceVariable extends BaseListVariable {
  override python_type(): TypeObject {
    return type_of(new PySlice(null, null, null));
  }
  override as_python_constant(): unknown {
    const [start, stop, step] = this.values();
    return new PySlice(start ?? null, stop ?? null, step ?? null);
  }
  override as_proxy(): unknown {
    const [start, stop, step] = this.proxies();
    return new PySlice(start ?? null, stop ?? null, step ?? null);
  }
  override var_getattr(tx: Translator, name: string): VariableTracker {
    const at = ["start", "stop", "step"].indexOf(name);
    return at >= 0 ? (this.items[at] ?? new ConstantVariable(null)) : super.var_getattr(tx, name);
  }
  override unpack_var_sequence(): VariableTracker[] {
    throw new NotImplementedError("a slice");
  }
  protected like(): VariableTracker {
    throw new NotImplementedError("a slice");
  }
  override reconstruct(codegen: PyCodegen): void {
    for (const it of this.items) codegen.reconstruct(it);
    codegen.append("BUILD_SLICE", this.items.length);
  }
}
