/**
 * @file `nn.AdaptiveLogSoftmaxWithLoss`: log-softmax over very many classes, with the rare ones grouped in clusters.
 * @mirrors torch/nn/modules/adaptive.py
 */

import { RuntimeError, ValueError } from "#c10/util/Exception";
import { new_structseq_type, PyObject_RichCompareBool, PySequence_Tuple } from "#torch/_C";
import { type Args, def_methods, Init, type InitArgs, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { size_repr } from "#torch/nn/_size";
import * as F from "#torch/nn/functional/index";
import { ModuleList, Sequential } from "./container/index.ts";
import { type Factory, Linear } from "./linear/index.ts";
import { Module } from "./module/index.ts";

/** A named tuple: the log-probability of each row's target, and the mean of their negatives. */
export type ASMoutput = [output: Tensor, loss: Tensor] & { readonly output: Tensor; readonly loss: Tensor };

const ASMoutput_type = new_structseq_type("_ASMoutput", ["output", "loss"]);

function ASMoutput(output: Tensor, loss: Tensor): ASMoutput {
  return new ASMoutput_type([output, loss]) as unknown as ASMoutput;
}

const AdaptiveLogSoftmaxWithLoss_init = new Init(
  "AdaptiveLogSoftmaxWithLoss.__init__(self, in_features, n_classes, cutoffs, div_value=4.0, head_bias=False, device=None, dtype=None)",
  types<
    [
      in_features: number,
      n_classes: number,
      cutoffs: Iterable<number>,
      div_value: number,
      head_bias: boolean,
      ...Factory,
    ]
  >,
);

type Call = Args<"(self, input_, target_)", [input_: Tensor, target_: Tensor]>;

function check_cutoffs(cutoffs: readonly number[], n_classes: number): void {
  if (cutoffs.length === 0) throw new ValueError("cutoffs should be a sequence of length larger than 0");
  for (const cutoff of cutoffs) PyObject_RichCompareBool(cutoff, "<=", 0, "int");
  const ascending = cutoffs.every((c, i) => i === 0 || cutoffs[i - 1] < c);
  if (!ascending || cutoffs[0] <= 0 || cutoffs[cutoffs.length - 1] > n_classes - 1 || !cutoffs.every(Number.isInteger))
    throw new ValueError(
      "cutoffs should be a sequence of unique, positive integers sorted in an increasing order, where each value is between 1 and n_classes-1",
    );
}

/**
 * The frequent classes, up to the first of `cutoffs`, have their own scores in the head. The classes between two cutoffs form a cluster:
 * the cluster has one score in the head, and its classes have scores in a smaller layer.   `(N, in_features), (N) -> (N), ()`
 */
export class AdaptiveLogSoftmaxWithLoss extends Module<Call, ASMoutput> {
  static readonly __module__: string = "torch.nn.modules.adaptive";

  in_features: number;
  n_classes: number;
  /** The cutoffs, with `n_classes` added at the end. */
  cutoffs: number[];
  div_value: number;
  head_bias: boolean;
  shortlist_size: number;
  n_clusters: number;
  head_size: number;
  head: Linear;
  tail: ModuleList;

  static {
    def_methods(AdaptiveLogSoftmaxWithLoss, {
      __init__: AdaptiveLogSoftmaxWithLoss_init,
      reset_parameters: "(self)",
      forward: "(self, input_, target_)",
      log_prob: "(self, input)",
      predict: "(self, input)",
    });
  }

  constructor(...args: InitArgs<typeof AdaptiveLogSoftmaxWithLoss_init>) {
    const [in_features, n_classes, given_cutoffs, div_value, head_bias, device, dtype] =
      AdaptiveLogSoftmaxWithLoss_init.bind(args);
    const factory_kwargs = { device, dtype };
    super();
    const cutoffs = PySequence_Tuple(given_cutoffs);
    check_cutoffs(cutoffs, n_classes);
    this.in_features = in_features;
    this.n_classes = n_classes;
    this.cutoffs = [...cutoffs, n_classes];
    this.div_value = div_value;
    this.head_bias = head_bias;
    this.shortlist_size = cutoffs[0];
    this.n_clusters = cutoffs.length;
    this.head_size = this.shortlist_size + this.n_clusters;
    this.head = new Linear(in_features, this.head_size, { bias: head_bias, ...factory_kwargs });
    this.tail = new ModuleList();
    for (let i = 0; i < this.n_clusters; i++) {
      const hsz = Math.floor(in_features / Number(div_value) ** (i + 1));
      const osz = this.cutoffs[i + 1] - this.cutoffs[i];
      const layer = (n: number, m: number) => new Linear(n, m, { bias: false, ...factory_kwargs });
      this.tail.append(new Sequential(layer(in_features, hsz), layer(hsz, osz)));
    }
  }

  reset_parameters(): void {
    this.head.reset_parameters();
    for (const projection of this.tail) for (const layer of projection.children()) (layer as Linear).reset_parameters();
  }

  private check(input: Tensor, target: Tensor): void {
    const targ_dim = target.dim();
    if (targ_dim > 1) throw new RuntimeError("0D or 1D target tensor expected, multi-target not supported");
    if (targ_dim === 1 && input.size(0) !== target.size(0))
      throw new RuntimeError("Input and target should have the same size in the batch dimension.");
    if (input.dim() !== targ_dim + 1)
      throw new RuntimeError(
        `${targ_dim}D target tensor expects ${targ_dim + 1}D input tensors, but found inputs with size ${size_repr(input)}`,
      );
  }

  override forward(input_: Tensor, target_: Tensor): ASMoutput {
    this.check(input_, target_);
    const is_batched = target_.dim() > 0;
    const input = is_batched ? input_ : input_.unsqueeze(0);
    const target = is_batched ? target_ : target_.unsqueeze(0);
    const batch_size = target.size(0);
    const output = input.new_zeros([batch_size]);
    const gather_inds = target.new_empty([batch_size]);
    const cutoff_values = [0, ...this.cutoffs];
    let used_rows = 0;
    for (let i = 0; i + 1 < cutoff_values.length; i++) {
      const low_idx = cutoff_values[i];
      const target_mask = target.ge(low_idx).logical_and(target.lt(cutoff_values[i + 1]));
      const row_indices = target_mask.nonzero().squeeze();
      if (row_indices.numel() === 0) continue;
      const masked = target.__getitem__([target_mask]);
      if (i === 0) {
        gather_inds.index_copy_(0, row_indices, masked);
      } else {
        const cluster_output = this.tail.__getitem__(i - 1)(input.index_select(0, row_indices));
        gather_inds.index_fill_(0, row_indices, this.shortlist_size + i - 1);
        const cluster_logprob = F.log_softmax(cluster_output, { dim: 1 });
        const local_logprob = cluster_logprob.gather(1, masked.sub(low_idx).unsqueeze(1));
        output.index_copy_(0, row_indices, local_logprob.squeeze(1));
      }
      used_rows += row_indices.numel();
    }
    if (used_rows !== batch_size)
      throw new RuntimeError(
        `Target values should be in [0, ${this.n_classes - 1}], but values in range [${target.min().item()}, ${target.max().item()}] were found. `,
      );
    const head_logprob = F.log_softmax(this.head(input), { dim: 1 });
    output.add_(head_logprob.gather(1, gather_inds.unsqueeze(1)).squeeze());
    const loss = output.neg().mean();
    return ASMoutput(is_batched ? output : output.squeeze(0), loss);
  }

  /** Log-probabilities of all classes, computed from the scores of the head. */
  _get_full_log_prob(input: Tensor, head_output: Tensor): Tensor {
    const out = input.new_empty([head_output.size(0), this.n_classes]);
    const head_logprob = F.log_softmax(head_output, { dim: 1 });
    const { shortlist_size, cutoffs } = this;
    out.narrow(1, 0, shortlist_size).copy_(head_logprob.narrow(1, 0, shortlist_size));
    for (let i = 0; i + 1 < cutoffs.length; i++) {
      const cluster_logprob = F.log_softmax(this.tail.__getitem__(i)(input), { dim: 1 });
      const of_cluster = head_logprob.select(1, shortlist_size + i).unsqueeze(1);
      out.narrow(1, cutoffs[i], cutoffs[i + 1] - cutoffs[i]).copy_(cluster_logprob.add(of_cluster));
    }
    return out;
  }

  /** Log-probabilities of all classes.   `(N, in_features) -> (N, n_classes)` */
  log_prob(input: Tensor): Tensor {
    return this._get_full_log_prob(input, this.head(input));
  }

  /**
   * The class with the highest probability. Clusters are evaluated only for rows in which one of them has the highest score in the head.   `(N, in_features) -> (N)`
   */
  predict(input: Tensor): Tensor {
    const head_output = this.head(input);
    const output = torch.argmax(head_output, 1);
    const not_in_shortlist = output.ge(this.shortlist_size);
    if (!not_in_shortlist.any().item()) return output;
    if (not_in_shortlist.all().item()) return torch.argmax(this._get_full_log_prob(input, head_output), 1);
    const rows = [not_in_shortlist];
    const log_prob = this._get_full_log_prob(input.__getitem__(rows), head_output.__getitem__(rows));
    output.__setitem__(rows, torch.argmax(log_prob, 1));
    return output;
  }
}
