/**
 * @file The tables between engine enums and their Python objects.
 * @mirrors torch/csrc/DynamicTypes.h
 */
import type { Layout } from "#c10/core/Layout";
import type { MemoryFormat } from "#c10/core/MemoryFormat";
import type { ScalarType } from "#c10/core/ScalarType";
import { ValueError } from "#c10/util/Exception";
import type { THPDtype } from "./Dtype.ts";
import type { THPLayout } from "./Layout.ts";
import type { THPMemoryFormat } from "./MemoryFormat.ts";

const dtype_registry: THPDtype[] = [];
const layout_registry: THPLayout[] = [];
const memory_format_registry: THPMemoryFormat[] = [];

export function registerDtypeObject(dtype: THPDtype, scalarType: ScalarType): void {
  dtype_registry[scalarType] = dtype;
}

export function registerLayoutObject(layout: THPLayout, layoutType: Layout): void {
  layout_registry[layoutType] = layout;
}

export function registerMemoryFormatObject(memory_format: THPMemoryFormat, value: MemoryFormat): void {
  memory_format_registry[value] = memory_format;
}

export function getTHPDtype(scalarType: ScalarType): THPDtype {
  const dtype = dtype_registry[scalarType];
  if (dtype === undefined) throw new ValueError("unsupported scalarType");
  return dtype;
}

export function getTHPLayout(layout: Layout): THPLayout {
  const object = layout_registry[layout];
  if (object === undefined) throw new ValueError("unsupported at::Layout");
  return object;
}

export function getTHPMemoryFormat(memory_format: MemoryFormat): THPMemoryFormat {
  const object = memory_format_registry[memory_format];
  if (object === undefined) throw new ValueError("unsupported memory_format");
  return object;
}
