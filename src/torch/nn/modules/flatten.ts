/**
 * @file `nn.Flatten` and `nn.Unflatten`.
 * @mirrors torch/nn/modules/flatten.py
 */
import { TypeError_ } from "#c10/util/Exception";
import { py_format, python_type, repr, THPSize } from "#torch/_C";
import { def_methods, Init, type InitArgs, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { type_repr } from "#torch/_utils/index";
import { Module, type Unary } from "./module/index.ts";
import { sizes_repr } from "./utils.ts";

const Flatten_init = new Init(
  "Flatten.__init__(self, start_dim=1, end_dim=-1)",
  types<[start_dim: number, end_dim: number]>,
);

/** A module that merges dimensions `start_dim` to `end_dim` into one. */
export class Flatten extends Module<Unary, Tensor> {
  static readonly __module__: string = "torch.nn.modules.flatten";

  start_dim: number;
  end_dim: number;

  static {
    def_methods(Flatten, { __init__: Flatten_init, forward: "(self, input)", extra_repr: "(self)" });
  }

  constructor(...args: InitArgs<typeof Flatten_init>) {
    const [start_dim, end_dim] = Flatten_init.bind(args);
    super();
    this.start_dim = start_dim;
    this.end_dim = end_dim;
  }

  override forward(input: Tensor): Tensor {
    return input.flatten(this.start_dim, this.end_dim);
  }

  override extra_repr(): string {
    return `start_dim=${py_format(this.start_dim)}, end_dim=${py_format(this.end_dim)}`;
  }
}

const Unflatten_init = new Init(
  "Unflatten.__init__(self, dim, unflattened_size)",
  types<[dim: number, unflattened_size: readonly number[]]>,
);

/** A module that splits dimension `dim` into dimensions of `unflattened_size`. */
export class Unflatten extends Module<Unary, Tensor> {
  static readonly __module__: string = "torch.nn.modules.flatten";

  dim: number;
  unflattened_size: readonly number[];

  static {
    def_methods(Unflatten, {
      __init__: Unflatten_init,
      _require_tuple_int: "(self, input)",
      forward: "(self, input)",
      extra_repr: "(self)",
    });
  }

  constructor(...args: InitArgs<typeof Unflatten_init>) {
    const [dim, unflattened_size] = Unflatten_init.bind(args);
    super();
    this._require_tuple_int(unflattened_size);
    this.dim = dim;
    this.unflattened_size = unflattened_size;
  }

  _require_tuple_int(input: unknown): void {
    if (!Array.isArray(input))
      throw new TypeError_(`unflattened_size must be a tuple of ints, but found type ${type_repr(input)}`);
    for (const [idx, elem] of input.entries())
      if (!["int", "bool"].includes(python_type(elem)))
        throw new TypeError_(
          `unflattened_size must be tuple of ints, but found element of type ${type_repr(elem)} at pos ${idx}`,
        );
  }

  override forward(input: Tensor): Tensor {
    return input.unflatten(this.dim, this.unflattened_size as number[]);
  }

  override extra_repr(): string {
    const { unflattened_size: size } = this;
    return `dim=${py_format(this.dim)}, unflattened_size=${size instanceof THPSize ? repr(size) : sizes_repr(size)}`;
  }
}
