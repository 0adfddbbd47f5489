/**
 * @file Your own backend: the operators that PyTorch needs on a device before anything else can be done with it.
 * @original In PyTorch it is what the authors of a backend write, outside of it.
 * @see test/openreg/OpenRegMinimal.ts: the same operators in a complete backend, to compare
 */
import torch from "glasstorch";
import type { Library } from "#aten/core/library";
import { empty_generic, empty_strided_generic } from "#aten/EmptyTensor";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import * as native from "#aten/generated/NativeFunctions";
import { TensorIterator } from "#aten/TensorIterator";
import { Allocator, type DataPtr, DeviceDataPtr } from "#c10/core/Allocator";
import { get_default_dtype } from "#c10/core/DefaultDtype";
import { Device } from "#c10/core/Device";
import { DeviceType } from "#c10/core/DeviceType";
import { DispatchKey } from "#c10/core/DispatchKey";
import { DispatchKeySet } from "#c10/core/DispatchKeySet";
import type { MemoryFormat } from "#c10/core/MemoryFormat";
import type { Scalar } from "#c10/core/Scalar";
import { elementSize, ScalarType } from "#c10/core/ScalarType";
import { TORCH_CHECK } from "#c10/util/Exception";

/** A piece of the card's memory. */
interface Memory {
  readonly address: number;
  readonly nbytes: number;
}

/** Where a tensor's elements are on the card. */
interface Operand {
  readonly memory: Memory;
  readonly offset: number;
  readonly strides: readonly number[];
}

/** The card, and all that it can do. */
interface Card {
  malloc(nbytes: number): Memory;
  upload(memory: Memory, bytes: Uint8Array): void;
  download(memory: Memory): Uint8Array;
  /** out = a + alpha * b, in float32. */
  add(shape: readonly number[], out: Operand, a: Operand, b: Operand, alpha: number): void;
}

const cpu = Device.of(DeviceType.CPU);
const device = new Device(DeviceType.PrivateUse1, 0);
const keys = DispatchKeySet.of(DispatchKey.PrivateUse1);

/** Kernels are given the call's key set first, then the operator's arguments in the order of the schema. */
type Keys = DispatchKeySet;

/** Gives the operators of `m`, a block for aten and PrivateUse1, their kernels. */
export function register(m: Library, card: Card): void {
  // ex:begin(17.name)
  torch.utils.rename_privateuse1_backend("card");
  // ex:stub
  // ex:end

  const allocator = new (class extends Allocator {
    override allocate(nbytes: number): DataPtr {
      // ex:begin(17.empty)
      const memory = card.malloc(nbytes);
      return new DeviceDataPtr(memory.address, memory, device);
      // ex:stub
      // return new DeviceDataPtr(0, null, device);
      // ex:end
    }
    override copy_data(dest: DataPtr, src: DataPtr): void {
      card.upload(dest.get_context() as Memory, card.download(src.get_context() as Memory));
    }
  })();

  // empty.memory_format(SymInt[] size, *, ScalarType? dtype, Layout? layout, Device? device, bool? pin_memory, MemoryFormat? memory_format)
  type Options = [dtype: ScalarType | null, layout: unknown, device: Device | null, pin_memory: boolean | null];
  const empty = (_: Keys, size: number[], ...[dtype, , , , format]: [...Options, MemoryFormat | null]): Tensor =>
    empty_generic(size, allocator, keys, dtype ?? get_default_dtype(), format);
  // ex:begin(17.empty)
  m.impl("empty.memory_format", empty, "empty_card");
  // ex:stub
  // ex:end

  // empty_strided(SymInt[] size, SymInt[] stride, *, ScalarType? dtype, Layout? layout, Device? device, bool? pin_memory)
  // ex:begin(17.to)
  const empty_strided = (_: Keys, size: number[], stride: number[], ...[dtype]: Options): Tensor =>
    empty_strided_generic(size, stride, allocator, keys, dtype ?? get_default_dtype());
  m.impl("empty_strided", empty_strided, "empty_strided_card");
  // ex:stub
  // ex:end

  const memory_of = (t: Tensor): Memory => t.storage().data_ptr().get_context() as Memory;

  /** A tensor of the CPU over a copy of all the bytes behind `t`, with the sizes and strides of `t`. */
  function on_host(t: Tensor): Tensor {
    if (t.device().is_cpu()) return t;
    const bytes = card.download(memory_of(t));
    const host = at.empty_memory_format([bytes.length / elementSize(t.scalar_type())], t.options().device(cpu));
    host.storage().unsafeGetStorageImpl().bytes().set(bytes);
    // ex:begin(17.to)
    return host.as_strided(t.sizes(), t.strides(), t.storage_offset());
    // ex:stub
    // return host;
    // ex:end
  }

  // _copy_from(Tensor self, Tensor dst, bool non_blocking=False) -> Tensor
  const copy_from = (_: Keys, self: Tensor, dst: Tensor): Tensor => {
    // ex:begin(17.to)
    const target = on_host(dst);
    target.copy_(on_host(self));
    if (!dst.device().is_cpu()) card.upload(memory_of(dst), target.storage().unsafeGetStorageImpl().bytes());
    // ex:stub
    // // `target.copy_(source)` between two CPU tensors handles broadcasting, strides and dtypes
    // ex:end
    return dst;
  };
  m.impl("_copy_from", copy_from, "_copy_from_card");

  // ex:begin(17.views)
  m.impl("view", (_: Keys, self: Tensor, size: number[]) => native.view(self, size), "view_card");
  m.impl(
    "as_strided",
    (_: Keys, self: Tensor, size: number[], stride: number[], offset: number | null) =>
      native.as_strided_tensorimpl(self, size, stride, offset),
    "as_strided_card",
  );
  // ex:stub
  // ex:end

  // _local_scalar_dense(Tensor self) -> Scalar
  // ex:begin(17.item)
  m.impl(
    "_local_scalar_dense",
    (_: Keys, self: Tensor) => at._local_scalar_dense(on_host(self)),
    "_local_scalar_dense_card",
  );
  // ex:stub
  // ex:end

  // add.out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)
  const add_out = (_: Keys, self: Tensor, other: Tensor, alpha: Scalar, out: Tensor): Tensor => {
    TORCH_CHECK(out.scalar_type() === ScalarType.Float, "the card adds float32 only");
    // ex:begin(17.add)
    const number = other.device().is_cpu();
    const iter = TensorIterator.binary_op(out, self, number ? other.to_dtype_layout(out.options()) : other);
    const operand = (i: number): Operand => ({
      memory: memory_of(iter.tensor(i)),
      offset: iter.data_offset(i),
      strides: iter.strides(i),
    });
    card.add(iter.shape(), operand(0), operand(1), operand(2), alpha.toDouble());
    // ex:stub
    // TensorIterator.binary_op(out, self, other);
    // ex:end
    return out;
  };
  // ex:begin(17.add)
  m.impl("add.out", add_out, "add_out_card");
  // ex:stub
  // ex:end
}
