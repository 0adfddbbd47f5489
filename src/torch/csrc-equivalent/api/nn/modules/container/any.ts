/**
 * @file A module of any type. C++ needs it to keep modules with different `forward`s in one container; here it is a thin wrapper.
 * @mirrors torch/csrc/api/include/torch/nn/modules/container/any.h
 * @differs Types are not checked: JavaScript has no type of an argument or result that a wrong `forward<T>` could miss.
 */
import type { Device } from "#c10/core/Device";
import { TORCH_CHECK } from "#c10/util/Exception";
import type { Module } from "../../module.ts";
import type { Forward } from "../../pimpl.ts";

export class AnyModule {
  private readonly content_: Forward | null;

  constructor(module: Forward | null = null) {
    this.content_ = module;
  }
  is_empty(): boolean {
    return this.content_ === null;
  }
  /** The module. */
  ptr(): Forward {
    TORCH_CHECK(this.content_ !== null, "Cannot call ptr() on an empty AnyModule");
    return this.content_;
  }
  /** The module, if it is of a class. */
  get<M extends Module>(type?: abstract new (...args: never[]) => M): M {
    TORCH_CHECK(this.content_ !== null, "Cannot call get() on an empty AnyModule");
    if (type !== undefined)
      TORCH_CHECK(
        this.content_ instanceof type,
        "Attempted to cast module of type ",
        this.content_.name(),
        " to type ",
        type.name,
      );
    return this.content_ as unknown as M;
  }
  forward(...args: unknown[]): unknown {
    TORCH_CHECK(this.content_ !== null, "Cannot call forward() on an empty AnyModule");
    return (this.content_.forward as (...args: unknown[]) => unknown).call(this.content_, ...args);
  }
  clone(device: Device | null = null): AnyModule {
    return new AnyModule(this.content_ === null ? null : (this.content_.clone(device) as Forward));
  }
}
