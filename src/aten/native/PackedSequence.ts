/**
 * @file Sequences of different lengths in one tensor. In the padded form, each sequence is a row with zeros after its
 * end. In the packed form, the steps of all sequences come one after another; each step has one row for each sequence
 * that has not ended.
 * @mirrors aten/src/ATen/native/PackedSequence.cpp
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { check_type } from "#aten/TensorMethods";
import { DeviceType } from "#c10/core/DeviceType";
import { Scalar } from "#c10/core/Scalar";
import { ScalarType, toString } from "#c10/core/ScalarType";
import { TORCH_CHECK, unmet } from "#c10/util/Exception";

/** The elements of an int64 tensor in memory order. */
export function data_ptr_int64(t: Tensor): BigInt64Array {
  check_type(t, ScalarType.Long);
  const impl = t.unsafeGetTensorImpl();
  const offset = impl.data_offset();
  return (impl.data_view() as BigInt64Array).subarray(offset, offset + t.numel());
}

function checkLongTensor(tensor: Tensor): void {
  TORCH_CHECK(
    tensor.dim() === 1 && tensor.device().type() === DeviceType.CPU && tensor.scalar_type() === ScalarType.Long,
    "'lengths' argument should be a 1D CPU int64 tensor, but got ",
    tensor.dim(),
    "D ",
    tensor.device().str(),
    " ",
    toString(tensor.scalar_type()),
    " tensor",
  );
}

/** Values of a contiguous int64 tensor. */
function numbers(t: Tensor): number[] {
  return [...data_ptr_int64(t)].map(Number);
}

// _pack_padded_sequence                                                                              CompositeExplicitAutograd
export function _pack_padded_sequence(_input: Tensor, _lengths: Tensor, batch_first: boolean): [Tensor, Tensor] {
  TORCH_CHECK(_input.numel() > 0, "Cannot pack empty tensors.");
  const input = batch_first ? _input.transpose_int(0, 1) : _input;
  const lengths_t = _lengths.contiguous();
  checkLongTensor(lengths_t);
  const batch_size = input.size(1);
  const lengths = numbers(lengths_t);
  TORCH_CHECK(
    lengths_t.size(0) === batch_size,
    "Expected `len(lengths)` to be equal to batch_size, but got ",
    lengths_t.size(0),
    " (batch_size=",
    batch_size,
    ")",
  );
  TORCH_CHECK(
    lengths[batch_size - 1] > 0,
    "Length of all samples has to be greater than 0, but found an element in 'lengths' that is <= 0",
  );
  TORCH_CHECK(
    lengths.every((length, i) => i === 0 || length <= lengths[i - 1]),
    "`lengths` array must be sorted in decreasing order when `enforce_sorted` is True. You can pass `enforce_sorted=False` to pack_padded_sequence and/or pack_sequence to sidestep this requirement if you do not need ONNX exportability.",
  );

  // Steps with the same number of sequences are cut out together as a block, from the shortest sequence to the longest.
  //
  //     1 1 1 1 1
  //     2 2 2 . .        blocks: 1 step of 4, 2 of 2, 2 of 1
  //     3 . . . .        batch_sizes: 4 2 2 1 1
  //     4 . . . .
  const step_shape = [-1, ...input.sizes().slice(2)];
  const steps: Tensor[] = [];
  const batch_sizes: number[] = [];
  let prev_l = 0;
  for (let i = batch_size - 1; i >= 0; i--) {
    const l = lengths[i];
    if (l === prev_l) continue;
    const block = input.slice_Tensor(0, prev_l, l).slice_Tensor(1, 0, i + 1);
    steps.push(block.contiguous().view(step_shape));
    for (let t = prev_l; t < l; t++) batch_sizes.push(i + 1);
    prev_l = l;
  }
  const batch_sizes_t = at.empty_memory_format([lengths[0]], _lengths.options());
  data_ptr_int64(batch_sizes_t).set(batch_sizes.map(BigInt));
  return [at.cat(steps), batch_sizes_t];
}

// _pack_padded_sequence_backward                                                                     CompositeImplicitAutograd
export function _pack_padded_sequence_backward_symint(
  grad: Tensor,
  input_size: number[],
  _batch_sizes: Tensor,
  batch_first: boolean,
): Tensor {
  const size = [...input_size];
  if (batch_first) {
    TORCH_CHECK(input_size.length >= 2, unmet("input_size.size() >= 2"));
    [size[0], size[1]] = [size[1], size[0]];
  }
  const grad_input = at.zeros(size, grad.options());
  const batch_sizes_t = _batch_sizes.contiguous();
  checkLongTensor(batch_sizes_t);
  let offset = 0;
  numbers(batch_sizes_t).forEach((batch_size, i) => {
    const step = grad.slice_Tensor(0, offset, offset + batch_size);
    grad_input.select_int(0, i).slice_Tensor(0, 0, batch_size).copy_(step);
    offset += batch_size;
  });
  return batch_first ? grad_input.transpose_int(0, 1) : grad_input;
}

// _pad_packed_sequence                                                                               CompositeImplicitAutograd
export function _pad_packed_sequence(
  data: Tensor,
  _batch_sizes: Tensor,
  batch_first: boolean,
  padding_value: Scalar,
  total_length: number,
): [Tensor, Tensor] {
  const batch_sizes_t = _batch_sizes.contiguous();
  checkLongTensor(batch_sizes_t);
  const batch_sizes = numbers(batch_sizes_t);
  TORCH_CHECK(batch_sizes.length > 0, "batch_sizes can not be empty");
  const max_batch_size = batch_sizes[0];
  const max_real_seq_length = batch_sizes.length;
  let max_seq_length = max_real_seq_length;
  if (total_length > 0) {
    TORCH_CHECK(
      total_length >= max_seq_length,
      "Expected total_length to be at least the length of the longest sequence in input, but got total_length=",
      total_length,
      " and max sequence length being ",
      max_seq_length,
    );
    max_seq_length = total_length;
  }
  const features = data.sizes().slice(1);
  const output = at.full([max_seq_length, max_batch_size, ...features], padding_value, data.options());
  const lengths: number[] = new Array(max_batch_size);
  let data_offset = 0;
  let prev_batch_size = max_batch_size;
  let prev_i = 0;
  for (let i = 0; i <= max_real_seq_length; i++) {
    const batch_size = i < max_real_seq_length ? batch_sizes[i] : 0;
    if (batch_size === prev_batch_size) continue;
    // One block of steps with the same number of sequences; the sequences that do not continue end here.
    const l = prev_batch_size * (i - prev_i);
    const block = data.slice_Tensor(0, data_offset, data_offset + l);
    const place = output.slice_Tensor(0, prev_i, i).slice_Tensor(1, 0, prev_batch_size);
    place.copy_(block.view([i - prev_i, prev_batch_size, ...features]));
    for (let b = batch_size; b < prev_batch_size; b++) lengths[b] = i;
    data_offset += l;
    prev_i = i;
    prev_batch_size = batch_size;
  }
  const lengths_t = at.empty_memory_format([max_batch_size], batch_sizes_t.options());
  data_ptr_int64(lengths_t).set(lengths.map(BigInt));
  return [batch_first ? output.transpose_int(0, 1) : output, lengths_t];
}

// pad_sequence                                                                                       CompositeImplicitAutograd
export function pad_sequence(
  sequences: Tensor[],
  batch_first: boolean,
  padding_value: number,
  padding_side: string,
): Tensor {
  TORCH_CHECK(sequences.length > 0, "received an empty list of sequences");
  TORCH_CHECK(
    padding_side === "left" || padding_side === "right",
    "Expected padding_side to be one of left or right, but got ",
    padding_side,
    ".",
  );
  const max_size = sequences[0].sizes();
  TORCH_CHECK(max_size.length > 0, "ArrayRef: invalid slice, N = 1; size = 0");
  const trailing_dims = max_size.slice(1);
  const max_len = sequences.reduce((longest, sequence) => Math.max(longest, sequence.size(0)), 0);
  const leading = batch_first ? [sequences.length, max_len] : [max_len, sequences.length];
  const value = Scalar.fromDouble(padding_value);
  const out = at.full([...leading, ...trailing_dims], value, sequences[0].options());
  sequences.forEach((sequence, i) => {
    const length = sequence.size(0);
    const start = padding_side === "left" ? max_len - length : 0;
    const place = batch_first
      ? out.select_int(0, i).narrow(0, start, length)
      : out.narrow(0, start, length).select_int(1, i);
    place.copy_(sequence);
  });
  return out;
}
