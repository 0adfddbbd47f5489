/**
 * @file Warnings that functions of PyTorch's library give in a trace, because their Python code compares sizes.
 * @mirrors torch/nn/functional.py
 * @differs The library's TypeScript compares numbers. The lines are those of PyTorch 2.13.0.
 */
import { Tensor } from "../../_tensor/index.ts";

type Arguments = ReadonlyMap<string, unknown>;

/** How many tests a call makes: `size_prods == 1`. */
const one = (): number => 1;
const one_if =
  (flag: string) =>
  (args: Arguments): number =>
    args.get(flag) === true ? 1 : 0;

/** `target.size() != input.size()`: one test for each size, until two differ. */
function compared_sizes(args: Arguments): number {
  const [target, input] = [args.get("target"), args.get("input")];
  if (!(target instanceof Tensor) || !(input instanceof Tensor)) return 0;
  const both = Math.min(target.dim(), input.dim());
  for (let i = 0; i < both; i++) if (target.shape[i] !== input.shape[i]) return i + 1;
  return both;
}

/** The tests by function, and the line of `torch/nn/functional.py` in which they stand. */
const size_tests: Readonly<Record<string, readonly [count: (args: Arguments) => number, line: number]>> = {
  "torch.nn.functional.batch_norm": [one_if("training"), 2853],
  "torch.nn.functional.group_norm": [one, 2853],
  "torch.nn.functional.instance_norm": [one_if("use_input_stats"), 2916],
  "torch.nn.functional.binary_cross_entropy": [compared_sizes, 3614],
  "torch.nn.functional.binary_cross_entropy_with_logits": [compared_sizes, 3688],
  "torch.nn.functional.smooth_l1_loss": [compared_sizes, 4052],
  "torch.nn.functional.huber_loss": [compared_sizes, 4122],
  "torch.nn.functional.l1_loss": [compared_sizes, 4207],
  "torch.nn.functional.mse_loss": [compared_sizes, 4283],
};

/** The number of tests of sizes that a function makes at the beginning, and their line. */
export function size_tests_of(name: string, args: Arguments): readonly [count: number, line: number] {
  if (!Object.hasOwn(size_tests, name)) return [0, 0];
  const [count, line] = size_tests[name];
  return [count(args), line];
}
