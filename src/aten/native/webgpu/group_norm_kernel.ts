/**
 * @file Kernels of group_norm: groups of channels are normalized by their mean and standard deviation. A row is one
 * group of one image.
 * @mirrors aten/src/ATen/native/group_norm.h
 * @see row_norm.ts
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import { REGISTER_PRIVATEUSE1_DISPATCH } from "#aten/native/DispatchStub";
import {
  GroupNormBackwardKernel,
  type GroupNormGradients,
  GroupNormKernel,
  type Groups,
} from "#aten/native/group_norm";
import { folded, type GpuKernel, type OperandView, view_of } from "./KernelText.ts";
import { row_norm, row_norm_grad_input, row_norm_grad_parameters } from "./row_norm.ts";
import { groups_of, row_shape, variant_of } from "./rows.ts";

type MaybeTensor = Tensor | null;

const FIELDS = ["groups: u32", "channels: u32", "map_size: u32"];
/** `channels` is the number of channels in a group. */
const CHANNEL = "(row % p.groups) * p.channels + i / p.map_size";
/** In this kernel a row is a channel; its elements come from all images. */
const PLACE = "((i / p.map_size) * p.rows + row) * p.map_size + i % p.map_size";

const forward = row_norm("group_norm", CHANNEL, FIELDS);
const backward_input = row_norm_grad_input("group_norm_grad_input", CHANNEL, FIELDS);
const backward_parameters = row_norm_grad_parameters(
  "group_norm_grad_parameters",
  PLACE,
  "(i / p.map_size) * p.groups + row / p.channels",
  FIELDS,
);

function launch(
  kernel: GpuKernel,
  rows: number,
  elements: number,
  { C, HxW, group }: Groups,
  operands: readonly (Tensor | null)[],
  eps: readonly number[],
): void {
  if (rows * elements === 0) return;
  const shape = row_shape(rows, elements, true);
  const views = operands.map((t): OperandView | null => (t === null ? null : view_of(t)));
  const values = [rows, elements, group, C / group, HxW, ...eps];
  kernel.launch(variant_of(shape), views, values, ...folded(groups_of(shape, rows)), 1);
}

/** Number of rows (groups) and of elements in a row. */
function as_groups({ N, C, HxW, group }: Groups): [rows: number, elements: number] {
  return [N * group, (C / group) * HxW];
}

function group_norm(
  X: Tensor,
  gamma: MaybeTensor,
  beta: MaybeTensor,
  groups: Groups,
  eps: number,
  Y: Tensor,
  [mean, rstd]: readonly [Tensor, Tensor],
): void {
  const out = Y.contiguous();
  const reads = [X.contiguous(), gamma?.contiguous() ?? null, beta?.contiguous() ?? null];
  launch(forward, ...as_groups(groups), groups, [...reads, out, mean, rstd], [eps]);
  if (out !== Y) Y.copy_(out);
}

function group_norm_backward(
  dY: Tensor,
  X: Tensor,
  mean: Tensor,
  rstd: Tensor,
  gamma: MaybeTensor,
  groups: Groups,
  { dX, dgamma, dbeta }: GroupNormGradients,
): void {
  const reads = [dY, X, mean, rstd].map((t) => t.contiguous());
  if (dX !== null) {
    const out = dX.contiguous();
    launch(backward_input, ...as_groups(groups), groups, [...reads, gamma?.contiguous() ?? null, out], []);
    if (out !== dX) dX.copy_(out);
  }
  for (const t of [dgamma, dbeta]) t?.zero_();
  if (dgamma !== null || dbeta !== null)
    launch(backward_parameters, groups.C, groups.N * groups.HxW, groups, [...reads, dgamma, dbeta], []);
}

REGISTER_PRIVATEUSE1_DISPATCH(GroupNormKernel, group_norm, "GroupNormKernelImpl_webgpu");
REGISTER_PRIVATEUSE1_DISPATCH(GroupNormBackwardKernel, group_norm_backward, "GroupNormBackwardKernelImpl_webgpu");
