/** @file Sizes of elements by the name of their dtype. @mirrors torch/_inductor/utils.py#get_dtype_size */
import { SIZES } from "#aten/cpu/vec/vec128_types";

/** Bytes of an element; 8 for dtypes that kernels do not have. */
export const bytes_of = (dtype: string): number => SIZES[dtype] ?? 8;
