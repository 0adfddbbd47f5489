/**
 * @file Writes a module as an archive: its tensors, its objects as a pickle, and the code of its classes.
 * @mirrors torch/csrc/jit/serialization/export.h#ExportModule
 * @differs Methods `__getstate__` and `__setstate__` are not called.
 */
import { ClassType } from "#aten/core/class_type";
import { Dict } from "#aten/core/Dict";
import { FunctionType } from "#aten/core/function";
import { IValue } from "#aten/core/ivalue";
import { AnyType, BoolType, ListType, StringType, type Type } from "#aten/core/jit_type";
import { List } from "#aten/core/List";
import type { StorageImpl } from "#c10/core/StorageImpl";
import { PyTorchStreamWriter, type WriterFunc } from "#caffe2/serialize/PyTorchStreamWriter";
import { CompilationUnit } from "../api/compilation_unit.ts";
import type { GraphFunction } from "../api/function_impl.ts";
import { ModuleObject } from "../api/module.ts";
import { bytecode_of } from "./export_bytecode.ts";
import { Pickler } from "./pickler.ts";
import { type NamedType, PrintDepsTable, PythonPrint } from "./python_print/index.ts";
import { pickle_source_ranges, SourceRangeTags } from "./source_range_serialization.ts";
import { TypeNameUniquer } from "./type_name_uniquer.ts";

/** The version of the instructions that are written for the light interpreter. */
export const kProducedBytecodeVersion = 8;

/** A shorter record is not compressed. */
const kMinToCompress = 200;

/** Texts beside the module, by name. */
export type ExtraFiles = ReadonlyMap<string, string | Uint8Array>;

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** `code/__torch__/net.py` for `__torch__.net`. */
export function qualifierToArchivePath(qualifier: string): string {
  return `code/${qualifier.replaceAll(".", "/")}.py`;
}

export interface ExportOptions {
  readonly extra_files: ExtraFiles;
  /** Whether the archive has instructions for the light interpreter of phones. */
  readonly bytecode_format?: boolean;
}

interface ArchiveOptions {
  readonly storages?: Map<StorageImpl, string> | null;
  readonly skip_data?: boolean;
  readonly shared?: boolean;
}

/** Lists of any values by name. */
function dict_of_lists(lists: ReadonlyMap<string, readonly IValue[]>): IValue {
  const dict = new Dict(StringType, ListType.create(AnyType));
  for (const [name, values] of lists) {
    dict.insert(IValue.fromString(name), IValue.fromList(new List(AnyType, [...values])));
  }
  return IValue.fromDict(dict);
}

class ScriptModuleSerializer {
  private readonly writer_: PyTorchStreamWriter;
  private readonly constant_table_: IValue[] = [];
  private readonly class_deps_ = new PrintDepsTable();
  private readonly uniquer_ = new TypeNameUniquer();
  private readonly converted_types_: NamedType[] = [];
  /** The printed code of each file, by the prefix that its classes share. */
  private readonly file_streams_ = new Map<string, PythonPrint>();
  private readonly source_range_tags_ = new SourceRangeTags();

  constructor(writer: PyTorchStreamWriter) {
    this.writer_ = writer;
  }

  serialize(module: ModuleObject, { extra_files, bytecode_format }: ExportOptions): void {
    for (const [name, content] of extra_files) {
      this.writer_.writeRecord(`extra/${name}`, typeof content === "string" ? encode(content) : content);
    }
    this.writeArchive(module.ivalue(), "data", "data/");
    this.class_deps_.add(module.type());
    // Printing a class adds the classes that it uses.
    for (let i = 0; i < this.class_deps_.size(); i++) this.convertNamedType(this.class_deps_.at(i));
    this.writeFiles();
    // The constants of the code are apart from the data, so that code can be read without them.
    const constants = IValue.fromTuple([...this.constant_table_]);
    if (bytecode_format) this.writeByteCode(module, constants);
    else this.writeArchive(constants, "constants", "constants/");
    const inputs = module.traced_inputs();
    if (inputs.size > 0)
      this.writeArchive(dict_of_lists(inputs), "traced_inputs", "traced_inputs/", { skip_data: true, shared: true });
    for (const printer of this.file_streams_.values()) this.writer_.setMinVersion(printer.minVersion());
    this.writer_.writeEndOfFile(true);
  }

  /** The constants of the code and the instructions. A storage that both have is written once. */
  private writeByteCode(module: ModuleObject, constants: IValue): void {
    const storages = new Map<StorageImpl, string>();
    this.writeArchive(constants, "constants", "constants/", { storages });
    const methods = bytecode_of(module, this.uniquer_);
    const elements = IValue.fromTuple([IValue.fromInt(kProducedBytecodeVersion), ...methods]);
    this.writeArchive(elements, "bytecode", "constants/", { storages });
  }

  /**
   * @param options.storages names of the storages that were written by earlier calls; others get their names from it. Without it each call
   * counts from 0.
   * @param options.skip_data whether the records of tensors are empty
   * @param options.shared whether the value has more owners than the archive, which a pickle shows
   */
  private writeArchive(
    value: IValue,
    archive_name: string,
    tensor_dir: string,
    { storages = null, skip_data = false, shared = false }: ArchiveOptions = {},
  ): void {
    const memoized_class_types: ClassType[] = [];
    const written = new Set(storages?.values());
    const pickler = new Pickler({
      type_name: (type) => this.uniquer_.getUniqueName(type),
      memoized_class_types,
      storage_names: storages,
    });
    const data = pickler.pickle(shared ? pickler.share(value) : value);
    for (const [name, tensor] of pickler.tensorData()) {
      if (written.has(name)) continue;
      this.writer_.writeRecord(`${tensor_dir}${name}`, skip_data ? new Uint8Array(0) : tensor.storage().bytes());
    }
    this.writer_.writeRecord(`${archive_name}.pkl`, data);
    for (const type of memoized_class_types) this.convertNamedType(type);
  }

  private convertNamedType(type: NamedType): void {
    if (this.converted_types_.some((known) => known.equals(type))) return;
    this.converted_types_.push(type);
    const name = type instanceof FunctionType ? type.function().qualname() : this.uniquer_.getUniqueName(type);
    const qualifier = name.slice(0, name.lastIndexOf("."));
    let printer = this.file_streams_.get(qualifier);
    if (printer === undefined) {
      printer = new PythonPrint({
        constant_table: this.constant_table_,
        deps_table: this.class_deps_,
        type_printer: (named: Type) => (named instanceof ClassType ? this.uniquer_.getUniqueName(named) : null),
        enforce_importable: true,
      });
      this.file_streams_.set(qualifier, printer);
    }
    printer.printNamedType(type);
  }

  private writeFiles(): void {
    for (const [qualifier, printer] of this.file_streams_) {
      const filename = qualifierToArchivePath(qualifier);
      for (const [name, bytes] of [
        [filename, encode(printer.str())],
        [`${filename}.debug_pkl`, pickle_source_ranges(printer.ranges(), this.source_range_tags_)],
      ] as const) {
        this.writer_.writeRecord(name, bytes, bytes.length > kMinToCompress);
      }
    }
  }
}

/** @param archive_name the folder in the archive: the stem of the file's name, or `archive` */
export function ExportModule(
  module: ModuleObject,
  write: WriterFunc,
  archive_name: string,
  options: ExportOptions,
): void {
  new ScriptModuleSerializer(new PyTorchStreamWriter(write, archive_name)).serialize(module, options);
}

/** A module whose `forward` is the function, so that it can be written. */
export function module_of_function(fn: GraphFunction): ModuleObject {
  const cu = new CompilationUnit();
  const type = ClassType.create("__torch__.PlaceholderModule", cu, true);
  cu.register_type(type);
  type.addAttribute("training", BoolType);
  const module = ModuleObject.create(type);
  module.object.setAttr("training", IValue.True);
  fn.ensure_defined();
  const graph = fn.graph().copy();
  graph.block().insertInput(0, "self").setType(type);
  type.addMethod(cu.create_function(`${type.name()}.forward`, graph));
  return module;
}
