/**
 * @file Kernels of the negative log likelihood loss, for rows and for images. In an image, every pixel is a position.
 * @mirrors aten/src/ATen/native/LossNLL.cpp
 * @mirrors aten/src/ATen/native/LossNLL2d.cpp
 */
import { Reduction } from "#aten/core/Reduction";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { REGISTER_PRIVATEUSE1_DISPATCH } from "#aten/native/DispatchStub";
import { nll_loss_backward_out_frame, nll_loss_out_frame } from "#aten/native/LossNLL";
import { nll_loss2d_backward_out_frame, nll_loss2d_forward_out_frame } from "#aten/native/LossNLL2d";
import { resize_output } from "#aten/native/Resize";
import { check_type } from "#aten/TensorMethods";
import { Scalar } from "#c10/core/Scalar";
import { isFloatingType } from "#c10/core/ScalarType";
import { as_index } from "./indices.ts";
import { folded, GpuKernel, type KernelContext, view_of } from "./KernelText.ts";
import { fold_row, folded_declaration, row_index, row_shape, shape_of, size_of, variant_of } from "./rows.ts";

/**
 * Position b is pixel `b % map_size` of its image. The element for its class t is at `(b - pixel) * n_classes + t *
 * map_size + pixel`.
 */
interface Positions {
  readonly count: number;
  readonly n_classes: number;
  readonly map_size: number;
}

function positions_of(input: Tensor): Positions {
  if (input.dim() < 4) return { count: input.dim() === 1 ? 1 : input.size(0), n_classes: input.size(-1), map_size: 1 };
  const map_size = input.size(2) * input.size(3);
  return { count: input.size(0) * map_size, n_classes: input.size(1), map_size };
}

const FIELDS = ["count: u32", "n_classes: u32", "map_size: u32", "ignore_index: i32"];
const WORKGROUP = 64;
/** WGSL condition: the target is not ignored and is a valid class. */
const IS_TARGET = "(t != p.ignore_index) && in_bounds(t, p.n_classes)";
const AT = "(b - b % p.map_size) * p.n_classes + u32(t) * p.map_size + b % p.map_size";

function class_of(context: KernelContext): string {
  return `let t = ${as_index(context.type("labels"), "load_labels(b)")};`;
}
function weight_of(context: KernelContext): string {
  return context.has("weight") ? "load_weight(u32(t))" : "1.0f";
}

function each_position(context: KernelContext, body: string): string {
  return `  let b = (group.x + group.y * groups.x) * ${WORKGROUP}u + lane;
  if (b >= p.count) {
    return;
  }
  ${class_of(context)}
${body}`;
}

const one_by_one = new GpuKernel("nll_loss_forward_no_reduce", {
  reads: ["input", "labels", "weight"],
  writes: ["output"],
  fields: FIELDS,
  workgroup_size: [WORKGROUP, 1, 1],
  takes: isFloatingType,
  asserts: "aten::nll_loss_forward",
  code: (context) => ({
    main: each_position(
      context,
      `  var loss = 0.0f;
  if (${IS_TARGET}) {
    loss = -load_input(${AT}) * ${weight_of(context)};
  }
  store_output(b, loss);`,
    ),
  }),
});

/** One workgroup computes the sum of losses and the sum of weights. */
const reduced = new GpuKernel("nll_loss_forward_reduce", {
  reads: ["input", "labels", "weight"],
  writes: ["output", "total_weight"],
  fields: [...FIELDS, "mean: u32"],
  workgroup_size: ({ variant }) => [size_of(shape_of(variant)), 1, 1],
  takes: isFloatingType,
  asserts: "aten::nll_loss_forward",
  code: (context) => {
    const shape = shape_of(context.variant);
    const main = `${row_index(shape)}
  var acc = vec2<f32>(0.0f, 0.0f);
  if (row == 0u) {
    for (var b = rx; b < p.count; b += lanes) {
      ${class_of(context)}
      if (${IS_TARGET}) {
        let w = ${weight_of(context)};
        acc += vec2<f32>(-load_input(${AT}) * w, w);
      }
    }
  }
${fold_row(shape, "acc", (a, b) => `${a} + ${b}`)}
  if ((row == 0u) && (rx == 0u)) {
    store_output(0u, select(acc.x, acc.x / acc.y, p.mean != 0u));
    store_total_weight(0u, acc.y);
  }`;
    return { declarations: folded_declaration(shape, "vec2<f32>"), main };
  },
});

const backward = new GpuKernel("nll_loss_backward", {
  reads: ["grad_output", "labels", "weight", "total_weight"],
  writes: ["grad_input"],
  fields: [...FIELDS, "per_position: u32"],
  workgroup_size: [WORKGROUP, 1, 1],
  takes: isFloatingType,
  asserts: "aten::nll_loss_backward",
  code: (context) => ({
    main: each_position(
      context,
      `  if (${IS_TARGET}) {
    let grad = -${weight_of(context)} * load_grad_output(b * p.per_position);
    store_grad_input(${AT}, ${context.has("total_weight") ? "grad / load_total_weight(0u)" : "grad"});
  }`,
    ),
  }),
});

function values_of({ count, n_classes, map_size }: Positions, ignore_index: number): number[] {
  // A value that does not fit into int32 becomes the smallest int32 (`as_index`), which is out of bounds.
  return [count, n_classes, map_size, ignore_index === (ignore_index | 0) ? ignore_index : -(2 ** 31)];
}

function contiguous_weight(weight: Tensor | null, input: Tensor): Tensor | null {
  if (weight === null) return null;
  check_type(weight, input.scalar_type());
  return weight.contiguous();
}

function nll_loss_forward(
  output: Tensor,
  total_weight: Tensor,
  input_: Tensor,
  target_: Tensor,
  weight_: Tensor | null,
  reduction: number,
  ignore_index: number,
): void {
  const weight = contiguous_weight(weight_, input_);
  const positions = positions_of(input_);
  const { count } = positions;
  const input = input_.contiguous();
  const target = target_.contiguous();
  const per_position = reduction === Reduction.None && input_.dim() > 1;
  resize_output(output, per_position ? (input_.dim() === 4 ? target_.sizes() : [count]) : []);
  if (per_position) total_weight.zero_();
  if (count === 0) {
    if (per_position) return;
    output.fill__Scalar(Scalar.fromDouble(reduction === Reduction.Mean ? Number.NaN : 0));
    total_weight.zero_();
    return;
  }
  const reads = [view_of(input), view_of(target), weight === null ? null : view_of(weight)];
  const values = values_of(positions, ignore_index);
  if (per_position) {
    const rows = output.is_contiguous() ? output : at.empty_like(output).contiguous();
    one_by_one.launch(0, [...reads, view_of(rows)], values, ...folded(Math.ceil(count / WORKGROUP)), 1);
    if (rows !== output) output.copy_(rows);
    return;
  }
  const shape = row_shape(1, count, true);
  const mean = reduction === Reduction.Mean ? 1 : 0;
  reduced.launch(variant_of(shape), [...reads, view_of(output), view_of(total_weight)], [...values, mean], 1, 1, 1);
}

function nll_loss_backward(
  grad_input: Tensor,
  grad_output: Tensor,
  input: Tensor,
  target: Tensor,
  weight_: Tensor | null,
  reduction: number,
  ignore_index: number,
  total_weight: Tensor,
): void {
  const positions = positions_of(input);
  if (positions.count === 0) return;
  const weight = contiguous_weight(weight_, input);
  const per_position = reduction === Reduction.None && input.dim() > 1;
  const grad = grad_output.contiguous();
  const classes = target.contiguous();
  backward.launch(
    0,
    [
      view_of(grad),
      view_of(classes),
      weight === null ? null : view_of(weight),
      reduction === Reduction.Mean ? view_of(total_weight) : null,
      view_of(grad_input),
    ],
    [...values_of(positions, ignore_index), per_position ? 1 : 0],
    ...folded(Math.ceil(positions.count / WORKGROUP)),
    1,
  );
}

REGISTER_PRIVATEUSE1_DISPATCH(nll_loss_out_frame, nll_loss_forward, "nll_loss_forward_kernel_webgpu");
REGISTER_PRIVATEUSE1_DISPATCH(nll_loss_backward_out_frame, nll_loss_backward, "nll_loss_backward_kernel_webgpu");
REGISTER_PRIVATEUSE1_DISPATCH(nll_loss2d_forward_out_frame, nll_loss_forward, "nll_loss_forward_kernel_webgpu");
REGISTER_PRIVATEUSE1_DISPATCH(nll_loss2d_backward_out_frame, nll_loss_backward, "nll_loss_backward_kernel_webgpu");
