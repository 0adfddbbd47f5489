/**
 * @file An archive that is read. It may have been written by C++, by Python's `torch.jit.save`, or here.
 * @mirrors torch/csrc/api/include/torch/serialize/input-archive.h
 * @differs A reference cannot be assigned in JavaScript: the methods return what they read, and a tensor that is given and defined gets the
 * values too.
 */
import type { IValue } from "#aten/core/ivalue";
import { Tensor } from "#aten/generated/core/TensorBody";
import type { Device } from "#c10/core/Device";
import { NoGradGuard } from "#c10/core/GradMode";
import { TORCH_CHECK, TypeError_ } from "#c10/util/Exception";
import { FileAdapter } from "#caffe2/serialize/file_adapter";
import { MemoryReadAdapter } from "#caffe2/serialize/in_memory_adapter";
import { PyTorchStreamReader } from "#caffe2/serialize/PyTorchStreamReader";
import type { ModuleObject } from "../../jit/api/module.ts";
import { import_ir_module } from "../../jit/serialization/import.ts";

/** Where an archive comes from: its bytes, or in Node the path of the file. */
export type LoadSource = Uint8Array | string;

/** The bytes that an adapter gives, for the time of a call. */
export function with_reader<T>(source: LoadSource, fn: (reader: PyTorchStreamReader) => T): T {
  if (!(source instanceof Uint8Array) && typeof source !== "string")
    throw new TypeError_(`torch.load takes bytes or a path, not ${typeof source}`);
  const adapter = typeof source === "string" ? new FileAdapter(source) : new MemoryReadAdapter(source);
  try {
    return fn(new PyTorchStreamReader(adapter));
  } finally {
    if (adapter instanceof FileAdapter) adapter.close();
  }
}

export class InputArchive {
  private module_: ModuleObject | null = null;
  /** The keys above this archive, each with a dot, for messages. */
  private hierarchy_prefix_ = "";

  /** @param device where the tensors are put; null for where they were */
  load_from(source: LoadSource, device: Device | null = null): void {
    this.module_ = with_reader(source, (reader) => import_ir_module(reader, device));
  }
  private module(): ModuleObject {
    TORCH_CHECK(this.module_ !== null, "the archive is empty: call load_from first");
    return this.module_;
  }
  private find(kind: "PARAMETER" | "BUFFER" | "MODULE", key: string): IValue | null {
    for (const [name, value] of this.module().slots(kind)) if (name === key) return value;
    return null;
  }

  keys(): string[] {
    return this.module()
      .type()
      .getAttributes()
      .map(({ name }) => name);
  }

  /** A tensor, or null. @param tensor gets the values, if it is defined */
  try_read(key: string, tensor: Tensor = new Tensor(), is_buffer = false): Tensor | null {
    const [parameter, buffer] = [this.find("PARAMETER", key), this.find("BUFFER", key)];
    if (parameter === null && buffer === null) return null;
    TORCH_CHECK(
      (buffer !== null) === is_buffer,
      `Expected deserialized tensor for key '${this.hierarchy_prefix_}${key}' to ${is_buffer ? "" : "not "}be a buffer, but it was ${is_buffer ? "not" : ""}`,
    );
    const read = ((is_buffer ? buffer : parameter) as IValue).toTensor() as Tensor;
    if (!tensor.defined()) return read;
    const no_grad = new NoGradGuard();
    try {
      if (tensor.device().eq(read.device())) tensor.set__source_Tensor(read);
      else tensor.set_data(read);
    } finally {
      no_grad.restore();
    }
    return tensor;
  }
  read(key: string, tensor: Tensor = new Tensor(), is_buffer = false): Tensor {
    const read = this.try_read(key, tensor, is_buffer);
    TORCH_CHECK(read !== null, `No such serialized tensor '${this.hierarchy_prefix_}${key}'`);
    return read;
  }

  /** A value that is no tensor of a module, or null. */
  try_read_ivalue(key: string): IValue | null {
    return this.module().type().hasAttribute(key) ? this.module().attr(key) : null;
  }
  read_ivalue(key: string): IValue {
    const value = this.try_read_ivalue(key);
    TORCH_CHECK(value !== null, `No such serialized IValue '${this.hierarchy_prefix_}${key}'`);
    return value;
  }

  /** A nested archive, or null. */
  try_read_archive(key: string): InputArchive | null {
    for (const [name, child] of this.module().named_children()) {
      if (name !== key) continue;
      const archive = new InputArchive();
      archive.module_ = child;
      archive.hierarchy_prefix_ = `${this.hierarchy_prefix_}${key}.`;
      return archive;
    }
    return null;
  }
  read_archive(key: string): InputArchive {
    const archive = this.try_read_archive(key);
    TORCH_CHECK(archive !== null, `No such serialized submodule: '${this.hierarchy_prefix_}${key}'`);
    return archive;
  }
}
