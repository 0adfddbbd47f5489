/**
 * @file Creation of the `torch.memory_format` objects, as members of the module.
 * @mirrors torch/csrc/utils/tensor_memoryformats.cpp
 */
import { MemoryFormat } from "#c10/core/MemoryFormat";
import { registerMemoryFormatObject } from "#torch/csrc-equivalent/DynamicTypes";
import { THPMemoryFormat_New } from "#torch/csrc-equivalent/MemoryFormat";

const MEMORY_FORMATS: readonly (readonly [MemoryFormat, string])[] = [
  [MemoryFormat.Preserve, "preserve_format"],
  [MemoryFormat.Contiguous, "contiguous_format"],
  [MemoryFormat.ChannelsLast, "channels_last"],
  [MemoryFormat.ChannelsLast3d, "channels_last_3d"],
];

export function initializeMemoryFormats(module: Record<string, unknown>): void {
  for (const [memory_format, name] of MEMORY_FORMATS) {
    const object = THPMemoryFormat_New(memory_format, `torch.${name}`);
    registerMemoryFormatObject(object, memory_format);
    module[name] = object;
  }
}
