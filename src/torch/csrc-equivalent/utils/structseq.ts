/**
 * @file Tuples with named fields: the results of, for example, `torch.max(x, 0)`.
 * @mirrors torch/csrc/utils/structseq.h
 */
import { PyTuple } from "#python/Objects/tupleobject";
import { repr } from "./python_repr.ts";

export type StructSeqType = new (values: readonly unknown[]) => PyTuple;

export function new_structseq_type(name: string, fields: readonly string[]): StructSeqType {
  const StructSeq = class extends PyTuple {
    static readonly __name__ = name;

    constructor(values: readonly unknown[]) {
      super(values.length);
      for (let i = 0; i < values.length; i++) this[i] = values[i];
    }

    override toString(): string {
      return returned_structseq_repr(name, fields, this);
    }

    // Node prints it as PyTorch does.
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
  // Python's structseq types count their fields: all, those of the sequence, those without a name.
  for (const [count, value] of Object.entries({
    n_fields: fields.length,
    n_sequence_fields: fields.length,
    n_unnamed_fields: 0,
  }))
    Object.defineProperty(StructSeq.prototype, count, { value });
  return StructSeq;
}

/** One field per line, in PyTorch's format. */
export function returned_structseq_repr(name: string, fields: readonly string[], values: readonly unknown[]): string {
  return `${name}(\n${fields.map((field, i) => `${field}=${repr(values[i])}`).join(",\n")})`;
}
