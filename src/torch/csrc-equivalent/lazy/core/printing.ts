/**
 * @file The text of a node's attributes, as C++ streams print them.
 * @mirrors aten/src/ATen/core/Formatting.h
 */
import type { Generator } from "#aten/core/Generator";
import type { Device } from "#c10/core/Device";
import { type Layout, toString as layoutToString } from "#c10/core/Layout";
import { type MemoryFormat, toString as memoryFormatToString } from "#c10/core/MemoryFormat";
import { type ScalarType, toString as scalarTypeToString } from "#c10/core/ScalarType";
import { format_general } from "#c10/util/format_float";

/** Six significant digits: `0.1`, `1e-05`. */
const float = (value: number): string => format_general(value);
const bool = (value: boolean): string => (value ? "1" : "0");

const printers = {
  int: String,
  float,
  bool,
  str: (value: string) => value,
  ScalarType: (value: ScalarType) => scalarTypeToString(value),
  MemoryFormat: (value: MemoryFormat) => memoryFormatToString(value),
  Layout: (value: Layout) => layoutToString(value),
  Device: (value: Device) => value.str(),
  Generator: (_value: Generator) => "torch.Generator()",
  "int[]": (value: readonly number[]) => value.join(" "),
  "float[]": (value: readonly number[]) => value.map(float).join(" "),
  "bool[]": (value: readonly boolean[]) => value.map(bool).join(" "),
};
type Printers = typeof printers;

/** `, dim=1`; `, dim=null` if it is not given. */
export function tag<K extends keyof Printers>(name: string, type: K, value: Parameters<Printers[K]>[0] | null): string {
  const print = printers[type] as (value: unknown) => string;
  return `, ${name}=${value === null ? "null" : print(value)}`;
}
