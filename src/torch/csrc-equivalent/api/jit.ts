/**
 * @file Modules of scripts for programs without Python: an archive is loaded, and its methods are called with tensors and other values.
 * @mirrors torch/csrc/jit/api/module.h
 */
import type { ClassType } from "#aten/core/class_type";
import { checkAndNormalizeInputs } from "#aten/core/function_schema_inl";
import { IValue } from "#aten/core/ivalue";
import type { Stack } from "#aten/core/stack";
import { Tensor } from "#aten/generated/core/TensorBody";
import type { Device } from "#c10/core/Device";
import { TORCH_CHECK, TypeError_ } from "#c10/util/Exception";
import { FileAdapter } from "#caffe2/serialize/file_adapter";
import { MemoryReadAdapter } from "#caffe2/serialize/in_memory_adapter";
import { PyTorchStreamReader } from "#caffe2/serialize/PyTorchStreamReader";
import { ModuleObject } from "../jit/api/module.ts";
import { executor_of } from "../jit/runtime/graph_executor/index.ts";
import { import_ir_module } from "../jit/serialization/import.ts";

/** An argument of a call. A number is a float, as a `double` of C++; `IValue.fromInt(2)` is an integer. */
export type Input = Tensor | IValue | number | boolean | string | null;

function to_ivalue(input: Input): IValue {
  if (input instanceof IValue) return input;
  if (input instanceof Tensor) return IValue.fromTensor(input);
  switch (typeof input) {
    case "number":
      return IValue.fromDouble(input);
    case "boolean":
      return IValue.fromBool(input);
    case "string":
      return IValue.fromString(input);
  }
  if (input === null) return IValue.None;
  throw new TypeError_(
    `an argument must be a tensor, an IValue, a number, a boolean, a string or null, not ${typeof input}`,
  );
}

export class Module {
  private readonly module_: ModuleObject;

  constructor(module: ModuleObject) {
    if (!(module instanceof ModuleObject)) throw new TypeError_("torch.jit.Module: No constructor defined!");
    this.module_ = module;
  }

  /** A method that can be called with a list of arguments. */
  get_method(name: string): (inputs: readonly Input[]) => IValue {
    const method = this.module_.get_method(name);
    return (inputs) => {
      TORCH_CHECK(Array.isArray(inputs), `the inputs of ${name} must be an array`);
      const stack: Stack = [this.module_.ivalue(), ...inputs.map(to_ivalue)];
      checkAndNormalizeInputs(method.getSchema(), stack);
      executor_of(method).run(stack);
      return stack[stack.length - 1];
    };
  }
  forward(inputs: readonly Input[]): IValue {
    return this.get_method("forward")(inputs);
  }

  hasattr(name: string): boolean {
    return this.module_.type().hasAttribute(name);
  }
  /** A parameter, a buffer, a submodule or another value. */
  attr(name: string): IValue {
    return this.module_.attr(name);
  }
  is_training(): boolean {
    return this.hasattr("training") && this.attr("training").toBool();
  }
  /** Sets the mode of the module and of all modules in it. */
  train(on = true): void {
    set_training(this.module_, on);
  }
  /** Modules behave as in inference: no dropout, statistics that were learned. */
  eval(): void {
    this.train(false);
  }
  /** Qualified name of the class: `__torch__.Net`. */
  type_name(): string {
    return (this.module_.object.type() as ClassType).name(); // a module's type is always a class
  }
}

function set_training(module: ModuleObject, on: boolean): void {
  if (module.type().hasAttribute("training")) module.object.setAttr("training", IValue.fromBool(on));
  for (const [, child] of module.named_children()) set_training(child, on);
}

/**
 * Reads an archive that `torch.jit.save` wrote, here or in PyTorch.
 * @param source its bytes, or in Node the path of the file
 * @param device where the tensors are put; null for where they were
 */
export function load(source: Uint8Array | string, device: Device | null = null): Module {
  if (!(source instanceof Uint8Array) && typeof source !== "string") {
    throw new TypeError_(`torch.jit.load takes bytes or a path, not ${typeof source}`);
  }
  const adapter = typeof source === "string" ? new FileAdapter(source) : new MemoryReadAdapter(source);
  try {
    return new Module(import_ir_module(new PyTorchStreamReader(adapter), device));
  } finally {
    if (adapter instanceof FileAdapter) adapter.close();
  }
}
