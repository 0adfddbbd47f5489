/**
 * @file What the fused steps of optimizers share.
 * @original PyTorch repeats it in FusedAdam.cpp, FusedSGD.cpp and FusedAdagrad.cpp.
 */
import type { data } from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { TORCH_CHECK } from "#c10/util/Exception";

/** The number that a tensor holds; null of none. */
export function number_in(t: Tensor | null): number | null {
  return t === null ? null : t.item().toDouble();
}

/** Each list has as many tensors as there are parameters. */
export function check_lengths(n: number, lists: Readonly<Record<string, readonly unknown[]>>): void {
  for (const [name, list] of Object.entries(lists)) {
    TORCH_CHECK(
      list.length === n,
      `Expected ${name}.size() == n_tensors to be true, but got false.  `,
      "(Could this error message be improved?  If so, please report an enhancement request to PyTorch.)",
    );
  }
}

/** Where a tensor's elements lie. The steps walk through memory: all tensors of a parameter have one layout. */
export function memory_of({ impl_ }: Tensor): [view: data<number>, at: number] {
  return [impl_.data_view() as data<number>, impl_.data_offset()];
}
