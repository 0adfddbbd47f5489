/**
 * @file Modules that contain other modules.
 * @mirrors torch/nn/modules/container.py
 * @differs Ours takes a plain object or a Map of named modules, in its order; `Sequential` of PyTorch takes an `OrderedDict` only.
 * @see parameters.ts (`ParameterList`, `ParameterDict`)
 */
import { AssertionError, IndexError, KeyError, TypeError_, ValueError, warn } from "#c10/util/Exception";
import { isDict, PySequence_Tuple, python_type } from "#torch/_C";
import { type Args, def_methods, Init, type InitArgs, types } from "#torch/_signature";
import { type_repr } from "#torch/_utils/index";
import { BY_INDEX } from "#torch/nn/modules/module/attributes";
import { addindent, Module } from "#torch/nn/modules/module/index";

/** `slice(start, stop, step)`. */
export interface Slice {
  readonly start?: number | null;
  readonly stop?: number | null;
  readonly step?: number | null;
}

function is_slice(idx: number | Slice): idx is Slice {
  return typeof idx === "object" && idx !== null;
}

/** The indices that `slice` selects from a sequence of `length` elements. */
export function indices_of(length: number, slice: Slice): number[] {
  const step = slice.step ?? 1;
  if (step === 0) throw new ValueError("slice step cannot be zero");
  const [lowest, highest] = step > 0 ? [0, length] : [-1, length - 1];
  for (const at of [slice.start, slice.stop, step])
    if (at !== undefined && at !== null && !Number.isInteger(at))
      throw new TypeError_("slice indices must be integers or None or have an __index__ method");
  const bound = (at: number) => Math.min(Math.max(at < 0 ? at + length : at, lowest), highest);
  const start = bound(slice.start ?? (step > 0 ? 0 : length - 1));
  const stop = slice.stop === undefined || slice.stop === null ? (step > 0 ? length : -1) : bound(slice.stop);
  const indices: number[] = [];
  for (let i = start; step > 0 ? i < stop : i > stop; i += step) indices.push(i);
  return indices;
}

/** `idx` counted from the front; a negative index counts from the end. */
export function index_of(length: number, idx: number): number {
  if (!Number.isInteger(idx)) throw new TypeError_(`'${python_type(idx)}' object cannot be interpreted as an integer`);
  if (idx < -length || idx >= length) throw new IndexError(`index ${idx} is out of range`);
  return idx < 0 ? idx + length : idx;
}

/** The named entries of a Map, a plain object, or anything with `items()`; null for any other value, for example a list of pairs. */
export function named(value: unknown): Iterable<[string, unknown]> | null {
  if (value instanceof Map) return value;
  if (isDict(value)) return Object.entries(value);
  const { items } = (value ?? {}) as { items?: unknown };
  return typeof items === "function" ? (items.call(value) as Iterable<[string, unknown]>) : null;
}

export function is_iterable(value: unknown): value is Iterable<unknown> {
  return value !== null && value !== undefined && typeof (value as Iterable<unknown>)[Symbol.iterator] === "function";
}

/** The key and the value of the `j`-th pair from which a dictionary of kind `owner` is made. */
export function pair_of(owner: string, pair: unknown, j: number): [string, unknown] {
  if (!is_iterable(pair))
    throw new TypeError_(`${owner} update sequence element #${j} should be Iterable; is${python_type(pair)}`);
  const parts = [...pair];
  if (parts.length !== 2)
    throw new ValueError(`${owner} update sequence element #${j} has length ${parts.length}; 2 is required`);
  return parts as [string, unknown];
}

const Container_init = new Init("Container.__init__(self, **kwargs)", types<[kwargs: Record<string, Module>]>);

/** Deprecated base class; `Module` holds modules itself. */
export class Container extends Module {
  static readonly __module__: string = "torch.nn.modules.container";

  static {
    def_methods(Container, { __init__: Container_init });
  }

  constructor(...args: InitArgs<typeof Container_init>) {
    if (new.target === Container) {
      warn(
        "FutureWarning",
        "`nn.Container` is deprecated. All of its functionality is now implemented in `nn.Module`. Subclass that instead.",
      );
    }
    const [kwargs] = Container_init.bind(args);
    super();
    for (const [key, value] of Object.entries(kwargs)) this.add_module(key, value);
  }
}

/** Modules with numbers as names: the common base of `Sequential` and `ModuleList`. */
// biome-ignore lint/suspicious/noExplicitAny: as in Module
abstract class Numbered<A extends unknown[] = any[], R = any> extends Module<A, R> {
  // biome-ignore lint/suspicious/noExplicitAny: a module of any class, which the type does not tell
  [idx: number]: any;

  static {
    Object.defineProperty(Numbered.prototype, BY_INDEX, { value: true });
  }

  __len__(): number {
    return this._modules.size;
  }

  /** The name of the child at `idx`. */
  protected name_at(idx: number): string {
    return [...this._modules.keys()][index_of(this.__len__(), idx)];
  }

  __setitem__(idx: number, module: Module): void {
    this.__setattr__(this.name_at(idx), module);
  }

  /** Removes the module at an index or the modules of a slice; later modules move up. */
  __delitem__(idx: number | Slice): void {
    const names = [...this._modules.keys()];
    const taken = is_slice(idx) ? indices_of(names.length, idx) : [index_of(names.length, idx)];
    for (const i of taken) this.__delattr__(names[i]);
    const left = [...this._modules.values()];
    for (const name of this._modules.keys()) this.__delattr__(name);
    for (const [i, module] of left.entries()) this._modules.set(String(i), module);
    this._modules; // reads the map, so that the new names are noticed
  }

  append(...args: Args<"(self, module)", [module: Module]>): this;
  append(module: Module): this {
    this.add_module(String(this.__len__()), module);
    return this;
  }

  /** Moves every module from `index` on one position back, and puts `module` at `index`. */
  protected insert_at(index: number, module: Module): void {
    if (!Number.isInteger(index))
      throw new TypeError_(`'${python_type(index)}' object cannot be interpreted as an integer`);
    const modules = this._modules;
    for (let i = modules.size; i > index; i--) modules.set(String(i), modules.get(String(i - 1)) as Module);
    modules.set(String(index), module);
    this._modules; // reads the map, so that the new name is noticed
  }

  // biome-ignore lint/suspicious/noExplicitAny: the modules of any class, which the type does not tell
  [Symbol.iterator](): IterableIterator<any> {
    return this._modules.values();
  }
}

/** Modules by name, in order. */
type NamedModules = ReadonlyMap<string, Module> | Readonly<Record<string, Module>>;

const Sequential_init = new Init("Sequential.__init__(self, *args: dict)", types<[args: (Module | NamedModules)[]]>);

/** A module that calls its modules one after the other. */
// biome-ignore lint/suspicious/noExplicitAny: input and output are those of the first and the last module
export class Sequential extends Numbered<[input: any], any> {
  static readonly __module__: string = "torch.nn.modules.container";

  // biome-ignore lint/suspicious/noExplicitAny: a module by its name
  [name: string]: any;

  static {
    def_methods(Sequential, {
      __init__: Sequential_init,
      append: "(self, module)",
      insert: "(self, index, module)",
      extend: "(self, sequential)",
      pop: "(self, key: object)",
      forward: "(self, input)",
    });
  }

  /** Takes modules in order, or one Map or object of named modules. */
  constructor(...given: InitArgs<typeof Sequential_init>) {
    const [args] = Sequential_init.bind(given);
    super();
    const [first] = args;
    if (args.length === 1 && (first instanceof Map || isDict(first))) {
      for (const [key, module] of named(first) ?? []) this.add_module(key, module as Module);
    } else {
      for (const [idx, module] of args.entries()) this.add_module(String(idx), module as Module);
    }
  }

  /** The module at an index, or a new Sequential of the modules in a slice, under their names. */
  __getitem__(idx: number): Module;
  __getitem__(idx: Slice): Sequential;
  __getitem__(idx: number | Slice): Module | Sequential {
    const entries = [...this._modules] as [string, Module][];
    if (!is_slice(idx)) return entries[index_of(entries.length, idx)][1];
    const chosen = indices_of(entries.length, idx).map((i) => entries[i]);
    return new (this.constructor as typeof Sequential)(new Map(chosen));
  }

  insert(...args: Args<"(self, index, module)", [index: number, module: Module]>): this;
  insert(index: number, module: Module): this {
    if (!(module instanceof Module)) {
      throw new AssertionError("module should be of type: <class 'torch.nn.modules.module.Module'>");
    }
    const n = this.__len__();
    if (index < -n || index > n) throw new IndexError(`Index out of range: ${index}`);
    this.insert_at(index < 0 ? index + n : index, module);
    return this;
  }

  extend(...args: Args<"(self, sequential)", [sequential: Iterable<Module>]>): this;
  extend(sequential: Iterable<Module>): this {
    for (const layer of PySequence_Tuple(sequential)) this.append(layer);
    return this;
  }

  /** Removes the module at an index, or the modules of a slice, and returns it. */
  pop(...args: Args<"(self, key: object)", [key: number | Slice]>): Module;
  pop(key: number | Slice): Module {
    const v = this.__getitem__(key as number);
    this.__delitem__(key);
    return v;
  }

  /** A new Sequential with the modules of both. */
  __add__(other: Sequential): Sequential {
    check_sequential(other);
    return new Sequential(...this, ...other);
  }

  __iadd__(other: Sequential): this {
    check_sequential(other);
    return this.extend(other);
  }

  /** A new Sequential that repeats the modules `other` times. */
  __mul__(other: number): Sequential {
    check_factor(other);
    const combined = new Sequential();
    for (let i = 0; i < other; i++) combined.extend(this);
    return combined;
  }

  __rmul__(other: number): Sequential {
    return this.__mul__(other);
  }

  __imul__(other: number): this {
    check_factor(other);
    const modules = [...this];
    for (let i = 1; i < other; i++) this.extend(modules);
    return this;
  }

  // biome-ignore lint/suspicious/noExplicitAny: as above; a subclass may take more arguments
  override forward(...input: any[]): any;
  override forward(input: unknown): unknown {
    let output: unknown = input;
    for (const module of this) {
      if (module === null) throw new TypeError_("'NoneType' object is not callable");
      output = module(output);
    }
    return output;
  }
}

function check_sequential(other: unknown): void {
  if (!(other instanceof Sequential))
    throw new ValueError(
      `add operator supports only objects of Sequential class, but ${type_repr(other, "class")} is given.`,
    );
}

function check_factor(other: unknown): void {
  const cls = "<class 'torch.nn.modules.container.Sequential'>";
  if (!Number.isInteger(other))
    throw new TypeError_(`unsupported operand type(s) for *: ${cls} and ${type_repr(other, "class")}`);
  if ((other as number) <= 0) throw new ValueError(`Non-positive multiplication factor ${other} for ${cls}`);
}

const ModuleList_init = new Init("ModuleList.__init__(self, modules=None)", types<[modules: Iterable<Module> | null]>);

/** A list of modules; it has no forward of its own. */
export class ModuleList extends Numbered {
  static readonly __module__: string = "torch.nn.modules.container";

  static {
    def_methods(ModuleList, {
      __init__: ModuleList_init,
      append: "(self, module)",
      insert: "(self, index, module)",
      extend: "(self, modules)",
      pop: "(self, key: object)",
    });
  }

  constructor(...args: InitArgs<typeof ModuleList_init>) {
    const [modules] = ModuleList_init.bind(args);
    super();
    if (modules !== null) this.extend(modules);
  }

  protected override name_at(idx: number): string {
    return String(index_of(this.__len__(), idx));
  }

  /** The module at an index, or a new list of the modules in a slice. */
  __getitem__(idx: number): Module;
  __getitem__(idx: Slice): ModuleList;
  __getitem__(idx: number | Slice): Module | ModuleList {
    if (!is_slice(idx)) return this._modules.get(this.name_at(idx)) as Module;
    const modules = [...this];
    return new (this.constructor as typeof ModuleList)(indices_of(modules.length, idx).map((i) => modules[i]));
  }

  insert(...args: Args<"(self, index, module)", [index: number, module: Module]>): void;
  insert(index: number, module: Module): void {
    this.insert_at(index, module);
  }

  extend(...args: Args<"(self, modules)", [modules: Iterable<Module>]>): this;
  extend(modules: Iterable<Module>): this {
    if (!is_iterable(modules))
      throw new TypeError_(`ModuleList.extend should be called with an iterable, but got ${python_type(modules)}`);
    for (const module of [...modules]) this.append(module);
    return this;
  }

  /** Removes the module at an index, or the modules of a slice, and returns it. */
  pop(...args: Args<"(self, key: object)", [key: number | Slice]>): Module;
  pop(key: number | Slice): Module {
    const v = this.__getitem__(key as number);
    this.__delitem__(key);
    return v;
  }

  /** A new list with the modules of this list followed by others. */
  __add__(other: Iterable<Module>): ModuleList {
    return new ModuleList([...this, ...other]);
  }

  __iadd__(modules: Iterable<Module>): this {
    return this.extend(modules);
  }

  /** Equal neighbouring modules are printed once, with their count. */
  override __repr__(): string {
    const blocks: { readonly first: number; last: number; readonly text: string }[] = [];
    for (const [i, module] of [...this].entries()) {
      const text: string = module === null ? "None" : module.__repr__();
      const before = blocks.at(-1);
      if (before?.text === text) before.last = i;
      else blocks.push({ first: i, last: i, text });
    }
    if (blocks.length === 0) return `${this._get_name()}()`;
    const lines = blocks.map(({ first, last, text }) =>
      addindent(first === last ? `(${first}): ${text}` : `(${first}-${last}): ${last - first + 1} x ${text}`, 2),
    );
    return `${this._get_name()}(\n  ${lines.join("\n  ")}\n)`;
  }
}

const ModuleDict_init = new Init(
  "ModuleDict.__init__(self, modules: dict=None)",
  types<[modules: NamedModules | Iterable<readonly [string, Module]> | ModuleDict | null]>,
);

/** A dictionary of modules; it has no forward of its own. */
export class ModuleDict extends Module {
  static readonly __module__: string = "torch.nn.modules.container";

  // biome-ignore lint/suspicious/noExplicitAny: a module by its name
  [name: string]: any;

  static {
    def_methods(ModuleDict, {
      __init__: ModuleDict_init,
      clear: "(self)",
      pop: "(self, key)",
      keys: "(self)",
      items: "(self)",
      values: "(self)",
      update: "(self, modules: dict)",
    });
  }

  constructor(...args: InitArgs<typeof ModuleDict_init>) {
    const [modules] = ModuleDict_init.bind(args);
    super();
    if (modules !== null) this.update(modules);
  }

  __getitem__(key: string): Module {
    const module = this._modules.get(key);
    if (module === undefined) throw new KeyError(key);
    return module as Module;
  }

  __setitem__(key: string, module: Module): void {
    this.add_module(key, module);
  }

  __delitem__(key: string): void {
    if (!this._modules.has(key)) throw new KeyError(key);
    this.__delattr__(key);
  }

  __len__(): number {
    return this._modules.size;
  }

  __contains__(key: string): boolean {
    return this._modules.has(key);
  }

  [Symbol.iterator](): IterableIterator<string> {
    return this._modules.keys();
  }

  clear(): void {
    for (const key of this._modules.keys()) this.__delattr__(key);
  }

  /** Removes a module and returns it. */
  pop(...args: Args<"(self, key)", [key: string]>): Module;
  pop(key: string): Module {
    const v = this.__getitem__(key);
    this.__delitem__(key);
    return v;
  }

  keys(): IterableIterator<string> {
    return this._modules.keys();
  }

  items(): IterableIterator<[string, Module]> {
    return this._modules.entries() as IterableIterator<[string, Module]>;
  }

  values(): IterableIterator<Module> {
    return this._modules.values() as IterableIterator<Module>;
  }

  /** Adds named modules; a module with an existing name replaces the old one. */
  update(
    ...args: Args<"(self, modules: dict)", [modules: NamedModules | Iterable<readonly [string, Module]> | ModuleDict]>
  ): void;
  update(modules: unknown): void {
    const items = named(modules);
    if (items !== null) {
      for (const [key, module] of items) this.__setitem__(key, module as Module);
      return;
    }
    if (!is_iterable(modules))
      throw new TypeError_(
        `ModuleDict.update should be called with an iterable of key/value pairs, but got ${python_type(modules)}`,
      );
    let j = 0;
    for (const pair of modules) this.__setitem__(...(pair_of("ModuleDict", pair, j++) as [string, Module]));
  }
}
