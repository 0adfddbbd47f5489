/**
 * @file Pooling modules of 1, 2 and 3 dimensions.
 * @mirrors torch/csrc/api/include/torch/nn/modules/pooling.h
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import { TORCH_CHECK } from "#c10/util/Exception";
import { as_options, type Made, type OptionsArgs } from "../../arg.ts";
import { printed_sizes } from "../../expanding_array.ts";
import { Cloneable } from "../cloneable.ts";
import * as F from "../functional/pooling.ts";
import {
  AdaptiveAvgPoolOptions,
  AdaptiveMaxPoolOptions,
  AvgPoolOptions,
  FractionalMaxPoolOptions,
  LPPoolOptions,
  MaxPoolOptions,
  MaxUnpoolFuncOptions,
  MaxUnpoolOptions,
} from "../options/pooling.ts";
import { type ModuleHolder, TORCH_MODULE } from "../pimpl.ts";
import { g, printed } from "./printed.ts";
import { type Stateless, stateless } from "./stateless.ts";

type Unary = [input: Tensor];

// Averages and norms

type AvgClass = Stateless<(typeof AvgPoolOptions)[number], Unary, Tensor>;
export const [AvgPool1d, AvgPool2d, AvgPool3d]: readonly AvgClass[] = AvgPoolOptions.map((options_class, i) =>
  stateless(`AvgPool${i + 1}d`, options_class, [F.avg_pool1d, F.avg_pool2d, F.avg_pool3d][i], (options) =>
    printed(`AvgPool${i + 1}d`, [], {
      kernel_size: printed_sizes(options.kernel_size()),
      stride: printed_sizes(options.stride()),
      padding: printed_sizes(options.padding()),
    }),
  ),
);

type LPClass = Stateless<(typeof LPPoolOptions)[number], Unary, Tensor>;
export const [LPPool1d, LPPool2d, LPPool3d]: readonly LPClass[] = LPPoolOptions.map((options_class, i) =>
  stateless(`LPPool${i + 1}d`, options_class, [F.lp_pool1d, F.lp_pool2d, F.lp_pool3d][i], (options) =>
    printed(`LPPool${i + 1}d`, [], {
      norm_type: g(options.norm_type()),
      kernel_size: printed_sizes(options.kernel_size()),
      stride: printed_sizes(options.stride()),
      ceil_mode: options.ceil_mode(),
    }),
  ),
);

// Maxima

/** A module of maxima that can tell where they are. */
export type WithIndices<O> = Cloneable & {
  readonly options: O;
  forward(input: Tensor): Tensor;
  forward_with_indices(input: Tensor): [output: Tensor, indices: Tensor];
};
type WithIndicesClass<C> = ModuleHolder<new (...args: OptionsArgs<C>) => WithIndices<Made<C>>>;

/**
 * The module of a function and of its twin that gives positions too.
 * @param _options_class says what the options are
 */
function with_indices<C>(
  _options_class: C,
  base: Stateless<C, Unary, Tensor>,
  forward: (input: Tensor, options: Made<C>) => [Tensor, Tensor],
): WithIndicesClass<C> {
  Object.defineProperty(base.Impl.prototype, "forward_with_indices", {
    value(this: { options: Made<C> }, input: Tensor) {
      return forward(input, this.options);
    },
  });
  return base as unknown as WithIndicesClass<C>;
}

type MaxClass = WithIndicesClass<(typeof MaxPoolOptions)[number]>;
export const [MaxPool1d, MaxPool2d, MaxPool3d]: readonly MaxClass[] = MaxPoolOptions.map((options_class, i) =>
  with_indices(
    options_class,
    stateless(`MaxPool${i + 1}d`, options_class, [F.max_pool1d, F.max_pool2d, F.max_pool3d][i], (options) =>
      printed(`MaxPool${i + 1}d`, [], {
        kernel_size: printed_sizes(options.kernel_size()),
        stride: printed_sizes(options.stride()),
        padding: printed_sizes(options.padding()),
        dilation: printed_sizes(options.dilation()),
        ceil_mode: options.ceil_mode(),
      }),
    ),
    [F.max_pool1d_with_indices, F.max_pool2d_with_indices, F.max_pool3d_with_indices][i],
  ),
);

type AdaptiveMaxClass = WithIndicesClass<(typeof AdaptiveMaxPoolOptions)[number]>;
export const [AdaptiveMaxPool1d, AdaptiveMaxPool2d, AdaptiveMaxPool3d]: readonly AdaptiveMaxClass[] =
  AdaptiveMaxPoolOptions.map((options_class, i) =>
    with_indices(
      options_class,
      stateless(
        `AdaptiveMaxPool${i + 1}d`,
        options_class,
        [F.adaptive_max_pool1d, F.adaptive_max_pool2d, F.adaptive_max_pool3d][i],
        (options) => printed(`AdaptiveMaxPool${i + 1}d`, [], { output_size: printed_sizes(options.output_size()) }),
      ),
      [F.adaptive_max_pool1d_with_indices, F.adaptive_max_pool2d_with_indices, F.adaptive_max_pool3d_with_indices][i],
    ),
  );

type AdaptiveAvgClass = Stateless<(typeof AdaptiveAvgPoolOptions)[number], Unary, Tensor>;
export const [AdaptiveAvgPool1d, AdaptiveAvgPool2d, AdaptiveAvgPool3d]: readonly AdaptiveAvgClass[] =
  AdaptiveAvgPoolOptions.map((options_class, i) =>
    stateless(
      `AdaptiveAvgPool${i + 1}d`,
      options_class,
      [F.adaptive_avg_pool1d, F.adaptive_avg_pool2d, F.adaptive_avg_pool3d][i],
      (options) => printed(`AdaptiveAvgPool${i + 1}d`, [], { output_size: printed_sizes(options.output_size()) }),
    ),
  );

/** Puts maxima back to where they were. */
export type MaxUnpoolImpl = Cloneable & {
  readonly options: MaxUnpoolOptions;
  forward(input: Tensor, indices: Tensor, output_size?: readonly number[] | null): Tensor;
};
type MaxUnpoolClass = ModuleHolder<new (...args: OptionsArgs<(typeof MaxUnpoolOptions)[number]>) => MaxUnpoolImpl>;
export const [MaxUnpool1d, MaxUnpool2d, MaxUnpool3d]: readonly MaxUnpoolClass[] = MaxUnpoolOptions.map(
  (options_class, i) => {
    const unpool = [F.max_unpool1d, F.max_unpool2d, F.max_unpool3d][i];
    class Impl extends Cloneable {
      readonly options: MaxUnpoolOptions;

      constructor(...args: OptionsArgs<(typeof MaxUnpoolOptions)[number]>) {
        super();
        this.options = as_options(options_class, args);
      }
      override reset(): void {
        // It has no parameters.
      }
      /** @param output_size which of the sizes whose maxima these can be; null for the smallest */
      forward(input: Tensor, indices: Tensor, output_size: readonly number[] | null = null): Tensor {
        const { options } = this;
        const call = MaxUnpoolFuncOptions[i](options.kernel_size()).stride(options.stride()).padding(options.padding());
        return unpool(input, indices, call.output_size(output_size));
      }
      override pretty_print(): string {
        const { options } = this;
        return printed(`MaxUnpool${i + 1}d`, [], {
          kernel_size: printed_sizes(options.kernel_size()),
          stride: printed_sizes(options.stride()),
          padding: printed_sizes(options.padding()),
        });
      }
    }
    return TORCH_MODULE(Impl, `MaxUnpool${i + 1}d`) as unknown as MaxUnpoolClass;
  },
);

type FractionalClass = WithIndicesClass<(typeof FractionalMaxPoolOptions)[number]>;
export const [FractionalMaxPool2d, FractionalMaxPool3d]: readonly FractionalClass[] = FractionalMaxPoolOptions.map(
  (options_class, i) => {
    const name = `FractionalMaxPool${i + 2}d`;
    const base = stateless(
      name,
      options_class,
      [F.fractional_max_pool2d, F.fractional_max_pool3d][i],
      () => printed(name),
      (options) => {
        const [size, ratio] = [options.output_size(), options.output_ratio()];
        TORCH_CHECK(
          size !== null || ratio !== null,
          `${name} requires specifying either an output size, or a pooling ratio`,
        );
        TORCH_CHECK(size === null || ratio === null, "only one of output_size and output_ratio may be specified");
        TORCH_CHECK(
          ratio === null || ratio.every((r) => 0 < r && r < 1),
          "output_ratio must be between 0 and 1 (got ",
          (ratio ?? []).map(g),
          ")",
        );
      },
    );
    return with_indices(
      options_class,
      base,
      [F.fractional_max_pool2d_with_indices, F.fractional_max_pool3d_with_indices][i],
    );
  },
);
