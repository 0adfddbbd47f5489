/**
 * @file Padding modules.
 * @mirrors torch/nn/modules/padding.py
 */
import { ValueError } from "#c10/util/Exception";
import { having, py_format } from "#torch/_C";
import { def_methods, Init, type InitArgs, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import * as F from "#torch/nn/functional/index";
import { Module, type Unary } from "./module/index.ts";
import { _ntuple, _pair, _quadruple, type Sizes, sizes_repr } from "./utils.ts";

const _sextuple = _ntuple(6);
const TUPLES = [_pair, _quadruple, _sextuple];

abstract class _PadNd extends Module<Unary, Tensor> {
  static readonly __module__: string = "torch.nn.modules.padding";

  padding: number[];

  static {
    def_methods(_PadNd, { extra_repr: "(self)" });
  }

  constructor(dim: number, padding: Sizes) {
    super();
    this.padding = TUPLES[dim - 1](padding);
  }

  override extra_repr(): string {
    return sizes_repr(this.padding);
  }
}

/** Base class: `F.pad` with mode `"constant"`. */
export abstract class _ConstantPadNd extends _PadNd {
  value: number;

  static {
    def_methods(_ConstantPadNd, { forward: "(self, input)", extra_repr: "(self)" });
  }

  constructor(dim: number, padding: Sizes, value: number) {
    super(dim, padding);
    this.value = value;
  }

  override forward(input: Tensor): Tensor {
    return F.pad(input, this.padding, { mode: "constant", value: this.value });
  }

  override extra_repr(): string {
    return `padding=${sizes_repr(this.padding)}, value=${py_format(this.value)}`;
  }
}

/** Base class: `F.pad` with mode `"reflect"`. */
export abstract class _ReflectionPadNd extends _PadNd {
  static {
    def_methods(_ReflectionPadNd, { forward: "(self, input)" });
  }

  override forward(input: Tensor): Tensor {
    return F.pad(input, this.padding, { mode: "reflect" });
  }
}

/** Base class: `F.pad` with mode `"replicate"`. */
export abstract class _ReplicationPadNd extends _PadNd {
  static {
    def_methods(_ReplicationPadNd, { forward: "(self, input)" });
  }

  override forward(input: Tensor): Tensor {
    return F.pad(input, this.padding, { mode: "replicate" });
  }
}

/** Base class: `F.pad` with mode `"circular"`. */
export abstract class _CircularPadNd extends _PadNd {
  static {
    def_methods(_CircularPadNd, { _check_input_dim: "(self, input)", forward: "(self, input)" });
  }

  abstract _check_input_dim(input: Tensor): void;

  override forward(input: Tensor): Tensor {
    this._check_input_dim(input);
    return F.pad(input, this.padding, { mode: "circular" });
  }
}

function check_dim(input: Tensor, a: number, b: number): void {
  const dim = having(input, "dim").dim();
  if (dim !== a && dim !== b) throw new ValueError(`expected ${a}D or ${b}D input (got ${dim}D input)`);
}

const ConstantPad1d_init = new Init(
  "ConstantPad1d.__init__(self, padding, value)",
  types<[padding: Sizes, value: number]>,
);

/** Pads the last dim with `value`. */
export class ConstantPad1d extends _ConstantPadNd {
  static {
    def_methods(ConstantPad1d, { __init__: ConstantPad1d_init });
  }

  constructor(...args: InitArgs<typeof ConstantPad1d_init>) {
    super(1, ...ConstantPad1d_init.bind(args));
  }
}

const ConstantPad2d_init = new Init(
  "ConstantPad2d.__init__(self, padding, value)",
  types<[padding: Sizes, value: number]>,
);

/** Pads the last two dims with `value`. */
export class ConstantPad2d extends _ConstantPadNd {
  static {
    def_methods(ConstantPad2d, { __init__: ConstantPad2d_init });
  }

  constructor(...args: InitArgs<typeof ConstantPad2d_init>) {
    super(2, ...ConstantPad2d_init.bind(args));
  }
}

const ConstantPad3d_init = new Init(
  "ConstantPad3d.__init__(self, padding, value)",
  types<[padding: Sizes, value: number]>,
);

/** Pads the last three dims with `value`. */
export class ConstantPad3d extends _ConstantPadNd {
  static {
    def_methods(ConstantPad3d, { __init__: ConstantPad3d_init });
  }

  constructor(...args: InitArgs<typeof ConstantPad3d_init>) {
    super(3, ...ConstantPad3d_init.bind(args));
  }
}

const ReflectionPad1d_init = new Init("ReflectionPad1d.__init__(self, padding)", types<[padding: Sizes]>);

/** Pads the last dim with its reflection. */
export class ReflectionPad1d extends _ReflectionPadNd {
  static {
    def_methods(ReflectionPad1d, { __init__: ReflectionPad1d_init });
  }

  constructor(...args: InitArgs<typeof ReflectionPad1d_init>) {
    super(1, ...ReflectionPad1d_init.bind(args));
  }
}

const ReflectionPad2d_init = new Init("ReflectionPad2d.__init__(self, padding)", types<[padding: Sizes]>);

/** Pads the last two dims with their reflection. */
export class ReflectionPad2d extends _ReflectionPadNd {
  static {
    def_methods(ReflectionPad2d, { __init__: ReflectionPad2d_init });
  }

  constructor(...args: InitArgs<typeof ReflectionPad2d_init>) {
    super(2, ...ReflectionPad2d_init.bind(args));
  }
}

const ReflectionPad3d_init = new Init("ReflectionPad3d.__init__(self, padding)", types<[padding: Sizes]>);

/** Pads the last three dims with their reflection. */
export class ReflectionPad3d extends _ReflectionPadNd {
  static {
    def_methods(ReflectionPad3d, { __init__: ReflectionPad3d_init });
  }

  constructor(...args: InitArgs<typeof ReflectionPad3d_init>) {
    super(3, ...ReflectionPad3d_init.bind(args));
  }
}

const ReplicationPad1d_init = new Init("ReplicationPad1d.__init__(self, padding)", types<[padding: Sizes]>);

/** Pads the last dim with copies of the edge. */
export class ReplicationPad1d extends _ReplicationPadNd {
  static {
    def_methods(ReplicationPad1d, { __init__: ReplicationPad1d_init });
  }

  constructor(...args: InitArgs<typeof ReplicationPad1d_init>) {
    super(1, ...ReplicationPad1d_init.bind(args));
  }
}

const ReplicationPad2d_init = new Init("ReplicationPad2d.__init__(self, padding)", types<[padding: Sizes]>);

/** Pads the last two dims with copies of the edge. */
export class ReplicationPad2d extends _ReplicationPadNd {
  static {
    def_methods(ReplicationPad2d, { __init__: ReplicationPad2d_init });
  }

  constructor(...args: InitArgs<typeof ReplicationPad2d_init>) {
    super(2, ...ReplicationPad2d_init.bind(args));
  }
}

const ReplicationPad3d_init = new Init("ReplicationPad3d.__init__(self, padding)", types<[padding: Sizes]>);

/** Pads the last three dims with copies of the edge. */
export class ReplicationPad3d extends _ReplicationPadNd {
  static {
    def_methods(ReplicationPad3d, { __init__: ReplicationPad3d_init });
  }

  constructor(...args: InitArgs<typeof ReplicationPad3d_init>) {
    super(3, ...ReplicationPad3d_init.bind(args));
  }
}

const CircularPad1d_init = new Init("CircularPad1d.__init__(self, padding)", types<[padding: Sizes]>);

/** Pads the last dim circularly, with elements from the opposite end. */
export class CircularPad1d extends _CircularPadNd {
  static {
    def_methods(CircularPad1d, { __init__: CircularPad1d_init, _check_input_dim: "(self, input)" });
  }

  constructor(...args: InitArgs<typeof CircularPad1d_init>) {
    super(1, ...CircularPad1d_init.bind(args));
  }

  override _check_input_dim(input: Tensor): void {
    check_dim(input, 2, 3);
  }
}

const CircularPad2d_init = new Init("CircularPad2d.__init__(self, padding)", types<[padding: Sizes]>);

/** Pads the last two dims circularly, with elements from the opposite end. */
export class CircularPad2d extends _CircularPadNd {
  static {
    def_methods(CircularPad2d, { __init__: CircularPad2d_init, _check_input_dim: "(self, input)" });
  }

  constructor(...args: InitArgs<typeof CircularPad2d_init>) {
    super(2, ...CircularPad2d_init.bind(args));
  }

  override _check_input_dim(input: Tensor): void {
    check_dim(input, 3, 4);
  }
}

const CircularPad3d_init = new Init("CircularPad3d.__init__(self, padding)", types<[padding: Sizes]>);

/** Pads the last three dims circularly, with elements from the opposite end. */
export class CircularPad3d extends _CircularPadNd {
  static {
    def_methods(CircularPad3d, { __init__: CircularPad3d_init, _check_input_dim: "(self, input)" });
  }

  constructor(...args: InitArgs<typeof CircularPad3d_init>) {
    super(3, ...CircularPad3d_init.bind(args));
  }

  override _check_input_dim(input: Tensor): void {
    check_dim(input, 4, 5);
  }
}

const ZeroPad1d_init = new Init("ZeroPad1d.__init__(self, padding)", types<[padding: Sizes]>);

/** Pads the last dim with zeros. */
export class ZeroPad1d extends ConstantPad1d {
  static {
    def_methods(ZeroPad1d, { __init__: ZeroPad1d_init, extra_repr: "(self)" });
  }

  constructor(...args: InitArgs<typeof ZeroPad1d_init>) {
    super(...ZeroPad1d_init.bind(args), 0);
  }

  override extra_repr(): string {
    return sizes_repr(this.padding);
  }
}

const ZeroPad2d_init = new Init("ZeroPad2d.__init__(self, padding)", types<[padding: Sizes]>);

/** Pads the last two dims with zeros. */
export class ZeroPad2d extends ConstantPad2d {
  static {
    def_methods(ZeroPad2d, { __init__: ZeroPad2d_init, extra_repr: "(self)" });
  }

  constructor(...args: InitArgs<typeof ZeroPad2d_init>) {
    super(...ZeroPad2d_init.bind(args), 0);
  }

  override extra_repr(): string {
    return sizes_repr(this.padding);
  }
}

const ZeroPad3d_init = new Init("ZeroPad3d.__init__(self, padding)", types<[padding: Sizes]>);

/** Pads the last three dims with zeros. */
export class ZeroPad3d extends ConstantPad3d {
  static {
    def_methods(ZeroPad3d, { __init__: ZeroPad3d_init, extra_repr: "(self)" });
  }

  constructor(...args: InitArgs<typeof ZeroPad3d_init>) {
    super(...ZeroPad3d_init.bind(args), 0);
  }

  override extra_repr(): string {
    return sizes_repr(this.padding);
  }
}
