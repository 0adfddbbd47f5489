/**
 * @file Helpers of distributions: broadcasting of parameters, probabilities and logits, sums over the last dims.
 * @mirrors torch/distributions/utils.py
 */
import { RuntimeError, ValueError } from "#c10/util/Exception";
import { type Float, python_type, refuse_other_copies } from "#torch/_C";
import { def } from "#torch/_signature";
import { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import * as F from "#torch/nn/functional/index";
import { is_tensor_like } from "#torch/overrides";
import type { device, dtype } from "#torch/types";

export { lazy_property } from "./class_attributes.ts";

/** A Python number. */
export type Number_ = number | boolean | Float;
/** A size given by a caller. */
export type Size = readonly number[];

/** The Euler-Mascheroni constant. */
export const euler_constant = 0.5772156649015329;

/** `isinstance(value, (int, float, bool))`. */
export function is_number(value: unknown): value is Number_ {
  return ["int", "float", "bool"].includes(python_type(value));
}

/**
 * The values broadcast to one shape. Numbers become tensors with the dtype of the first tensor, or with the default dtype if all values are
 * numbers.
 */
export const broadcast_all = def(
  "broadcast_all(*values: object)",
  (values: readonly (Tensor | Number_)[]): Tensor[] => {
    values.forEach(refuse_other_copies);
    if (!values.every((v) => is_tensor_like(v) || is_number(v)))
      throw new ValueError(
        "Input arguments must all be instances of Number, torch.Tensor or objects implementing __torch_function__.",
      );
    const first = values.find((v) => v instanceof Tensor);
    const options =
      first === undefined ? { dtype: torch.get_default_dtype() } : { dtype: first.dtype, device: first.device };
    const all = torch.broadcast_tensors(
      ...values.map((v) => (is_tensor_like(v) ? (v as Tensor) : torch.tensor(v as Number_, options))),
    );
    const undefined_ = (all as readonly (Tensor | null)[]).indexOf(null);
    if (undefined_ >= 0)
      throw new RuntimeError(
        `Expected a proper Tensor but got None (or an undefined Tensor in C++) for argument #${undefined_} 'tensors'`,
      );
    return all;
  },
);

/** Random numbers from the standard normal distribution. */
export function _standard_normal(shape: Size, { dtype, device }: { dtype: dtype; device: device }): Tensor {
  return torch.empty(shape, { dtype, device }).normal_();
}

/** The sum over the last `dim` dims. */
export function _sum_rightmost(value: Tensor, dim: number): Tensor {
  if (dim === 0) return value;
  return value.reshape([...value.shape.slice(0, -dim), -1]).sum(-1);
}

/** Probabilities computed from logits: from log odds if `is_binary`, else from log-probabilities along the last dim, up to a constant. */
export const logits_to_probs = def(
  "logits_to_probs(logits, is_binary=False)",
  (logits: Tensor, is_binary: boolean): Tensor => (is_binary ? torch.sigmoid(logits) : F.softmax(logits, { dim: -1 })),
);

/** Probabilities clamped to [eps, 1 - eps], with the `eps` of the dtype. */
export const clamp_probs = def("clamp_probs(probs)", (probs: Tensor): Tensor => {
  const { eps } = torch.finfo(probs.dtype);
  return probs.clamp({ min: eps, max: 1 - eps });
});

/** Logits computed from probabilities: log odds if `is_binary`, else logarithms. */
export const probs_to_logits = def(
  "probs_to_logits(probs, is_binary=False)",
  (probs: Tensor, is_binary: boolean): Tensor => {
    const ps_clamped = clamp_probs(probs);
    const logs = torch.log(ps_clamped);
    return is_binary ? logs.sub(torch.log1p(ps_clamped.neg())) : logs;
  },
);

/** A mask of the elements of an `n x n` matrix on or below the diagonal `diag`. */
function tril_mask(n: number, diag: number, device: device): Tensor {
  const arange = torch.arange(n, { device });
  return arange.lt(arange.view(-1, 1).add(diag + 1));
}

/** The elements on or below the diagonal `diag`, row by row.   `(*, n, n) -> (*, k)` */
export const tril_matrix_to_vec = def("tril_matrix_to_vec(mat, diag=0)", (mat: Tensor, diag: number): Tensor => {
  const n = mat.size(-1);
  if (diag < -n || diag >= n) throw new ValueError(`diag (${diag}) provided is outside [${-n}, ${n - 1}].`);
  return mat.at("...", tril_mask(n, diag, mat.device));
});

/** The lower triangular matrix with these elements, row by row.   `(*, k) -> (*, n, n)` */
export const vec_to_tril_matrix = def("vec_to_tril_matrix(vec, diag=0)", (vec: Tensor, diag: number): Tensor => {
  const k = vec.size(-1);
  // The positive root of n ** 2 + (1 + 2 * diag) * n - |diag| * (diag + 1) - 2 * k = 0
  const n = (-(1 + 2 * diag) + ((1 + 2 * diag) ** 2 + 8 * k + 4 * Math.abs(diag) * (diag + 1)) ** 0.5) / 2;
  if (Math.round(n) - n > torch.finfo(vec.dtype).eps)
    throw new ValueError(
      `The size of last dimension is ${k} which cannot be expressed as the lower triangular part of a square D x D matrix.`,
    );
  const rows = Math.round(n);
  const mat = vec.new_zeros([...vec.shape.slice(0, -1), rows, rows]);
  return mat.set_at(vec, "...", tril_mask(rows, diag, vec.device));
});

/** The batch shape of a parameter; it is empty if only numbers were given. */
export function batch_shape_of(parameter: Tensor, ...given: readonly unknown[]): number[] {
  return given.every(is_number) ? [] : parameter.size();
}

/** Refuses both `probs` and `logits`, or neither. */
export function check_one_of(probs: unknown, logits: unknown): void {
  if ((probs === null) === (logits === null))
    throw new ValueError("Either `probs` or `logits` must be specified, but not both.");
}

/** Expands the one of `probs` and `logits` that `self` was given into `new_`; the other is computed when it is read. */
export function expand_given<T extends { probs: Tensor; logits: Tensor; _param: Tensor }>(
  self: T,
  new_: T,
  shape: Size,
): void {
  for (const name of ["probs", "logits"] as const)
    if (Object.hasOwn(self, name)) new_._param = new_[name] = self[name].expand(shape);
}
