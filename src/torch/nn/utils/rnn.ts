/**
 * @file Sequences of different lengths: padded to one length, packed without padding, and converted back.
 * @mirrors torch/nn/utils/rnn.py
 */
import { AssertionError, RuntimeError, ValueError } from "#c10/util/Exception";
import { PyTuple, pack } from "#python/Objects/tupleobject";
import { _C, having, repr } from "#torch/_C";
import { def, def_methods, Init, type InitArgs, types } from "#torch/_signature";
import { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { type_repr } from "#torch/_utils/index";
import { is_iterable } from "#torch/nn/modules/container/index";
import type { _float, _int } from "#torch/types";

const _VF = _C._VariableFunctions;

type MaybeTensor = Tensor | null;

type Fields = [data: Tensor, batch_sizes: Tensor, sorted_indices: MaybeTensor, unsorted_indices: MaybeTensor];

const PackedSequence_new = new Init(
  "PackedSequence.__new__(cls, data, batch_sizes=None, sorted_indices=None, unsorted_indices=None)",
  types<
    [
      data: Tensor | [data: Tensor, batch_sizes: Tensor],
      batch_sizes: MaybeTensor,
      sorted_indices: MaybeTensor,
      unsorted_indices: MaybeTensor,
    ]
  >,
);

function _packed_sequence_init_args(
  data: unknown,
  batch_sizes: MaybeTensor,
  sorted_indices: MaybeTensor,
  unsorted_indices: MaybeTensor,
): Fields {
  const unsorted = unsorted_indices ?? invert_permutation(sorted_indices);
  if (batch_sizes !== null) {
    if (having(batch_sizes, "device").device.type !== "cpu") {
      throw new ValueError(
        "batch_sizes should always be on CPU. Instances of PackedSequence should never be created manually. They should be instantiated by functions like pack_sequence and pack_padded_sequences in nn.utils.rnn. https://pytorch.org/docs/stable/nn.html#torch.nn.utils.rnn.pack_sequence",
      );
    }
    return [data as Tensor, batch_sizes, sorted_indices, unsorted];
  }
  if (!Array.isArray(data) || data.length !== 2)
    throw new AssertionError("Expected data to be a list or tuple of length 2");
  return [data[0], data[1], sorted_indices, unsorted];
}

/**
 * The steps of all sequences, ordered by time, and the number of sequences that have each step. A tuple of four fields.
 *
 *     a b c         data         a d f b e c
 *     d e      ->   batch_sizes  3 2 1
 *     f
 *
 */
export class PackedSequence extends PyTuple<MaybeTensor> {
  static readonly __module__: string = "torch.nn.utils.rnn";

  static {
    def_methods(PackedSequence, { __init__: PackedSequence_new });
  }

  constructor(...args: InitArgs<typeof PackedSequence_new>) {
    super();
    this.push(..._packed_sequence_init_args(...PackedSequence_new.bind(args)));
  }

  get data(): Tensor {
    return this[0] as Tensor;
  }

  get batch_sizes(): Tensor {
    return this[1] as Tensor;
  }

  /** The permutation that sorted the sequences by falling length; null if they were sorted. */
  get sorted_indices(): MaybeTensor {
    return this[2];
  }

  /** The inverse of `sorted_indices`. */
  get unsorted_indices(): MaybeTensor {
    return this[3];
  }

  /** Converts `data`, and moves the permutations to another device with it. It returns the object itself if nothing changes. */
  to(...args: unknown[]): this {
    const data = (this.data.to as (...args: unknown[]) => Tensor)(...args);
    if (data === this.data) return this;
    const { non_blocking } = _C._nn._parse_to(...args);
    const moved = (t: MaybeTensor) => t?.to({ device: data.device, non_blocking }) ?? null;
    return this.with_data(data, moved(this.sorted_indices), moved(this.unsorted_indices));
  }

  private with_data(data: Tensor, sorted_indices: MaybeTensor, unsorted_indices: MaybeTensor): this {
    const cls = this.constructor as typeof PackedSequence;
    return new cls(data, this.batch_sizes, sorted_indices, unsorted_indices) as this;
  }

  cpu(...args: unknown[]): this {
    const probe = torch.tensor([], { dtype: this.data.dtype, device: this.data.device });
    const ex = (probe.to as (...args: unknown[]) => Tensor)(...args);
    return ex.device.type === "cpu" ? this.to(...args) : this.to(...args, { device: "cpu" });
  }

  double(): this {
    return this.to({ dtype: torch.float64 });
  }

  float(): this {
    return this.to({ dtype: torch.float32 });
  }

  half(): this {
    return this.to({ dtype: torch.float16 });
  }

  long(): this {
    return this.to({ dtype: torch.int64 });
  }

  int(): this {
    return this.to({ dtype: torch.int32 });
  }

  short(): this {
    return this.to({ dtype: torch.int16 });
  }

  char(): this {
    return this.to({ dtype: torch.int8 });
  }

  byte(): this {
    return this.to({ dtype: torch.uint8 });
  }

  get is_cuda(): boolean {
    return false;
  }

  __repr__(): string {
    const names = ["data", "batch_sizes", "sorted_indices", "unsorted_indices"];
    return `PackedSequence(${names.map((name, i) => `${name}=${repr(this[i])}`).join(", ")})`;
  }

  override toString(): string {
    return this.__repr__();
  }
}

/** The inverse of a permutation. */
export const invert_permutation = def("invert_permutation(permutation)", (permutation: MaybeTensor): MaybeTensor => {
  if (permutation === null) return null;
  const output = torch.empty_like(permutation, { memory_format: torch.contiguous_format });
  return output.scatter_(0, permutation, torch.arange(0, permutation.numel(), { device: permutation.device }));
});

/**
 * Packs padded sequences.   `(T, N, *) or (N, T, *)`
 * @param lengths the lengths of the sequences, in falling order unless `enforce_sorted` is false.
 */
export const pack_padded_sequence = def(
  "pack_padded_sequence(input, lengths, batch_first=False, enforce_sorted=True)",
  (
    input: Tensor,
    lengths_: Tensor | readonly number[],
    batch_first: boolean,
    enforce_sorted: boolean,
  ): PackedSequence => {
    let lengths =
      lengths_ instanceof Tensor
        ? lengths_.to({ dtype: torch.int64 })
        : torch.as_tensor([...lengths_], { dtype: torch.int64, device: "cpu" });
    let sorted = input;
    let sorted_indices: MaybeTensor = null;
    if (!enforce_sorted) {
      const [values, indices] = torch.sort(lengths, { descending: true });
      lengths = values;
      sorted_indices = indices.to(input.device);
      sorted = input.index_select(batch_first ? 0 : 1, sorted_indices);
    }
    const [data, batch_sizes] = _VF._pack_padded_sequence(sorted, lengths, batch_first) as [Tensor, Tensor];
    return new PackedSequence(data, batch_sizes, sorted_indices, null);
  },
  "torch.nn.utils.rnn.pack_padded_sequence",
);

/** Converts packed sequences to a padded tensor in their original order, and returns it with their lengths. */
export const pad_packed_sequence = def(
  "pad_packed_sequence(sequence, batch_first=False, padding_value=0.0, total_length=None)",
  (
    sequence: PackedSequence,
    batch_first: boolean,
    padding_value: _float,
    total_length: _int | null,
  ): [padded: Tensor, lengths: Tensor] => {
    const longest = having(sequence, "batch_sizes").batch_sizes.size(0);
    if (total_length !== null && (total_length as number) < longest) {
      throw new ValueError(
        `Expected total_length to be at least the length of the longest sequence in input, but got total_length=${total_length} and max sequence length being ${longest}`,
      );
    }
    const [padded_output, lengths] = _VF._pad_packed_sequence(
      sequence.data,
      sequence.batch_sizes,
      batch_first,
      padding_value,
      total_length ?? longest,
    ) as [Tensor, Tensor];
    const { unsorted_indices } = sequence;
    if (unsorted_indices === null) return pack(padded_output, lengths);
    return pack(
      padded_output.index_select(batch_first ? 0 : 1, unsorted_indices),
      lengths.__getitem__([unsorted_indices.cpu()]),
    );
  },
  "torch.nn.utils.rnn.pad_packed_sequence",
);

/** Stacks sequences of different lengths in one tensor; shorter sequences are filled with `padding_value`.   `N x (T_i, *) -> (T, N, *)` */
export const pad_sequence = def(
  "pad_sequence(sequences, batch_first=False, padding_value=0.0, padding_side='right')",
  (sequences: Tensor | Iterable<Tensor>, batch_first: boolean, padding_value: _float, padding_side: string): Tensor => {
    if (!is_iterable(sequences)) {
      const type = type_repr(sequences, "class");
      throw new RuntimeError(`pad_sequence: Expected iterable for input sequences, but got arg of type: ${type}`);
    }
    return _C._nn.pad_sequence([...(sequences as Iterable<Tensor>)], batch_first, padding_value, padding_side);
  },
  "torch.nn.utils.rnn.pad_sequence",
);

/** The sequences in a padded tensor, as a list. Without `batch_first` the tensor is first transposed. */
export const unpad_sequence = def(
  "unpad_sequence(padded_sequences, lengths, batch_first=False)",
  (padded_sequences: Tensor, lengths: Tensor, batch_first: boolean): Tensor[] => {
    if (!batch_first) padded_sequences.transpose_(0, 1);
    const idx = torch.arange(padded_sequences.size(1), { device: lengths.device });
    const sequences = padded_sequences.unbind(0);
    const each = lengths.unbind(0);
    const unpadded = sequences.slice(0, each.length).map((seq, i) => seq.__getitem__([idx.lt(each[i])]));
    if (sequences.length !== each.length) {
      const order = each.length > sequences.length ? "longer" : "shorter";
      throw new ValueError(`zip() argument 2 is ${order} than argument 1`);
    }
    return unpadded;
  },
  "torch.nn.utils.rnn.unpad_sequence",
);

/** Packs a list of sequences of different lengths. */
export const pack_sequence = def(
  "pack_sequence(sequences, enforce_sorted=True)",
  (sequences: readonly Tensor[], enforce_sorted: boolean): PackedSequence => {
    const lengths = torch.as_tensor(sequences.map((v) => v.size(0)));
    return pack_padded_sequence(pad_sequence(sequences), lengths, { enforce_sorted });
  },
  "torch.nn.utils.rnn.pack_sequence",
);

/** The list of sequences in a packed object. */
export const unpack_sequence = def(
  "unpack_sequence(packed_sequences)",
  (packed_sequences: PackedSequence): Tensor[] => {
    const [padded_sequences, lengths] = pad_packed_sequence(packed_sequences, { batch_first: true });
    return unpad_sequence(padded_sequences, lengths, { batch_first: true });
  },
  "torch.nn.utils.rnn.unpack_sequence",
);
