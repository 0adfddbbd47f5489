/**
 * @file Reads an archive with instructions: `bytecode.pkl` for the methods, `data.pkl` for the objects. No code is compiled.
 * @mirrors torch/csrc/jit/mobile/import.cpp
 */
import { ClassType } from "#aten/core/class_type";
import type { IValue } from "#aten/core/ivalue";
import { type_of } from "#aten/core/ivalue.impl";
import { AnyType, type Type } from "#aten/core/jit_type";
import type { Device } from "#c10/core/Device";
import { TORCH_CHECK } from "#c10/util/Exception";
import type { PyTorchStreamReader } from "#caffe2/serialize/PyTorchStreamReader";
import { refuse_damaged } from "../serialization/damaged.ts";
import { Unpickler } from "../serialization/unpickler.ts";
import { MobileFunction } from "./function.ts";
import { MobileModule } from "./module.ts";
import { field, parseCode, parseSchema } from "./parse_bytecode.ts";
import { TypeParser } from "./type_parser.ts";

const kMinSupportedBytecodeVersion = 4;
const kMaxSupportedBytecodeVersion = 9;

/** Reads pickles of an archive. Classes are known by name only, until an object shows their attributes. */
class BytecodeDeserializer {
  private readonly reader_: PyTorchStreamReader;
  private readonly device_: Device | null;
  private readonly classes_ = new Map<string, ClassType>();

  constructor(reader: PyTorchStreamReader, device: Device | null) {
    this.reader_ = reader;
    this.device_ = device;
  }

  class_type(name: string): ClassType {
    let type = this.classes_.get(name);
    if (type === undefined) {
      type = ClassType.create(name, this, true);
      this.classes_.set(name, type);
    }
    return type;
  }

  /** @param tensors the folder of the storages */
  readArchive(name: string, tensors: string): IValue {
    const unpickler = new Unpickler(this.reader_.getRecord(`${name}.pkl`), {
      type_resolver: (type) => this.class_type(type),
      type_parser: (text) => this.parse_type(text),
      read_record: (record) => this.reader_.getRecord(`${tensors}/${record}`),
      device: this.device_,
      define_class: (type, state) => {
        for (const [attribute, value] of state) {
          if (!type.hasAttribute(attribute.toStringRef()))
            type.addAttribute(attribute.toStringRef(), type_or_any(value));
        }
      },
    });
    return unpickler.parse();
  }

  private parse_type(text: string): Type {
    return new TypeParser(text, this).parse();
  }

  deserialize(): MobileModule {
    const [version, ...methods] = this.readArchive("bytecode", "constants").toTuple();
    checkVersion(version);
    const functions = new Map<string, MobileFunction>();
    const operators = new Set<string>();
    const find_method = (object: IValue, name: string): MobileFunction => {
      const fn = functions.get(`${object.toObject().name()}.${name}`);
      TORCH_CHECK(fn !== undefined, `Couldn't find method: '${name}' on class: '${object.toObject().name()}'`);
      return fn;
    };
    for (const method of methods) {
      const [name, code, schema] = method.toTuple();
      TORCH_CHECK(schema !== undefined, "a method of the bytecode has no schema");
      const qualname = name.toStringRef();
      const parts = { code: parseCode(code, this), schema: parseSchema(qualname, schema, this) };
      functions.set(qualname, new MobileFunction(qualname, parts, find_method));
      for (const [op, overload] of operators_of(code)) operators.add(overload === "" ? op : `${op}.${overload}`);
    }
    const module = this.readArchive("data", "data");
    TORCH_CHECK(module.isObject(), "the archive holds no module");
    return new MobileModule(module.toObject(), functions, operators);
  }
}

/** An attribute may hold what has no type of its own, such as a storage in a damaged file. */
function type_or_any(value: IValue): Type {
  return value.isNone() ? AnyType : type_of(value);
}

function checkVersion(version: IValue | undefined): void {
  TORCH_CHECK(version !== undefined, "the bytecode is empty");
  const found = Number(version.toInt());
  TORCH_CHECK(
    kMinSupportedBytecodeVersion <= found && found <= kMaxSupportedBytecodeVersion,
    `Lite Interpreter version number does not match. The model version must be between ${kMinSupportedBytecodeVersion} and ${kMaxSupportedBytecodeVersion} but the model version is ${found}`,
  );
}

/** Names and overloads. */
export function operators_of(code: IValue): [name: string, overload: string][] {
  return field(code, "operators")
    .toTuple()
    .map((item) => {
      const [name, overload] = item.toTuple();
      return [name.toStringRef(), overload.toStringRef()];
    });
}

/** @param device where the tensors are put; null for where they were */
export function load_for_mobile(reader: PyTorchStreamReader, device: Device | null): MobileModule {
  return refuse_damaged(() => new BytecodeDeserializer(reader, device).deserialize());
}

/** The values of `bytecode.pkl` as they were written. */
export function read_bytecode(reader: PyTorchStreamReader): readonly IValue[] {
  return refuse_damaged(() => new BytecodeDeserializer(reader, null).readArchive("bytecode", "constants").toTuple());
}
