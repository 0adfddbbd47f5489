/**
 * @file Decompositions of normalizations: shapes and dtypes of results and gradients.
 * @mirrors torch/_decomp/decompositions.py
 * @differs Ours omits a computation that changes neither shape, strides nor dtype (a variance has the shape of the mean); PyTorch's
 * decompositions compute values.
 */
import { AssertionError } from "#c10/util/Exception";
import type { Tensor } from "#torch/_tensor/index";
import {
  check,
  check_same_device,
  check_same_shape,
  get_computation_dtype,
  same_shape,
  size_repr,
} from "../_prims_common/index.ts";
import { out_wrapper } from "../_prims_common/wrappers.ts";
import { torch } from "../_torch.ts";
import { register_decomposition, register_with_out } from "./index.ts";

type Maybe = Tensor | null;

/** `t` with dims of size 1 appended, `n` dims in all. */
function _unsqueeze_to_dim(t: Tensor, n: number): Tensor {
  let x = t;
  while (x.dim() < n) x = x.unsqueeze(-1);
  return x;
}

/** The result, and the mean and 1 / std of each channel. */
function native_batch_norm_helper(
  input: Tensor,
  weight: Maybe,
  bias: Maybe,
  running_mean: Maybe,
  running_var: Maybe,
  training: boolean,
): [Tensor, Tensor, Tensor] {
  const reduction_dims = [...input.shape.keys()].filter((d) => d !== 1);
  const computation_dtype = get_computation_dtype(input.dtype);
  let mean: Tensor;
  let save_mean: Tensor;
  if (training) {
    [, mean] = torch.var_mean(input.to(computation_dtype), reduction_dims, { correction: 0, keepdim: true });
    save_mean = torch.squeeze(mean, reduction_dims);
    for (const running of [running_mean, running_var])
      if (running !== null) running.copy_(torch.add(save_mean, running));
  } else {
    if (running_mean === null || running_var === null)
      throw new AssertionError("running_mean and running_var must not be None in eval mode");
    save_mean = running_mean.to(computation_dtype, { copy: true });
    mean = _unsqueeze_to_dim(save_mean, input.dim() - 1);
  }
  let output = torch.mul(torch.sub(input, mean), mean);
  if (weight !== null) output = torch.mul(output, _unsqueeze_to_dim(weight.flatten(), input.dim() - 1));
  if (bias !== null) output = torch.add(output, _unsqueeze_to_dim(bias.flatten(), input.dim() - 1));
  // The CPU keeps nothing without training, and otherwise in the dtype of the input.
  if (input.device.type === "cpu") save_mean = training ? save_mean.to(input.dtype) : input.new_zeros([0]);
  return [output.to(input.dtype), save_mean, torch.empty_like(save_mean)];
}

/** The reserve tensor in which PyTorch records a cuDNN run; it is empty here. */
function _get_batch_norm_reserve_tensor(input: Tensor): Tensor {
  return torch.empty([0], { dtype: torch.uint8, device: input.device });
}

register_decomposition(
  "native_batch_norm native_batch_norm.out",
  out_wrapper((...[input, weight, bias, mean, variance, training]: [Tensor, Maybe, Maybe, Maybe, Maybe, boolean]) =>
    native_batch_norm_helper(input, weight, bias, mean, variance, training),
  ),
);
register_decomposition(
  "_native_batch_norm_legit",
  (...[input, weight, bias, mean, variance, training]: [Tensor, Maybe, Maybe, Tensor, Tensor, boolean]) =>
    native_batch_norm_helper(input, weight, bias, mean, variance, training),
);
register_decomposition(
  "_native_batch_norm_legit.no_stats",
  (input: Tensor, weight: Maybe, bias: Maybe, training: boolean) =>
    native_batch_norm_helper(input, weight, bias, null, null, training),
);
register_decomposition(
  "_native_batch_norm_legit_no_training",
  (input: Tensor, weight: Maybe, bias: Maybe, mean: Tensor, variance: Tensor) =>
    native_batch_norm_helper(input, weight, bias, mean, variance, false),
);
for (const [name, training] of [
  ["_batch_norm_with_update", true],
  ["_batch_norm_no_update", false],
] as const)
  register_decomposition(name, (input: Tensor, weight: Maybe, bias: Maybe, mean: Maybe, variance: Maybe) => [
    ...native_batch_norm_helper(input, weight, bias, mean, variance, training),
    _get_batch_norm_reserve_tensor(input),
  ]);

type Mask = readonly boolean[];

/** The gradients for input, weight and bias. */
function batch_norm_gradients(
  grad_out: Tensor,
  input: Tensor,
  weight: Maybe,
  statistics: readonly [mean: Maybe, variance: Maybe, save_mean: Maybe, save_invstd: Maybe],
  train: boolean,
  output_mask: Mask,
): [Tensor, Maybe, Maybe] {
  const computation_dtype = get_computation_dtype(input.dtype);
  const weight_dtype = (weight ?? input).dtype;
  if (input.dim() < 2) throw new AssertionError(`rank of the input must be at least 2, got ${input.dim()}`);
  const [running_mean, running_var, save_mean, save_invstd] = statistics;
  const mean = train ? save_mean : running_mean;
  if (mean === null || (train ? save_invstd : running_var) === null)
    throw new AssertionError(
      train
        ? "mean and invstd must not be None in training mode"
        : "running_mean_cast and running_var_cast must not be None in eval mode",
    );
  const [g, x] = [grad_out.to(computation_dtype), input.to(computation_dtype)];
  const shape = input.shape.map((size, d) => (d === 1 ? size : 1));
  const broadcast = torch.reshape(mean.to(computation_dtype), shape);
  const axes = [...input.shape.keys()].filter((d) => d !== 1);
  const grad_output_sum = torch.sum(g, axes);
  const centered = train ? torch.sub(g, torch.mul(torch.sub(x, broadcast), broadcast)) : g;
  const grad_input = torch.mul(centered, broadcast);
  return [
    grad_input.to(input.dtype),
    output_mask[1] ? torch.mul(grad_output_sum, mean).to(weight_dtype) : null,
    output_mask[2] ? grad_output_sum.to(weight_dtype) : null,
  ];
}

type BatchNormBackward = [
  Tensor,
  Tensor,
  Maybe,
  Maybe,
  Maybe,
  Maybe,
  Maybe,
  train: boolean,
  eps: number,
  output_mask: Mask,
];
const batch_norm_backward = (...given: unknown[]) => {
  const [grad, input, weight, mean, variance, save_mean, save_invstd, train, , mask] = given as BatchNormBackward;
  return batch_norm_gradients(grad, input, weight, [mean, variance, save_mean, save_invstd], train, mask);
};
register_decomposition("native_batch_norm_backward batch_norm_backward", batch_norm_backward);
register_decomposition("native_batch_norm_backward.out", out_wrapper(batch_norm_backward));
register_decomposition(
  "_native_batch_norm_legit_functional",
  (...[input, weight, bias, mean, variance, training]: [Tensor, Maybe, Maybe, Tensor, Tensor, boolean]) => [
    ...native_batch_norm_helper(input, weight, bias, mean.clone(), variance.clone(), training),
    mean.clone(),
    variance.clone(),
  ],
);
register_decomposition(
  "_batch_norm_with_update_functional",
  (input: Tensor, weight: Maybe, bias: Maybe, mean: Tensor, variance: Tensor) => [
    ...native_batch_norm_helper(input, weight, bias, mean.clone(), variance.clone(), true),
    _get_batch_norm_reserve_tensor(input),
    mean.clone(),
    variance.clone(),
  ],
);

// Rows and groups ---------------------------------------------------------------------------------------------------------

/** The mean and 1 / std of each row have the dtype of the computation, but on the CPU that of the input. */
register_decomposition(
  "native_layer_norm native_layer_norm.out",
  out_wrapper((input: Tensor, normalized_shape: number[], weight: Maybe, bias: Maybe) => {
    check(
      normalized_shape.length > 0,
      () =>
        "Expected normalized_shape to be at least 1-dimensional, i.e., containing at least one element, but got normalized_shape = []",
    );
    const wanted = `[${normalized_shape.join(", ")}]`;
    for (const [name, t] of [
      ["weight", weight],
      ["bias", bias],
    ] as const)
      check(
        t === null || same_shape(t.shape, normalized_shape),
        () =>
          `Expected ${name} to be of same shape as normalized_shape, but got ${name} of shape ` +
          `${size_repr((t as Tensor).shape)} and normalized_shape = ${wanted}`,
      );
    const axis = input.dim() - normalized_shape.length;
    check(
      axis >= 0 && same_shape(input.shape.slice(axis), normalized_shape),
      () =>
        `Given normalized_shape=${wanted}, expected input with shape ${wanted}, but got input of size ${size_repr(input.shape)}`,
    );
    const dtype = input.device.type === "cpu" ? input.dtype : get_computation_dtype(input.dtype);
    const stat = () =>
      torch.empty(
        input.shape.map((size, d) => (d < axis ? size : 1)),
        { dtype, device: input.device },
      );
    return [torch.empty_like(input, { memory_format: torch.contiguous_format }), stat(), stat()];
  }),
);
const layer_norm_backward = (...given: unknown[]) => {
  const [, input, , , , weight, bias, mask] = given as [Tensor, Tensor, number[], Tensor, Tensor, Maybe, Maybe, Mask];
  const like = (wanted: boolean, t: Maybe) => (wanted && t !== null ? torch.empty_like(t) : null);
  return [like(mask[0], input), like(mask[1], weight), like(mask[2], bias)];
};
register_decomposition("native_layer_norm_backward", layer_norm_backward);
register_decomposition("native_layer_norm_backward.out", out_wrapper(layer_norm_backward));
register_decomposition(
  "native_group_norm",
  (...[input, , , N, , , group]: [Tensor, Maybe, Maybe, number, number, number, number]) => {
    const dtype = get_computation_dtype(input.dtype);
    const stat = () => torch.empty([N, group], { dtype, device: input.device });
    return [torch.empty_like(input), stat(), stat()];
  },
);
const group_norm_backward = (...given: unknown[]) => {
  const [grad_output, input, mean, rstd, gamma, N, C, HxW, group, mask] = given as [
    Tensor,
    Tensor,
    Tensor,
    Tensor,
    Maybe,
    number,
    number,
    number,
    number,
    Mask,
  ];
  check_same_device([grad_output, input, mean, rstd], false);
  check_same_shape([input, grad_output], false);
  check_same_shape([mean, rstd], false);
  check(input.numel() === N * C * HxW, () => `Expect input to have ${N * C * HxW} elements`);
  check(
    same_shape(mean.shape, [N, group]),
    () => `Expect mean to have shape (${N}, ${group}, but got ${size_repr(mean.shape)}`,
  );
  check(
    gamma === null || gamma.numel() === C,
    () => `Expect gamma to have ${C} elements but got ${gamma?.numel() ?? -1}`,
  );
  check(C % group === 0, () => `Expect number of channels ${C} to be evenly-divisible by number of groups ${group}`);
  const of_channels = (wanted: boolean) => (wanted ? (gamma ?? input).new_empty([C]) : null);
  return [mask[0] ? torch.empty_like(input) : null, of_channels(mask[1]), of_channels(mask[2])];
};
register_decomposition("native_group_norm_backward", group_norm_backward);
register_decomposition("native_group_norm_backward.out", out_wrapper(group_norm_backward));

register_with_out("_weight_norm_interface", (v: Tensor, g: Tensor, dim = 0) => {
  const keep_dim = [...v.shape.keys()].filter((d) => d !== dim);
  // The kernel's norm of a Half tensor is Float as well, but the norm of this shape function is not.
  const dtype = g.dtype === torch.bfloat16 ? torch.float32 : null;
  const norm = torch.norm(v, 2, keep_dim, { keepdim: true, dtype });
  return [torch.mul(v, torch.div(g, norm.to(g.dtype))), norm];
});

// Copies and windows ------------------------------------------------------------------------------------------------------

register_decomposition(
  "repeat repeat.out",
  out_wrapper((a: Tensor, repeats: number[]) => {
    const padded = [...new Array<number>(repeats.length - a.dim()).fill(1), ...a.shape];
    return a.new_empty(padded.map((size, d) => size * repeats[d]));
  }),
);
register_decomposition(
  "unfold_backward unfold_backward.out",
  out_wrapper((grad: Tensor, input_size: number[]) => grad.new_zeros(input_size)),
);
