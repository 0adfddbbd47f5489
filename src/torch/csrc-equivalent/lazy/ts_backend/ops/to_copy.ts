/**
 * @file A copy with another dtype or memory format that stays on the device.
 * @mirrors torch/csrc/lazy/ts_backend/ops/to_copy.h
 */
import type { Layout } from "#c10/core/Layout";
import type { MemoryFormat } from "#c10/core/MemoryFormat";
import type { ScalarType } from "#c10/core/ScalarType";
import { MHash } from "../../core/hash.ts";
import { OpKind, Output, type Value } from "../../core/ir.ts";
import { tag } from "../../core/printing.ts";
import type { Shape } from "../../core/shape.ts";
import type { TSLoweringContext } from "../ts_lowering_context.ts";
import { type TSOpVector, TsNode } from "../ts_node.ts";
import { attribute, LowerTSBuiltin } from "../ts_node_lowering.ts";

/** The options of the copy. The device is never given: the graph runs on another device than the one that the program names. */
export interface ToCopyOptions {
  readonly dtype: ScalarType | null;
  readonly layout: Layout | null;
  readonly pin_memory: boolean | null;
  readonly non_blocking: boolean;
  readonly memory_format: MemoryFormat | null;
}

export class ToCopy extends TsNode {
  readonly options: ToCopyOptions;

  constructor(self: Value, options: ToCopyOptions, shapes: readonly Shape[]) {
    const { dtype, layout, pin_memory, non_blocking, memory_format } = options;
    super(
      OpKind.Get("aten::_to_copy"),
      [self],
      shapes,
      1,
      MHash(dtype, layout, null, pin_memory, non_blocking, memory_format),
    );
    this.options = options;
  }

  CanBeReused(self: Value, options: ToCopyOptions): boolean {
    const { dtype, layout, pin_memory, non_blocking, memory_format } = this.options;
    return (
      Output.equal(this.operand(0), self) &&
      dtype === options.dtype &&
      layout === options.layout &&
      pin_memory === options.pin_memory &&
      non_blocking === options.non_blocking &&
      memory_format === options.memory_format
    );
  }

  override toString(): string {
    const { dtype, layout, pin_memory, non_blocking, memory_format } = this.options;
    return (
      super.toString() +
      tag("dtype", "ScalarType", dtype) +
      tag("layout", "Layout", layout) +
      tag("device", "Device", null) +
      tag("pin_memory", "bool", pin_memory) +
      tag("non_blocking", "bool", non_blocking) +
      tag("memory_format", "MemoryFormat", memory_format)
    );
  }

  override Lower(loctx: TSLoweringContext): TSOpVector {
    const { dtype, layout, pin_memory, non_blocking, memory_format } = this.options;
    const kwargs = [
      attribute("dtype", "int", dtype),
      attribute("layout", "int", layout),
      attribute("device", "Device", null),
      attribute("pin_memory", "bool", pin_memory),
      attribute("non_blocking", "bool", non_blocking),
      attribute("memory_format", "int", memory_format),
    ];
    return LowerTSBuiltin(loctx, this.op(), [loctx.GetOutputOp(this.operand(0))], kwargs);
  }
}
