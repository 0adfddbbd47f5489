/**
 * @file A softmax over many classes that spends little on rare ones: frequent classes and one entry for each group of rare ones are in
 * the head; a group's classes have a small matrix of their own.
 * @mirrors torch/csrc/api/include/torch/nn/modules/adaptive.h
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { Scalar } from "#c10/core/Scalar";
import { TORCH_CHECK } from "#c10/util/Exception";
import { as_options, type OptionsArgs } from "../../arg.ts";
import { Cloneable } from "../cloneable.ts";
import { log_softmax } from "../functional/activation.ts";
import { AdaptiveLogSoftmaxWithLossOptions } from "../options/adaptive.ts";
import { LinearOptions } from "../options/linear.ts";
import { type Held, type ModuleHolder, TORCH_MODULE } from "../pimpl.ts";
import { ModuleList, type ModuleListImpl } from "./container/modulelist.ts";
import { Sequential, type SequentialImpl } from "./container/sequential.ts";
import { Linear, type LinearImpl } from "./linear.ts";
import { g } from "./printed.ts";

/** The log probability of each target, and the mean of their negatives as a number. */
export class ASMoutput {
  readonly output: Tensor;
  readonly loss: number;

  constructor(output: Tensor, loss: number) {
    this.output = output;
    this.loss = loss;
  }
}

export class AdaptiveLogSoftmaxWithLossImpl extends Cloneable {
  readonly options: AdaptiveLogSoftmaxWithLossOptions;
  /** First classes of the groups, and the number of classes. */
  declare cutoffs: number[];
  declare shortlist_size: number;
  declare n_clusters: number;
  declare head_size: number;
  declare head: Held<LinearImpl>;
  declare tail: ModuleListImpl;

  constructor(...args: OptionsArgs<typeof AdaptiveLogSoftmaxWithLossOptions>) {
    super("torch::nn::AdaptiveLogSoftmaxWithLoss");
    this.options = as_options(AdaptiveLogSoftmaxWithLossOptions, args);
    this.reset();
  }

  override reset(): void {
    const { options } = this;
    const [given, n_classes, in_features] = [options.cutoffs(), options.n_classes(), options.in_features()];
    TORCH_CHECK(
      given.length > 0 && given.every((c, i) => c > (i === 0 ? 0 : given[i - 1]) && c < n_classes),
      "cutoffs should be a sequence of unique, positive integers sorted in an increasing order, where each value is between 1 and n_classes-1",
    );
    this.cutoffs = [...given, n_classes];
    this.shortlist_size = this.cutoffs[0];
    this.n_clusters = this.cutoffs.length - 1;
    this.head_size = this.shortlist_size + this.n_clusters;
    this.head = this.register_module(
      "head",
      Linear(LinearOptions(in_features, this.head_size).bias(options.head_bias())),
    );
    this.tail = this.register_module("tail", ModuleList());
    for (let i = 0; i < this.n_clusters; i++) {
      const hsz = Math.floor(in_features / options.div_value() ** (i + 1));
      const osz = this.cutoffs[i + 1] - this.cutoffs[i];
      // PyTorch's build makes the second layer first: C++ does not say in which order arguments are computed.
      const second = Linear(LinearOptions(hsz, osz).bias(false));
      const first = Linear(LinearOptions(in_features, hsz).bias(false));
      this.tail.push_back(Sequential(first, second));
    }
  }

  reset_parameters(): void {
    this.head.reset_parameters();
    for (let i = 0; i < this.n_clusters; i++)
      for (const layer of (this.tail.ptr(i) as SequentialImpl).children()) (layer as LinearImpl).reset_parameters();
  }

  /**
   * @param input_ `(N, in_features)`, or `(in_features)` for one
   * @param target_ classes, `(N)` or `()`
   */
  forward(input_: Tensor, target_: Tensor): ASMoutput {
    const dim = target_.dim();
    TORCH_CHECK(dim === 1 || dim === 0, "0D or 1D target tensor expected, multi-target not supported");
    TORCH_CHECK(
      input_.dim() === dim + 1,
      `${dim}D target tensor expects ${dim + 1}D input tensors, but found inputs with sizes `,
      input_.sizes(),
      ".",
    );
    const is_batched = dim > 0;
    const input = is_batched ? input_ : input_.unsqueeze(0);
    const target = is_batched ? target_ : target_.unsqueeze(0);
    const batch_size = target.size(0);
    let used_rows = 0;
    let output = input.new_zeros([batch_size]);
    const gather_inds = target.new_empty([batch_size]);
    const bounds = [0, ...this.cutoffs];
    const int = Scalar.fromInt;
    for (let i = 0; i < bounds.length - 1; i++) {
      const target_mask = target.ge_Scalar(int(bounds[i])).mul_Tensor(target.lt_Scalar(int(bounds[i + 1])));
      const row_indices = target_mask.nonzero().squeeze();
      if (row_indices.numel() === 0) continue;
      const chosen = target.index_Tensor([target_mask]);
      if (i === 0) {
        gather_inds.index_copy_(0, row_indices, chosen);
      } else {
        const relative_target = chosen.sub_Scalar(int(bounds[i]));
        const cluster_output = (this.tail.ptr(i - 1) as SequentialImpl).forward(
          input.index_select(0, row_indices),
        ) as Tensor;
        gather_inds.index_fill__int_Scalar(0, row_indices, int(this.shortlist_size + i - 1));
        const local_logprob = log_softmax(cluster_output, 1).gather(1, relative_target.unsqueeze(1));
        output.index_copy_(0, row_indices, local_logprob.squeeze_dim(1));
      }
      used_rows += row_indices.numel();
    }
    if (used_rows !== batch_size) {
      const [low, high] = [target.min(), target.max()].map((value) => g(value.item().toDouble()));
      TORCH_CHECK(
        false,
        `Target values should be in [0, ${this.options.n_classes() - 1}], but values in range [${low}, ${high}] were found. `,
      );
    }
    const head_logprob = log_softmax(this.head(input), 1);
    output = output.add_Tensor(head_logprob.gather(1, gather_inds.unsqueeze(1)).squeeze());
    if (!is_batched) output = output.squeeze_dim(0);
    return new ASMoutput(output, output.neg().mean().item().toDouble());
  }

  /** Log probabilities of all classes from the head's output. */
  _get_full_log_prob(input: Tensor, head_output: Tensor): Tensor {
    const out = input.new_empty([head_output.size(0), this.options.n_classes()]);
    const head_logprob = log_softmax(head_output, 1);
    const { shortlist_size } = this;
    out.slice_Tensor(1, 0, shortlist_size).copy_(head_logprob.slice_Tensor(1, 0, shortlist_size));
    for (let i = 0; i < this.n_clusters; i++) {
      const cluster = log_softmax((this.tail.ptr(i) as SequentialImpl).forward(input) as Tensor, 1);
      const logprob = cluster.add_Tensor(head_logprob.select_int(1, shortlist_size + i).unsqueeze(1));
      out.slice_Tensor(1, this.cutoffs[i], this.cutoffs[i + 1]).copy_(logprob);
    }
    return out;
  }
  /** Log probabilities of all classes: `(N, n_classes)`. */
  log_prob(input: Tensor): Tensor {
    return this._get_full_log_prob(input, this.head(input));
  }
  /** The class with the highest probability: `(N)`. */
  predict(input: Tensor): Tensor {
    const head_output = this.head(input);
    const output = at.argmax(head_output, 1);
    const not_in_shortlist = output.ge_Scalar(Scalar.fromInt(this.shortlist_size));
    if (!not_in_shortlist.any().item().toBool()) return output;
    if (not_in_shortlist.all().item().toBool()) return at.argmax(this._get_full_log_prob(input, head_output), 1);
    const [rows, heads] = [input.index_Tensor([not_in_shortlist]), head_output.index_Tensor([not_in_shortlist])];
    output.index_put_([not_in_shortlist], at.argmax(this._get_full_log_prob(rows, heads), 1));
    return output;
  }
}
export const AdaptiveLogSoftmaxWithLoss: ModuleHolder<typeof AdaptiveLogSoftmaxWithLossImpl> = TORCH_MODULE(
  AdaptiveLogSoftmaxWithLossImpl,
  "AdaptiveLogSoftmaxWithLoss",
);
