/**
 * @file The `.pt2` archive: a zip with a program as JSON, its weights and constants as raw bytes, and its example inputs.
 * @mirrors torch/export/pt2_archive/_package.py
 * @differs Tensors of subclasses and custom objects are refused; PyTorch pickles them.
 *
 *     models/model.json                          the graph, its signature, how the module is called
 *     data/weights/weight_0                      one storage; model_weights_config.json says which tensors lie in it, and where
 *     data/constants/tensor_0                    the same for constants
 *     data/sample_inputs/model.pt                (args, kwargs), as torch.save writes them
 *     archive_format, archive_version            pt2, 0
 */
import { RuntimeError, TypeError_, ValueError } from "#c10/util/Exception";
import { call } from "#python/Objects/call";
import { dict_of, PyDict } from "#python/Objects/dictobject";
import { float_value } from "#python/Objects/floatobject";
import { getattr, str } from "#python/Objects/object";
import type { PyTuple } from "#python/Objects/tupleobject";
import { type_of } from "#python/Objects/typeobject";
import { import_module } from "#python/vm/import";
import { PyTorchFileReader, PyTorchFileWriter } from "#torch/_C";
import { OPSET_VERSION, SCHEMA_VERSION } from "#torch/_export/serde/schema";
import { deserialize_graph_module, deserialize_tensor_meta } from "#torch/_export/serde/serialize/deserializer";
import { serialize_graph_module, serialize_tensor_meta } from "#torch/_export/serde/serialize/serializer";
import { record, SymbolTable, serialize_range_constraints } from "#torch/_export/serde/serialize/symbols";
import { kinds } from "#torch/_pickle/values";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { Parameter } from "#torch/nn/parameter/index";
import { _open_file_like, open_target } from "#torch/serialization/files";
import { ExportedProgram } from "../exported_program.ts";
import * as names from "./constants.ts";

type Json = ReadonlyMap<string, unknown>;

const json = (name: "dumps" | "loads", value: unknown): unknown => call(getattr(import_module("json"), name), value);
const decoder = new TextDecoder();

function write(writer: PyTorchFileWriter, name: string, data: Uint8Array | string): void {
  const bytes = typeof data === "string" ? new TextEncoder().encode(data) : data;
  writer.write_record(name, bytes, bytes.length);
}

/** Writes tensors: each storage once. Returns where each tensor lies. */
function write_tensors(
  writer: PyTorchFileWriter,
  tensors: Iterable<readonly [string, Tensor]>,
  dir: string,
  prefix: string,
): PyDict {
  const paths = new Map<unknown, string>();
  const config = new PyDict();
  for (const [fqn, t] of tensors) {
    const storage = t.cpu().untyped_storage();
    const key = t.cdata.storage().unsafeGetStorageImpl();
    let path_name = paths.get(key);
    if (path_name === undefined) {
      path_name = `${prefix}${paths.size}`;
      paths.set(key, path_name);
      writer.write_record(`${dir}${path_name}`, storage as never, storage.nbytes());
    }
    const tensor_meta = serialize_tensor_meta(t);
    config.set(fqn, record({ path_name, is_param: t instanceof Parameter, use_pickle: false, tensor_meta }));
  }
  return record({ config });
}

function write_program(writer: PyTorchFileWriter, model: string, ep: ExportedProgram, opset_version: PyDict): void {
  const weights = [...ep.state_dict] as [string, Tensor][];
  const { WEIGHTS_DIR, WEIGHT_FILENAME_PREFIX, CONSTANTS_DIR, TENSOR_CONSTANT_FILENAME_PREFIX } = names;
  const weights_config = write_tensors(writer, weights, WEIGHTS_DIR, WEIGHT_FILENAME_PREFIX);
  write(writer, names.WEIGHTS_CONFIG_FILENAME_FORMAT(model), json("dumps", weights_config) as string);
  const constants = [...ep.constants] as [string, Tensor][];
  const constants_config = write_tensors(writer, constants, CONSTANTS_DIR, TENSOR_CONSTANT_FILENAME_PREFIX);
  write(writer, names.CONSTANTS_CONFIG_FILENAME_FORMAT(model), json("dumps", constants_config) as string);
  const [major, minor] = SCHEMA_VERSION;
  const program = record({
    graph_module: serialize_graph_module(ep),
    opset_version,
    range_constraints: serialize_range_constraints(ep.range_constraints),
    schema_version: record({ major, minor }),
    verifiers: [ep.dialect],
    torch_version: str(torch.__version__),
    guards_code: [],
  });
  write(writer, names.MODELS_FILENAME_FORMAT(model), json("dumps", program) as string);
  const inputs =
    ep.example_inputs === null
      ? new Uint8Array()
      : (torch.save(ep.example_inputs as never, null as never) as unknown as Uint8Array);
  write(writer, names.SAMPLE_INPUTS_FILENAME_FORMAT(model), inputs);
}

/** Writes a program to a path or a file object; without one, returns the bytes. */
export function save_program(
  ep: unknown,
  f: unknown,
  extra_files: ReadonlyMap<string, unknown> | null,
  opset_version: ReadonlyMap<string, unknown> | null,
): Uint8Array | null {
  if (!(ep instanceof ExportedProgram))
    throw new TypeError_(
      `The 'ep' parameter must be an instance of 'ExportedProgram', got '${type_of(ep).name}' instead.`,
    );
  const target = open_target(f);
  const writer = new PyTorchFileWriter(target.sink as never);
  try {
    writer.set_min_version(6);
    write_program(writer, "model", ep, dict_of([["aten", OPSET_VERSION], ...(opset_version ?? [])]));
    for (const [name, content] of extra_files ?? [])
      write(writer, `${names.EXTRA_DIR}${name}`, typeof content === "string" ? content : bytes_of(content));
    write(writer, names.ARCHIVE_FORMAT_PATH, names.ARCHIVE_FORMAT_VALUE);
    write(writer, names.ARCHIVE_VERSION_PATH, names.ARCHIVE_VERSION_VALUE);
    write(writer, "byteorder", "little");
    writer.write_end_of_file();
  } finally {
    writer.close();
  }
  return target.done();
}

const bytes_of = (content: unknown): Uint8Array =>
  content instanceof Uint8Array ? content : ((content as { readonly data: Uint8Array }).data ?? new Uint8Array());

/** The tensors of a config, with shared storages. */
function read_tensors(reader: PyTorchFileReader, config_name: string, dir: string): Map<string, Tensor> {
  const config = (json("loads", decoder.decode(reader.get_record(config_name))) as Json).get("config");
  const storages = new Map<string, ReturnType<PyTorchFileReader["get_storage_from_record"]>>();
  const tensors = new Map<string, Tensor>();
  for (const [fqn, meta] of config as ReadonlyMap<string, Json>) {
    if (meta.get("use_pickle") === true)
      throw new RuntimeError(`Unsupported constant type: ${str(meta.get("path_name"))}`);
    const path = `${dir}${str(meta.get("path_name"))}`;
    const symbols = new SymbolTable(new Map());
    const { dtype, requires_grad, ...shape } = deserialize_tensor_meta(meta.get("tensor_meta") as Json, symbols);
    const [size, stride] = [shape.size, shape.stride].map((exprs) => exprs.map((expr) => symbols.example(expr)));
    const storage_offset = symbols.example(shape.storage_offset);
    let storage = storages.get(path);
    if (storage === undefined) {
      storage = reader.get_storage_from_record(path, reader.get_record(path).length);
      storages.set(path, storage);
    }
    const t = torch.empty([0], { dtype: dtype as never });
    torch.no_grad(() => t.set_(storage as never, storage_offset, size, stride));
    const is_param = meta.get("is_param") === true;
    tensors.set(fqn, is_param ? (new Parameter(t as never, requires_grad) as never) : t.requires_grad_(requires_grad));
  }
  return tensors;
}

/** Versions of operators that this library does not have are refused. */
function check_versions(program: Json, expected: ReadonlyMap<string, unknown> | null): void {
  const version = program.get("schema_version") as Json;
  if (Number(version.get("major")) !== SCHEMA_VERSION[0])
    throw new RuntimeError(
      `Serialized schema version ${str(version.get("major"))} does not match our current schema version ${SCHEMA_VERSION[0]}.`,
    );
  const wanted = new Map<string, unknown>([["aten", OPSET_VERSION], ...(expected ?? [])]);
  for (const [name, number] of program.get("opset_version") as Json)
    if (wanted.has(name) && Number(wanted.get(name)) !== Number(number))
      throw new RuntimeError(`Compiler doesn't have a version guard for op namespace: ${name} ver: ${str(number)}`);
}

/** Reads the program of an archive. @param extra_files gets the contents of the extra files that it names */
export function load_program(
  f: unknown,
  extra_files: Map<string, unknown> | null,
  expected_opset_version: ReadonlyMap<string, unknown> | null,
): ExportedProgram {
  const reader = new PyTorchFileReader(_open_file_like(f).source as never);
  try {
    if (!reader.has_record(names.ARCHIVE_FORMAT_PATH))
      throw new ValueError("The archive is not a valid pt2 archive: it has no record archive_format");
    const model = "model";
    const program = json("loads", decoder.decode(reader.get_record(names.MODELS_FILENAME_FORMAT(model)))) as Json;
    check_versions(program, expected_opset_version);
    const symbols = new SymbolTable(program.get("range_constraints") as Json);
    const parts = deserialize_graph_module(program.get("graph_module") as Json, symbols);
    const state_dict = dict_of(read_tensors(reader, names.WEIGHTS_CONFIG_FILENAME_FORMAT(model), names.WEIGHTS_DIR));
    const constants = read_tensors(reader, names.CONSTANTS_CONFIG_FILENAME_FORMAT(model), names.CONSTANTS_DIR);
    const sample = reader.get_record(names.SAMPLE_INPUTS_FILENAME_FORMAT(model));
    for (const name of [...(extra_files?.keys() ?? [])])
      extra_files?.set(name, decoder.decode(reader.get_record(`${names.EXTRA_DIR}${name}`)));
    const [dialect] = program.get("verifiers") as string[];
    return new ExportedProgram({
      root: parts.graph_module,
      graph: parts.graph_module.graph,
      graph_signature: parts.graph_signature,
      state_dict,
      range_constraints: symbols.range_constraints(),
      module_call_graph: parts.module_call_graph,
      example_inputs: sample.length === 0 ? null : example_inputs(sample),
      constants,
      dialect: dialect === "TRAINING" ? "TRAINING" : "ATEN",
    });
  } finally {
    reader.close();
  }
}

/** The arguments of the export, as a program sees them. */
function example_inputs(bytes: Uint8Array): PyTuple {
  const before = { ...kinds };
  Object.assign(kinds, { dict: () => new PyDict(), float: float_value });
  try {
    return torch.load(bytes as never, { weights_only: false } as never) as never;
  } finally {
    Object.assign(kinds, before);
  }
}
