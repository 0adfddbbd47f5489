/**
 * @file Modules that contain parameters: a list and a dictionary.
 * @mirrors torch/nn/modules/container.py#ParameterList
 * @differs Ours treats a plain object as a Python dict, whose keys `ParameterDict` sorts, and a Map as an OrderedDict, which keeps its
 * order; PyTorch has both types.
 */
import { KeyError, RuntimeError, TypeError_ } from "#c10/util/Exception";
import { pack } from "#python/Objects/tupleobject";
import { isDict, python_type } from "#torch/_C";
import { type Args, def_methods, Init, type InitArgs, types } from "#torch/_signature";
import { Tensor } from "#torch/_tensor/index";
import { type_name } from "#torch/_utils/index";
import { BY_INDEX } from "#torch/nn/modules/module/attributes";
import { Module } from "#torch/nn/modules/module/index";
import { Parameter } from "#torch/nn/parameter/index";
import { index_of, indices_of, is_iterable, named, pair_of, type Slice } from "./index.ts";

/** A tensor as a Parameter; other values are returned unchanged, since they may be stored, too. */
function as_parameter(value: unknown): unknown {
  return value instanceof Tensor && !(value instanceof Parameter) ? new Parameter(value) : value;
}

/** The lines of `repr`, one for each of `items`. */
function describe(items: Iterable<[unknown, unknown]>, dtype_of: (p: Tensor) => string): string {
  const lines: string[] = [];
  for (const [key, p] of items) {
    lines.push(
      p instanceof Tensor
        ? `  (${key}): ${p instanceof Parameter ? "Parameter" : "Tensor"} containing: [${dtype_of(p)} of size ${p.shape.join("x")}]`
        : `  (${key}): Object of type: ${python_type(p)}`,
    );
  }
  return lines.join("\n");
}

const ParameterList_init = new Init(
  "ParameterList.__init__(self, values=None)",
  types<[values: Iterable<unknown> | null]>,
);

/** A list of parameters. Tensors that are added become Parameters. */
export class ParameterList extends Module {
  static readonly __module__: string = "torch.nn.modules.container";

  // biome-ignore lint/suspicious/noExplicitAny: a Parameter, unless the user stored something else
  [idx: number]: any;

  declare private _size: number;

  static {
    Object.defineProperty(ParameterList.prototype, BY_INDEX, { value: true });
    def_methods(ParameterList, {
      __init__: ParameterList_init,
      append: "(self, value: object)",
      extend: "(self, values)",
      extra_repr: "(self)",
    });
  }

  constructor(...args: InitArgs<typeof ParameterList_init>) {
    const [values] = ParameterList_init.bind(args);
    super();
    this._size = 0;
    if (values !== null) this.extend(values);
  }

  /** The value at an index, or a new list of the values in a slice. */
  // biome-ignore lint/suspicious/noExplicitAny: a Parameter, unless the user stored something else
  __getitem__(idx: number): any;
  __getitem__(idx: Slice): ParameterList;
  __getitem__(idx: number | Slice): unknown {
    const attributes = this as unknown as Record<number, unknown>;
    if (typeof idx !== "object") return attributes[index_of(this._size, idx)];
    const chosen = indices_of(this._size, idx).map((i) => attributes[i]);
    return new (this.constructor as typeof ParameterList)(chosen);
  }

  __setitem__(idx: number, param: unknown): void {
    this.__setattr__(String(index_of(this._size, idx)), as_parameter(param));
  }

  __len__(): number {
    return this._size;
  }

  // biome-ignore lint/suspicious/noExplicitAny: as above
  *[Symbol.iterator](): IterableIterator<any> {
    for (let i = 0; i < this._size; i++) yield this.__getitem__(i);
  }

  append(...args: Args<"(self, value: object)", [value: unknown]>): this;
  append(value: unknown): this {
    this._size++;
    this.__setitem__(this._size - 1, value);
    return this;
  }

  extend(...args: Args<"(self, values)", [values: Iterable<unknown>]>): this;
  extend(values: unknown): this {
    if (!is_iterable(values) || values instanceof Tensor)
      throw new TypeError_(
        `ParameterList.extend should be called with an iterable, but got ${values instanceof Tensor ? values.constructor.name : python_type(values)}`,
      );
    for (const value of [...values]) this.append(value);
    return this;
  }

  __iadd__(parameters: Iterable<unknown>): this {
    return this.extend(parameters);
  }

  override extra_repr(): string {
    return describe([...this].entries(), (p) => String(p.dtype));
  }

  override forward(): never {
    throw new RuntimeError("ParameterList should not be called.");
  }
}

type NamedValues = ReadonlyMap<string, unknown> | Readonly<Record<string, unknown>>;

const ParameterDict_init = new Init(
  "ParameterDict.__init__(self, parameters: dict=None)",
  types<[parameters: NamedValues | Iterable<readonly [string, unknown]> | ParameterDict | null]>,
);

const parameter_dict_methods = {
  copy: "(self)",
  setdefault: "(self, key, default=None)",
  clear: "(self)",
  pop: "(self, key)",
  popitem: "(self)",
  get: "(self, key, default=None)",
  fromkeys: "(self, keys, default=None)",
  keys: "(self)",
  items: "(self)",
  values: "(self)",
  update: "(self, parameters: dict)",
  extra_repr: "(self)",
} as const;
type Methods = typeof parameter_dict_methods;

/** A dictionary of parameters. Tensors that are added become Parameters. */
export class ParameterDict extends Module {
  static readonly __module__: string = "torch.nn.modules.container";

  // biome-ignore lint/suspicious/noExplicitAny: a Parameter, unless the user stored something else
  [name: string]: any;

  declare private _keys: Set<string>;

  static {
    def_methods(ParameterDict, { __init__: ParameterDict_init, ...parameter_dict_methods });
  }

  constructor(...args: InitArgs<typeof ParameterDict_init>) {
    const [parameters] = ParameterDict_init.bind(args);
    super();
    this._keys = new Set();
    if (parameters !== null) this.update(parameters);
  }

  // biome-ignore lint/suspicious/noExplicitAny: a Parameter, unless the user stored something else
  __getitem__(key: string): any {
    check_key(key);
    const value = (this as unknown as Record<string, unknown>)[key];
    return value === undefined ? this.__getattr__(key) : value;
  }

  __setitem__(key: string, value: unknown): void {
    check_key(key);
    this._keys.add(key);
    this.__setattr__(key, as_parameter(value));
  }

  __delitem__(key: string): void {
    if (!this._keys.delete(key)) throw new KeyError(key);
    this.__delattr__(key);
  }

  __len__(): number {
    return this._keys.size;
  }

  __contains__(key: string): boolean {
    return this._keys.has(key);
  }

  [Symbol.iterator](): IterableIterator<string> {
    return this._keys.keys();
  }

  __reversed__(): IterableIterator<string> {
    return [...this._keys].reverse().values();
  }

  copy(): ParameterDict {
    return new ParameterDict(new Map(this.items()));
  }

  /** The value of `key`; if there is none, `default` is stored and returned. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  setdefault(...args: Args<Methods["setdefault"], [key: string, default_: unknown]>): any;
  setdefault(key: string, default_: unknown): unknown {
    if (!this._keys.has(key)) this.__setitem__(key, default_);
    return this.__getitem__(key);
  }

  clear(): void {
    for (const key of [...this._keys]) this.__delitem__(key);
  }

  /** Removes a value and returns it. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  pop(...args: Args<Methods["pop"], [key: string]>): any;
  pop(key: string): unknown {
    const v: unknown = this.__getitem__(key);
    this.__delitem__(key);
    return v;
  }

  /** Removes the entry that was added last and returns it. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  popitem(): [string, any] {
    const key = [...this._keys].at(-1);
    if (key === undefined) throw new KeyError("popitem(): dictionary is empty");
    return pack(key, this.pop(key));
  }

  // biome-ignore lint/suspicious/noExplicitAny: as above
  get(...args: Args<Methods["get"], [key: string, default_: unknown]>): any;
  get(key: string, default_: unknown): unknown {
    return this._keys.has(key) ? this.__getitem__(key) : default_;
  }

  fromkeys(...args: Args<Methods["fromkeys"], [keys: Iterable<string>, default_: unknown]>): ParameterDict;
  fromkeys(keys: Iterable<string>, default_: unknown): ParameterDict {
    return new ParameterDict([...keys].map((key) => [key, default_] as const));
  }

  keys(): IterableIterator<string> {
    return this._keys.keys();
  }

  // biome-ignore lint/suspicious/noExplicitAny: as above
  *items(): IterableIterator<[string, any]> {
    for (const key of this._keys) yield pack(key, this.__getitem__(key));
  }

  // biome-ignore lint/suspicious/noExplicitAny: as above
  *values(): IterableIterator<any> {
    for (const key of this._keys) yield this.__getitem__(key);
  }

  /** Adds named values; a value with an existing name replaces the old one. */
  update(
    ...args: Args<Methods["update"], [parameters: NamedValues | Iterable<readonly [string, unknown]> | ParameterDict]>
  ): void;
  update(parameters: unknown): void {
    const items = named(parameters);
    if (items !== null) {
      const ordered = isDict(parameters) ? [...items].sort(([a], [b]) => (a < b ? -1 : 1)) : items;
      for (const [key, parameter] of ordered) this.__setitem__(key, parameter);
      return;
    }
    if (!is_iterable(parameters))
      throw new TypeError_(
        `ParametersDict.update should be called with an iterable of key/value pairs, but got ${python_type(parameters)}`,
      );
    let j = 0;
    for (const pair of parameters) this.__setitem__(...pair_of("ParameterDict", pair, j++));
  }

  override extra_repr(): string {
    return describe(this.items(), type_name);
  }

  override forward(): never {
    throw new RuntimeError("ParameterDict should not be called.");
  }

  /** A new dictionary with the entries of both; if both have a key, the value of `other` is taken. */
  __or__(other: ParameterDict): ParameterDict {
    const copy = this.copy();
    copy.update(other);
    return copy;
  }

  __ior__(other: ParameterDict): this {
    this.update(other);
    return this;
  }
}

function check_key(key: unknown): void {
  if (typeof key !== "string")
    throw new TypeError_(
      `Index given to ParameterDict cannot be used as a key as it is not a string (type is '${python_type(key)}'). Open an issue on github if you need non-string keys.`,
    );
}
