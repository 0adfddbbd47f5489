/**
 * @file Modules that can be copied: `reset()` registers everything anew, then the copy takes the values.
 * @mirrors torch/csrc/api/include/torch/nn/cloneable.h
 */
import type { Device } from "#c10/core/Device";
import { TORCH_CHECK } from "#c10/util/Exception";
import { OptionsBase } from "../arg.ts";
import { OrderedDict } from "../ordered_dict.ts";
import { Module } from "./module.ts";
import { callable } from "./pimpl.ts";

export abstract class Cloneable extends Module {
  /** Registers parameters, buffers and submodules and gives them their first values. */
  abstract reset(): void;

  override clone(device: Device | null = null): this {
    const copy = callable(Object.getPrototypeOf(this) as Module) as this;
    for (const [key, value] of Object.entries(this))
      (copy as Record<string, unknown>)[key] =
        value instanceof OptionsBase
          ? value.copy()
          : value instanceof OrderedDict
            ? new OrderedDict(value.key_description())
            : value;
    copy.clone_from(this, device, () => copy.reset());
    return copy;
  }

  override clone_(other: Module, device: Device | null): void {
    TORCH_CHECK(
      Object.getPrototypeOf(other) === Object.getPrototypeOf(this),
      "Attempted to clone submodule, but it is of a different type than the submodule it was to be cloned into",
    );
    const clone = (other as Cloneable).clone(device);
    for (const [key, value] of Object.entries(clone)) (this as Record<string, unknown>)[key] = value;
  }
}
