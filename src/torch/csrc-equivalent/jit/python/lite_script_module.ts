/**
 * @file The light interpreter for Python: `torch._C.LiteScriptModule`, and questions about a file with instructions.
 * @mirrors torch/csrc/jit/python/script_init.cpp
 */
import type { IValue } from "#aten/core/ivalue";
import type { Device } from "#c10/core/Device";
import type { PyTorchStreamReader } from "#caffe2/serialize/PyTorchStreamReader";
import { pybind_def } from "#torch/csrc-equivalent/utils/pybind";
import { needs_owner } from "../../utils/pybind.ts";
import { load_for_mobile } from "../mobile/import.ts";
import type { MobileModule } from "../mobile/module.ts";
import { tryToInferType } from "./infer_type.ts";
import { cast_error, toIValue } from "./pybind_utils.ts";
import { toPythonObject } from "./script_values.ts";

/** An argument has no declared type: the value says it. */
function toTypeInferredIValue(value: unknown): IValue {
  const inferred = tryToInferType(value);
  if ("reason" in inferred) throw new cast_error(`Cannot infer type of ${String(value)}\n:${inferred.reason}`);
  return toIValue(value, inferred.type);
}

/** A module that runs in the light interpreter. */
export class LiteScriptModule {
  static readonly __name__ = "LiteScriptModule";
  readonly module: MobileModule;

  constructor(module: MobileModule) {
    needs_owner("LiteScriptModule", module, "run_method");
    this.module = module;
  }

  find_method(method_name: string): boolean {
    return this.module.find_method(method_name) !== null;
  }
  run_method(method_name: string, input_tuple: readonly unknown[]): unknown {
    return toPythonObject(this.module.run_method(method_name, input_tuple.map(toTypeInferredIValue)));
  }
  forward(input_tuple: readonly unknown[]): unknown {
    return this.run_method("forward", input_tuple);
  }
}

/** Makes the module of an archive. */
export function load_lite_module(reader: PyTorchStreamReader, device: Device | null): LiteScriptModule {
  return new LiteScriptModule(load_for_mobile(reader, device));
}

/** Requirements of an operator that a file calls. */
export class OperatorInfo {
  static readonly __name__ = "OperatorInfo";
  /** The number of arguments that calls write; null if the file does not say it. */
  readonly num_schema_args: number | null;

  constructor(num_schema_args: number | null) {
    this.num_schema_args = num_schema_args;
  }
}

const signatures = { _export_operator_list: "(arg0: torch._C.LiteScriptModule) -> set[str]" } as const;

export function initLiteScriptModuleBindings(m: Record<string, unknown>): void {
  Object.assign(m, { LiteScriptModule });
  pybind_def(m, signatures, {
    _export_operator_list: (module: LiteScriptModule) => new Set(module.module.operators),
  });
}
