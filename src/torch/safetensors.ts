/**
 * @file Reading and writing of the format safetensors: a length, a header in JSON, and the bytes of the tensors.
 * @original The Python package safetensors, module `safetensors.torch`, which `torch.load` calls.
 */
import { Exception, named, RuntimeError, TypeError_, ValueError } from "#c10/util/Exception";
import { python_type, type ReadableFile, ReplacedFile, type THPDtype } from "./_C.ts";
import { def } from "./_signature.ts";
import { Tensor } from "./_tensor/index.ts";
import { torch } from "./_torch.ts";
import { BITS, HeaderError, parse_header, type TensorInfo } from "./safetensors_header.ts";
import { _open_file_like, as_bytes, as_path, open_target } from "./serialization/files.ts";
import type { DeviceLike } from "./types.ts";

/** The error for a damaged file, or for a value that the format cannot hold: `safetensors.SafetensorError`. */
export class SafetensorError extends Exception {}
named(SafetensorError, "SafetensorError");

const DTYPES = {
  F64: "float64",
  F32: "float32",
  F16: "float16",
  BF16: "bfloat16",
  I64: "int64",
  I32: "int32",
  I16: "int16",
  I8: "int8",
  U8: "uint8",
  BOOL: "bool",
  U64: "uint64",
  U32: "uint32",
  U16: "uint16",
} as const;

const LARGEST_HEADER = 100_000_000;

// Writing

function kind_of(name: string, { dtype }: Tensor): string {
  const kind = Object.entries(DTYPES).find(([, known]) => dtype === torch[known])?.[0];
  if (kind === undefined) throw new ValueError(`Key \`${name}\`: safetensors have no dtype ${dtype}`);
  return kind;
}

function check_tensors(tensors: unknown): Map<string, Tensor> {
  const is_object = typeof tensors === "object" && tensors !== null;
  if (!is_object || Array.isArray(tensors) || tensors instanceof Tensor)
    throw new ValueError(`Expected a dict of [str, torch.Tensor] but received <class '${python_type(tensors)}'>`);
  const dict =
    tensors instanceof Map ? new Map<unknown, unknown>(tensors) : new Map<unknown, unknown>(Object.entries(tensors));
  const by_storage = new Map<unknown, string[]>();
  for (const [name, tensor] of dict) {
    if (typeof name !== "string")
      throw new TypeError_(`argument 'tensor_dict': '${python_type(name)}' object is not an instance of 'str'`);
    if (!(tensor instanceof Tensor))
      throw new ValueError(
        `Key \`${name}\` is invalid, expected torch.Tensor but received <class '${python_type(tensor)}'>`,
      );
    const storage = tensor.untyped_storage();
    if (storage.data_ptr() !== 0) by_storage.set(storage, [...(by_storage.get(storage) ?? []), name]);
  }
  check_shared([...by_storage.values()].filter((names) => names.length > 1));
  for (const [name, tensor] of dict as Map<string, Tensor>)
    if (!tensor.is_contiguous())
      throw new ValueError(
        `You are trying to save a non contiguous tensor: \`${name}\` which is not allowed. It either means you are trying to save tensors which are reference of each other in which case it's recommended to save only the full tensors, and reslice at load time, or simply call \`.contiguous()\` on your tensor to pack it before saving.`,
      );
  return dict as Map<string, Tensor>;
}

function check_shared(failing: readonly string[][]): void {
  if (failing.length === 0) return;
  const sets = failing.map((names) => `{${names.map((name) => `'${name}'`).join(", ")}}`).join(", ");
  const indent = " ".repeat(12);
  throw new RuntimeError(
    `\n${indent}Some tensors share memory, this will lead to duplicate memory on disk and potential differences when loading them again: [${sets}].\n${indent}A potential way to correctly save your model is to use \`save_model\`.\n${indent}More information at https://huggingface.co/docs/safetensors/torch_shared_tensors\n${indent}`,
  );
}

/** The parts of the file, in order. */
function* parts_of(given: unknown, metadata: Readonly<Record<string, string>> | null): IterableIterator<Uint8Array> {
  const tensors = check_tensors(given);
  const kinds = new Map([...tensors].map(([name, tensor]) => [name, kind_of(name, tensor)]));
  const kinds_in_order = [...BITS.keys()];
  const rank = (name: string): number => kinds_in_order.indexOf(kinds.get(name) as string);
  const names = [...tensors.keys()].sort((a, b) => rank(b) - rank(a) || (a < b ? -1 : 1));
  const entries: [string, unknown][] = metadata === null ? [] : [["__metadata__", metadata]];
  let end = 0;
  for (const name of names) {
    const tensor = tensors.get(name) as Tensor;
    const begin = end;
    end += tensor.numel() * tensor.element_size();
    entries.push([name, { dtype: kinds.get(name), shape: tensor.size(), data_offsets: [begin, end] }]);
  }
  // Built as text, because an object would put keys that are array indices first.
  const json = `{${entries.map(([name, info]) => `${JSON.stringify(name)}:${JSON.stringify(info)}`).join(",")}}`;
  const text = new TextEncoder().encode(json);
  const header = new Uint8Array(Math.ceil(text.length / 8) * 8).fill(" ".charCodeAt(0));
  header.set(text);
  const length = new Uint8Array(8);
  new DataView(length.buffer).setBigUint64(0, BigInt(header.length), true);
  yield length;
  yield header;
  for (const name of names) yield bytes_of(tensors.get(name) as Tensor);
}

/** The bytes of a tensor. Precondition: the tensor is contiguous. */
function bytes_of(tensor: Tensor): Uint8Array {
  const size = tensor.element_size();
  const begin = tensor.storage_offset() * size;
  return tensor
    .untyped_storage()
    .cpu()
    .cdata.bytes()
    .subarray(begin, begin + tensor.numel() * size);
}

type TensorDict = Readonly<Record<string, Tensor>> | ReadonlyMap<string, Tensor>;

/** The bytes of a file with these tensors. */
export const save = def(
  "save(tensors: dict, metadata: dict=None)",
  (tensors: TensorDict, metadata: Readonly<Record<string, string>> | null): Uint8Array => {
    const target = open_target(null);
    for (const part of parts_of(tensors, metadata)) write_to(target.sink, part);
    return target.done() as Uint8Array;
  },
);

function write_to(sink: unknown, part: Uint8Array): void {
  (sink as { write(data: Uint8Array): unknown }).write(part);
}

/**
 * Writes tensors to a file. They must be contiguous, and must not share memory.
 * @param metadata strings that are stored in the header.
 */
export const save_file = def(
  "save_file(tensors: dict, filename, metadata: dict=None)",
  (tensors: TensorDict, filename: string | URL, metadata: Readonly<Record<string, string>> | null): void => {
    const path = as_path(filename);
    if (path === null) throw new TypeError_(`expected str or URL, not ${python_type(filename)}`);
    const file = new ReplacedFile(path);
    try {
      for (const part of parts_of(tensors, metadata)) file.write(part);
      file.finish();
    } finally {
      file.abandon();
    }
  },
);

// Reading

function dtype_of(kind: string): THPDtype {
  const name = (DTYPES as Readonly<Record<string, string>>)[kind];
  if (name === undefined) throw new SafetensorError(`tensors of dtype ${kind} are not built here`);
  return torch[name as (typeof DTYPES)[keyof typeof DTYPES]];
}

/** The tensors in `bytes`. `what` is read: an error says so. */
function read(bytes: Uint8Array, what: "" | " header"): Record<string, Tensor> {
  const failed = (message: string): SafetensorError =>
    new SafetensorError(`Error while deserializing${what}: ${message}`);
  if (bytes.length < 8) throw failed("header too small");
  const length = new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true);
  if (length > LARGEST_HEADER) throw failed("header too large");
  const data_begin = 8 + Number(length);
  if (data_begin > bytes.length) throw failed("invalid header length");
  let infos: [string, TensorInfo][];
  try {
    infos = parse_header(bytes.subarray(8, data_begin), bytes.length - data_begin);
  } catch (error) {
    throw error instanceof HeaderError ? failed(error.message) : error;
  }
  const tensors: Record<string, Tensor> = {};
  for (const [name, { dtype, shape, data_offsets }] of infos) {
    const tensor = torch.empty([...shape], { dtype: dtype_of(dtype) });
    const [begin, end] = data_offsets;
    if (end > begin)
      tensor
        .untyped_storage()
        .cdata.bytes()
        .set(bytes.subarray(data_begin + begin, data_begin + end));
    Object.defineProperty(tensors, name, { value: tensor, writable: true, enumerable: true, configurable: true });
  }
  return tensors;
}

/** The tensors in the bytes of a file, each with memory of its own. */
export const load = def("load(data)", (data: Uint8Array | ArrayBuffer): Record<string, Tensor> => {
  const bytes = as_bytes(data);
  if (bytes === null)
    throw new TypeError_(`argument 'bytes': '${python_type(data)}' object is not an instance of 'bytes'`);
  return read(bytes, "");
});

/** The tensors in a file. */
export const load_file = def(
  "load_file(filename: FileLike, device='cpu')",
  (filename: string | URL | Uint8Array | ReadableFile, device: DeviceLike): Record<string, Tensor> => {
    const tensors = read(_open_file_like(filename).rest(), " header");
    if (String(device) !== "cpu")
      for (const [name, tensor] of Object.entries(tensors)) tensors[name] = tensor.to(device);
    return tensors;
  },
);
