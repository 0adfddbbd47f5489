/**
 * @file Reads a module from an archive.
 * @mirrors torch/csrc/jit/serialization/import.cpp
 */
import type { IValue } from "#aten/core/ivalue";
import type { Device } from "#c10/core/Device";
import { TORCH_CHECK } from "#c10/util/Exception";
import type { PyTorchStreamReader } from "#caffe2/serialize/PyTorchStreamReader";
import { CompilationUnit } from "../api/compilation_unit.ts";
import { ModuleObject } from "../api/module.ts";
import { Source } from "../frontend/source_range.ts";
import { refuse_damaged } from "./damaged.ts";
import { qualifierToArchivePath } from "./export_module.ts";
import { SourceImporter, type SourceLoader } from "./import_source.ts";
import { ConcreteSourceRangeUnpickler } from "./source_range_serialization.ts";
import { Unpickler } from "./unpickler.ts";

function findSourceInArchive(reader: PyTorchStreamReader): SourceLoader {
  return (qualifier) => {
    const path = qualifierToArchivePath(qualifier);
    if (!reader.hasRecord(path)) return null;
    const debug = `${path}.debug_pkl`;
    const ranges = reader.hasRecord(debug) ? new ConcreteSourceRangeUnpickler(reader.getRecord(debug)) : null;
    return new Source(new TextDecoder().decode(reader.getRecord(path)), path, 1, ranges);
  };
}

class ScriptModuleDeserializer {
  private readonly reader_: PyTorchStreamReader;
  private readonly device_: Device | null;
  private readonly constant_table_: IValue[] = [];
  private readonly importer_: SourceImporter;

  constructor(reader: PyTorchStreamReader, device: Device | null) {
    this.reader_ = reader;
    this.device_ = device;
    this.importer_ = new SourceImporter(new CompilationUnit(), this.constant_table_, findSourceInArchive(reader));
  }

  deserialize(): ModuleObject {
    this.constant_table_.push(...this.readArchive("constants").toTuple());
    const module = this.readArchive("data");
    TORCH_CHECK(module.isObject(), "the archive holds no module");
    return new ModuleObject(module.toObject());
  }

  private readArchive(archive_name: string): IValue {
    const unpickler = new Unpickler(this.reader_.getRecord(`${archive_name}.pkl`), {
      type_resolver: (name) => this.importer_.loadType(name),
      type_parser: (annotation) => this.importer_.parse_type(annotation),
      read_record: (name) => this.reader_.getRecord(`${archive_name}/${name}`),
      device: this.device_,
    });
    return unpickler.parse();
  }
}

/** @param device where the tensors are put; null for where they were */
export function import_ir_module(reader: PyTorchStreamReader, device: Device | null): ModuleObject {
  return refuse_damaged(() => new ScriptModuleDeserializer(reader, device).deserialize());
}
