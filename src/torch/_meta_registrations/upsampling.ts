/**
 * @file Meta kernels of resampling.
 * @mirrors torch/_meta_registrations.py#upsample_nearest2d
 */
import { register_decomposition } from "#torch/_decomp/index";
import { check, type Shape, size_repr, suggest_memory_format } from "#torch/_prims_common/index";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";

function upsample_common_check(input_size: Shape, output_size: Shape, dim: number, written: string): number[] {
  check(
    output_size.length === dim,
    () => `It is expected output_size equals to ${dim}, but got size ${output_size.length}`,
  );
  check(
    input_size.length === dim + 2,
    () => `It is expected input_size equals to ${dim + 2}, but got size ${input_size.length}`,
  );
  check(
    [...input_size.slice(2), ...output_size].every((size) => size > 0),
    () =>
      `Input and output sizes should be greater than 0, but got input size ${written} and output size [${output_size.join(", ")}]`,
  );
  return [input_size[0], input_size[1], ...output_size];
}

/** An empty tensor of `sizes` with the memory format of `like`. */
function made(like: Tensor, sizes: readonly number[]): Tensor {
  const memory_format = suggest_memory_format(like);
  return torch.empty([...sizes], { dtype: like.dtype, device: like.device, memory_format });
}

function check_not_empty(input: Tensor, dim: number): void {
  check(
    [...input.shape].slice(1).every((size) => size !== 0),
    () => `Non-empty ${dim + 2}D data tensor expected but got a tensor with sizes ${size_repr(input.shape)}`,
  );
}

for (const dim of [1, 2, 3]) {
  register_decomposition(
    `upsample_nearest${dim}d _upsample_nearest_exact${dim}d`,
    (input: Tensor, output_size: number[]): Tensor => {
      check_not_empty(input, dim);
      return made(input, upsample_common_check([...input.shape], output_size, dim, size_repr(input.shape)));
    },
    "meta",
  );
}

/** Checks a gradient. `told`: the continuation of the message after "output"; `at`: the text for a size of the gradient. */
function check_grad(grad_output: Tensor, sizes: readonly number[], lead: string, told: string, at: string): void {
  check(
    grad_output.dim() === 4,
    () => `Expected grad_output to be a tensor of dimension 4 but got: dimension ${grad_output.dim()}`,
  );
  for (const [i, size] of sizes.entries())
    check(
      grad_output.shape[i] === size,
      () =>
        `${lead}Expected grad_output to have the same shape as output; output.size(${i}) = ${size}${told}but got ${at}(${i}) = ${grad_output.shape[i]}`,
    );
}

register_decomposition(
  "upsample_nearest2d_backward _upsample_nearest_exact2d_backward",
  (grad_output: Tensor, output_size: number[], input_size: number[]): Tensor => {
    const sizes = upsample_common_check(input_size, output_size, 2, `[${input_size.join(", ")}]`);
    check_grad(grad_output, sizes, "", " ", "grad_output.size");
    return made(grad_output, input_size);
  },
  "meta",
);

register_decomposition(
  "_upsample_bilinear2d_aa _upsample_bicubic2d_aa _upsample_lanczos2d_aa",
  (input: Tensor, output_size: number[]): Tensor => {
    const sizes = upsample_common_check([...input.shape], output_size, 2, size_repr(input.shape));
    check_not_empty(input, 2);
    return made(input, sizes);
  },
  "meta",
);

register_decomposition(
  "_upsample_bilinear2d_aa_backward _upsample_lanczos2d_aa_backward",
  (grad_output: Tensor, output_size: number[], input_size: number[]): Tensor => {
    const sizes = upsample_common_check(input_size, output_size, 2, `[${input_size.join(", ")}]`);
    check_grad(grad_output, sizes, "\n", "\n", "grad_output_size");
    return made(grad_output, input_size);
  },
  "meta",
);
