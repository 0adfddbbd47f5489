/**
 * @file Decompositions: operators, mostly of a backward pass, written in terms of other operators.
 * @mirrors torch/_decomp/decompositions.py
 * @differs Ours serves Meta tensors only, where no value is computed: a formula that changes neither shape nor dtype is omitted; PyTorch's
 * decompositions compute values.
 */
import { TypeError_ } from "#c10/util/Exception";
import type { Tensor } from "#torch/_tensor/index";
import {
  assert,
  check,
  elementwise_dtypes,
  get_computation_dtype,
  is_float_dtype,
  is_tensor,
  ELEMENTWISE_TYPE_PROMOTION_KIND as KIND,
  type NumberType,
  python_int,
  same_shape,
  size_at,
  size_repr,
  suggest_memory_format,
  type TensorOrNumber,
} from "../_prims_common/index.ts";
import { type Keywords, out_wrapper, type Reference } from "../_prims_common/wrappers.ts";
import { arange } from "../_refs/index.ts";
import { torch } from "../_torch.ts";
import type { device, dtype, layout, memory_format } from "../types.ts";
import { register_decomposition, register_with_out } from "./index.ts";

/** The reductions of a loss. */
const Reduction = { NONE: 0, MEAN: 1, SUM: 2 } as const;

/**
 * Converts tensors to their common computation dtype, float32 for half precision, and the results back to the common dtype if `back` is
 * true.
 */
export function pw_cast_for_opmath(fn: Reference, back = true): Reference {
  return (...args) => {
    const tensors = args.filter(is_tensor);
    const [computation, result] = elementwise_dtypes(tensors, KIND.DEFAULT);
    const r = fn(...args.map((x) => (is_tensor(x) ? x.to(computation) : x)));
    if (!back) return r;
    return Array.isArray(r) ? r.map((x) => x.to(result)) : is_tensor(r) ? r.to(result) : r;
  };
}
const compute_only_pw_cast_for_opmath = (fn: Reference): Reference => pw_cast_for_opmath(fn, false);

// activations -------------------------------------------------------------------------------------------------------------

register_decomposition(
  "tanh_backward tanh_backward.grad_input",
  out_wrapper(pw_cast_for_opmath((out_grad: Tensor, y: Tensor) => torch.mul(out_grad, torch.rsub(torch.mul(y, y), 1)))),
);
register_decomposition(
  "sigmoid_backward sigmoid_backward.grad_input",
  out_wrapper(pw_cast_for_opmath((out_grad: Tensor, y: Tensor) => torch.mul(out_grad, torch.mul(y, torch.rsub(y, 1))))),
);
register_decomposition(
  "logit_backward",
  pw_cast_for_opmath((grad_output: Tensor, self: Tensor) =>
    torch.where(torch.logical_and(torch.ge(self, 0), torch.le(self, 1)), torch.div(grad_output, self), 0),
  ),
);
register_decomposition(
  "threshold_backward threshold_backward.grad_input",
  out_wrapper((grad_output: Tensor, self: Tensor, threshold: NumberType) =>
    torch.where(torch.le(self, threshold), 0, grad_output),
  ),
);
for (const name of ["gelu_backward", "silu_backward"])
  register_decomposition(
    `${name} ${name}.grad_input`,
    out_wrapper(pw_cast_for_opmath((grad: Tensor, self: Tensor) => torch.mul(grad, self))),
  );
register_decomposition(
  "leaky_relu_backward leaky_relu_backward.grad_input",
  out_wrapper(
    pw_cast_for_opmath((grad_output: Tensor, self: Tensor) => torch.where(torch.gt(self, 0), grad_output, self)),
  ),
);
register_decomposition("_prelu_kernel", (self: Tensor, weight: Tensor) =>
  torch.where(torch.gt(self, 0), self, torch.mul(weight, self)),
);
register_decomposition("_prelu_kernel_backward", (grad_output: Tensor, self: Tensor, weight: Tensor) => {
  const positive = torch.gt(self, 0);
  return [
    torch.where(positive, grad_output, torch.mul(weight, grad_output)),
    torch.where(positive, new torch.Float(0), torch.mul(self, grad_output)),
  ];
});

// softmax -----------------------------------------------------------------------------------------------------------------

function _cast_grad_to_input_dtype(grad_output: Tensor, grad_input: Tensor, input_dtype: dtype): Tensor {
  return grad_output.dtype === input_dtype ? grad_input : grad_input.to(input_dtype);
}
register_decomposition(
  "_log_softmax _log_softmax.out",
  out_wrapper(
    (given: Tensor, dim: number, half_to_float: boolean) => {
      let x = given.contiguous();
      if (half_to_float)
        assert(x.dtype === torch.float16, () => `half_to_float is True but x.dtype is ${x.dtype}, expected torch.half`);
      const result_dtype = x.dtype;
      x = x.to(get_computation_dtype(result_dtype));
      const shifted = torch.sub(x, x.dim() === 0 || x.size(dim) > 0 ? torch.amax(x, dim, true) : x);
      const result = torch.sub(shifted, torch.log(torch.exp(shifted).sum(dim, { keepdim: true })));
      return half_to_float ? result : result.to(result_dtype);
    },
    { exact_dtype: true },
  ),
);
register_decomposition(
  "_softmax_backward_data _softmax_backward_data.out",
  out_wrapper(
    compute_only_pw_cast_for_opmath((grad_output: Tensor, output: Tensor, dim: number, input_dtype: dtype) => {
      const new_grad_output = torch.mul(grad_output, output);
      const grad_input = torch.sub(new_grad_output, torch.mul(output, new_grad_output.sum(dim, { keepdim: true })));
      return _cast_grad_to_input_dtype(grad_output, grad_input, input_dtype).contiguous();
    }),
  ),
);
register_decomposition(
  "_log_softmax_backward_data _log_softmax_backward_data.out",
  out_wrapper(
    compute_only_pw_cast_for_opmath((grad_output: Tensor, output: Tensor, dim: number, input_dtype: dtype) => {
      const grad_input = torch.sub(grad_output, torch.mul(torch.exp(output), grad_output.sum(dim, { keepdim: true })));
      return _cast_grad_to_input_dtype(grad_output, grad_input, input_dtype);
    }),
  ),
);

// products ----------------------------------------------------------------------------------------------------------------

interface BetaAlpha extends Keywords {
  readonly beta: NumberType;
  readonly alpha: NumberType;
}

/** The factors; for an integer tensor they are truncated to integers. */
function factors(self: Tensor, { beta, alpha }: BetaAlpha): [beta: NumberType, alpha: NumberType] {
  if (is_float_dtype(self.dtype)) return [beta, alpha];
  return [python_int(beta), python_int(alpha)];
}

/**
 * beta * self + alpha * product; with beta 0, `self` is not read. The product is the first operand, because its strides determine those of
 * the result.
 */
function accumulated(self: Tensor, product: Tensor, [beta, alpha]: readonly [NumberType, NumberType]): Tensor {
  const out = torch.mul(product, alpha);
  return Number(beta) === 0 ? out : torch.add(out, torch.mul(self, beta));
}

const addmm = out_wrapper(
  pw_cast_for_opmath((self: Tensor, mat1: Tensor, mat2: Tensor, kw: BetaAlpha) => {
    const given = factors(self, kw); // before the product, so that a NaN is refused first
    return accumulated(self, torch.mm(mat1, mat2), given);
  }),
  { exact_dtype: true },
);
register_decomposition("addmm addmm.out", addmm);
register_decomposition(
  "_addmm_activation _addmm_activation.out",
  out_wrapper(
    pw_cast_for_opmath((self: Tensor, mat1: Tensor, mat2: Tensor, kw: BetaAlpha) =>
      addmm(self, mat1, mat2, { ...kw, out: null }),
    ),
  ),
);
register_decomposition(
  "addmm.dtype addmm.dtype_out",
  out_wrapper(
    (self: Tensor, mat1: Tensor, mat2: Tensor, out_dtype: dtype, { beta, alpha }: BetaAlpha) =>
      accumulated(self.to(out_dtype), torch.mm(mat1, mat2, { out_dtype }), [beta, alpha]),
    { exact_dtype: true },
  ),
);
const _addmv_impl = pw_cast_for_opmath((self: Tensor, mat: Tensor, vec: Tensor, kw: BetaAlpha) => {
  const [beta, alpha] = factors(self, kw);
  const out = torch.mul(torch.mv(mat, vec), alpha);
  if (Number(beta) === 0) return out;
  return out.numel() === 0 ? torch.mul(self, beta) : torch.add(out, torch.mul(self, beta));
});
register_decomposition(
  "addmv addmv.out",
  out_wrapper(
    (self: Tensor, mat: Tensor, vec: Tensor, kw: BetaAlpha) => {
      check(
        self.dtype === mat.dtype && mat.dtype === vec.dtype,
        () => `addmv input tensors must have the same dtype, but got ${self.dtype}, ${mat.dtype}, and ${vec.dtype}`,
      );
      return _addmv_impl(self, mat, vec, kw);
    },
    { exact_dtype: true },
  ),
);
// PyTorch registers one function for all overloads; it has no parameter for `out_dtype`, so that argument arrives as beta.
register_decomposition(
  "baddbmm.dtype baddbmm.dtype_out",
  pw_cast_for_opmath((self: Tensor, batch1: Tensor, batch2: Tensor, _beta: dtype, { beta }: BetaAlpha): Tensor => {
    if (Number(beta) !== 1) throw new TypeError_("baddbmm() got multiple values for argument 'beta'");
    if (!is_float_dtype(self.dtype))
      throw new TypeError_("int() argument must be a string, a bytes-like object or a real number, not 'torch.dtype'");
    torch.bmm(batch1, batch2);
    throw new TypeError_("unsupported operand type(s) for *: 'Tensor' and 'torch.dtype'");
  }),
);
register_decomposition(
  "mv mv.out",
  out_wrapper(
    pw_cast_for_opmath((self: Tensor, vec: Tensor) => {
      check(self.dim() === 2 && vec.dim() === 1, () => `matrix @ vector expected, got ${self.dim()}, ${vec.dim()}`);
      check(
        self.size(1) === vec.size(0),
        () => `size mismatch, got input (${self.size(0)}x${self.size(1)}), vec (${vec.size(0)})`,
      );
      return torch.mul(self, vec).sum(1);
    }),
    { exact_dtype: true },
  ),
);

// losses ------------------------------------------------------------------------------------------------------------------

function weighted(self: Tensor, weight: Tensor, channel_dim: number): Tensor {
  const shape = new Array<number>(self.dim()).fill(1);
  shape[channel_dim] = size_at(weight, 0);
  return weight.view(shape);
}

function _nll_loss_forward(
  given: Tensor,
  target: Tensor,
  weight: Tensor | null,
  reduction: number,
  ignore_index: number,
): [Tensor, Tensor] {
  let self = given;
  const n_dims = self.dim();
  const channel_dim = n_dims < 2 ? 0 : 1;
  const w = weight === null ? null : n_dims > 1 ? weighted(self, weight, channel_dim) : weight;
  if (w !== null) self = torch.mul(self, w);
  const counts = torch.ne(target, ignore_index);
  const safe_target = torch.where(counts, target, 0).unsqueeze(channel_dim);
  let result = torch.neg(torch.gather(self, channel_dim, safe_target)).squeeze(channel_dim);
  result = torch.where(counts, result, 0);
  if (reduction === Reduction.NONE && n_dims > 1) return [result, self.new_full([], new torch.Float(0))];
  let total_weight: Tensor;
  if (w === null) total_weight = counts.sum().to(self);
  else {
    const wsum = torch.gather(w.expand([...self.shape]), channel_dim, safe_target).squeeze(channel_dim);
    total_weight = torch.where(counts, wsum, 0).sum();
  }
  if (reduction === Reduction.SUM) result = result.sum();
  else if (reduction === Reduction.MEAN) result = torch.div(result.sum(), total_weight);
  return [result, total_weight];
}

register_decomposition(
  "nll_loss_forward nll_loss_forward.output",
  out_wrapper((self: Tensor, target: Tensor, weight: Tensor | null, reduction: number, ignore_index: number) => {
    assert(self.dim() > 0 && self.dim() <= 2, () => `input tensor should be 1D or 2D, got ${self.dim()}D`);
    check_target(target);
    check(
      (self.dim() === 1 && target.dim() === 0) || size_at(self, 0) === size_at(target, 0),
      () => `size mismatch (got input: ${size_repr(self.shape)}, target: ${size_repr(target.shape)})`,
    );
    const n_classes = size_at(self, -1);
    assert(
      weight === null || (weight.dim() === 1 && weight.numel() === n_classes),
      () =>
        `weight tensor should be defined either for all ${n_classes} classes or no classes ` +
        `but got weight tensor of shape: ${size_repr((weight as Tensor).shape)}`,
    );
    return _nll_loss_forward(self, target, weight, reduction, ignore_index);
  }),
);
register_decomposition("nll_loss2d_forward nll_loss2d_forward.output", out_wrapper(_nll_loss_forward));

function check_target(target: Tensor): void {
  assert(target.dim() <= 1, () => `0D or 1D target tensor expected, multi-target not supported, got ${target.dim()}D`);
}

function _nll_loss_backward(
  given_grad: Tensor,
  self: Tensor,
  given_target: Tensor,
  given_weight: Tensor | null,
  reduction: number,
  ignore_index: number,
  total_weight: Tensor,
): Tensor {
  const channel_dim = self.dim() < 2 ? 0 : 1;
  let grad_output = reduction === Reduction.MEAN ? torch.div(given_grad, total_weight) : given_grad;
  const one_target = self.dim() === 1 && given_target.dim() > 0 ? given_target.select(0, 0) : given_target;
  const target = one_target.unsqueeze(channel_dim);
  const counts = torch.ne(target, ignore_index);
  const grad_input = torch.scatter(
    torch.zeros_like(self),
    channel_dim,
    torch.where(counts, target, 0),
    new torch.Float(-1),
  );
  if (grad_input.dim() > grad_output.dim() && grad_output.dim() > 0) grad_output = grad_output.unsqueeze(channel_dim);
  if (given_weight !== null) {
    const shape = new Array<number>(self.dim()).fill(1);
    shape[channel_dim] = given_weight.shape[0];
    grad_output = torch.mul(grad_output, given_weight.reshape(shape));
  }
  return torch.mul(grad_input, torch.where(counts, grad_output, 0));
}

type NllBackward = [Tensor, Tensor, Tensor, Tensor | null, number, number, Tensor];
register_decomposition(
  "nll_loss_backward nll_loss_backward.grad_input",
  out_wrapper((...given: [...NllBackward, Keywords]) => {
    const [grad_output, self, target, weight, reduction, , total_weight] = given;
    assert(self.dim() <= 2, () => `input tensor should be 1D or 2D, got ${self.dim()}D`);
    check_target(target);
    assert(
      (self.dim() === 1 && target.dim() === 0) || size_at(self, 0) === size_at(target, 0),
      () => `size mismatch (got input: ${size_repr(self.shape)}, target: ${size_repr(target.shape)})`,
    );
    assert(
      total_weight.numel() === 1,
      () =>
        `expected total_weight to be a single element tensor, got: ${size_repr(total_weight.shape)} (${total_weight.numel()} elements)`,
    );
    assert(
      weight === null || weight.numel() === size_at(self, -1),
      () => "weight tensor should be defined either for all or no classes",
    );
    if (reduction === Reduction.NONE && self.dim() === 2)
      assert(
        grad_output.dim() === 1 && grad_output.shape[0] === self.shape[0],
        () =>
          `Expected a tensor of dimension 1 and tensor.size[0] == ${self.shape[0]} but ` +
          `got: dimension ${grad_output.dim()} and tensor.size[0] == ${grad_output.shape[0]}`,
      );
    else
      assert(
        grad_output.dim() <= 1 && grad_output.numel() === 1,
        () => `Expected a single element grad_output tensor, but got: ${size_repr(grad_output.shape)}`,
      );
    return _nll_loss_backward(...(given.slice(0, -1) as NllBackward));
  }),
);
register_decomposition(
  "nll_loss2d_backward nll_loss2d_backward.grad_input",
  out_wrapper((...given: [...NllBackward, Keywords]) => {
    const [, self, target, , , , total_weight] = given;
    assert(
      self.dim() === 4,
      () => `only batches of spatial inputs supported (4D tensors), but got input of dimension: ${self.dim()}`,
    );
    assert(
      target.dim() === 3,
      () => `only batches of spatial targets supported (3D tensors) but got targets of dimension: ${target.dim()}`,
    );
    assert(
      size_at(self, 0) === size_at(target, 0) && self.shape[2] === target.shape[1] && self.shape[3] === target.shape[2],
      () => `size mismatch (got input: ${size_repr(self.shape)}, target: ${size_repr(target.shape)}`, // PyTorch does not close the bracket
    );
    assert(
      total_weight.numel() === 1,
      () =>
        `expected total_weight to be a single element tensor, got: ${size_repr(total_weight.shape)} ( ${total_weight.numel()}, elements)`,
    );
    return _nll_loss_backward(...(given.slice(0, -1) as NllBackward));
  }),
);

// views and copies --------------------------------------------------------------------------------------------------------

// The tensor into which the gradient is written has the shape of the input; writing into it changes nothing for Meta.
const new_zeros_of_input = out_wrapper((grad_output: Tensor, input_sizes: number[]) =>
  grad_output.new_zeros(input_sizes),
);
register_decomposition("slice_backward slice_backward.out", new_zeros_of_input);
register_decomposition("select_backward select_backward.out", new_zeros_of_input);

register_decomposition(
  "lift lift.out",
  out_wrapper((x: Tensor) => torch.ops.aten.alias(x) as Tensor),
);
register_decomposition("is_same_size", (a: Tensor, b: Tensor) => same_shape(a.shape, b.shape));
register_decomposition(
  "_unsafe_view _unsafe_view.out",
  out_wrapper((x: Tensor, shape: number[]) => x.view(shape)),
);

interface ToCopy extends Keywords {
  readonly dtype: dtype | null;
  readonly memory_format: memory_format | null;
}
register_decomposition(
  "_to_copy.out",
  out_wrapper(
    (x: Tensor, { dtype, memory_format }: ToCopy) => {
      const converted = dtype === null ? x.clone() : x.to(dtype);
      return memory_format === null ? converted : converted.clone({ memory_format });
    },
    { factory: true },
  ),
);
register_decomposition(
  "resize_as resize_as.out",
  (
    self: Tensor,
    other: Tensor,
    { memory_format, out }: Keywords & { memory_format: memory_format | null; out: Tensor | null },
  ) => {
    const given = memory_format ?? torch.contiguous_format;
    const format = given === torch.preserve_format ? suggest_memory_format(other) : given;
    const resized = torch.ops.aten.resize.default(self, [...other.shape], { memory_format: format }) as Tensor;
    return out === null ? resized : out.resize_([...other.shape]).copy_(resized);
  },
);

// creation ----------------------------------------------------------------------------------------------------------------

register_decomposition(
  "arange arange.out",
  out_wrapper((end: NumberType, kw: Keywords) => arange(0, end, 1, kw), { factory: true }),
);
register_decomposition("arange.start", (start: NumberType, end: NumberType, kw: Keywords) => arange(start, end, 1, kw));
const uniform = out_wrapper((x: Tensor) =>
  torch.empty_strided([...x.shape], [...x.stride()], { dtype: x.dtype, device: x.device }),
);
register_decomposition("uniform uniform.out", uniform);
register_decomposition("uniform_", (self: Tensor, _low: number, _high: number, kw: Keywords) =>
  self.copy_(uniform(self, kw) as Tensor),
);

/** The decomposition `register_sum_default` of PyTorch: a sum over all dims. */
register_decomposition(
  "sum sum.out",
  (self: Tensor, { dtype, out }: Keywords & { dtype: dtype | null; out: Tensor | null }) =>
    out === null ? self.sum([], { dtype }) : torch.sum(self, [], { dtype, out }),
);

// distances and grids -----------------------------------------------------------------------------------------------------

/** |x1|^2 - 2 x1 x2 + |x2|^2, computed as one matrix product. */
register_with_out("_euclidean_dist", (x1: Tensor, x2: Tensor) => {
  const [norm1, norm2] = [x1, x2].map((x) => x.pow(2).sum(-1, true));
  const left = torch.cat([x1.mul(-2), norm1, torch.ones_like(norm1)], -1);
  const right = torch.cat([x2, torch.ones_like(norm2), norm2], -1);
  return left.matmul(right.mT).clamp_min(0).sqrt();
});

register_with_out("affine_grid_generator", (theta: Tensor, size: number[], _align_corners: boolean) => {
  check(
    size.length === 4 || size.length === 5,
    () => "affine_grid_generator needs 4d (spatial) or 5d (volumetric) inputs.",
  );
  const [batch, , ...spatial] = size;
  return theta.new_empty([batch, ...spatial, spatial.length]);
});

// windows -----------------------------------------------------------------------------------------------------------------

interface FactoryOptions extends Keywords {
  readonly dtype: dtype | null;
  readonly layout: layout | null;
  readonly device: device | null;
  readonly pin_memory: boolean | null;
}

function hann_window_of(window_length: number, periodic: boolean, options: FactoryOptions): Tensor {
  const { layout, device, pin_memory } = options;
  const dtype = options.dtype ?? torch.get_default_dtype();
  const given = { dtype, layout, device, pin_memory };
  if (window_length === 0) return torch.empty([0], given);
  if (window_length === 1) return torch.ones([1], given);
  const n = periodic ? window_length + 1 : window_length;
  const t = torch.arange(n, { ...given, dtype: get_computation_dtype(dtype) }).mul((2 * Math.PI) / (n - 1));
  const window = torch.cos(t).mul(-0.5).add(0.5);
  return (periodic ? window.narrow(0, 0, window_length) : window).to(dtype);
}
register_decomposition(
  "hann_window hann_window.out",
  out_wrapper((window_length: number, kw: FactoryOptions) => hann_window_of(window_length, true, kw), {
    factory: true,
  }),
);
register_decomposition("hann_window.periodic hann_window.periodic_out", out_wrapper(hann_window_of, { factory: true }));

// in place ----------------------------------------------------------------------------------------------------------------

/** Registers an in-place operator: it copies the result of the other form. */
function register_inplace(names: string, outplace: (...args: TensorOrNumber[]) => Tensor): void {
  register_decomposition(names, (...args) => {
    const { out: _, ...keywords } = args.at(-1) as Keywords;
    const result = outplace(...args.slice(0, -1), ...(Object.keys(keywords).length > 0 ? [keywords as never] : []));
    return (args[0] as Tensor).copy_(result);
  });
}
for (const [names, name] of [
  ["addbmm_", "addbmm"],
  ["addmm_", "addmm"],
  ["addmv_", "addmv"],
  ["baddbmm_", "baddbmm"],
  ["logit_", "logit"],
  ["round_ round_.decimals", "round"],
] as const)
  register_inplace(names, (...args) => (torch[name] as (...args: unknown[]) => Tensor)(...args));
for (const shift of ["lshift", "rshift"])
  for (const overload of ["Tensor", "Scalar"])
    register_inplace(`__i${shift}__.${overload}`, (self, other) => {
      const packet = (torch.ops.aten as unknown as Record<string, Record<string, Reference<Tensor>>>)[`__${shift}__`];
      return packet[overload](self, other);
    });
