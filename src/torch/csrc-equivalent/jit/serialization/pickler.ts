/**
 * @file Writes values of scripts as a pickle, which Python's unpickler can read too.
 * @mirrors torch/csrc/jit/serialization/pickler.cpp
 * @differs Whether a list or an object is written once for all its owners depends in PyTorch on how many owners it has at that moment. Here
 * tensors and modules always are, as in PyTorch if Python holds them too; other values never are.
 */
import type { ClassType } from "#aten/core/class_type";
import type { ComplexDouble, IValue } from "#aten/core/ivalue";
import { type_of } from "#aten/core/ivalue.impl";
import type { Object_ } from "#aten/core/ivalue_inl";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { toString as dtype_name } from "#c10/core/ScalarType";
import type { StorageImpl } from "#c10/core/StorageImpl";
import { TORCH_CHECK } from "#c10/util/Exception";

const Op = {
  MARK: "(",
  STOP: ".",
  BININT: "J",
  BININT1: "K",
  BININT2: "M",
  NONE: "N",
  BINPERSID: "Q",
  REDUCE: "R",
  BINUNICODE: "X",
  APPENDS: "e",
  BUILD: "b",
  GLOBAL: "c",
  BINGET: "h",
  LONG_BINGET: "j",
  BINPUT: "q",
  LONG_BINPUT: "r",
  SETITEMS: "u",
  TUPLE: "t",
  EMPTY_DICT: "}",
  EMPTY_LIST: "]",
  EMPTY_TUPLE: ")",
  BINFLOAT: "G",
  PROTO: "\x80",
  NEWOBJ: "\x81",
  TUPLE1: "\x85",
  TUPLE2: "\x86",
  TUPLE3: "\x87",
  NEWTRUE: "\x88",
  NEWFALSE: "\x89",
  LONG1: "\x8a",
} as const;

/** Bytes that grow. */
class Bytes {
  private data = new Uint8Array(1024);
  private size = 0;

  private reserve(more: number): DataView {
    if (this.size + more > this.data.length) {
      const larger = new Uint8Array(Math.max(this.data.length * 2, this.size + more));
      larger.set(this.data.subarray(0, this.size));
      this.data = larger;
    }
    return new DataView(this.data.buffer, this.size, more);
  }
  op(code: string): void {
    this.reserve(1).setUint8(0, code.charCodeAt(0));
    this.size += 1;
  }
  write(bytes: number, put: (view: DataView) => void): void {
    put(this.reserve(bytes));
    this.size += bytes;
  }
  text(text: string): number {
    const bytes = new TextEncoder().encode(text);
    this.reserve(bytes.length);
    this.data.set(bytes, this.size);
    this.size += bytes.length;
    return bytes.length;
  }
  result(): Uint8Array {
    return this.data.slice(0, this.size);
  }
}

export interface PicklerOptions {
  /** The name under which a class is written. */
  readonly type_name?: (type: ClassType) => string;
  /** Gets the class of each object that is written, in order. */
  readonly memoized_class_types?: ClassType[];
  /** Names of storages that several pickles of an archive share, such as `3.storage`; new ones are added. Without it storages are counted. */
  readonly storage_names?: Map<StorageImpl, string> | null;
}

const specialized_lists: Readonly<Record<string, string>> = {
  IntType: "build_intlist",
  TensorType: "build_tensorlist",
  FloatType: "build_doublelist",
  BoolType: "build_boollist",
};

export class Pickler {
  private readonly bytes = new Bytes();
  private readonly options: PicklerOptions;
  private readonly tensors_: [name: string, tensor: Tensor][] = [];
  private readonly memoized_ = new Map<unknown, number>();
  private readonly memoized_strings_ = new Map<string, number>();
  private readonly memoized_globals_ = new Map<string, number>();
  private readonly memoized_devices_ = new Map<string, number>();
  private readonly memoized_storages_ = new Map<unknown, number>();
  /** Values that the caller holds too. */
  private readonly shared_ = new Set<IValue>();
  private memo_id_ = 0;

  constructor(options: PicklerOptions = {}) {
    this.options = options;
  }

  /** The names of the records that a reader needs, each with a tensor that has their bytes. */
  tensorData(): readonly (readonly [name: string, tensor: Tensor])[] {
    return this.tensors_;
  }
  /** Says that a value has more owners than the one in which it is met. */
  share(value: IValue): IValue {
    this.shared_.add(value);
    return value;
  }

  /** The whole pickle of one value. */
  pickle(value: IValue): Uint8Array {
    this.bytes.op(Op.PROTO);
    this.byte(2);
    this.pushIValue(value);
    this.bytes.op(Op.STOP);
    return this.bytes.result();
  }

  private byte(value: number): void {
    this.bytes.write(1, (view) => view.setUint8(0, value));
  }
  private pushBinGet(id: number): void {
    const is_long = id > 255;
    this.bytes.op(is_long ? Op.LONG_BINGET : Op.BINGET);
    if (is_long) this.bytes.write(4, (view) => view.setUint32(0, id, true));
    else this.byte(id);
  }
  private pushNextBinPut(): number {
    const id = this.memo_id_++;
    const is_long = id > 255;
    this.bytes.op(is_long ? Op.LONG_BINPUT : Op.BINPUT);
    if (is_long) this.bytes.write(4, (view) => view.setUint32(0, id, true));
    else this.byte(id);
    return id;
  }
  /** Writes something once; later it is found by its number. */
  private once<K>(memo: Map<K, number>, key: K, push: () => void): void {
    const known = memo.get(key);
    if (known !== undefined) {
      this.pushBinGet(known);
      return;
    }
    push();
    memo.set(key, this.pushNextBinPut());
  }

  private pushIValue(value: IValue): void {
    const owner = this.shared(value);
    if (owner === null) this.pushIValueImpl(value);
    else this.once(this.memoized_, owner, () => this.pushIValueImpl(value));
  }

  /** The key of a value with several owners; null for others. */
  private shared(value: IValue): unknown {
    if (value.isTensor()) return value.toTensor().impl_;
    if (value.isObject() && (value.toObject().type() as ClassType).is_module()) return value.toObject();
    return this.shared_.has(value) ? value : null;
  }

  private pushIValueImpl(value: IValue): void {
    switch (value.tag) {
      case "Tensor":
        this.pushTensor(value.toTensor());
        break;
      case "Tuple":
        this.pushTuple(value.toTuple());
        break;
      case "Double":
        this.pushDouble(value.toDouble());
        break;
      case "ComplexDouble":
        this.pushComplex(value.payload as ComplexDouble);
        break;
      case "Int":
        this.pushInt(value.payload as number | bigint);
        break;
      case "Bool":
        this.bytes.op(value.toBool() ? Op.NEWTRUE : Op.NEWFALSE);
        break;
      case "String":
        this.pushString(value.toStringRef());
        break;
      case "None":
        this.bytes.op(Op.NONE);
        break;
      case "GenericList":
        this.pushList(value);
        break;
      case "GenericDict":
        this.pushDict(value);
        break;
      case "Object":
        this.pushObject(value.toObject());
        break;
      case "Device":
        this.pushDevice(String(value.payload));
        break;
      case "Enum": {
        this.pushClass(value.toEnumHolder().qualifiedClassName());
        this.pushIValue(value.toEnumHolder().value());
        this.bytes.op(Op.REDUCE);
        break;
      }
      default:
        TORCH_CHECK(false, `Cannot serialize ${value.tagKind()} to a pickle`);
    }
  }

  private pushInt(value: number | bigint): void {
    if (value >= 0 && value <= 0xff) {
      this.bytes.op(Op.BININT1);
      this.byte(Number(value));
    } else if (value >= 0 && value <= 0xffff) {
      this.bytes.op(Op.BININT2);
      this.bytes.write(2, (view) => view.setUint16(0, Number(value), true));
    } else if (value >= -(2 ** 31) && value < 2 ** 31) {
      this.bytes.op(Op.BININT);
      this.bytes.write(4, (view) => view.setInt32(0, Number(value), true));
    } else {
      this.bytes.op(Op.LONG1);
      this.byte(8);
      this.bytes.write(8, (view) => view.setBigInt64(0, BigInt(value), true));
    }
  }
  private pushDouble(value: number): void {
    this.bytes.op(Op.BINFLOAT);
    this.bytes.write(8, (view) => view.setFloat64(0, value));
  }
  private pushComplex({ real, imag }: ComplexDouble): void {
    this.pushGlobal("builtins", "complex");
    this.pushDouble(real);
    this.pushDouble(imag);
    this.bytes.op(Op.TUPLE2);
    this.bytes.op(Op.REDUCE);
  }
  private pushString(text: string): void {
    this.once(this.memoized_strings_, text, () => {
      this.bytes.op(Op.BINUNICODE);
      const size = new TextEncoder().encode(text).length;
      this.bytes.write(4, (view) => view.setUint32(0, size, true));
      this.bytes.text(text);
    });
  }
  private pushGlobal(module: string, name: string): void {
    const key = `${module}\n${name}\n`;
    this.once(this.memoized_globals_, key, () => {
      this.bytes.op(Op.GLOBAL);
      this.bytes.text(key);
    });
  }
  private pushClass(qualified_name: string): void {
    const dot = qualified_name.lastIndexOf(".");
    this.pushGlobal(qualified_name.slice(0, dot), qualified_name.slice(dot + 1));
  }
  private pushDevice(device: string): void {
    this.once(this.memoized_devices_, device, () => {
      this.pushGlobal("torch", "device");
      this.pushString(device);
      this.bytes.op(Op.TUPLE1);
      this.bytes.op(Op.REDUCE);
    });
  }

  private pushTuple(elements: readonly IValue[]): void {
    const short = [Op.EMPTY_TUPLE, Op.TUPLE1, Op.TUPLE2, Op.TUPLE3].at(elements.length);
    if (short === undefined) this.bytes.op(Op.MARK);
    for (const element of elements) this.pushIValue(element);
    this.bytes.op(short ?? Op.TUPLE);
  }

  /** A value between `restore_type_tag(` and `, "List[str]")`. */
  private tagged(value: IValue, push: () => void): void {
    this.pushGlobal("torch.jit._pickle", "restore_type_tag");
    push();
    this.pushString(type_of(value).annotation_str());
    this.bytes.op(Op.TUPLE2);
    this.bytes.op(Op.REDUCE);
  }
  private pushItems(items: readonly IValue[]): void {
    this.bytes.op(Op.EMPTY_LIST);
    this.bytes.op(Op.MARK);
    for (const item of items) this.pushIValue(item);
    this.bytes.op(Op.APPENDS);
  }
  private pushList(value: IValue): void {
    const list = value.toList();
    const builder = specialized_lists[list.elementType().kind()];
    if (builder === undefined) {
      this.tagged(value, () => this.pushItems(list.vec()));
      return;
    }
    this.pushGlobal("torch.jit._pickle", builder);
    this.bytes.op(Op.MARK);
    this.pushItems(list.vec());
    this.bytes.op(Op.TUPLE);
    this.bytes.op(Op.REDUCE);
  }
  private pushDict(value: IValue): void {
    this.tagged(value, () => {
      this.bytes.op(Op.EMPTY_DICT);
      this.bytes.op(Op.MARK);
      for (const { key, value: item } of value.toGenericDict().entries()) {
        this.pushIValue(key);
        this.pushIValue(item);
      }
      this.bytes.op(Op.SETITEMS);
    });
  }

  private pushObject(object: Object_): void {
    const type = object.type() as ClassType; // objects have classes
    this.options.memoized_class_types?.push(type);
    this.pushClass(this.options.type_name?.(type) ?? type.name());
    this.bytes.op(Op.EMPTY_TUPLE);
    this.bytes.op(Op.NEWOBJ);
    this.bytes.op(Op.EMPTY_DICT);
    this.bytes.op(Op.MARK);
    for (const [slot, { name }] of type.getAttributes().entries()) {
      this.pushString(name);
      this.pushIValue(object.getSlot(slot));
    }
    this.bytes.op(Op.SETITEMS);
    this.bytes.op(Op.BUILD);
  }

  // Tensors

  private pushInts(values: readonly number[]): void {
    this.bytes.op(Op.MARK);
    for (const value of values) this.pushInt(value);
    this.bytes.op(Op.TUPLE);
  }
  private pushTensor(tensor: Tensor): void {
    this.pushGlobal("torch._utils", "_rebuild_tensor_v2");
    this.bytes.op(Op.MARK);
    this.pushStorageOfTensor(tensor);
    this.pushInt(tensor.storage_offset());
    this.pushInts(tensor.sizes());
    this.pushInts(tensor.strides());
    this.bytes.op(tensor.requires_grad() ? Op.NEWTRUE : Op.NEWFALSE);
    this.pushGlobal("collections", "OrderedDict"); // the backward hooks, of which there are none
    this.bytes.op(Op.EMPTY_TUPLE);
    this.bytes.op(Op.REDUCE);
    this.bytes.op(Op.TUPLE);
    this.bytes.op(Op.REDUCE);
  }
  private pushStorageOfTensor(tensor: Tensor): void {
    const storage = tensor.storage();
    const key = storage.unsafeGetStorageImpl();
    this.once(this.memoized_storages_, key, () => {
      const name = this.storageName(key);
      this.bytes.op(Op.MARK);
      this.pushString("storage");
      this.pushGlobal("torch", `${dtype_name(tensor.scalar_type())}Storage`);
      this.pushString(name);
      this.pushString(String(tensor.device()));
      this.pushInt(storage.nbytes() / tensor.element_size());
      this.bytes.op(Op.TUPLE);
      this.bytes.op(Op.BINPERSID);
      this.tensors_.push([name, tensor]);
    });
  }
  private storageName(key: StorageImpl): string {
    const names = this.options.storage_names ?? null;
    if (names === null) return String(this.tensors_.length);
    let name = names.get(key);
    if (name === undefined) {
      name = `${names.size}.storage`;
      names.set(key, name);
    }
    return name;
  }
}
