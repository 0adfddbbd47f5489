/**
 * @file Losses as modules.
 * @mirrors torch/csrc/api/include/torch/nn/modules/loss.h
 */

import { print } from "#aten/core/Formatting";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { TORCH_CHECK, unmet } from "#c10/util/Exception";
import { as_options, type Made, type OptionsArgs, type OptionsBase, type OptionsClass } from "../../arg.ts";
import { Cloneable } from "../cloneable.ts";
import * as F from "../functional/loss.ts";
import * as O from "../options/loss.ts";
import { type ModuleHolder, TORCH_MODULE } from "../pimpl.ts";
import { g, printed } from "./printed.ts";
import { type Stateless, stateless } from "./stateless.ts";

type Pair = [input: Tensor, target: Tensor];
type Triple = [first: Tensor, second: Tensor, third: Tensor];

export const L1Loss: Stateless<typeof O.L1LossOptions, Pair, Tensor> = stateless(
  "L1Loss",
  O.L1LossOptions,
  F.l1_loss,
  () => printed("L1Loss"),
);
export const KLDivLoss: Stateless<typeof O.KLDivLossOptions, Pair, Tensor> = stateless(
  "KLDivLoss",
  O.KLDivLossOptions,
  F.kl_div,
  () => printed("KLDivLoss"),
);
export const MSELoss: Stateless<typeof O.MSELossOptions, Pair, Tensor> = stateless(
  "MSELoss",
  O.MSELossOptions,
  F.mse_loss,
  () => printed("MSELoss"),
);
export const HingeEmbeddingLoss: Stateless<typeof O.HingeEmbeddingLossOptions, Pair, Tensor> = stateless(
  "HingeEmbeddingLoss",
  O.HingeEmbeddingLossOptions,
  F.hinge_embedding_loss,
  (options) => printed("HingeEmbeddingLoss", [], { margin: g(options.margin()) }),
);
export const CosineEmbeddingLoss: Stateless<typeof O.CosineEmbeddingLossOptions, Triple, Tensor> = stateless(
  "CosineEmbeddingLoss",
  O.CosineEmbeddingLossOptions,
  F.cosine_embedding_loss,
  (options) => printed("CosineEmbeddingLoss", [], { margin: g(options.margin()) }),
);
export const SmoothL1Loss: Stateless<typeof O.SmoothL1LossOptions, Pair, Tensor> = stateless(
  "SmoothL1Loss",
  O.SmoothL1LossOptions,
  (input: Tensor, target: Tensor, options) => F.smooth_l1_loss(input, target, options),
  () => "torch::nn::SmoothL1Loss",
);
export const HuberLoss: Stateless<typeof O.HuberLossOptions, Pair, Tensor> = stateless(
  "HuberLoss",
  O.HuberLossOptions,
  F.huber_loss,
  () => "torch::nn::HuberLoss",
);
export const MultiLabelMarginLoss: Stateless<typeof O.MultiLabelMarginLossOptions, Pair, Tensor> = stateless(
  "MultiLabelMarginLoss",
  O.MultiLabelMarginLossOptions,
  F.multilabel_margin_loss,
  () => printed("MultiLabelMarginLoss"),
);
export const SoftMarginLoss: Stateless<typeof O.SoftMarginLossOptions, Pair, Tensor> = stateless(
  "SoftMarginLoss",
  O.SoftMarginLossOptions,
  F.soft_margin_loss,
  () => printed("SoftMarginLoss"),
);
export const TripletMarginLoss: Stateless<typeof O.TripletMarginLossOptions, Triple, Tensor> = stateless(
  "TripletMarginLoss",
  O.TripletMarginLossOptions,
  F.triplet_margin_loss,
  (options) =>
    printed("TripletMarginLoss", [], {
      margin: g(options.margin()),
      p: g(options.p()),
      eps: g(options.eps()),
      swap: options.swap(),
    }),
);
export const TripletMarginWithDistanceLoss: Stateless<typeof O.TripletMarginWithDistanceLossOptions, Triple, Tensor> =
  stateless(
    "TripletMarginWithDistanceLoss",
    O.TripletMarginWithDistanceLossOptions,
    F.triplet_margin_with_distance_loss,
    (options) => printed("TripletMarginWithDistanceLoss", [], { margin: g(options.margin()), swap: options.swap() }),
  );
type CTCInputs = [log_probs: Tensor, targets: Tensor, input_lengths: Tensor, target_lengths: Tensor];
export const CTCLoss: Stateless<typeof O.CTCLossOptions, CTCInputs, Tensor> = stateless(
  "CTCLoss",
  O.CTCLossOptions,
  F.ctc_loss,
  () => printed("CTCLoss"),
);
export const PoissonNLLLoss: Stateless<typeof O.PoissonNLLLossOptions, Pair, Tensor> = stateless(
  "PoissonNLLLoss",
  O.PoissonNLLLossOptions,
  F.poisson_nll_loss,
  () => printed("PoissonNLLLoss"),
);
export const MarginRankingLoss: Stateless<typeof O.MarginRankingLossOptions, Triple, Tensor> = stateless(
  "MarginRankingLoss",
  O.MarginRankingLossOptions,
  F.margin_ranking_loss,
  () => printed("MarginRankingLoss"),
);

// Losses with weights, which are buffers

type WeightedOptions = OptionsBase & { weight(): Tensor; weight(value: Tensor): unknown };
/** A loss whose weights move with the module. */
export type WeightedLossImpl<O> = Cloneable & {
  readonly options: O;
  weight: Tensor;
  forward(input: Tensor, target: Tensor): Tensor;
};
type WeightedClass<C> = ModuleHolder<new (...args: OptionsArgs<C>) => WeightedLossImpl<Made<C>>>;

/**
 * @param loss the function
 * @param buffers names of the options that are tensors
 */
function weighted<C extends OptionsClass>(
  name: string,
  options_class: C,
  loss: (input: Tensor, target: Tensor, options: Made<C>) => Tensor,
  buffers: readonly string[] = ["weight"],
  text: (options: Made<C>) => string = () => printed(name),
  check: (options: Made<C>) => void = () => {},
): WeightedClass<C> {
  type Any = Record<string, Tensor> & Record<string, (value?: Tensor) => Tensor>;
  class Impl extends Cloneable {
    readonly options: Made<C>;
    declare weight: Tensor;

    constructor(...args: OptionsArgs<C>) {
      super();
      this.options = as_options(options_class, args);
      this.reset();
    }
    override reset(): void {
      check(this.options);
      for (const buffer of buffers) {
        const option = (this.options as unknown as Record<string, () => Tensor>)[buffer];
        (this as unknown as Record<string, Tensor>)[buffer] = this.register_buffer(buffer, option.call(this.options));
      }
    }
    forward(input: Tensor, target: Tensor): Tensor {
      const options = (this.options as unknown as WeightedOptions).copy();
      // The buffers are what `to` moved and `load` read.
      for (const buffer of buffers) (options as unknown as Any)[buffer]((this as unknown as Any)[buffer]);
      return loss(input, target, options as unknown as Made<C>);
    }
    override pretty_print(): string {
      return text(this.options);
    }
  }
  return TORCH_MODULE(Impl as never, name) as unknown as WeightedClass<C>;
}
export const BCELoss: WeightedClass<typeof O.BCELossOptions> = weighted(
  "BCELoss",
  O.BCELossOptions,
  F.binary_cross_entropy,
);
export const MultiMarginLoss: WeightedClass<typeof O.MultiMarginLossOptions> = weighted(
  "MultiMarginLoss",
  O.MultiMarginLossOptions,
  F.multi_margin_loss,
  ["weight"],
  (options) =>
    printed("MultiMarginLoss", [], {
      p: options.p(),
      margin: g(options.margin()),
      weight: options.weight().defined() ? print(options.weight()) : "[ Tensor (undefined) ]",
      reduction: options.reduction(),
    }),
  (options) => {
    TORCH_CHECK(options.p() === 1 || options.p() === 2, "only p == 1 and p == 2 supported");
    const weight = options.weight();
    TORCH_CHECK(
      !weight.defined() || weight.dim() === 1,
      unmet("!options.weight().defined() || options.weight().dim() == 1"),
    );
  },
);
export const MultiLabelSoftMarginLoss: WeightedClass<typeof O.MultiLabelSoftMarginLossOptions> = weighted(
  "MultiLabelSoftMarginLoss",
  O.MultiLabelSoftMarginLossOptions,
  F.multilabel_soft_margin_loss,
);
export const NLLLoss: WeightedClass<typeof O.NLLLossOptions> = weighted("NLLLoss", O.NLLLossOptions, F.nll_loss);
export const CrossEntropyLoss: WeightedClass<typeof O.CrossEntropyLossOptions> = weighted(
  "CrossEntropyLoss",
  O.CrossEntropyLossOptions,
  F.cross_entropy,
);
export const BCEWithLogitsLoss: WeightedClass<typeof O.BCEWithLogitsLossOptions> = weighted(
  "BCEWithLogitsLoss",
  O.BCEWithLogitsLossOptions,
  F.binary_cross_entropy_with_logits,
  ["weight", "pos_weight"],
);
