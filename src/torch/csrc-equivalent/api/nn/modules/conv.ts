/**
 * @file Convolutions of 1, 2 and 3 dimensions, and their transposes.
 * @mirrors torch/csrc/api/include/torch/nn/modules/conv.h
 */
import { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { TORCH_CHECK } from "#c10/util/Exception";
import { as_options, type OptionsArgs } from "../../arg.ts";
import { enumtype } from "../../enum.ts";
import { printed_sizes } from "../../expanding_array.ts";
import { or_null } from "../../optional_tensor.ts";
import { Cloneable } from "../cloneable.ts";
import { conv1d, conv2d, conv3d } from "../functional/conv.ts";
import { pad } from "../functional/padding.ts";
import * as init from "../init.ts";
import {
  Conv1dFuncOptions,
  Conv1dOptions,
  Conv2dFuncOptions,
  Conv2dOptions,
  Conv3dFuncOptions,
  Conv3dOptions,
  type ConvOptions,
  ConvTranspose1dOptions,
  ConvTranspose2dOptions,
  ConvTranspose3dOptions,
  type ConvTransposeOptions,
} from "../options/conv.ts";
import { PadFuncOptions } from "../options/padding.ts";
import { type ModuleHolder, TORCH_MODULE } from "../pimpl.ts";
import { printed } from "./printed.ts";
import { _reverse_repeat_vector } from "./utils.ts";

/** Parameters and text of convolutions and of transposed convolutions. */
abstract class ConvNdImpl<O extends ConvOptions | ConvTransposeOptions> extends Cloneable {
  readonly options: O;
  /** `(out, in / groups, *kernel)`; transposed `(in, out / groups, *kernel)` */
  declare weight: Tensor;
  declare bias: Tensor;
  /** Padding of all sides, the last dimension first, as `pad` takes it. */
  declare protected _reversed_padding_repeated_twice: number[];
  protected abstract readonly D: number;
  protected abstract readonly transposed: boolean;

  constructor(options: O) {
    super();
    this.options = options;
    this.reset();
  }

  override reset(): void {
    const { options } = this;
    const [inputs, outputs, groups] = [options.in_channels(), options.out_channels(), options.groups()];
    TORCH_CHECK(
      inputs > 0 && groups > 0 && outputs > 0,
      "in_channels, groups and out_channels must be a positive integer.",
    );
    TORCH_CHECK(inputs % groups === 0, "in_channels must be divisible by groups");
    TORCH_CHECK(outputs % groups === 0, "out_channels must be divisible by groups");
    this._reversed_padding_repeated_twice = this.reversed_padding();
    const channels = this.transposed ? [inputs, outputs / groups] : [outputs, inputs / groups];
    this.weight = this.register_parameter("weight", at.empty_memory_format([...channels, ...options.kernel_size()]));
    if (options.bias()) this.bias = this.register_parameter("bias", at.empty_memory_format([outputs]));
    else this.bias = this.register_parameter("bias", new Tensor(), false);
    this.reset_parameters();
  }

  private reversed_padding(): number[] {
    const { options } = this;
    const padding = options.padding();
    if (Array.isArray(padding)) return _reverse_repeat_vector(padding, 2);
    if (padding.name === "kValid") return Array(2 * this.D).fill(0);
    const sides = options.kernel_size().map((kernel, i) => {
      TORCH_CHECK(options.stride()[i] === 1, "padding='same' is not supported for strided convolutions");
      const total = options.dilation()[i] * (kernel - 1);
      return [Math.trunc(total / 2), total - Math.trunc(total / 2)];
    });
    return sides.flat();
  }

  reset_parameters(): void {
    init.kaiming_uniform_(this.weight, Math.sqrt(5));
    if (!this.bias.defined()) return;
    const bound = 1 / Math.sqrt(init._calculate_fan_in_and_fan_out(this.weight)[0]);
    init.uniform_(this.bias, -bound, bound);
  }

  override pretty_print(): string {
    const { options } = this;
    const unless = (sizes: readonly number[], usual: number) =>
      sizes.every((size) => size === usual) ? undefined : printed_sizes(sizes);
    const padding = options.padding();
    const output_padding = "output_padding" in options ? options.output_padding() : [0];
    const padding_mode = options.padding_mode();
    return printed(
      `${this.transposed ? "ConvTranspose" : "Conv"}${this.D}d`,
      [options.in_channels(), options.out_channels()],
      {
        kernel_size: printed_sizes(options.kernel_size()),
        stride: printed_sizes(options.stride()),
        padding: Array.isArray(padding) ? unless(padding, 0) : padding === enumtype.kSame ? "'same'" : "'valid'",
        dilation: unless(options.dilation(), 1),
        output_padding: unless(output_padding, 0),
        groups: options.groups() === 1 ? undefined : options.groups(),
        bias: options.bias() ? undefined : false,
        padding_mode: padding_mode === enumtype.kZeros ? undefined : padding_mode,
      },
    );
  }
}

const pad_modes = {
  kReflect: enumtype.kReflect,
  kReplicate: enumtype.kReplicate,
  kCircular: enumtype.kCircular,
} as const;

/** The input, padded as a mode says; null if the mode is zeros, which the convolution adds itself. */
function padded(input: Tensor, options: ConvOptions, padding: number[]): Tensor | null {
  const { name } = options.padding_mode();
  return name === "kZeros" ? null : pad(input, PadFuncOptions(padding).mode(pad_modes[name]));
}

type ConvClass<C> = ModuleHolder<new (...args: OptionsArgs<C>) => ConvImpl>;
/** A convolution: `weight` moves over the input. */
export type ConvImpl = ConvNdImpl<ConvOptions> & { forward(input: Tensor): Tensor };

function convolution(
  D: 1 | 2 | 3,
  options_class: typeof Conv1dOptions,
  func_options: typeof Conv1dFuncOptions,
  convolve: typeof conv2d,
): ConvClass<typeof Conv1dOptions> {
  class Impl extends ConvNdImpl<ConvOptions> {
    protected get D(): number {
      return D;
    }
    protected get transposed(): boolean {
      return false;
    }
    constructor(...args: OptionsArgs<typeof Conv1dOptions>) {
      super(as_options(options_class, args));
    }
    forward(input: Tensor): Tensor {
      const { options } = this;
      if (D > 1) {
        TORCH_CHECK(
          input.dim() === D + 1 || input.dim() === D + 2,
          `Expected ${D + 1}D (unbatched) or ${D + 2}D (batched) input to conv${D}d, but got input of size: `,
          input.sizes(),
        );
      }
      const moved = padded(input, options, this._reversed_padding_repeated_twice);
      const call = func_options()
        .bias(this.bias)
        .stride(options.stride())
        .dilation(options.dilation())
        .groups(options.groups());
      if (moved !== null) return convolve(moved, this.weight, call);
      return convolve(input, this.weight, call.padding(options.padding() as number[]));
    }
  }
  return TORCH_MODULE(Impl, `Conv${D}d`) as unknown as ConvClass<typeof Conv1dOptions>;
}
export const Conv1d: ConvClass<typeof Conv1dOptions> = convolution(1, Conv1dOptions, Conv1dFuncOptions, conv1d);
export const Conv2d: ConvClass<typeof Conv2dOptions> = convolution(2, Conv2dOptions, Conv2dFuncOptions, conv2d);
export const Conv3d: ConvClass<typeof Conv3dOptions> = convolution(3, Conv3dOptions, Conv3dFuncOptions, conv3d);

type TransposeClass<C> = ModuleHolder<new (...args: OptionsArgs<C>) => ConvTransposeImpl>;
/** A transposed convolution: every element of the input adds a multiple of `weight` to the output. */
export type ConvTransposeImpl = ConvNdImpl<ConvTransposeOptions> & {
  forward(input: Tensor, output_size?: readonly number[] | null): Tensor;
};

function transposed(
  D: 1 | 2 | 3,
  options_class: typeof ConvTranspose1dOptions,
  operator: typeof at.conv_transpose1d,
): TransposeClass<typeof ConvTranspose1dOptions> {
  class Impl extends ConvNdImpl<ConvTransposeOptions> {
    protected get D(): number {
      return D;
    }
    protected get transposed(): boolean {
      return true;
    }
    constructor(...args: OptionsArgs<typeof ConvTranspose1dOptions>) {
      super(as_options(options_class, args));
    }
    /** @param output_size which of the sizes that one input size can give; null for the smallest */
    forward(input: Tensor, output_size: readonly number[] | null = null): Tensor {
      const { options } = this;
      TORCH_CHECK(
        options.padding_mode() === enumtype.kZeros,
        `Only \`zeros\` padding mode is supported for ConvTranspose${D}d`,
      );
      const output_padding = this._output_padding(input, output_size);
      const [stride, padding, dilation] = [options.stride(), options.padding(), options.dilation()];
      return operator(
        input,
        this.weight,
        or_null(this.bias),
        stride,
        padding,
        output_padding,
        options.groups(),
        dilation,
      );
    }

    private _output_padding(input: Tensor, given: readonly number[] | null): number[] {
      const { options } = this;
      if (given === null) return options.output_padding();
      const k = input.dim() - 2;
      const size = given.length === k + 2 ? given.slice(2) : given;
      TORCH_CHECK(size.length === k, `output_size must have ${k} or ${k + 2} elements (got ${given.length})`);
      return size.map((n, d) => {
        const smallest =
          (input.size(d + 2) - 1) * options.stride()[d] - 2 * options.padding()[d] + options.kernel_size()[d];
        const largest = smallest + options.stride()[d] - 1;
        TORCH_CHECK(
          n >= smallest && n <= largest,
          "requested an output size of ",
          size,
          ", but valid sizes range from ",
          smallest,
          " to ",
          largest,
          " (for an input of ",
          input.sizes().slice(2),
          ")",
        );
        return n - smallest;
      });
    }
  }
  return TORCH_MODULE(Impl, `ConvTranspose${D}d`) as unknown as TransposeClass<typeof ConvTranspose1dOptions>;
}
export const ConvTranspose1d: TransposeClass<typeof ConvTranspose1dOptions> = transposed(
  1,
  ConvTranspose1dOptions,
  at.conv_transpose1d,
);
export const ConvTranspose2d: TransposeClass<typeof ConvTranspose2dOptions> = transposed(
  2,
  ConvTranspose2dOptions,
  at.conv_transpose2d_input,
);
export const ConvTranspose3d: TransposeClass<typeof ConvTranspose3dOptions> = transposed(
  3,
  ConvTranspose3dOptions,
  at.conv_transpose3d_input,
);
