/**
 * @file Reading and printing of tensor sizes, for the functions of `torch.nn`.
 * @original Python's `torch.Size` does this.
 */
import { TypeError_ } from "#c10/util/Exception";
import { having } from "#torch/_C";
import type { Tensor } from "#torch/_tensor/index";

/** The size of a tensor; a storage has a size, too: one number. */
export function size_of(t: Tensor): readonly number[] {
  const size: unknown = having(t, "size").size();
  if (Array.isArray(size)) return size;
  throw new TypeError_("'int' object is not subscriptable");
}

/** A size as Python prints it: `torch.Size([2, 3])`. */
export function size_repr(t: Tensor): string {
  const size: unknown = having(t, "size").size();
  return Array.isArray(size) ? `torch.Size([${size.join(", ")}])` : String(size);
}

/** A tuple as Python prints it. */
export function tuple_repr(sizes: readonly number[]): string {
  return `(${sizes.join(", ")}${sizes.length === 1 ? "," : ""})`;
}
