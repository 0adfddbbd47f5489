/**
 * @file Reads a pickle of values of scripts.
 * @mirrors torch/csrc/jit/serialization/unpickler.cpp
 */
import { ClassType } from "#aten/core/class_type";
import { Dict } from "#aten/core/Dict";
import { EnumType } from "#aten/core/enum_type";
import { IValue } from "#aten/core/ivalue";
import { EnumHolder, Object_ } from "#aten/core/ivalue_inl";
import { AnyType, BoolType, FloatType, IntType, ListType, TensorType, type Type } from "#aten/core/jit_type";
import { List } from "#aten/core/List";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { empty_memory_format } from "#aten/generated/Functions_1";
import { GetCPUAllocator } from "#c10/core/CPUAllocator";
import { Device } from "#c10/core/Device";
import { elementSize, ScalarType } from "#c10/core/ScalarType";
import { Storage } from "#c10/core/Storage";
import { TensorOptions } from "#c10/core/TensorOptions";
import { TORCH_CHECK } from "#c10/util/Exception";

/** Functions that a pickle of an archive needs beside its bytes. */
export interface UnpicklerContext {
  /** The class, enum or named tuple of a name. */
  readonly type_resolver: (name: string) => Type;
  /** The type of an annotation. */
  readonly type_parser: (annotation: string) => Type;
  /** The bytes of a storage. */
  readonly read_record: (name: string) => Uint8Array;
  readonly device: Device | null;
  /** Gives a class its attributes from those of one of its objects, for readers that have no code of the class. */
  readonly define_class?: (type: ClassType, state: readonly (readonly [name: IValue, value: IValue])[]) => void;
}

/** Something on the stack: a value, or what only pickles have. */
type Item =
  | IValue
  | { readonly kind: "mark" }
  | { readonly kind: "global"; readonly reduce: (args: readonly IValue[]) => IValue; readonly type: Type | null }
  | { readonly kind: "list"; readonly items: IValue[]; value: IValue | null }
  | { readonly kind: "dict"; readonly entries: [IValue, IValue][]; value: IValue | null }
  | { readonly kind: "storage"; readonly storage: Storage; readonly dtype: ScalarType };

// Note [Containers of a pickle are made once]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// A list or dict has all its elements before it is first used as a value. All uses share the one value that is made then, and a type tag
// changes the type of this value. So a small pickle that refers to a list many times does not become many lists.

const MARK: Item = { kind: "mark" };

const builders: Readonly<Record<string, Type>> = {
  build_intlist: IntType,
  build_tensorlist: TensorType,
  build_doublelist: FloatType,
  build_boollist: BoolType,
};

export class Unpickler {
  private readonly data: Uint8Array;
  private readonly view: DataView;
  private readonly context: UnpicklerContext | null;
  private readonly stack: Item[] = [];
  private readonly memo = new Map<number, Item>();
  private readonly storages = new Map<string, Item>();
  private pos = 0;

  constructor(data: Uint8Array, context: UnpicklerContext | null = null) {
    this.data = data;
    this.view = new DataView(data.buffer, data.byteOffset, data.byteLength);
    this.context = context;
  }

  parse(): IValue {
    for (;;) {
      const op = String.fromCharCode(this.data[this.pos++]);
      if (op === ".") return this.popValue();
      this.step(op);
    }
  }

  private take(bytes: number): number {
    const at = this.pos;
    this.pos += bytes;
    TORCH_CHECK(this.pos <= this.data.length, "Unexpected end of pickler archive.");
    return at;
  }
  private line(): string {
    const end = this.data.indexOf(10, this.pos);
    TORCH_CHECK(end >= 0, "Unexpected end of pickler archive.");
    const text = new TextDecoder().decode(this.data.subarray(this.pos, end));
    this.pos = end + 1;
    return text;
  }
  private pop(): Item {
    const item = this.stack.pop();
    TORCH_CHECK(item !== undefined, "Parsing error: stack is empty");
    return item;
  }
  private top(): Item {
    const item = this.stack[this.stack.length - 1];
    TORCH_CHECK(item !== undefined, "Parsing error: stack is empty");
    return item;
  }
  private memoized(id: number): Item {
    const item = this.memo.get(id);
    TORCH_CHECK(item !== undefined, `Parsing error: out of bounds access at ${id} to memo`);
    return item;
  }
  private popValue(): IValue {
    return as_value(this.pop());
  }
  private toMark(): Item[] {
    const mark = this.stack.lastIndexOf(MARK);
    TORCH_CHECK(mark >= 0, "Parsing error: marks_ is empty");
    const items = this.stack.splice(mark + 1);
    this.stack.pop();
    return items;
  }
  private pushTuple(items: readonly Item[]): void {
    this.stack.push(IValue.fromTuple(items.map(as_value)));
  }

  private step(op: string): void {
    const { stack, view } = this;
    switch (op) {
      case "\x80":
        this.take(1);
        break;
      case "(":
        stack.push(MARK);
        break;
      case "N":
        stack.push(IValue.None);
        break;
      case "\x88":
        stack.push(IValue.True);
        break;
      case "\x89":
        stack.push(IValue.False);
        break;
      case "K":
        stack.push(IValue.fromInt(view.getUint8(this.take(1))));
        break;
      case "M":
        stack.push(IValue.fromInt(view.getUint16(this.take(2), true)));
        break;
      case "J":
        stack.push(IValue.fromInt(view.getInt32(this.take(4), true)));
        break;
      case "\x8a":
        stack.push(this.long());
        break;
      case "G":
        stack.push(IValue.fromDouble(view.getFloat64(this.take(8))));
        break;
      case "X": {
        const size = view.getUint32(this.take(4), true);
        const at = this.take(size);
        stack.push(IValue.fromString(new TextDecoder().decode(this.data.subarray(at, at + size))));
        break;
      }
      case ")":
        stack.push(IValue.fromTuple([]));
        break;
      case "\x85":
      case "\x86":
      case "\x87":
        TORCH_CHECK(stack.length >= op.charCodeAt(0) - 0x84, "Parsing error: stack is empty");
        this.pushTuple(stack.splice(-(op.charCodeAt(0) - 0x84)));
        break;
      case "t":
        this.pushTupleOrStorageKey();
        break;
      case "]":
        stack.push({ kind: "list", items: [], value: null });
        break;
      case "}":
        stack.push({ kind: "dict", entries: [], value: null });
        break;
      case "e":
        this.appends();
        break;
      case "u":
        this.setItems();
        break;
      case "q":
        this.memo.set(view.getUint8(this.take(1)), this.top());
        break;
      case "r":
        this.memo.set(view.getUint32(this.take(4), true), this.top());
        break;
      case "h":
        stack.push(this.memoized(view.getUint8(this.take(1))));
        break;
      case "j":
        stack.push(this.memoized(view.getUint32(this.take(4), true)));
        break;
      case "c": {
        const module = this.line();
        stack.push(this.global(module, this.line()));
        break;
      }
      case "R":
        this.reduce();
        break;
      case "\x81":
        this.newObject();
        break;
      case "b":
        this.build();
        break;
      case "Q":
        this.persistentLoad();
        break;
      default:
        TORCH_CHECK(false, `Unknown opcode for unpickling at 0x${op.charCodeAt(0).toString(16)}`);
    }
  }

  private long(): IValue {
    const size = this.view.getUint8(this.take(1));
    TORCH_CHECK(size === 8, "Expected length to be 8, got ", size);
    const value = this.view.getBigInt64(this.take(8), true);
    return IValue.fromInt(BigInt.asIntN(54, value) === value ? Number(value) : value);
  }

  private appends(): void {
    const items = this.toMark().map(as_value);
    const list = this.top();
    TORCH_CHECK(!(list instanceof IValue) && list.kind === "list", "expected a list");
    TORCH_CHECK(list.value === null, "Parsing error: a list grows after its use");
    list.items.push(...items);
  }
  private setItems(): void {
    const items = this.toMark().map(as_value);
    const dict = this.top();
    TORCH_CHECK(items.length % 2 === 0, "Parsing error: a key of a dict has no value");
    TORCH_CHECK(!(dict instanceof IValue) && dict.kind === "dict", "expected a dict");
    TORCH_CHECK(dict.value === null, "Parsing error: a dict grows after its use");
    for (let i = 0; i < items.length; i += 2) dict.entries.push([items[i], items[i + 1]]);
  }

  // Names

  private resolve(name: string): Type {
    TORCH_CHECK(this.context !== null, `Unpickler could not find the class ${name}`);
    return this.context.type_resolver(name);
  }
  private global(module: string, name: string): Item {
    const full = `${module}.${name}`;
    const fn = (reduce: (args: readonly IValue[]) => IValue): Item => ({ kind: "global", reduce, type: null });
    if (module === "torch.jit._pickle") {
      const element = builders[name];
      if (element !== undefined) return fn(([list]) => with_types(list, ListType.create(element)));
      if (name === "restore_type_tag") return fn(([value, tag]) => this.tagged(value, tag.toStringRef()));
    }
    switch (full) {
      case "builtins.complex":
        return fn(([real, imag]) => IValue.fromComplexDouble({ real: real.toDouble(), imag: imag.toDouble() }));
      case "collections.OrderedDict":
        return fn(() => IValue.None);
      case "torch._utils._rebuild_tensor_v2":
        return fn(() => IValue.None);
      case "torch.device":
        return fn(([device]) => IValue.opaque("Device", Device.parse(device.toStringRef())));
    }
    if (module === "torch" && name.endsWith("Storage")) {
      return { kind: "global", reduce: () => IValue.fromString(name.slice(0, -"Storage".length)), type: null };
    }
    const type = this.resolve(full);
    return { kind: "global", type, reduce: (args) => make_named(type, args) };
  }

  /** A list or dict with the types that its annotation says. */
  private tagged(value: IValue, annotation: string): IValue {
    TORCH_CHECK(this.context !== null);
    return with_types(value, this.context.type_parser(annotation));
  }

  private reduce(): void {
    const args = this.popValue();
    const fn = this.pop();
    TORCH_CHECK(!(fn instanceof IValue) && fn.kind === "global", "expected a function");
    this.stack.push(fn.reduce(args.tag === "Tuple" ? args.toTuple() : [args]));
  }
  private newObject(): void {
    this.pop();
    const cls = this.pop();
    TORCH_CHECK(!(cls instanceof IValue) && cls.kind === "global" && cls.type instanceof ClassType, "expected a class");
    this.stack.push(IValue.fromObject(new Object_(cls.type, cls.type.numAttributes())));
  }
  private build(): void {
    const state = this.pop();
    const object = as_value(this.top()).toObject();
    TORCH_CHECK(!(state instanceof IValue) && state.kind === "dict", "expected the attributes of an object");
    this.context?.define_class?.(object.type() as ClassType, state.entries); // objects of pickles have classes
    for (const [name, value] of state.entries) object.setAttr(name.toStringRef(), value);
  }

  // Tensors

  /** The tuple of a tensor holds a storage, which is no value: the tensor is made at once. */
  private pushTupleOrStorageKey(): void {
    const items = this.toMark();
    const [first] = items;
    const function_below = this.stack[this.stack.length - 1];
    if (first !== undefined && !(first instanceof IValue) && first.kind === "storage") {
      const tensor = rebuild_tensor(first, items.slice(1).map(as_value));
      this.stack[this.stack.length - 1] = { kind: "global", reduce: () => IValue.fromTensor(tensor), type: null };
      TORCH_CHECK(function_below !== undefined);
      this.stack.push(IValue.fromTuple([]));
      return;
    }
    this.pushTuple(items.map((item) => (item instanceof IValue || item.kind !== "global" ? item : item.reduce([]))));
  }

  private persistentLoad(): void {
    const [, type, key, location, size] = this.popValue().toTuple();
    TORCH_CHECK(this.context !== null, "a tensor outside of an archive");
    const name = key.toStringRef();
    let item = this.storages.get(name);
    if (item === undefined) {
      const dtype = ScalarType[type.toStringRef() as keyof typeof ScalarType] as ScalarType | undefined;
      TORCH_CHECK(dtype !== undefined, `unknown storage type ${type.toStringRef()}Storage`);
      const device = this.context.device ?? Device.parse(location.toStringRef());
      const bytes = this.context.read_record(name);
      const cpu = Storage.allocate(bytes.length, GetCPUAllocator(), false);
      cpu.bytes().set(bytes);
      const storage = device.is_cpu() ? cpu : on_device(cpu, dtype, Number(size.toInt()), device);
      item = { kind: "storage", storage, dtype };
      this.storages.set(name, item);
    }
    this.stack.push(item);
  }
}

function over(storage: Storage, dtype: ScalarType, offset: number, size: number[], stride: number[]): Tensor {
  const options = new TensorOptions(dtype, null, storage.device());
  return empty_memory_format([0], options).set__source_Storage_storage_offset(storage, offset, size, stride);
}

function on_device(storage: Storage, dtype: ScalarType, numel: number, device: Device): Storage {
  return over(storage, dtype, 0, [numel], [1]).to_device(device, dtype).storage();
}

function as_value(item: Item): IValue {
  if (item instanceof IValue) return item;
  if (item.kind === "list") return (item.value ??= IValue.fromList(new List(AnyType, item.items)));
  if (item.kind === "dict") return (item.value ??= dict_of(item.entries));
  TORCH_CHECK(false, `unexpected ${item.kind} in a pickle`);
}

function dict_of(entries: readonly (readonly [IValue, IValue])[]): IValue {
  const dict = new Dict(AnyType, AnyType);
  for (const [key, value] of entries) dict.insert(key, value);
  return IValue.fromDict(dict);
}

/** Gives a list or dict the types that an annotation says. The elements were made with theirs. */
function with_types(value: IValue, type: Type): IValue {
  if (value.tag === "GenericList" && type.kind() === "ListType")
    value.toList().unsafeSetElementType(type.containedType());
  if (value.tag === "GenericDict" && type.kind() === "DictType") {
    const dict = value.toGenericDict();
    dict.unsafeSetKeyType(type.containedType(0));
    dict.unsafeSetValueType(type.containedType(1));
  }
  return value;
}

/** A member of an enum from its value, or a named tuple from its elements. */
function make_named(type: Type, args: readonly IValue[]): IValue {
  if (type instanceof EnumType) {
    const member = type.enumNamesValues().find(([, value]) => value.equals(args[0]));
    TORCH_CHECK(member !== undefined, `no member of ${type.annotation_str()} has this value`);
    return IValue.fromEnum(new EnumHolder(type, member[0], member[1]));
  }
  return IValue.fromNamedTuple(args, type);
}

function rebuild_tensor(
  { storage, dtype }: { readonly storage: Storage; readonly dtype: ScalarType },
  [offset, size, stride, requires_grad]: readonly IValue[],
): Tensor {
  const numbers = (value: IValue): number[] => value.toTuple().map((item) => Number(item.toInt()));
  const [sizes, strides, begin] = [numbers(size), numbers(stride), Number(offset.toInt())];
  TORCH_CHECK(sizes.length === strides.length, "a tensor of a pickle has as many strides as sizes");
  const counts = [begin, ...sizes, ...strides];
  TORCH_CHECK(
    counts.every((count) => Number.isSafeInteger(count) && count >= 0),
    "a tensor of a pickle has a negative or a huge size",
  );
  // A reader never makes a storage larger: what a tensor sees must be in the file.
  const end = sizes.includes(0) ? 0 : sizes.reduce((at, n, dim) => at + (n - 1) * strides[dim], begin + 1);
  TORCH_CHECK(
    end * elementSize(dtype) <= storage.nbytes(),
    `a tensor of a pickle needs ${end} elements, and its storage has ${storage.nbytes()} bytes`,
  );
  const tensor = over(storage, dtype, begin, sizes, strides);
  if (requires_grad.toBool()) tensor.set_requires_grad(true);
  return tensor;
}
