/**
 * @file Operators that are replaced by others where forward mode has no formula for them. The functions are registered
 * by torch/_decomp/decompositions_for_jvp, at the first dual tensor.
 * @mirrors torch/csrc/autograd/jit_decomp_interface.h
 * @differs A table of functions; PyTorch scripts the decompositions, and runs their graphs.
 */
import { NotImplementedError } from "#c10/util/Exception";

type Decomposition = (...args: never[]) => unknown;

const decompositions = new Map<string, Decomposition>();

/** @param full_name `aten::trace`, with the overload if it has one */
export function register_decomposition_for_jvp(full_name: string, decomposition: Decomposition): void {
  decompositions.set(full_name, decomposition);
}

/** The result of the decomposition of the operator `full_name`, called with `args`. */
export function run_jit_decomposition_with_args_for_jvp(
  name: string,
  full_name: string,
  args: readonly unknown[],
): unknown {
  const decomposition = decompositions.get(full_name);
  if (decomposition === undefined)
    throw new NotImplementedError(
      `Trying to use forward AD with ${name} that does not support it because it has not been implemented yet.\n` +
        "Please file an issue to PyTorch at https://github.com/pytorch/pytorch/issues/new?template=feature-request.yml " +
        "so that we can prioritize its implementation or submit a PR adding the implementation to derivatives.yaml",
    );
  return decomposition(...(args as never[]));
}
