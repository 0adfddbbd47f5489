/**
 * @file The numbers in the JSON text of an exported program: versions, dtypes, layouts, memory formats.
 * @mirrors torch/_export/serde/schema.py
 */
import { torch } from "#torch/_torch";

export const SCHEMA_VERSION = [8, 20] as const;
export const TREESPEC_VERSION = 1;
/** The version of the set of operators of aten. */
export const OPSET_VERSION = 10;

export const ScalarType = {
  uint8: 1,
  int8: 2,
  int16: 3,
  int32: 4,
  int64: 5,
  float16: 6,
  float32: 7,
  float64: 8,
  complex32: 9,
  complex64: 10,
  complex128: 11,
  bool: 12,
  bfloat16: 13,
  uint16: 28,
  float8_e4m3fn: 29,
  float8_e5m2: 30,
  float8_e4m3fnuz: 31,
  float8_e5m2fnuz: 32,
  float8_e8m0fnu: 33,
  uint32: 34,
  uint64: 35,
} as const;

export const Layout = {
  sparse_coo: 1,
  sparse_csr: 2,
  sparse_csc: 3,
  sparse_bsr: 4,
  sparse_bsc: 5,
  _mkldnn: 6,
  strided: 7,
} as const;

export const MemoryFormat = {
  contiguous_format: 1,
  channels_last: 2,
  channels_last_3d: 3,
  preserve_format: 4,
} as const;

export const ArgumentKind = { UNKNOWN: 0, POSITIONAL: 1, KEYWORD: 2 } as const;

type Table = Readonly<Record<string, number>>;

/** The number of a value of `torch`, such as `torch.float32`. */
export const number_of = (table: Table, value: unknown): number => table[String(value).replace("torch.", "")];

/** The value of `torch` with this number. */
export function value_of(table: Table, number: unknown): unknown {
  const name = Object.keys(table).find((key) => table[key] === Number(number));
  return (torch as unknown as Record<string, unknown>)[name ?? ""];
}
