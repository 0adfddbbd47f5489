/**
 * @file Options of recurrent layers and their cells.
 * @mirrors torch/csrc/api/include/torch/nn/options/rnn.h
 */
import { bool, double, int64, type Made, one_of, TORCH_OPTIONS } from "../../arg.ts";
import { enumtype } from "../../enum.ts";

const positional = ["input_size", "hidden_size"] as const;
const sizes = { input_size: int64(), hidden_size: int64(), bias: bool(true) } as const;
const layers = {
  ...sizes,
  num_layers: int64(1),
  batch_first: bool(false),
  dropout: double(0),
  bidirectional: bool(false),
} as const;
const nonlinearity = one_of(enumtype.kTanh, enumtype.kReLU);

export const RNNOptions = TORCH_OPTIONS("RNNOptions", positional, { ...layers, nonlinearity });
export type RNNOptions = Made<typeof RNNOptions>;
/** `proj_size`: the size to which the hidden state is projected; 0 for no projection. */
export const LSTMOptions = TORCH_OPTIONS("LSTMOptions", positional, { ...layers, proj_size: int64(0) });
export type LSTMOptions = Made<typeof LSTMOptions>;
export const GRUOptions = TORCH_OPTIONS("GRUOptions", positional, layers);
export type GRUOptions = Made<typeof GRUOptions>;

export const RNNCellOptions = TORCH_OPTIONS("RNNCellOptions", positional, { ...sizes, nonlinearity });
export type RNNCellOptions = Made<typeof RNNCellOptions>;
export const LSTMCellOptions = TORCH_OPTIONS("LSTMCellOptions", positional, sizes);
export type LSTMCellOptions = Made<typeof LSTMCellOptions>;
export const GRUCellOptions = TORCH_OPTIONS("GRUCellOptions", positional, sizes);
export type GRUCellOptions = Made<typeof GRUCellOptions>;
