/**
 * @file `Dim`, by which a program says which sizes of its arguments may vary, and the check of what it says.
 * @mirrors torch/export/dynamic_shapes.py
 * @differs Sizes are constants in ours: a `Dim` that may vary is refused; PyTorch exports it as a symbol.
 */
import { AssertionError, NotImplementedError } from "#c10/util/Exception";
import { Allocated, TAKES_VALUES } from "#python/Objects/allocated";
import { def_methods, Init, types } from "#torch/_signature";
import { flatten } from "#torch/utils/_pytree/index";

const MODULE = "torch.export.dynamic_shapes";

/** `Dim.AUTO`, `Dim.DYNAMIC`, `Dim.STATIC`. */
export class DimHint extends Allocated {
  static readonly [TAKES_VALUES] = true;
  static readonly __module__ = MODULE;
  readonly type: string;

  constructor(type: string) {
    super();
    this.type = type;
  }
  override toString(): string {
    return `DimHint(${this.type})`;
  }
}

const Dim_init = new Init(
  "Dim.__init__(self, name: str, *, min: int=None, max: int=None)",
  types<[name: string, min: number | null, max: number | null]>,
);

/** A size that may vary, by its name. */
export class Dim extends Allocated {
  static readonly [TAKES_VALUES] = true;
  static readonly __module__ = MODULE;
  static readonly AUTO = new DimHint("AUTO");
  static readonly DYNAMIC = new DimHint("DYNAMIC");
  static readonly STATIC = new DimHint("STATIC");
  readonly __name__: string;
  readonly min: number;
  readonly max: number;

  static {
    def_methods(Dim, { __init__: Dim_init });
  }

  constructor(...args: unknown[]) {
    super();
    const [name, min, max] = Dim_init.bind(args as never);
    this.min = min ?? 0;
    this.max = max ?? Number.POSITIVE_INFINITY;
    if (!(this.max > this.min))
      throw new AssertionError(`Cannot create Dim with inconsistent min=${min ?? "None"}, max=${max ?? "None"}`);
    if (!/^[\p{L}_][\p{L}\p{N}_]*$/u.test(name))
      throw new AssertionError(`Dim name must be a valid identifier, got ${name}`);
    this.__name__ = name;
  }

  override toString(): string {
    const limits = [
      ...(this.min === 0 || this.min === 2 ? [] : [`min=${this.min}`]),
      ...(this.max === Number.POSITIVE_INFINITY ? [] : [`max=${this.max}`]),
    ];
    return `Dim(${[`'${this.__name__}'`, ...limits].join(", ")})`;
  }
}

/** @throws {NotImplementedError} for a size that may vary */
export function check_dynamic_shapes(dynamic_shapes: unknown): void {
  for (const leaf of flatten(dynamic_shapes)[0]) {
    const varies = leaf instanceof Dim || (leaf instanceof DimHint && leaf !== Dim.STATIC && leaf !== Dim.AUTO);
    if (varies)
      throw new NotImplementedError(
        `torch.export.export is not implemented with sizes that vary (${String(leaf)}): export the module for each size`,
      );
  }
}
