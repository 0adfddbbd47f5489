/**
 * @file `ctc_loss` of `torch.nn.functional`.
 * @mirrors torch/nn/functional.py#ctc_loss
 */
import { _C } from "#torch/_C";
import { def_overridable } from "#torch/_overridable";
import type { Tensor } from "#torch/_tensor/index";
import { get_enum, type Reduction } from "#torch/nn/_reduction";

type Lengths = Tensor | readonly number[];
/** The overloads of the operator; the type of the lengths selects one. */
type CTC = (
  log_probs: Tensor,
  targets: Tensor,
  input_lengths: Lengths,
  target_lengths: Lengths,
  blank: number,
  reduction: number,
  zero_infinity: boolean,
) => Tensor;

/**
 * Connectionist temporal classification loss: the negative logarithm of the probability that `log_probs` gives `targets`, summed over all
 * alignments.
 * @param log_probs `(T, N, C) or (T, C)`: logarithms of probabilities, as computed by `log_softmax`
 * @param targets `(N, S)`, or all targets concatenated in one dim
 * @param blank the index of the blank class
 * @param reduction "mean" first divides each loss by the length of its target
 * @param zero_infinity whether an infinite loss (a target longer than its input allows) and its gradient are replaced by 0
 */
export const ctc_loss = def_overridable(
  "ctc_loss(log_probs: Tensor, targets: Tensor, input_lengths: Tensor, target_lengths: Tensor, blank=0, reduction='mean', zero_infinity=False)",
  (
    log_probs: Tensor,
    targets: Tensor,
    input_lengths: Lengths,
    target_lengths: Lengths,
    blank: number,
    reduction: Reduction,
    zero_infinity: boolean,
  ): Tensor => {
    const tensors = [log_probs, targets, input_lengths, target_lengths] as const;
    return (_C._VariableFunctions.ctc_loss as CTC)(...tensors, blank, get_enum(reduction), zero_infinity);
  },
  "torch.nn.functional.ctc_loss",
);
