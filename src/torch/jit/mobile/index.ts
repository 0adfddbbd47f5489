/**
 * @file `torch.jit.mobile`: modules that run in the light interpreter, from files that `_save_for_lite_interpreter` wrote.
 * @mirrors torch/jit/mobile/__init__.py
 * @differs Files are not rewritten for older interpreters: `_backport_for_mobile` is missing.
 */
import { TypeError_ } from "#c10/util/Exception";
import { repr } from "#python/Objects/object";
import { def } from "#torch/_signature";
import {
  LiteScriptModule as CppLiteScriptModule,
  get_mobile_model_contained_types,
  get_model_bytecode_version,
  get_model_ops_and_info,
  load_lite_module,
  OperatorInfo,
} from "../_C.ts";
import { validate_map_location, with_reader } from "../_serialization.ts";

/** A module that was written for the light interpreter. */
export class LiteScriptModule {
  static readonly __module__ = "torch.jit.mobile";
  readonly _c: CppLiteScriptModule;

  constructor(cpp_module: CppLiteScriptModule) {
    if (!(cpp_module instanceof CppLiteScriptModule)) {
      throw new TypeError_(`LiteScriptModule takes a torch._C.LiteScriptModule, not ${repr(cpp_module)}`);
    }
    this._c = cpp_module;
  }

  __call__(...input: unknown[]): unknown {
    return this._c.forward(input);
  }
  find_method(method_name: string): boolean {
    return this._c.find_method(method_name);
  }
  forward(...input: unknown[]): unknown {
    return this._c.forward(input);
  }
  run_method(method_name: string, ...input: unknown[]): unknown {
    return this._c.run_method(method_name, input);
  }
}

/** Reads a file with instructions; the code in it is not compiled. */
export const _load_for_lite_interpreter = def(
  "_load_for_lite_interpreter(f, map_location=None)",
  (f: unknown, map_location: unknown): LiteScriptModule => {
    const device = validate_map_location(map_location);
    return new LiteScriptModule(with_reader(f, (reader) => load_lite_module(reader, device)));
  },
);

/** Full names of the operators that the methods of a module call. */
export const _export_operator_list = def("_export_operator_list(module)", (module: unknown): Set<string> => {
  if (!(module instanceof LiteScriptModule)) {
    throw new TypeError_(`_export_operator_list takes a LiteScriptModule, not ${repr(module)}`);
  }
  return new Set(module._c.module.operators);
});

/** The version of the instructions in a file. */
export const _get_model_bytecode_version = def("_get_model_bytecode_version(f_input)", (f_input: unknown): number =>
  with_reader(f_input, get_model_bytecode_version),
);

/** Names of the types that the instructions of a file make. */
export const _get_mobile_model_contained_types = def(
  "_get_mobile_model_contained_types(f_input)",
  (f_input: unknown): Set<string> => with_reader(f_input, get_mobile_model_contained_types),
);

/** Requirements of the operators that a file calls, by full names. */
export const _get_model_ops_and_info = def("_get_model_ops_and_info(f_input)", (f_input: unknown) => {
  const counts = with_reader(f_input, get_model_ops_and_info);
  return new Map([...counts].map(([name, count]) => [name, new OperatorInfo(count)]));
});
