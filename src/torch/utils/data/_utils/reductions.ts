/**
 * @file Conversion of values to messages between threads and back: tensors as their bytes, lists and mappings entry by entry.
 * @mirrors torch/multiprocessing/reductions.py
 * @differs Ours copies the bytes into a message, so tensors that shared a storage no longer do; PyTorch's processes share the memory of a
 * storage.
 */
import { RuntimeError, TypeError_ } from "#c10/util/Exception";
import { Float, isDict, isFloat, python_type } from "#torch/_C";
import { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import type { dtype } from "#torch/types";

interface ReducedTensor {
  readonly dtype: string;
  readonly size: readonly number[];
  /** The strides of the tensor; null if several of its elements shared a position in memory. */
  readonly stride: readonly number[] | null;
  readonly requires_grad: boolean;
  /** The bytes of the elements, in the order of the indices. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** A plain object in a message has one key, which names the kind of value. */
type Reduced = { readonly tensor: ReducedTensor } | { readonly float: number } | { readonly dict: [string, unknown][] };

/** The message for `value`. */
export function reduce(value: unknown): unknown {
  if (value instanceof Tensor) return { tensor: reduce_tensor(value) } satisfies Reduced;
  if (Array.isArray(value)) return value.map(reduce);
  if (value instanceof Map) return new Map([...value].map(([key, entry]) => [reduce(key), reduce(entry)]));
  if (value instanceof Set) return new Set([...value].map(reduce));
  if (isFloat(value)) return { float: value.value } satisfies Reduced;
  if (isDict(value))
    return { dict: Object.entries(value).map(([key, entry]) => [key, reduce(entry)]) } satisfies Reduced;
  if (ArrayBuffer.isView(value)) return (value as Uint8Array).slice(); // only this part, without the rest of its buffer
  if (value === null || (typeof value !== "object" && typeof value !== "function" && typeof value !== "symbol"))
    return value;
  if (value instanceof ArrayBuffer || value instanceof Date) return value;
  throw new TypeError_(
    `only tensors, numbers, strings, lists, dicts and typed arrays can be sent to another thread, not a ${python_type(value)}`,
  );
}

function reduce_tensor(tensor: Tensor): ReducedTensor {
  if (tensor.requires_grad && !tensor.is_leaf) {
    throw new RuntimeError(
      "Cowardly refusing to serialize non-leaf tensor which requires_grad, since autograd does not support crossing process " +
        "boundaries.  If you just want to transfer the data, call detach() on the tensor before serializing (e.g., putting it on the queue).",
    );
  }
  const size = [...tensor.shape];
  const stride = [...tensor.stride()];
  const dense = tensor.detach().contiguous();
  const begin = dense.storage_offset() * dense.itemsize;
  return {
    dtype: String(tensor.dtype).replace("torch.", ""),
    size,
    stride: size.some((length, dim) => length > 1 && stride[dim] === 0) ? null : stride,
    requires_grad: tensor.requires_grad,
    bytes: dense
      .untyped_storage()
      .bytes()
      .slice(begin, begin + dense.numel() * dense.itemsize) as Uint8Array<ArrayBuffer>,
  };
}

function rebuild_tensor({ dtype, size, stride, requires_grad, bytes }: ReducedTensor): Tensor {
  const options = { dtype: (torch as unknown as Record<string, dtype>)[dtype] };
  let tensor = torch.empty([...size], options);
  tensor.untyped_storage().bytes().set(bytes);
  if (stride !== null && tensor.stride().some((step, dim) => step !== stride[dim]))
    tensor = torch.empty_strided([...size], [...stride], options).copy_(tensor);
  return requires_grad ? tensor.requires_grad_() : tensor;
}

/** The value that a message describes. */
export function rebuild(message: unknown): unknown {
  if (Array.isArray(message)) return message.map(rebuild);
  if (message instanceof Map) return new Map([...message].map(([key, entry]) => [rebuild(key), rebuild(entry)]));
  if (message instanceof Set) return new Set([...message].map(rebuild));
  if (!isDict(message)) return message;
  const reduced = message as unknown as Reduced;
  if ("tensor" in reduced) return rebuild_tensor(reduced.tensor);
  if ("float" in reduced) return Float(reduced.float);
  return Object.fromEntries(reduced.dict.map(([key, entry]) => [key, rebuild(entry)]));
}

/** The buffers in a message, which are transferred and not copied again. */
export function buffers_of(message: unknown, found: ArrayBuffer[] = []): ArrayBuffer[] {
  if (Array.isArray(message)) for (const entry of message) buffers_of(entry, found);
  else if (message instanceof Map) for (const entry of message.values()) buffers_of(entry, found);
  else if (isDict(message) && "tensor" in message) found.push((message["tensor"] as ReducedTensor).bytes.buffer);
  else if (isDict(message) && "dict" in message)
    buffers_of(
      (message["dict"] as [string, unknown][]).map((e) => e[1]),
      found,
    );
  return found;
}
