/**
 * @file AdamW: Adam with decoupled weight decay, which shrinks the parameters directly and does not enter the running means.
 * @mirrors torch/optim/adamw.py
 */
import { def_methods, Init, type InitArgs, type InitKeywords, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { Adam } from "./adam.ts";
import type { ParamsT } from "./optimizer/index.ts";
import type { Options, ParamGroup } from "./optimizer/types.ts";
import type { NumberOrTensor } from "./python_operators.ts";

const AdamW_init = new Init(
  "AdamW.__init__(self, params, lr=0.001, betas=(0.9, 0.999), eps=1e-08, weight_decay=0.01, amsgrad=False, *, maximize=False, foreach=None, capturable=False, differentiable=False, fused=None)",
  types<
    [
      params: ParamsT,
      lr: NumberOrTensor,
      betas: readonly [NumberOrTensor, NumberOrTensor],
      eps: number,
      weight_decay: number,
      amsgrad: boolean,
      maximize: boolean,
      foreach: boolean | null,
      capturable: boolean,
      differentiable: boolean,
      fused: boolean | null,
    ]
  >,
);

/** Keyword arguments of the constructor, without `params`. */
export type AdamWOptions = Omit<InitKeywords<typeof AdamW_init>, "params">;

/** AdamW: Adam whose weight decay shrinks the parameters directly. */
export class AdamW extends Adam {
  static {
    def_methods(AdamW, { __init__: AdamW_init });
  }

  constructor(...args: InitArgs<typeof AdamW_init>) {
    const [params, lr, betas, eps, weight_decay, amsgrad, maximize, foreach, capturable, differentiable, fused] =
      AdamW_init.bind(args);
    super(params, lr, betas, eps, weight_decay, amsgrad, {
      foreach,
      maximize,
      capturable,
      differentiable,
      fused,
      decoupled_weight_decay: true,
    });
  }

  override __setstate__(state: { state: Map<Tensor, Options>; param_groups: ParamGroup[] }): void {
    super.__setstate__(state);
    for (const group of this.param_groups) group["decoupled_weight_decay"] = true;
  }
}
