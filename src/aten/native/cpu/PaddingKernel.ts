/**
 * @file Kernels of padding that reads from the tensor itself (reflection, replication).
 * @mirrors aten/src/ATen/native/cpu/PaddingKernel.cpp
 * @differs Ours has one pair of loops over tables of positions; PyTorch computes the positions in the loops, and has a
 * version for channels last.
 */
import { AT_DISPATCH, cast, type data, type int32, load, type scalar_t, store } from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { REGISTER_DEFAULT_DISPATCH, REGISTER_DISPATCH } from "#aten/native/DispatchStub";
import { type PaddingTables, padding_backward_stub, padding_stub } from "#aten/native/Padding";
import { pad_gather_instances, pad_scatter_instances } from "./generated/PaddingKernel.ts";
import { pad_gather_loop } from "./vec/padding/driver.ts";

/** Pads one volume. `height` and `width` are those of the input. @template padding: all types and halves */
export function pad_gather(
  output: data<scalar_t>,
  output_at: number,
  input: data<scalar_t>,
  input_at: number,
  depths: data<int32>,
  heights: data<int32>,
  widths: data<int32>,
  height: number,
  width: number,
): void {
  let to = output_at;
  for (let d = 0; d < depths.length; d++) {
    const plane = input_at + cast<number>(load(depths, d)) * height * width;
    for (let h = 0; h < heights.length; h++) {
      const row = plane + cast<number>(load(heights, h)) * width;
      for (let w = 0; w < widths.length; w++) {
        store(output, to, load(input, row + cast<number>(load(widths, w))));
        to++;
      }
    }
  }
}

/**
 * Backward: an element that was read several times gets the sum of the gradients.
 * @template padding_backward: all types and halves
 */
export function pad_scatter(
  grad_input: data<scalar_t>,
  input_at: number,
  grad_output: data<scalar_t>,
  output_at: number,
  depths: data<int32>,
  heights: data<int32>,
  widths: data<int32>,
  height: number,
  width: number,
): void {
  let from = output_at;
  for (let d = 0; d < depths.length; d++) {
    const plane = input_at + cast<number>(load(depths, d)) * height * width;
    for (let h = 0; h < heights.length; h++) {
      const row = plane + cast<number>(load(heights, h)) * width;
      for (let w = 0; w < widths.length; w++) {
        const i = row + cast<number>(load(widths, w));
        const sum: scalar_t = load(grad_input, i) + load(grad_output, from);
        store(grad_input, i, sum);
        from++;
      }
    }
  }
}

function padding_kernel(output: Tensor, input: Tensor, tables: PaddingTables, planes: number): void {
  pad_gather_loop(output, input, tables, planes, plain);
}

function plain(output: Tensor, input: Tensor, tables: PaddingTables, planes: number): void {
  const gather = AT_DISPATCH(pad_gather_instances, input.scalar_type());
  const [depths, heights, widths] = tables;
  const [of, to] = [input.numel() / planes, output.numel() / planes];
  const [height, width] = [input.size(-2), input.size(-1)];
  for (let p = 0; p < planes; p++) {
    // biome-ignore format: one operand group per line
    gather(
      output.data_view(), output.data_offset() + p * to,
      input.data_view(), input.data_offset() + p * of,
      depths, heights, widths, height, width,
    );
  }
}

function padding_backward_kernel(grad_input: Tensor, grad_output: Tensor, tables: PaddingTables, planes: number): void {
  const scatter = AT_DISPATCH(pad_scatter_instances, grad_input.scalar_type());
  const [depths, heights, widths] = tables;
  const [to, of] = [grad_input.numel() / planes, grad_output.numel() / planes];
  const [height, width] = [grad_input.size(-2), grad_input.size(-1)];
  for (let p = 0; p < planes; p++) {
    // biome-ignore format: one operand group per line
    scatter(
      grad_input.data_view(), grad_input.data_offset() + p * to,
      grad_output.data_view(), grad_output.data_offset() + p * of,
      depths, heights, widths, height, width,
    );
  }
}

REGISTER_DISPATCH(padding_stub, padding_kernel, "padding_kernel");
REGISTER_DEFAULT_DISPATCH(padding_backward_stub, padding_backward_kernel, "padding_backward_kernel");
