/**
 * @file Tuples with named fields: what `torch.max(x, 0)` returns.
 * @mirrors torch/csrc/utils/structseq.h
 * @differs An array with getters for the fields; Python's are tuples and cannot be changed.
 */
import { repr } from "./python_repr.ts";

export type StructSeqType = new (values: readonly unknown[]) => unknown[];

export function new_structseq_type(name: string, fields: readonly string[]): StructSeqType {
  const StructSeq = class extends Array<unknown> {
    static readonly __name__ = name;

    constructor(values: readonly unknown[]) {
      super();
      this.push(...values);
    }

    /** `map`, `slice` and their like give plain arrays. */
    static override get [Symbol.species](): ArrayConstructor {
      return Array;
    }

    override toString(): string {
      return returned_structseq_repr(name, fields, this);
    }

    [Symbol.for("nodejs.util.inspect.custom")](): string {
      return this.toString();
    }
  };
  Object.defineProperty(StructSeq, "name", { value: name.slice(name.lastIndexOf(".") + 1) });
  fields.forEach((field, i) => {
    Object.defineProperty(StructSeq.prototype, field, {
      get(this: unknown[]) {
        return this[i];
      },
    });
  });
  return StructSeq;
}

/** One field per line, as PyTorch prints these. */
export function returned_structseq_repr(name: string, fields: readonly string[], values: readonly unknown[]): string {
  return `${name}(\n${fields.map((field, i) => `${field}=${repr(values[i])}`).join(",\n")})`;
}
