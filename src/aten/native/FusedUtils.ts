/**
 * @file Helpers shared by the fused optimizer steps.
 * @original PyTorch repeats them in FusedAdam.cpp, FusedSGD.cpp and FusedAdagrad.cpp.
 */
import type { data } from "#aten/Dispatch";
import { sizes_equal } from "#aten/ExpandUtils";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { isFloatingType, ScalarType, toString } from "#c10/core/ScalarType";
import { TORCH_CHECK, unmet } from "#c10/util/Exception";

/** First float32 of a tensor; null if the tensor is missing or empty. */
export function number_in(t: Tensor | null): number | null {
  if (t === null) return null;
  const dtype = t.scalar_type();
  TORCH_CHECK(dtype === ScalarType.Float, "expected scalar type Float but found ", toString(dtype));
  if (t.numel() === 0) return null;
  const [view, at] = memory_of(t);
  return view[at] as number;
}

/** Checks that each list has as many tensors as there are parameters. */
export function check_lengths(n: number, lists: Readonly<Record<string, readonly unknown[]>>): void {
  for (const [name, list] of Object.entries(lists))
    TORCH_CHECK(list.length === n, unmet(`${name}.size() == n_tensors`));
}

export function check_empty(name: string, list: readonly unknown[]): void {
  TORCH_CHECK(list.length === 0, unmet(`${name}.empty()`));
}

/**
 * Checks that the tensors of a parameter have its dtype, device and sizes.
 * @differs Ours checks this with the error texts of the CUDA kernels; PyTorch's CPU kernels do not, and read outside a
 * tensor's memory.
 */
export function check_fast_path_restrictions(
  params: readonly Tensor[],
  lists: Readonly<Record<string, readonly Tensor[]>>,
): void {
  const fits = (t: Tensor, param: Tensor): boolean =>
    !isFloatingType(param.scalar_type()) || // the kernel refuses it
    (t.scalar_type() === param.scalar_type() && t.device().eq(param.device()) && sizes_equal(t.sizes(), param.sizes()));
  const names = ["params", ...Object.keys(lists)];
  TORCH_CHECK(
    Object.values(lists).every((list) => list.every((t, i) => fits(t, params[i]))),
    `${names.slice(0, -1).join(", ")}, and ${names.at(-1)} must have same dtype, device, and layout`,
  );
}

/**
 * View and position of a tensor's elements. The steps run through memory: all tensors of a parameter have one layout.
 */
export function memory_of({ impl_ }: Tensor): [view: data<number>, at: number] {
  return [impl_.data_view() as data<number>, impl_.data_offset()];
}
