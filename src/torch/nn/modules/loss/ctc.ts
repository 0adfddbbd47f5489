/**
 * @file `nn.CTCLoss`.
 * @mirrors torch/nn/modules/loss.py#CTCLoss
 */
import { type Args, def_methods, Init, type InitArgs, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import type { Reduction } from "#torch/nn/_reduction";
import * as F from "#torch/nn/functional/index";
import { _Loss } from "./index.ts";

const CTCLoss_init = new Init(
  "CTCLoss.__init__(self, blank=0, reduction='mean', zero_infinity=False)",
  types<[blank: number, reduction: Reduction, zero_infinity: boolean]>,
);

type Lengths = Tensor | readonly number[];
const FORWARD = "(self, log_probs, targets, input_lengths, target_lengths)";
type Call = Args<typeof FORWARD, [log_probs: Tensor, targets: Tensor, input_lengths: Lengths, target_lengths: Lengths]>;

/** Connectionist temporal classification loss. */
export class CTCLoss extends _Loss<Call> {
  static readonly __module__: string = "torch.nn.modules.loss";

  blank: number;
  zero_infinity: boolean;

  static {
    def_methods(CTCLoss, { __init__: CTCLoss_init, forward: FORWARD });
  }

  constructor(...args: InitArgs<typeof CTCLoss_init>) {
    const [blank, reduction, zero_infinity] = CTCLoss_init.bind(args);
    super(null, null, reduction);
    this.blank = blank;
    this.zero_infinity = zero_infinity;
  }

  override forward(log_probs: Tensor, targets: Tensor, input_lengths: Lengths, target_lengths: Lengths): Tensor {
    const { blank, reduction, zero_infinity } = this;
    return F.ctc_loss(log_probs, targets, input_lengths, target_lengths, blank, reduction, zero_infinity);
  }
}
