/**
 * @file `torch::save` and `torch::load` of modules, optimizers, tensors and lists of tensors; `pickle_save` and `pickle_load` of any value.
 * @mirrors torch/csrc/api/include/torch/serialize.h
 * @differs `save` returns the bytes if it is given no target. `load` of a tensor returns the one that it read.
 */
import type { IValue } from "#aten/core/ivalue";
import { Tensor } from "#aten/generated/core/TensorBody";
import type { Device } from "#c10/core/Device";
import { TORCH_CHECK } from "#c10/util/Exception";
import { PyTorchStreamWriter } from "#caffe2/serialize/PyTorchStreamWriter";
import { CompilationUnit } from "../jit/api/compilation_unit.ts";
import { refuse_damaged } from "../jit/serialization/damaged.ts";
import { SourceImporter } from "../jit/serialization/import_source.ts";
import { Pickler } from "../jit/serialization/pickler.ts";
import { Unpickler } from "../jit/serialization/unpickler.ts";
import { InputArchive, type LoadSource, with_reader } from "./serialize/input-archive.ts";
import { OutputArchive, type SaveTarget } from "./serialize/output-archive.ts";

/** A module or an optimizer: it writes its state to an archive and reads it from one. */
export interface Serializable {
  save(archive: OutputArchive): void;
  load(archive: InputArchive): void;
}

/** All bytes that a writer gets. */
function collected(write: (to: (data: Uint8Array) => void) => void): Uint8Array {
  const parts: Uint8Array[] = [];
  write((data) => parts.push(data.slice()));
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let begin = 0;
  for (const part of parts) {
    bytes.set(part, begin);
    begin += part.length;
  }
  return bytes;
}

function archive_of(value: Serializable | Tensor | readonly Tensor[]): OutputArchive {
  const archive = new OutputArchive();
  if (value instanceof Tensor) archive.write("0", value);
  else if (Array.isArray(value)) for (const [i, tensor] of value.entries()) archive.write(String(i), tensor);
  else {
    TORCH_CHECK(value !== null && value !== undefined, "Cannot serialize empty module");
    (value as Serializable).save(archive);
  }
  return archive;
}

/** Writes to a file or a function; without a target it returns the bytes. */
export function save(value: Serializable | Tensor | readonly Tensor[]): Uint8Array;
export function save(value: Serializable | Tensor | readonly Tensor[], target: SaveTarget): void;
export function save(value: Serializable | Tensor | readonly Tensor[], target?: SaveTarget): Uint8Array | undefined {
  const archive = archive_of(value);
  if (target === undefined) return collected((to) => archive.save_to(to));
  archive.save_to(target);
}

/**
 * Reads into a module, an optimizer or a tensor; the tensors of a list are added to an array.
 * @param device where the tensors are put; null for where they were
 */
export function load(value: Tensor, source: LoadSource, device?: Device | null): Tensor;
export function load(value: Serializable | Tensor[], source: LoadSource, device?: Device | null): void;
export function load(
  value: Serializable | Tensor | Tensor[],
  source: LoadSource,
  device: Device | null = null,
): Tensor | undefined {
  const archive = new InputArchive();
  archive.load_from(source, device);
  if (value instanceof Tensor) return archive.read("0", value);
  if (Array.isArray(value)) {
    for (let i = 0; ; i++) {
      const tensor = archive.try_read(String(i));
      if (tensor === null) return;
      value.push(tensor);
    }
  }
  TORCH_CHECK(value !== null && value !== undefined, "Cannot deserialize empty module");
  value.load(archive);
}

/** Any value as an archive with a pickle, which Python's `torch.load` reads. */
export function pickle_save(ivalue: IValue): Uint8Array {
  return collected((to) => {
    const writer = new PyTorchStreamWriter(to, "archive");
    const pickler = new Pickler();
    const data = pickler.pickle(ivalue);
    for (const [name, tensor] of pickler.tensorData()) writer.writeRecord(`data/${name}`, tensor.storage().bytes());
    writer.writeRecord("data.pkl", data);
    writer.writeEndOfFile(true);
  });
}

/** A value that `pickle_save` wrote, or Python's `torch.save`, if it has only types that scripts have. */
export function pickle_load(data: Uint8Array): IValue {
  return with_reader(data, (reader) =>
    refuse_damaged(() => {
      const importer = new SourceImporter(new CompilationUnit(), [], () => null);
      return new Unpickler(reader.getRecord("data.pkl"), {
        type_resolver: (name) => importer.loadType(name),
        type_parser: (annotation) => importer.parse_type(annotation),
        read_record: (name) => reader.getRecord(`data/${name}`),
        device: null,
      }).parse();
    }),
  );
}
