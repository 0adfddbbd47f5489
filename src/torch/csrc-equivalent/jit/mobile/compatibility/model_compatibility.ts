/**
 * @file Requirements of a file with instructions: the version of the interpreter, operators, types.
 * @mirrors torch/csrc/jit/mobile/compatibility/model_compatibility.cpp
 */
import type { IValue } from "#aten/core/ivalue";
import { AnyType } from "#aten/core/jit_type";
import { TORCH_CHECK } from "#c10/util/Exception";
import type { PyTorchStreamReader } from "#caffe2/serialize/PyTorchStreamReader";
import { operators_of, read_bytecode } from "../import.ts";
import { field } from "../parse_bytecode.ts";
import { TypeParser } from "../type_parser.ts";

function parts_of(method: IValue): { readonly code: IValue; readonly schema: IValue } {
  const [, code, schema] = method.toTuple();
  TORCH_CHECK(schema !== undefined, "a method of the bytecode has no schema");
  return { code, schema };
}

export function get_model_bytecode_version(reader: PyTorchStreamReader): number {
  const [version] = read_bytecode(reader);
  TORCH_CHECK(version?.isInt() === true, "Failed to get bytecode version.");
  return Number(version.toInt());
}

/** The number of arguments that calls of each operator write, by its full name; null in files that do not say it. */
export function get_model_ops_and_info(reader: PyTorchStreamReader): Map<string, number | null> {
  const [, ...methods] = read_bytecode(reader);
  const found = new Map<string, number | null>();
  for (const method of methods) {
    const { code } = parts_of(method);
    const counts = field(code, "operators").toTuple();
    for (const [i, [name, overload]] of operators_of(code).entries()) {
      const num_args = counts[i].toTuple()[2];
      found.set(
        overload === "" ? name : `${name}.${overload}`,
        num_args === undefined ? null : Number(num_args.toInt()),
      );
    }
  }
  return found;
}

/** Names of the types that the instructions make: `int`, `List`. */
export function get_mobile_model_contained_types(reader: PyTorchStreamReader): Set<string> {
  const [, ...methods] = read_bytecode(reader);
  const found = new Set<string>();
  for (const method of methods) {
    for (const text of field(parts_of(method).code, "types").toTuple()) {
      const parser = new TypeParser(text.toStringRef(), { class_type: () => AnyType });
      parser.parse();
      for (const name of parser.contained_types()) found.add(name);
    }
  }
  return found;
}
