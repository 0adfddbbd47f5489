/**
 * @file Kinds of operators, by what computing them again costs.
 * @mirrors torch/_functorch/partitioners.py#get_default_op_list
 */

import { Tag } from "#torch/_C";
import { OpOverload } from "#torch/_ops";
import { magic_methods } from "#torch/fx/graph/magic_methods";
import type { Node } from "#torch/fx/node";
import { target_name } from "../compile_utils.ts";

const aten = (names: string): string[] =>
  names
    .trim()
    .split(/\s+/)
    .map((name) => `aten.${name}`);

const VIEWS = aten("squeeze unsqueeze alias view slice t expand as_strided permute select split");
const RANDOM = aten("native_dropout rand_like randn_like");
const RECOMPUTABLE = [
  ...aten(`
  add sub div atan2 mul max min pow remainder fmod __and__ __or__ __xor__ __lshift__ __rshift__ eq ne ge gt le lt abs bitwise_not ceil floor
  frac neg relu round silu trunc log log10 log1p log2 lgamma exp expm1 erf erfc cos acos cosh sin asin sinh tan atan tanh atanh sqrt rsqrt
  reciprocal sigmoid softplus threshold threshold_backward clamp where lerp addcmul gelu gelu_backward sum mean _grad_sum_to_size sum_to_size
  amax to type_as squeeze unsqueeze rsub _to_copy clone full_like var std select _unsafe_view view expand slice reshape broadcast_tensors
  scalar_tensor ones new_zeros lift_fresh_copy arange triu var_mean isinf any full as_strided zeros empty empty_like argmax maximum index gather
  zeros_like`),
  ...VIEWS,
  ...Object.keys(magic_methods).map((name) => `_operator.${name}`),
  "_operator.getitem",
];

const views = new Set(VIEWS);
const random = new Set(RANDOM);
const recomputable = new Set(RECOMPUTABLE);

const is_pointwise = ({ target }: Node): boolean =>
  target instanceof OpOverload &&
  target.namespace === "aten" &&
  target.overloadpacket.op_overloads().some((overload) => overload.tags.includes(Tag.pointwise));

export const is_view = (node: Node): boolean => views.has(target_name(node));
/** Whether the operator may run again in backward. */
export const is_recomputable = (node: Node): boolean => recomputable.has(target_name(node)) || is_pointwise(node);
/** Whether a compiler computes the operator together with a neighbour. */
export const is_fusible_op = (node: Node): boolean => is_recomputable(node) || random.has(target_name(node));
