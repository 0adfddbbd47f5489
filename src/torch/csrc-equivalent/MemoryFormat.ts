/**
 * @file `torch.memory_format`: the Python class of a `MemoryFormat`.
 * @mirrors torch/csrc/MemoryFormat.h
 */
import type { MemoryFormat } from "#c10/core/MemoryFormat";

export class THPMemoryFormat {
  static readonly __name__ = "torch.memory_format";
  readonly memory_format: MemoryFormat;
  readonly name: string;

  constructor(memory_format: MemoryFormat, name: string) {
    this.memory_format = memory_format;
    this.name = name;
  }

  toString(): string {
    return this.name;
  }

  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return this.name;
  }
}

export function THPMemoryFormat_Check(obj: unknown): obj is THPMemoryFormat {
  return obj instanceof THPMemoryFormat;
}

export function THPMemoryFormat_New(memory_format: MemoryFormat, name: string): THPMemoryFormat {
  return new THPMemoryFormat(memory_format, name);
}

export function THPMemoryFormat_init(module: Record<string, unknown>): void {
  module["memory_format"] = THPMemoryFormat;
}
