/**
 * @file `ctc_loss` of `index.ts`.
 * @mirrors torch/nn/functional.py#ctc_loss
 */
import { _C } from "#torch/_C";
import { def_overridable } from "#torch/_overridable";
import type { Tensor } from "#torch/_tensor/index";
import { get_enum, type Reduction } from "#torch/nn/_reduction";

type Lengths = Tensor | readonly number[];
/** The operator's overloads, of which the lengths choose one. */
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
 * How unlikely it is that `log_probs`, read step by step with blanks and repetitions left out, gives `targets`.
 * @param log_probs `(T, N, C) or (T, C)`: logarithms of probabilities, as `log_softmax` gives them
 * @param targets `(N, S)`, or all of them one after the other
 * @param blank the class that stands for nothing
 * @param reduction "mean" divides each loss by its target's length first
 * @param zero_infinity whether a target that cannot be read has the loss 0, and no gradient
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
