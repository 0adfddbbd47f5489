/**
 * @file The texts of modules: name and options, as C++ streams print them.
 * @original In C++ each module writes to a stream.
 */
import { format_general } from "#c10/util/format_float";
import type { EnumValue } from "../../enum.ts";

type Printable = number | boolean | string | null | EnumValue | readonly (number | null)[];

/** A `double` as a stream prints it. Integers need no such mark. */
export const g = (value: number): string => format_general(value);

function word(value: Printable): string {
  if (value === null) return "None";
  if (Array.isArray(value)) return `[${value.map(word).join(", ")}]`;
  return typeof value === "object" ? (value as EnumValue).name : String(value);
}

/** `torch::nn::NAME(3, kernel_size=2)`: positional values first, then named ones. An undefined value is left out. */
export function printed(
  name: string,
  positional: readonly Printable[] = [],
  named: Readonly<Record<string, Printable | undefined>> = {},
): string {
  const words = positional.map(word);
  for (const [key, value] of Object.entries(named)) if (value !== undefined) words.push(`${key}=${word(value)}`);
  return `torch::nn::${name}(${words.join(", ")})`;
}
