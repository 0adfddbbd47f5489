/**
 * @file Sources: where a value came from when the frame began, as an expression over its local and global variables.
 * @mirrors torch/_dynamo/source.py
 *
 *     L['x']                              LocalSource
 *     G['scale']                          GlobalSource
 *     L['self']._modules['fc'].bias       AttrSource(DictGetItemSource(AttrSource(LocalSource)))
 * A source answers three questions: how it is written, what its value is in another call (for guards), and which instructions load it.
 */
import { AssertionError } from "#c10/util/Exception";
import { getitem } from "#python/Objects/abstract/sequences";
import { FUNCTION } from "#python/Objects/call";
import type { PyFunction } from "#python/Objects/funcobject";
import { getattr, repr } from "#python/Objects/object";
import { type_of } from "#python/Objects/typeobject";
import type { Frame } from "#python/vm/frame";
import type { PyCodegen } from "./codegen.ts";

/** Reads a value out of a frame that has not run yet. @throws if it is not there */
export type Getter = (frame: Frame) => unknown;

export abstract class Source {
  private name_: string | null = null;
  private getter_: Getter | null = null;
  /** The source that this one reads from. */
  get base(): Source | null {
    return null;
  }
  /** Whether it begins at a local variable. */
  get is_local(): boolean {
    return this.base?.is_local ?? false;
  }
  /** Whether a module of `torch.nn` is on the way: what hangs on it is not expected to change. */
  get is_of_module(): boolean {
    return this.base?.is_of_module ?? false;
  }
  protected abstract spelled(): string;
  protected abstract make_getter(): Getter;
  /** Instructions that leave the value on the stack. */
  abstract reconstruct(codegen: PyCodegen): void;

  get name(): string {
    this.name_ ??= this.spelled();
    return this.name_;
  }
  get getter(): Getter {
    this.getter_ ??= this.make_getter();
    return this.getter_;
  }
  toString(): string {
    return this.name;
  }
}

/** Index of a local variable among a frame's fast variables, or the number of a free variable. */
function place_of(frame: Frame, name: string): unknown {
  const { localsplus, code } = frame.prepared;
  const i = localsplus.indexOf(name);
  const free = i - (localsplus.length - code.co_freevars.length);
  const value = free >= 0 ? (frame.func as PyFunction)[FUNCTION].closure?.[free]?.value : frame.fast[i];
  return value;
}

/** A parameter, or a free variable. */
export class LocalSource extends Source {
  readonly local_name: string;
  /** Whether the program gave it: an argument. */
  readonly is_input: boolean;

  constructor(local_name: string, is_input = false) {
    super();
    this.local_name = local_name;
    this.is_input = is_input;
  }
  override get is_local(): boolean {
    return true;
  }
  protected spelled(): string {
    return `L[${repr(this.local_name)}]`;
  }
  protected make_getter(): Getter {
    const { local_name } = this;
    return (frame) => place_of(frame, local_name);
  }
  reconstruct(codegen: PyCodegen): void {
    codegen.load(this.local_name);
  }
}

export class GlobalSource extends Source {
  readonly global_name: string;

  constructor(global_name: string) {
    super();
    this.global_name = global_name;
  }
  protected spelled(): string {
    return `G[${repr(this.global_name)}]`;
  }
  protected make_getter(): Getter {
    const { global_name } = this;
    return (frame) => frame.globals.get(global_name);
  }
  reconstruct(codegen: PyCodegen): void {
    codegen.load_global(this.global_name);
  }
}

/** A name of the builtins, such as `print`. */
export class BuiltinSource extends Source {
  readonly builtin_name: string;

  constructor(builtin_name: string) {
    super();
    this.builtin_name = builtin_name;
  }
  protected spelled(): string {
    return `G['__builtins_dict__'][${repr(this.builtin_name)}]`;
  }
  protected make_getter(): Getter {
    const { builtin_name } = this;
    return (frame) => frame.builtins.get(builtin_name);
  }
  reconstruct(codegen: PyCodegen): void {
    codegen.load_global(this.builtin_name);
  }
}

abstract class ChainedSource extends Source {
  private readonly base_: Source;

  constructor(base: Source) {
    super();
    this.base_ = base;
  }
  override get base(): Source {
    return this.base_;
  }
}

export class AttrSource extends ChainedSource {
  readonly member: string;

  constructor(base: Source, member: string) {
    super(base);
    this.member = member;
  }
  protected spelled(): string {
    return `${this.base.name}.${this.member}`;
  }
  protected make_getter(): Getter {
    const of = this.base.getter;
    const { member } = this;
    return (frame) => getattr(of(frame), member);
  }
  reconstruct(codegen: PyCodegen): void {
    codegen.load_source(this.base);
    codegen.load_attr(this.member);
  }
}

/** A module of `torch.nn`. */
export class UnspecializedNNModuleSource extends ChainedSource {
  override get is_of_module(): boolean {
    return true;
  }
  protected spelled(): string {
    return this.base.name;
  }
  protected make_getter(): Getter {
    return this.base.getter;
  }
  reconstruct(codegen: PyCodegen): void {
    codegen.load_source(this.base);
  }
}

export class GetItemSource extends ChainedSource {
  readonly index: unknown;

  constructor(base: Source, index: unknown) {
    super(base);
    this.index = index;
  }
  protected spelled(): string {
    return `${this.base.name}[${repr(this.index)}]`;
  }
  protected make_getter(): Getter {
    const of = this.base.getter;
    const { index } = this;
    return (frame) => getitem(of(frame), index);
  }
  reconstruct(codegen: PyCodegen): void {
    codegen.load_source(this.base);
    codegen.load_const(this.index);
    codegen.append("BINARY_SUBSCR");
  }
}

/** An entry of a dict, whose key is a constant. */
export class DictGetItemSource extends GetItemSource {
  protected override make_getter(): Getter {
    const of = this.base.getter;
    const { index } = this;
    return (frame) => {
      const dict = of(frame);
      return dict instanceof Map && dict.has(index) ? dict.get(index) : getitem(dict, index);
    };
  }
}

/** `type(base)`. */
export class TypeSource extends ChainedSource {
  protected spelled(): string {
    return `type(${this.base.name})`;
  }
  protected make_getter(): Getter {
    const of = this.base.getter;
    return (frame) => type_of(of(frame)).cls;
  }
  reconstruct(codegen: PyCodegen): void {
    codegen.load_builtin("type");
    codegen.load_source(this.base);
    codegen.call(1);
  }
}

/** A default value of a parameter. */
export class DefaultsSource extends ChainedSource {
  readonly idx_key: number | string;

  constructor(base: Source, idx_key: number | string) {
    super(base);
    this.idx_key = idx_key;
  }
  protected spelled(): string {
    const field = typeof this.idx_key === "string" ? "__kwdefaults__" : "__defaults__";
    return `${this.base.name}.${field}[${repr(this.idx_key)}]`;
  }
  protected make_getter(): Getter {
    const of = this.base.getter;
    const { idx_key } = this;
    return (frame) => {
      const record = (of(frame) as PyFunction)[FUNCTION];
      return typeof idx_key === "string" ? record.kwdefaults?.get(idx_key) : record.defaults?.[idx_key];
    };
  }
  reconstruct(codegen: PyCodegen): void {
    codegen.load_source(this.base);
    codegen.load_attr(typeof this.idx_key === "string" ? "__kwdefaults__" : "__defaults__");
    codegen.load_const(this.idx_key);
    codegen.append("BINARY_SUBSCR");
  }
}

/** The content of a cell of a function's closure. */
export class ClosureSource extends ChainedSource {
  readonly index: number;

  constructor(base: Source, index: number) {
    super(base);
    this.index = index;
  }
  protected spelled(): string {
    return `${this.base.name}.__closure__[${this.index}].cell_contents`;
  }
  protected make_getter(): Getter {
    const of = this.base.getter;
    const { index } = this;
    return (frame) => (of(frame) as PyFunction)[FUNCTION].closure?.[index]?.value;
  }
  load_cell(codegen: PyCodegen): void {
    codegen.load_source(this.base);
    codegen.load_attr("__closure__");
    codegen.load_const(this.index);
    codegen.append("BINARY_SUBSCR");
  }
  reconstruct(codegen: PyCodegen): void {
    this.load_cell(codegen);
    codegen.load_attr("cell_contents");
  }
}

/** A name of the globals of another module than the frame's. */
export class ModuleGlobalSource extends Source {
  readonly global_name: string;
  private readonly globals: ReadonlyMap<unknown, unknown>;

  constructor(globals: ReadonlyMap<unknown, unknown>, global_name: string) {
    super();
    this.globals = globals;
    this.global_name = global_name;
  }
  protected spelled(): string {
    const module = String(this.globals.get("__name__")).replaceAll(".", "_dot_");
    return `G['__import_${module}'].${this.global_name}`;
  }
  protected make_getter(): Getter {
    const { globals, global_name } = this;
    return () => globals.get(global_name);
  }
  reconstruct(codegen: PyCodegen): void {
    codegen.load_const(this.globals);
    codegen.load_const(this.global_name);
    codegen.append("BINARY_SUBSCR");
  }
}

/** A value that is known to stay: a function of the library, which only generated code needs to find. */
export class ConstantSource extends Source {
  readonly source_name: string;
  readonly value: unknown;

  constructor(source_name: string, value: unknown) {
    super();
    this.source_name = source_name;
    this.value = value;
  }
  protected spelled(): string {
    return this.source_name;
  }
  protected make_getter(): Getter {
    return () => this.value;
  }
  reconstruct(codegen: PyCodegen): void {
    codegen.load_const(this.value);
  }
}

/** A source that generated code stores in a variable of its own. */
export class TempLocalSource extends Source {
  readonly local_name: string;

  constructor(local_name: string) {
    super();
    this.local_name = local_name;
  }
  protected spelled(): string {
    return this.local_name;
  }
  protected make_getter(): Getter {
    throw new AssertionError("a variable of generated code has no value before the code runs");
  }
  reconstruct(codegen: PyCodegen): void {
    codegen.load(this.local_name);
  }
}
