/**
 * @file Conversion of convolution weights, and nothing else in a module, to another memory format.
 * @mirrors torch/nn/utils/memory_format.py
 */
import { having } from "#torch/_C";
import { def } from "#torch/_signature";
import { Conv2d, Conv3d } from "#torch/nn/modules/conv/index";
import { ConvTranspose2d, ConvTranspose3d } from "#torch/nn/modules/conv/transpose";
import type { Module } from "#torch/nn/modules/module/index";
import type { Parameter } from "#torch/nn/parameter/index";
import type { memory_format } from "#torch/types";

const is_conv2d = (module: unknown) => module instanceof Conv2d || module instanceof ConvTranspose2d;
const is_conv3d = (module: unknown) => module instanceof Conv3d || module instanceof ConvTranspose3d;

/** Converts the weights of the modules below `module`, itself included, for which `is_conv` is true. */
function convert(module: Module, memory_format: memory_format, is_conv: (module: unknown) => boolean): void {
  if (is_conv(module)) {
    const { weight } = module as Module & { readonly weight: Parameter };
    const weight_data = weight.detach().clone({ memory_format });
    weight.data = weight_data.resize_(weight_data.size(), { memory_format });
  }
  for (const child of having(module, "children").children()) convert(child, memory_format, is_conv);
}

/** Converts the weights of two-dimensional convolutions in `module` to `memory_format`, for example `torch.channels_last`. */
export const convert_conv2d_weight_memory_format = def(
  "convert_conv2d_weight_memory_format(module, memory_format)",
  <M extends Module>(module: M, memory_format: memory_format): M => {
    convert(module, memory_format, is_conv2d);
    return module;
  },
);

/** Converts the weights of three-dimensional convolutions in `module` to `memory_format`, for example `torch.channels_last_3d`. */
export const convert_conv3d_weight_memory_format = def(
  "convert_conv3d_weight_memory_format(module, memory_format)",
  <M extends Module>(module: M, memory_format: memory_format): M => {
    convert(module, memory_format, is_conv3d);
    return module;
  },
);
