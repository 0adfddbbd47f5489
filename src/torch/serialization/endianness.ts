/**
 * @file The byte order of files that do not record it (PyTorch before 2.1).
 * @mirrors torch/serialization.py#LoadEndianness
 */
import { TypeError_ } from "#c10/util/Exception";
import { def } from "#torch/_signature";

/** A byte order: the machine's, little-endian, or big-endian. */
export const LoadEndianness = { NATIVE: 1, LITTLE: 2, BIG: 3 } as const;
export type LoadEndianness = (typeof LoadEndianness)[keyof typeof LoadEndianness];

let default_load_endianness: LoadEndianness | null = null;

/** The default byte order; null means little-endian. */
export const get_default_load_endianness = def(
  "get_default_load_endianness()",
  (): LoadEndianness | null => default_load_endianness,
);

/** Sets the byte order for files that do not record it. */
export const set_default_load_endianness = def(
  "set_default_load_endianness(endianness)",
  (endianness: LoadEndianness | null): void => {
    if (endianness !== null && !Object.values(LoadEndianness).includes(endianness))
      throw new TypeError_("Invalid argument type in function set_default_load_endianness");
    default_load_endianness = endianness;
  },
);
