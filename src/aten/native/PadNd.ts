/**
 * @file Padding with a constant or circularly, and `pad`, which chooses by mode.
 * @mirrors aten/src/ATen/native/PadNd.cpp
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { Scalar } from "#c10/core/Scalar";
import { NotImplementedError, TORCH_CHECK, TORCH_CHECK_NOT_IMPLEMENTED } from "#c10/util/Exception";

// constant_pad_nd                                                                   CompositeExplicitAutograd
// `pad` goes from the last dim to the first, with two numbers per dim; negative numbers cut elements off.
export function constant_pad_nd(self: Tensor, pad: number[], value: Scalar): Tensor {
  TORCH_CHECK(pad.length % 2 === 0, "Length of pad must be even but instead it equals ", pad.length);
  const input_sizes = self.sizes();
  const l_inp = self.dim();
  const l_pad = pad.length / 2;
  const l_diff = l_inp - l_pad;
  TORCH_CHECK(
    l_inp >= l_pad,
    "Length of pad should be no more than twice the number of dimensions of the input. Pad length is ",
    pad.length,
    "while the input has ",
    l_inp,
    "dimensions.",
  );
  const sides = (d: number): [before: number, after: number] => {
    const i = 2 * (l_inp - d - 1);
    return [pad[i], pad[i + 1]];
  };

  let c_input = self;
  for (let d = l_diff; d < l_inp; d++) {
    const [before, after] = sides(d);
    if (before < 0) c_input = c_input.narrow(d, -before, c_input.size(d) + before);
    if (after < 0) c_input = c_input.narrow(d, 0, c_input.size(d) + after);
  }
  // A clone even in this case, because the result is never a view.
  if (pad.every((p) => p <= 0)) return c_input.clone();

  const new_shape = input_sizes.map((size, d) => {
    if (d < l_diff) return size;
    const [before, after] = sides(d);
    TORCH_CHECK(
      size + before + after >= 0,
      `The input size ${size}, plus negative padding ${before} and ${after} resulted in a negative output size, `,
      `which is invalid. Check dimension ${d} of your input.`,
    );
    return size + before + after;
  });
  const output = at.empty_memory_format(new_shape, self.options(), self.suggest_memory_format());
  output.fill__Scalar(value);
  let c_output = output;
  for (let d = l_diff; d < l_inp; d++) {
    const [before, after] = sides(d);
    if (before > 0) c_output = c_output.narrow(d, before, c_output.size(d) - before);
    if (after > 0) c_output = c_output.narrow(d, 0, c_output.size(d) - after);
  }
  c_output.copy_(c_input);
  return output;
}

// _pad_circular                                                                     CompositeImplicitAutograd
// Treats the tensor as a ring: the element before the first one is the last one.
export function _pad_circular_symint(self: Tensor, padding: number[]): Tensor {
  const in_shape = self.sizes();
  const ndim = Math.trunc(padding.length / 2);
  const nonpadded = in_shape.length - ndim;
  TORCH_CHECK(
    nonpadded === 1 || nonpadded === 2,
    "Invalid padding size, expected 1 or 2 non-padded dimensions, ",
    `which would be equivalent to padding of length ${2 * (in_shape.length - 1)} or ${2 * (in_shape.length - 2)} respectively `,
    `but got ${padding.length}`,
  );
  const sides = (d: number): [left: number, right: number] => {
    const i = 2 * (in_shape.length - 1 - d);
    return [padding[i], padding[i + 1]];
  };
  const out_shape = in_shape.map((size, d) => {
    if (d < nonpadded) return size;
    const [left, right] = sides(d);
    TORCH_CHECK(left <= size && right <= size, "Padding value causes wrapping around more than once.");
    TORCH_CHECK(size + left + right >= 0, "Negative padding value is resulting in an empty dimension");
    return size + left + right;
  });
  const out = self.new_empty(out_shape, self.options());

  let out_slice = out;
  let in_slice = self;
  for (let d = in_shape.length - 1; d >= nonpadded; d--) {
    const [left, right] = sides(d);
    out_slice = out_slice.slice_Tensor(d, Math.max(left, 0), out_shape[d] - Math.max(right, 0));
    in_slice = in_slice.slice_Tensor(d, Math.max(-left, 0), in_shape[d] - Math.max(-right, 0));
  }
  out_slice.copy_(in_slice);

  // Corners are written once for each dim; the last write is correct.
  for (let d = nonpadded; d < in_shape.length; d++) {
    const [left, right] = sides(d);
    const [begin, end] = [Math.max(left, 0), out_shape[d] - Math.max(right, 0)];
    if (left > 0) out.slice_Tensor(d, 0, left).copy_(out.slice_Tensor(d, end - left, end));
    if (right > 0) out.slice_Tensor(d, end, out_shape[d]).copy_(out.slice_Tensor(d, begin, begin + right));
  }
  return out;
}

/** Modes in PyTorch's order: `_pad_enum` takes the number. */
const MODES = ["reflect", "replicate", "circular", "constant"] as const;

// _pad_enum                                                                         CompositeImplicitAutograd
export function _pad_enum_symint(self: Tensor, pad: number[], mode_int: number, value: number | null): Tensor {
  const input_dim = self.dim();
  TORCH_CHECK(pad.length % 2 === 0, "Padding length must be divisible by 2");
  TORCH_CHECK(
    pad.length <= input_dim * 2,
    "Padding length should be less than or equal to two times the input dimension but got padding length ",
    pad.length,
    " and input of dimension ",
    input_dim,
  );
  const mode = MODES[mode_int];
  if (mode === "constant") return at.constant_pad_nd(self, pad, Scalar.fromDouble(value ?? 0));
  if (value !== null && value !== 0) {
    TORCH_CHECK(mode !== undefined, "Invalid padding mode (", mode_int, ")");
    TORCH_CHECK(false, `Padding mode "${mode}" doesn't take in value argument`);
  }
  const dim = pad.length / 2;
  if (dim >= 1 && dim <= 3 && (input_dim === dim + 1 || input_dim === dim + 2)) {
    if (mode === "reflect") return [at.reflection_pad1d, at.reflection_pad2d, at.reflection_pad3d][dim - 1](self, pad);
    if (mode === "replicate")
      return [at.replication_pad1d, at.replication_pad2d, at.replication_pad3d][dim - 1](self, pad);
    if (mode === "circular") return at._pad_circular(self, pad);
  }
  throw new NotImplementedError(
    [
      `Padding size ${pad.length} is not supported for ${input_dim}D input tensor.`,
      "Supported combinations for non-constant padding:",
      "  - 2D or 3D input: padding size = 2 (pads last dimension)",
      "  - 3D or 4D input: padding size = 4 (pads last 2 dimensions)",
      "  - 4D or 5D input: padding size = 6 (pads last 3 dimensions)",
    ].join("\n"),
  );
}

// pad                                                                               CompositeImplicitAutograd
export function pad_symint(self: Tensor, pad: number[], mode: string, value: number | null): Tensor {
  const mode_int = (MODES as readonly string[]).indexOf(mode);
  TORCH_CHECK_NOT_IMPLEMENTED(mode_int !== -1, "Unrecognised padding mode ", mode);
  return _pad_enum_symint(self, pad, mode_int, value);
}
