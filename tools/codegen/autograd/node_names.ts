/**
 * @file The names of backward nodes: `AddBackward0`.
 * @mirrors tools/autograd/load_derivatives.py#create_op_names
 */
import { CodegenError } from "../errors.ts";
import type { YamlEntry } from "../yaml_reader.ts";

// Note [Numbers in node names]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// A node is named after its operator without the overload, and entries with the same name are numbered in the order of
// the file: add.Tensor -> AddBackward0, add.Scalar -> AddBackward1. PyTorch's file has more entries; if entries before
// ours are missing here, `op_number` states PyTorch's number, and counting continues from there.

export class NodeNames {
  private readonly numbers = new Map<string, number>();

  /** The next node name for the operator `base` under an autograd key. */
  next(entry: YamlEntry, base: string, key: string): string {
    const prefix = create_op_prefix(base) + (key === "Default" ? "" : key);
    const given = entry.fields.get("op_number");
    const counted = this.numbers.get(prefix) ?? 0;
    if (given !== undefined && !(Number.isInteger(given.value) && (given.value as number) >= counted))
      throw new CodegenError(
        given.place,
        "op_number",
        `${JSON.stringify(given.value)} where ${counted} comes next`,
        "give a later number, or drop the line",
      );
    const number = given === undefined ? counted : (given.value as number);
    this.numbers.set(prefix, number + 1);
    return `${prefix}${number}`;
  }
}

/**
 * `_prelu_kernel` -> `PreluKernelBackward`; a forward half has the name of the whole: `nll_loss_forward` -> `NllLossBackward`.
 */
export function create_op_prefix(name: string): string {
  const camel = name.split("_").map(title).join("");
  return `${camel}Backward`.replace("ForwardBackward", "Backward");
}

/** Upper case after a character that is not a letter, lower case after a letter: `pad2d` -> `Pad2D`. */
function title(word: string): string {
  return word
    .toLowerCase()
    .replace(/(^|[^a-z])([a-z])/g, (_, before: string, letter: string) => before + letter.toUpperCase());
}
