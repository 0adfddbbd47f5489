/**
 * @file The transforms behind the functions of `torch.func`, which the core does not load until a program uses one.
 * @original PyTorch imports them with `torch`.
 * @see torch/_doors.ts
 */
import { ImportError } from "#c10/util/Exception";
import { doors } from "#torch/_doors";

type Transforms = typeof import("./transforms.ts");

let loaded: Transforms | null = null;

/** Called by the entry. */
export function set_transforms(transforms: Transforms): void {
  loaded = transforms;
}

/**
 * The transforms; they are loaded if they have not been.
 * @param name the function that needs them, for the message
 * @throws {ImportError} where they cannot be loaded
 */
export function transforms(name: string): Transforms {
  if (loaded === null) doors.require?.("func");
  if (loaded === null)
    throw new ImportError(`${name} cannot be loaded from here: write import "glasstorch/func" before its first use`);
  return loaded;
}
