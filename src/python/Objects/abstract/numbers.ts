/**
 * @file The number protocol: what `+`, `-`, `**`, `abs`, `operator.index` and their like do with any two values.
 * @mirrors Objects/abstract.c (CPython 3.11)
 */
import { call_special } from "../call.ts";
import { TypeError_ } from "../exceptions.ts";
import { type_of } from "../typeobject.ts";

/** `operator.index(value)`: the int that a value stands for without loss. A float does not. */
export function index_of(value: unknown): number | bigint {
  if (typeof value === "number" && Number.isInteger(value)) return value;
  if (typeof value === "bigint") return value;
  if (typeof value === "boolean") return value ? 1 : 0;
  const result = call_special(value, "__index__");
  if (result === undefined) throw new TypeError_(`'${type_of(value).name}' object cannot be interpreted as an integer`);
  if (typeof result === "boolean") return result ? 1 : 0;
  if (typeof result === "bigint" || (typeof result === "number" && Number.isInteger(result))) return result;
  throw new TypeError_(`__index__ returned non-int (type ${type_of(result).name})`);
}
