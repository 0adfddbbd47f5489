/**
 * @file `TypedStorage`: a storage and the dtype of its elements, as old programs and files have it; and the classes of each dtype,
 * `torch.FloatStorage` and its like, whose objects are `TypedStorage`s.
 * @mirrors torch/storage.py#TypedStorage
 * @differs A program runs in one process: `share_memory_` refuses here. PyTorch moves the bytes into memory that processes share.
 */
import { IndexError, NotImplementedError, RuntimeError, TORCH_WARN_ONCE, TypeError_ } from "#c10/util/Exception";
import {
  _C,
  float_repr,
  isDict,
  isStorage,
  repr,
  type StorageBase,
  type THPDevice,
  THPDevice_pynew,
  type THPDtype,
  THPDtype_Check,
  THPUtils_checkLong,
} from "#torch/_C";
import { def_methods, Init, Signature, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { type_repr } from "#torch/_utils/index";
import type { DeviceLike, dtype } from "#torch/types";
import { _dtype_to_storage_type_map, _get_dtype_from_pickle_storage_type, STORAGE_NAMES } from "./storage_types.ts";
import { UntypedStorage } from "./untyped.ts";

/** Gives the warning once in a program. */
export function _warn_typed_storage_removal(): void {
  TORCH_WARN_ONCE(
    "TypedStorage is deprecated. It will be removed in the future and UntypedStorage will be the only storage class. " +
      "This should only matter to you if you are using storages directly.  To access UntypedStorage directly, " +
      "use tensor.untyped_storage() instead of tensor.storage()",
  );
}

type Element = number | bigint | boolean;

interface Slice {
  readonly start: number | null;
  readonly stop: number | null;
  readonly step: number | null;
}
const is_slice = (index: unknown): index is Slice => typeof index === "object" && index !== null && "start" in index;

const forms = (names: string, with_dtype: string): string =>
  ` received an invalid combination of arguments. Expected one of:\n * ${names}${with_dtype}`;
const OF_TYPED = `TypedStorage.__init__${forms(
  "(*, torch.device device, torch.dtype dtype)",
  "\n * (int size, *, torch.device device, torch.dtype dtype)\n * (Sequence data, *, torch.device device, torch.dtype dtype)\n * (*, UntypedStorage wrap_storage, torch.dtype dtype)",
)}`;
const of_legacy = (name: string): string =>
  `<class 'torch.${name}'>.__new__${forms("no arguments", "\n * (int size)\n * (Sequence data)\n * (*, UntypedStorage wrap_storage)")}`;

const TypedStorage_init = new Init(
  "TypedStorage.__new__(cls, *args, wrap_storage=None, dtype=None, device=None, _internal=False)",
  types<
    [
      args: unknown[],
      wrap_storage: UntypedStorage | null,
      dtype: THPDtype | null,
      device: DeviceLike | null,
      _internal: boolean,
    ]
  >,
);

/** A list, a tuple or a text: what Python calls a sequence. */
const is_sequence = (value: unknown): value is readonly Element[] => Array.isArray(value) || typeof value === "string";

function check_wrapped(wrap_storage: unknown, args: readonly unknown[], error: string): void {
  if (args.length > 0)
    throw new RuntimeError(`${error}\nNo positional arguments should be given when using 'wrap_storage'`);
  if (!(wrap_storage instanceof UntypedStorage))
    throw new TypeError_(
      `${error}\nArgument 'wrap_storage' must be UntypedStorage, but got ${type_repr(wrap_storage, "class")}`,
    );
}

/** The bytes for the arguments: none, a number of elements, or the elements. */
function storage_for(args: readonly unknown[], dtype: THPDtype, device: DeviceLike, error: string): UntypedStorage {
  if (args.length > 1) throw new RuntimeError(`${error}\nToo many positional arguments`);
  const [source = 0] = args;
  if (THPUtils_checkLong(source)) return new UntypedStorage(Number(source) * dtype.itemsize, { device });
  if (!is_sequence(source))
    throw new TypeError_(`${error}\nArgument type not recognized: ${type_repr(source, "class")}`);
  return torch.tensor(source as never, { dtype: dtype as dtype, device }).untyped_storage();
}

/** Signatures of methods that take nothing. */
const WITHOUT_ARGUMENTS = Object.fromEntries(
  `clone cpu data_ptr element_size get_device is_shared nbytes pickle_storage_type resizable share_memory_ size tolist untyped`
    .split(" ")
    .map((name) => [name, "(self)"]),
);

/** A storage and the dtype of its elements. */
export class TypedStorage {
  static readonly __name__: string = "torch.storage.TypedStorage";
  readonly _untyped_storage: UntypedStorage;
  readonly dtype: THPDtype;

  static {
    def_methods(TypedStorage, {
      __init__: TypedStorage_init,
      fill_: "(self, value)",
      copy_: "(self, source, non_blocking=None)",
      type: "(self, dtype=None, non_blocking=False)",
      to: "(self, *, device, non_blocking=False)",
      resize_: "(self, size)",
      is_pinned: "(self, device=None)",
      pin_memory: "(self, device=None)",
      ...WITHOUT_ARGUMENTS,
    });
  }

  constructor(...given: unknown[]) {
    const [args, wrap_storage, dtype, device, _internal] = TypedStorage_init.bind(given);
    if (!_internal) _warn_typed_storage_removal();
    if (wrap_storage !== null) {
      check_wrapped(wrap_storage, args, OF_TYPED);
      if (dtype === null) throw new RuntimeError(`${OF_TYPED}\nArgument 'dtype' must be specified`);
      if (!THPDtype_Check(dtype))
        throw new TypeError_(`${OF_TYPED}\nArgument 'dtype' must be torch.dtype, not ${type_repr(dtype, "class")}`);
      if (device !== null)
        throw new RuntimeError(`${OF_TYPED}\nArgument 'device' should not be specified when 'wrap_storage' is given`);
      this.dtype = dtype;
      this._untyped_storage = wrap_storage;
    } else {
      this.dtype = dtype ?? (torch.get_default_dtype() as THPDtype);
      this._untyped_storage = storage_for(args, this.dtype, THPDevice_pynew(device ?? "cpu"), OF_TYPED);
    }
  }

  /** A typed storage over bytes that are there. */
  static wrap(wrap_storage: UntypedStorage, dtype: THPDtype): TypedStorage {
    return new TypedStorage({ wrap_storage, dtype, _internal: true });
  }

  /** The elements of a buffer, such as Python's bytes, as a storage of their own. */
  static from_buffer(...given: unknown[]): TypedStorage {
    const { dtype, device, ...others } = (isDict(given.at(-1)) ? given.at(-1) : {}) as {
      dtype?: THPDtype;
      device?: DeviceLike;
    };
    const args = isDict(given.at(-1)) ? given.slice(0, -1) : given;
    const name = LEGACY.get(this);
    const own = name === undefined ? undefined : _get_dtype_from_pickle_storage_type(name);
    if (own !== undefined)
      for (const [what, value] of Object.entries({ dtype, device }))
        if (value !== undefined && value !== null)
          throw new RuntimeError(
            `from_buffer: '${what}' can only be specified in UntypedStorage.from_buffer and TypedStorage.from_buffer`,
          );
    const { type } = THPDevice_pynew(device ?? "cpu");
    if (type !== "cpu") throw new RuntimeError(`TypedStorage.from_buffer: Not available for device ${type}`);
    const of = own ?? dtype ?? (torch.get_default_dtype() as THPDtype);
    return TypedStorage.wrap(UntypedStorage.from_buffer(...args, { dtype: of, ...others }), of);
  }

  untyped(): UntypedStorage {
    return this._untyped_storage;
  }

  nbytes(): number {
    return this._untyped_storage.nbytes();
  }

  /** The number of elements. */
  _size(): number {
    return Math.floor(this.nbytes() / this.dtype.itemsize);
  }

  data_ptr(): number {
    return this._untyped_storage.data_ptr();
  }

  get device(): THPDevice {
    return this._untyped_storage.device;
  }

  get is_cuda(): boolean {
    return this.device.type === "cuda";
  }

  get filename(): null {
    return null;
  }

  get _dtype(): THPDtype {
    return this.dtype;
  }

  get _cdata(): number {
    return this._untyped_storage._cdata;
  }

  get_device(): number | null {
    return this._untyped_storage.get_device();
  }

  _new_wrapped_storage(untyped_storage: UntypedStorage): TypedStorage {
    return TypedStorage.wrap(untyped_storage, this.dtype);
  }

  cpu(): TypedStorage {
    return this._new_wrapped_storage(this._untyped_storage.cpu());
  }

  to(kwargs: { device: DeviceLike; non_blocking?: boolean }): TypedStorage;
  to(device: unknown, non_blocking?: unknown): TypedStorage {
    const kwargs = { device: device as DeviceLike, non_blocking: non_blocking as boolean };
    return this._new_wrapped_storage(this._untyped_storage.to(kwargs));
  }

  is_pinned(device: DeviceLike | null = null): boolean {
    return this._untyped_storage.is_pinned(device);
  }

  pin_memory(device: DeviceLike | null = null): TypedStorage {
    return this._new_wrapped_storage(this._untyped_storage.pin_memory(device));
  }

  is_shared(): boolean {
    return false;
  }

  share_memory_(): never {
    return this._untyped_storage.share_memory_();
  }

  /** `FloatStorage`, the name that a file has for the dtype. */
  _pickle_storage_type(): string | undefined {
    return _dtype_to_storage_type_map().get(this.dtype);
  }

  pickle_storage_type(): string | undefined {
    return this._pickle_storage_type();
  }

  size(): number {
    return this._size();
  }

  element_size(): number {
    return this.dtype.itemsize;
  }

  resizable(): boolean {
    return this._untyped_storage.resizable();
  }

  resize_(size: number): void {
    this._untyped_storage.resize_(size * this.dtype.itemsize);
  }

  __len__(): number {
    return this._size();
  }

  /** The name of the class: `torch.FloatStorage`; with a dtype, the storage as one of that dtype. */
  type(dtype: unknown = null, non_blocking = false): unknown {
    if (dtype !== null) return this._untyped_storage.type(dtype, non_blocking);
    const name = this._pickle_storage_type();
    return name !== undefined && this.device.type === "cpu" ? `torch.${name}` : TypedStorage.__name__;
  }

  /** A tensor over the elements, which shares their memory. */
  private elements(): Tensor {
    const { device } = this;
    return torch.empty([0], { dtype: this.dtype as dtype, device }).set_(this._untyped_storage);
  }

  private check_index(index: number): number {
    const size = this._size();
    if (index < -size || index >= size) throw new IndexError(`index ${index} out of range for storage of size ${size}`);
    return index < 0 ? index + size : index;
  }

  private not_an_index(index: unknown): RuntimeError {
    return new RuntimeError(`can't index a <class '${TypedStorage.__name__}'> with ${type_repr(index, "class")}`);
  }

  /** The element at an index, as a number. */
  __getitem__(index: unknown): Element {
    if (this.device.type === "meta") throw new NotImplementedError("Not available for 'meta' device type");
    if (is_slice(index)) throw new RuntimeError("slices are only supported in UntypedStorage.__getitem__");
    if (typeof index !== "number") throw this.not_an_index(index);
    return this.elements().at(this.check_index(index)).item() as Element;
  }

  /** Writes one element, or all of a slice. */
  __setitem__(index: unknown, value: unknown): void {
    if (typeof index !== "number" && !is_slice(index)) throw this.not_an_index(index);
    if (isStorage(value)) throw new RuntimeError(`cannot set item with value type ${type_repr(value, "class")}`);
    this.elements().__setitem__([index] as never, value as never);
  }

  *[Symbol.iterator](): Generator<Element> {
    for (let i = 0; i < this._size(); i++) yield this.__getitem__(i);
  }

  fill_(value: Element): this {
    this.__setitem__({ start: 0, stop: this._size(), step: null }, value);
    return this;
  }

  copy_(source: TypedStorage | StorageBase, non_blocking: boolean | null = null): this {
    this._untyped_storage.copy_(
      source instanceof TypedStorage ? source._untyped_storage : source,
      non_blocking ?? false,
    );
    return this;
  }

  /** A copy with bytes of its own. */
  clone(): TypedStorage {
    return this._new_wrapped_storage(this._untyped_storage.clone());
  }

  __copy__(): TypedStorage {
    return this.clone();
  }

  __deepcopy__(memo: Map<unknown, unknown>): TypedStorage {
    return this._new_wrapped_storage(this._untyped_storage.__deepcopy__(memo));
  }

  /** The elements as a list. */
  tolist(): Element[] {
    return this.elements().tolist() as Element[];
  }

  /** A copy with the elements in another dtype. */
  _to(dtype: THPDtype): TypedStorage {
    if (!THPDtype_Check(dtype))
      throw new TypeError_(`Argument 'dtype' must be torch.dtype, not ${type_repr(dtype, "class")}`);
    const there = this.elements().to(dtype as dtype);
    const storage = TypedStorage.wrap(there.untyped_storage(), dtype);
    return storage.data_ptr() === this.data_ptr() ? storage.clone() : storage;
  }

  __repr__(): string {
    const { device } = this._untyped_storage;
    const shown = this.dtype.is_floating_point ? (x: unknown) => float_repr(x as number) : repr;
    const data = device.type === "meta" ? "..." : ` ${this.tolist().map(shown).join("\n ")}`;
    return `${data}\n[torch.storage.TypedStorage(dtype=${this.dtype}, device=${device}) of size ${this._size()}]`;
  }

  toString(): string {
    return this.__repr__();
  }

  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return this.__repr__();
  }
}

/** Methods that convert the elements: `storage.double()`. */
const CASTS: Readonly<Record<string, string>> = {
  double: "float64",
  float: "float32",
  half: "float16",
  long: "int64",
  int: "int32",
  short: "int16",
  char: "int8",
  byte: "uint8",
  bool: "bool",
  bfloat16: "bfloat16",
};
for (const [name, dtype] of Object.entries(CASTS)) {
  const of = (): THPDtype => (_C as unknown as Record<string, THPDtype>)[dtype];
  const methods: [object, (this: UntypedStorage | TypedStorage) => TypedStorage][] = [
    [
      TypedStorage.prototype,
      function () {
        return (this as TypedStorage)._to(of());
      },
    ],
    [
      UntypedStorage.prototype,
      function () {
        return TypedStorage.wrap(this as UntypedStorage, (_C as unknown as { uint8: THPDtype }).uint8)._to(of());
      },
    ],
  ];
  for (const [prototype, value] of methods) {
    Object.defineProperty(value, "name", { value: name });
    Object.defineProperty(prototype, name, { value, writable: true, configurable: true });
  }
}
Object.defineProperty(TypedStorage.from_buffer, "__signature__", {
  value: new Signature("TypedStorage.from_buffer(*args, **kwargs)"),
});
def_methods(TypedStorage, Object.fromEntries(Object.keys(CASTS).map((name) => [name, "(self)"])));

/** The classes of each dtype, and their names. */
const LEGACY = new Map<unknown, string>();

/** The class of the storages of one dtype: `new torch.FloatStorage(3)` gives a `TypedStorage`. */
function legacy_class(name: string): typeof TypedStorage {
  const error = of_legacy(name);
  const cls = class extends TypedStorage {
    static override readonly __name__ = `torch.${name}`;

    static get dtype(): THPDtype {
      return _get_dtype_from_pickle_storage_type(name);
    }

    static override [Symbol.hasInstance](instance: unknown): boolean {
      return instance instanceof TypedStorage && instance.device.type === "cpu" && instance.dtype === cls.dtype;
    }

    constructor(...given: unknown[]) {
      const { dtype } = cls;
      const [args, wrap_storage, dtype_, device] = TypedStorage_init.bind(given);
      for (const [what, value] of [
        ["device", device],
        ["dtype", dtype_],
      ])
        if (value !== null) throw new RuntimeError(`${error}\nKeyword argument '${what}' cannot be specified`);
      if (wrap_storage !== null) {
        check_wrapped(wrap_storage, args, error);
        const { type } = wrap_storage.device;
        if (type !== "cpu") throw new RuntimeError(`${error}\nDevice of 'wrap_storage' must be cpu, but got ${type}`);
      }
      _warn_typed_storage_removal();
      super({ wrap_storage: wrap_storage ?? storage_for(args, dtype, "cpu", error), dtype, _internal: true });
      // biome-ignore lint/correctness/noConstructorReturn: as `TypedStorage.__new__`, which gives an object of the base class
      return TypedStorage.wrap(this._untyped_storage, dtype) as never;
    }
  };
  Object.defineProperty(cls, "name", { value: name });
  LEGACY.set(cls, name);
  return cls;
}

/** `torch.FloatStorage` and its like, by name. A dtype that is not built has none. */
export const legacy_storages: Readonly<Record<string, typeof TypedStorage>> = Object.fromEntries(
  STORAGE_NAMES.map((name) => [name, legacy_class(name)]),
);
