/**
 * @file Meta kernels of distances and counts.
 * @mirrors torch/_meta_registrations.py
 */
import { register_decomposition } from "#torch/_decomp/index";
import { check, is_float_dtype, same_shape } from "#torch/_prims_common/index";
import { out_wrapper } from "#torch/_prims_common/wrappers";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { broadcast_shapes } from "#torch/functional/index";

// distances -----------------------------------------------------------------------------------------------------------------

register_decomposition(
  "_cdist_forward",
  (x1: Tensor, x2: Tensor, p: number, compute_mode: number | null) => {
    check(x1.dim() >= 2, () => `cdist only supports at least 2D tensors, X1 got: ${x1.dim()}D`);
    check(x2.dim() >= 2, () => `cdist only supports at least 2D tensors, X2 got: ${x2.dim()}D`);
    check(
      x1.size(-1) === x2.size(-1),
      () => `X1 and X2 must have the same number of columns. X1: ${x1.size(-1)} X2: ${x2.size(-1)}`,
    );
    check(is_float_dtype(x1.dtype), () => `cdist only supports floating-point dtypes, X1 got: ${x1.dtype}`);
    check(is_float_dtype(x2.dtype), () => `cdist only supports floating-point dtypes, X2 got: ${x2.dtype}`);
    check(p >= 0, () => "cdist only supports non-negative p values");
    check([null, 0, 1, 2].includes(compute_mode), () => `possible modes: None, 0, 1, 2, but was: ${compute_mode}`);
    const batch = broadcast_shapes(x1.shape.slice(0, -2), x2.shape.slice(0, -2));
    return x1.new_empty([...batch, x1.size(-2), x2.size(-2)]);
  },
  "meta",
);

register_decomposition(
  "_cdist_backward _cdist_backward.out",
  out_wrapper((_grad: Tensor, x1: Tensor, x2: Tensor) => {
    const batch = broadcast_shapes(x1.shape.slice(0, -2), x2.shape.slice(0, -2));
    const shape = [...batch, ...x1.shape.slice(-2)];
    const expanded = x1.numel() === 0 || same_shape(shape, x1.shape) ? x1 : x1.expand(shape);
    return torch.empty_like(expanded, { memory_format: torch.contiguous_format });
  }),
  "meta",
);

register_decomposition(
  "_pdist_forward _pdist_forward.out",
  out_wrapper((self: Tensor) => {
    check(self.is_contiguous(), () => "_pdist_forward requires contiguous input");
    const n = self.size(0);
    return self.new_empty([(n * (n - 1)) / 2]);
  }),
  "meta",
);

register_decomposition(
  "_pdist_backward _pdist_backward.out",
  out_wrapper((_grad: Tensor, self: Tensor, _p: number, pdist: Tensor) => {
    check(self.is_contiguous(), () => "_pdist_backward requires self to be contiguous");
    check(pdist.is_contiguous(), () => "_pdist_backward requires pdist to be contiguous");
    return torch.empty_like(self, { memory_format: torch.contiguous_format });
  }),
  "meta",
);

// counts and sums -------------------------------------------------------------------------------------------------------------

register_decomposition(
  "histc histc.out",
  out_wrapper((input: Tensor, bins: number, min: number, max: number) => {
    check(bins > 0, () => `histc(): bins must be > 0, but got ${bins}`);
    check(Number(max) >= Number(min), () => "histc(): max must be larger than min");
    return torch.empty([bins], { device: input.device, dtype: input.dtype });
  }),
  "meta",
);

register_decomposition(
  "trace trace.out",
  out_wrapper((self: Tensor) => {
    check(self.dim() === 2, () => `expected a matrix, but got tensor with dim ${self.dim()}`);
    return torch.sum(torch.diag(self, 0));
  }),
  "meta",
);
