/**
 * @file Description of a value in a trace: a tensor by its metadata, anything else by its text. It recognizes objects
 * by their shape, not by their class, because the recorder may not import the library.
 * @original
 */
import type { EdgeRecord, TensorRecord, ValueRecord } from "./event.ts";

export interface DescribeOptions {
  readonly values: boolean;
  /** Small numbers of storages in this recording. The Map keeps the storages alive, so the numbers stay unique. */
  readonly storages: Map<object, number>;
  /** Small numbers of autograd nodes in this recording. */
  readonly nodes: Map<object, number>;
}

/** c10::ScalarType's values under the names of `torch.dtype`. */
const dtypeNames: Readonly<Record<number, string>> = {
  0: "uint8",
  1: "int8",
  2: "int16",
  3: "int32",
  4: "int64",
  5: "float16",
  6: "float32",
  7: "float64",
  8: "complex32",
  9: "complex64",
  10: "complex128",
  11: "bool",
  15: "bfloat16",
  27: "uint16",
  28: "uint32",
  29: "uint64",
};

/** The part of c10::TensorImpl that a record needs. */
interface ImplLike {
  sizes(): readonly number[];
  strides(): readonly number[];
  storage_offset(): number;
  dtype(): number;
  device(): { str(): string };
  numel(): number;
  storage_: { unsafeGetStorageImpl?(): object } | object | null;
  is_inference?(): boolean;
  version_counter_?: unknown;
  current_version?(): number;
  data_view?(): ArrayLike<number | bigint>;
  data_offset?(): number;
}

function implOf(value: object): ImplLike | null {
  const tensor = "cdata" in value ? (value as { cdata: unknown }).cdata : value;
  if (typeof tensor !== "object" || tensor === null || !("impl_" in tensor)) return null;
  return (tensor as { impl_: ImplLike }).impl_;
}

export function describeValue(value: unknown, options: DescribeOptions, depth = 0): ValueRecord {
  if (value === null || value === undefined) return null;
  if (typeof value === "number" || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "bigint") return `${value}n`;
  if (Array.isArray(value)) return depth > 3 ? "[...]" : value.map((v) => describeValue(v, options, depth + 1));
  if (typeof value === "function") return value.name === "" ? "function" : value.name;
  if (typeof value !== "object") return String(value);
  const impl = implOf(value);
  if (impl !== null) return describeTensor(impl, options);
  const str = own_method(value, "str");
  if (str !== undefined) return str.call(value) as string;
  const toNumber = own_method(value, "toNumber");
  if (toNumber !== undefined) {
    const number = toNumber.call(value) as number | bigint | boolean;
    return typeof number === "bigint" ? `${number}n` : number;
  }
  if ("start" in value && "stop" in value && "step" in value) return "slice"; // of either language
  return own_method(value, "constructor")?.name ?? "object";
}

/**
 * A method of the object's class. The object itself is not asked: a value that is not known while a graph is recorded answers to every name, and
 * notes the question in the graph.
 */
function own_method(value: object, name: string): (() => unknown) | undefined {
  for (let at: object | null = Object.getPrototypeOf(value); at !== null; at = Object.getPrototypeOf(at)) {
    const method: unknown = Object.getOwnPropertyDescriptor(at, name)?.value;
    if (typeof method === "function") return method as () => unknown;
  }
  return undefined;
}

function describeTensor(impl: ImplLike, options: DescribeOptions): ValueRecord {
  const dtype = dtypeNames[impl.dtype()];
  if (dtype === undefined) return "undefined tensor";
  const record: { -readonly [K in keyof TensorRecord]: TensorRecord[K] } = {
    dtype,
    shape: [...impl.sizes()],
    strides: [...impl.strides()],
    storage: storageNumber(impl, options.storages),
    offset: impl.storage_offset(),
    version: versionOf(impl),
    device: impl.device().str(),
  };
  if (options.values && record.device.startsWith("cpu")) addStatistics(record, impl);
  return record;
}

function storageNumber(impl: ImplLike, storages: Map<object, number>): number | null {
  let storage: unknown = impl.storage_;
  if (typeof storage !== "object" || storage === null) return null;
  const inner = storage as { unsafeGetStorageImpl?(): object; storage_impl_?: object };
  storage = inner.unsafeGetStorageImpl?.() ?? inner.storage_impl_ ?? storage;
  const known = storages.get(storage as object);
  if (known !== undefined) return known;
  storages.set(storage as object, storages.size);
  return storages.size - 1;
}

function versionOf(impl: ImplLike): number | null {
  if (impl.is_inference?.() === true) return null;
  const counter = impl.version_counter_ as { current_version?(): number; enabled?(): boolean } | null | undefined;
  if (counter === null || counter === undefined) return 0;
  if (counter.enabled?.() === false) return null;
  return counter.current_version?.() ?? null;
}

/** A node's small number in this recording. */
export function describeNode(node: object, { nodes }: DescribeOptions): number {
  const known = nodes.get(node);
  if (known !== undefined) return known;
  nodes.set(node, nodes.size);
  return nodes.size - 1;
}

/** The targets of a node's edges: which node, and its input number; null for a gradient that is not needed. */
export function describeEdges(edges: unknown, options: DescribeOptions): (EdgeRecord | null)[] {
  return (edges as readonly { function: object | null; input_nr: number }[]).map((edge) =>
    edge.function === null ? null : { node: describeNode(edge.function, options), input_nr: edge.input_nr },
  );
}

/** Adds an FNV-1a hash of the values in index order, and their extremes. */
function addStatistics(record: { -readonly [K in keyof TensorRecord]: TensorRecord[K] }, impl: ImplLike): void {
  const data = impl.data_view?.();
  const base = impl.data_offset?.();
  if (data === undefined || base === undefined || impl.numel() === 0) return;
  const bytes = new DataView(new ArrayBuffer(8));
  let hash = 0x811c9dc5;
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  const sizes = impl.sizes();
  const strides = impl.strides();
  const index = new Array<number>(sizes.length).fill(0);
  for (let n = impl.numel(); n > 0; n--) {
    let at = base;
    for (let d = 0; d < index.length; d++) at += index[d] * strides[d];
    const value = Number(data[at]);
    bytes.setFloat64(0, value);
    for (let b = 0; b < 8; b++) hash = Math.imul(hash ^ bytes.getUint8(b), 0x01000193) >>> 0;
    if (value < min) min = value;
    if (value > max) max = value;
    for (let d = index.length - 1; d >= 0; d--) {
      index[d] = index[d] + 1;
      if (index[d] < sizes[d]) break;
      index[d] = 0;
    }
  }
  record.checksum = hash.toString(16).padStart(8, "0");
  record.min = min;
  record.max = max;
}
