/**
 * @file Sequences of different lengths in one tensor, without padding between them.
 * @mirrors torch/csrc/api/include/torch/nn/utils/rnn.h
 */
import { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { Device } from "#c10/core/Device";
import { DeviceType } from "#c10/core/DeviceType";
import { Scalar } from "#c10/core/Scalar";
import { ScalarType } from "#c10/core/ScalarType";
import { TORCH_CHECK } from "#c10/util/Exception";

/** The inverse of a permutation; undefined for an undefined one. */
export function invert_permutation(permutation: Tensor): Tensor {
  if (!permutation.defined()) return new Tensor();
  const output = at.empty_like(permutation);
  return output.scatter__src(
    0,
    permutation,
    at.arange(Scalar.fromInt(permutation.numel())).to_dtype(permutation.scalar_type()),
  );
}

export class PackedSequence {
  private readonly data_: Tensor;
  private readonly batch_sizes_: Tensor;
  private readonly sorted_indices_: Tensor;
  private readonly unsorted_indices_: Tensor;

  /**
   * @param data all elements, those of the first time first
   * @param batch_sizes how many sequences have an element at each time, on the CPU
   * @param sorted_indices the order of the sequences by length; undefined if they were in order
   */
  constructor(
    data: Tensor,
    batch_sizes: Tensor,
    sorted_indices: Tensor = new Tensor(),
    unsorted_indices: Tensor = new Tensor(),
  ) {
    TORCH_CHECK(
      batch_sizes.device().type() === DeviceType.CPU,
      "batch_sizes should always be on CPU. Instances of PackedSequence should never be created manually. They should be instantiated by functions like pack_sequence and pack_padded_sequences in nn::utils::rnn. https://pytorch.org/docs/stable/nn.html#torch.nn.utils.rnn.pack_sequence",
    );
    this.data_ = data;
    this.batch_sizes_ = batch_sizes;
    this.sorted_indices_ = sorted_indices;
    this.unsorted_indices_ = unsorted_indices.defined() ? unsorted_indices : invert_permutation(sorted_indices);
  }
  data(): Tensor {
    return this.data_;
  }
  batch_sizes(): Tensor {
    return this.batch_sizes_;
  }
  sorted_indices(): Tensor {
    return this.sorted_indices_;
  }
  unsorted_indices(): Tensor {
    return this.unsorted_indices_;
  }
}

/**
 * @param input `(T, B, *)`, or `(B, T, *)` with `batch_first`
 * @param lengths of the sequences, `(B)`, on the CPU
 * @param enforce_sorted whether the lengths must not ascend; otherwise the sequences are sorted here
 */
export function pack_padded_sequence(
  input: Tensor,
  lengths: Tensor,
  batch_first = false,
  enforce_sorted = true,
): PackedSequence {
  let [sorted_input, sorted_lengths, sorted_indices] = [input, lengths.to_dtype(ScalarType.Long), new Tensor()];
  if (!enforce_sorted) {
    [sorted_lengths, sorted_indices] = at.sort(sorted_lengths, -1, true);
    sorted_input = input.index_select(batch_first ? 0 : 1, sorted_indices);
  }
  const [data, batch_sizes] = at._pack_padded_sequence(sorted_input, sorted_lengths, batch_first);
  return new PackedSequence(data, batch_sizes, sorted_indices);
}

/** @returns the padded sequences and their lengths, in their first order */
export function pad_packed_sequence(
  sequence: PackedSequence,
  batch_first = false,
  padding_value = 0,
  total_length: number | null = null,
): [output: Tensor, lengths: Tensor] {
  const max_seq_length = sequence.batch_sizes().size(0);
  TORCH_CHECK(
    total_length === null || total_length >= max_seq_length,
    "Expected total_length to be at least the length of the longest sequence in input, but got total_length=",
    total_length,
    " and max sequence length being ",
    max_seq_length,
  );
  const length = total_length ?? max_seq_length;
  const value = Scalar.fromDouble(padding_value);
  const [output, lengths] = at._pad_packed_sequence(
    sequence.data(),
    sequence.batch_sizes(),
    batch_first,
    value,
    length,
  );
  const order = sequence.unsorted_indices();
  if (!order.defined()) return [output, lengths];
  return [
    output.index_select(batch_first ? 0 : 1, order),
    lengths.index_select(0, order.to_device(new Device(DeviceType.CPU), ScalarType.Long)),
  ];
}

/** Sequences `(L_i, *)` in one tensor, padded to the longest: `(T, B, *)`, or `(B, T, *)` with `batch_first`. */
export function pad_sequence(sequences: readonly Tensor[], batch_first = false, padding_value = 0): Tensor {
  return at.pad_sequence([...sequences], batch_first, padding_value);
}

export function pack_sequence(sequences: readonly Tensor[], enforce_sorted = true): PackedSequence {
  const lengths = at.stack(
    sequences.map((sequence) => at.full([], Scalar.fromInt(sequence.size(0))).to_dtype(ScalarType.Long)),
  );
  return pack_padded_sequence(pad_sequence(sequences), lengths, false, enforce_sorted);
}
