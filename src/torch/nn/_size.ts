/**
 * @file A tensor's size, as the functions of `torch.nn` read and print it.
 * @original Python has it in `torch.Size`.
 */
import { TypeError_ } from "#c10/util/Exception";
import { having } from "#torch/_C";
import type { Tensor } from "#torch/_tensor/index";

/** A storage has a size, too: one number. */
export function size_of(t: Tensor): readonly number[] {
  const size: unknown = having(t, "size").size();
  if (Array.isArray(size)) return size;
  throw new TypeError_("'int' object is not subscriptable");
}

/** `torch.Size([2, 3])` */
export function size_repr(t: Tensor): string {
  const size: unknown = having(t, "size").size();
  return Array.isArray(size) ? `torch.Size([${size.join(", ")}])` : String(size);
}

/** A tuple, as Python prints it. */
export function tuple_repr(sizes: readonly number[]): string {
  return `(${sizes.join(", ")}${sizes.length === 1 ? "," : ""})`;
}
