/**
 * @file `embedding_bag` of `torch.nn.functional`, and the renormalization of embedding rows.
 * @mirrors torch/nn/functional.py#embedding_bag
 * @differs Ours has no nested tensors: bags of different sizes are given by `offsets`; PyTorch also takes a nested tensor.
 */
import { NotImplementedError, ValueError, warn } from "#c10/util/Exception";
import { _C, having, python_type } from "#torch/_C";
import { def_overridable } from "#torch/_overridable";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { size_repr } from "#torch/nn/_size";
import type { _float } from "#torch/types";

const _VF = _C._VariableFunctions;

/** Scales the rows at the given indices down to norm `max_norm` if their norm is larger. */
export function _no_grad_embedding_renorm_(weight: Tensor, input: Tensor, max_norm: _float, norm_type: _float): void {
  torch.no_grad(() => _VF.embedding_renorm_(weight.detach(), input, Number(max_norm), Number(norm_type)));
}

/** The number by which `aten::embedding_bag` names a mode. */
function mode_enum_of(mode: string, scale_grad_by_freq: boolean, sparse: boolean): number {
  const mode_enum = ["sum", "mean", "max"].indexOf(mode);
  if (mode_enum === -1) throw new ValueError("mode has to be one of sum, mean or max");
  if (mode === "max" && scale_grad_by_freq)
    throw new ValueError("max mode does not support scaling the gradient by the frequency");
  if (mode === "max" && sparse) throw new ValueError("max mode does not support sparse weights");
  return mode_enum;
}

interface Bags {
  readonly input: Tensor;
  readonly offsets: Tensor;
  readonly per_sample_weights: Tensor | null;
  readonly include_last_offset: boolean;
}

/**
 * The indices and offsets of the bags. Bags of equal size are the rows of a matrix; otherwise the bags follow each other, and `offsets`
 * marks where each begins.
 */
function bags_of(
  input: Tensor,
  offsets_: Tensor | null,
  per_sample_weights: Tensor | null,
  include_last_offset: boolean,
): Bags {
  let offsets = offsets_;
  if (input.dim() === 2) {
    if (offsets !== null)
      throw new ValueError(
        `if input is 2D, then offsets has to be None, as input is treated is a mini-batch of fixed length sequences. However, found offsets of type <class 'torch.${python_type(offsets)}'>`,
      );
    const { dtype, device } = input;
    offsets = torch.arange(0, input.numel(), input.size(1), { dtype, device });
    return {
      input: input.reshape(-1),
      offsets,
      per_sample_weights: per_sample_weights?.reshape(-1) ?? null,
      include_last_offset: false,
    };
  }
  if (input.dim() !== 1)
    throw new ValueError(`input has to be 1D or 2D Tensor, but got Tensor of dimension ${input.dim()}`);
  if (offsets === null) throw new ValueError("offsets has to be a 1D Tensor but got None");
  if (offsets.dim() !== 1) throw new ValueError("offsets has to be a 1D Tensor");
  return { input, offsets, per_sample_weights, include_last_offset };
}

/**
 * Sums, means or maxima of rows of `weight`, bag by bag.   `(B, N) or (N), (V, D) -> (B, D)`
 * @param offsets the position in a 1-d `input` where each bag begins
 * @param per_sample_weights a factor for each index; only with mode "sum"
 * @param include_last_offset whether `offsets` also contains the end of the last bag
 * @param padding_idx the index that is ignored in every bag
 */
export const embedding_bag = def_overridable(
  "embedding_bag(input: Tensor, weight: Tensor, offsets: Tensor=None, max_norm=None, norm_type=2, scale_grad_by_freq=False, mode='mean', sparse=False, per_sample_weights: Tensor=None, include_last_offset=False, padding_idx=None)",
  (
    given_input: Tensor,
    given_weight: Tensor,
    offsets: Tensor | null,
    max_norm: _float | null,
    norm_type: _float,
    scale_grad_by_freq: boolean,
    mode: string,
    sparse: boolean,
    per_sample_weights: Tensor | null,
    include_last_offset: boolean,
    padding_idx: number | null,
  ): Tensor => {
    let [input, weight] = [given_input, given_weight];
    if (weight.dtype === torch.long && input.is_floating_point()) {
      warn(
        "UserWarning",
        "Argument order of nn.functional.embedding_bag was changed. Usage `embedding_bag(weight, input, ...)` is deprecated, and should now be `embedding_bag(input, weight, ...)`.",
      );
      [input, weight] = [weight, input];
    }
    if (per_sample_weights !== null && size_repr(input) !== size_repr(per_sample_weights))
      throw new ValueError(
        `embedding_bag: If per_sample_weights (${size_repr(per_sample_weights)}) is not None, then it must have the same shape as the input (${size_repr(input)})`,
      );
    if (having(weight, "dim").dim() !== 2)
      throw new ValueError(`weight has to be a 2D Tensor, but got Tensor of dimension ${weight.dim()}`);
    const bags = bags_of(input, offsets, per_sample_weights, include_last_offset);
    const mode_enum = mode_enum_of(mode, scale_grad_by_freq, sparse);
    if (max_norm !== null) _no_grad_embedding_renorm_(weight, bags.input, max_norm, norm_type);
    if (per_sample_weights !== null && mode !== "sum")
      throw new NotImplementedError(
        `embedding_bag: per_sample_weights was not None. per_sample_weights is only supported for mode='sum' (got mode='${mode}'). Please open a feature request on GitHub.`,
      );
    const [ret] = _VF.embedding_bag(
      weight,
      bags.input,
      bags.offsets,
      scale_grad_by_freq,
      mode_enum,
      sparse,
      bags.per_sample_weights,
      bags.include_last_offset,
      padding_idx,
    );
    return ret;
  },
  "torch.nn.functional.embedding_bag",
);
