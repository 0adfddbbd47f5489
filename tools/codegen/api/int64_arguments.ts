/**
 * @file The int arguments that a kernel receives as full int64, as a bigint if no number is exact: dims, and values
 * that only have to be within bounds or are bounds of random draws. Any other int is a size or a count, and kernels use
 * doubles for these: `guard_int`.
 * @original In C++ every int is an int64.
 * @see src/c10/core/SymInt.ts
 */

/** Names of dims, in every function: an error prints them. */
export const DIMS: ReadonlySet<string> = new Set(
  "dim dim0 dim1 dim2 start_dim end_dim axis0 axis1 dimension source destination".split(" "),
);

/** Arguments for which all kernels accept a bigint, by function. */
export const IN_FULL: ReadonlyMap<string, ReadonlySet<string>> = by_function({
  from: "random_",
  to: "random_",
  low: "randint randint_like",
  high: "randint randint_like",
  k: "kthvalue rot90 topk",
  index: "select select_copy select_scatter",
  offset: "diag_embed diagflat diagonal diagonal_copy diagonal_scatter linalg_diagonal tril_indices triu_indices",
  diagonal: "diag tril tril_ triu triu_",
  chunks: "chunk unsafe_chunk",
  split_size: "split split_copy unsafe_split",
  storage_offset: "as_strided as_strided_ as_strided_copy as_strided_scatter",
});

function by_function(functions_of: Readonly<Record<string, string>>): Map<string, Set<string>> {
  const out = new Map<string, Set<string>>();
  for (const [argument, functions] of Object.entries(functions_of))
    for (const name of functions.split(" ")) out.set(name, (out.get(name) ?? new Set()).add(argument));
  return out;
}

/** Whether the int `argument` of the Python function `name` is passed as full int64. */
export function takes_int64(name: string, argument: string): boolean {
  return DIMS.has(argument) || IN_FULL.get(name)?.has(argument) === true;
}
