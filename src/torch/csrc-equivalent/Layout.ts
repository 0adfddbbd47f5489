/**
 * @file `torch.layout`: the Python class of a `Layout`.
 * @mirrors torch/csrc/Layout.h
 */
import type { Layout } from "#c10/core/Layout";

export class THPLayout {
  static readonly __name__ = "torch.layout";
  readonly layout: Layout;
  readonly name: string;

  constructor(layout: Layout, name: string) {
    this.layout = layout;
    this.name = name;
  }

  /** A pickle refers to it by name (`copyreg.pickle` in torch/serialization.py). */
  __reduce_ex__(_protocol: number): { func: { module: string; name: string }; args: unknown[] } {
    return { func: { module: "torch.serialization", name: "_get_layout" }, args: [this.name] };
  }

  toString(): string {
    return this.name;
  }

  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return this.name;
  }
}

export function THPLayout_Check(obj: unknown): obj is THPLayout {
  return obj instanceof THPLayout;
}

export function THPLayout_New(layout: Layout, name: string): THPLayout {
  return new THPLayout(layout, name);
}

export function THPLayout_init(module: Record<string, unknown>): void {
  module["layout"] = THPLayout;
}
