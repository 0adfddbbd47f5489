/**
 * @file Transforms that apply a different transform to each part of a tensor.
 * @mirrors torch/distributions/transforms.py#CatTransform
 */

import { AssertionError } from "#c10/util/Exception";
import { PySequence_Tuple } from "#torch/_C";
import { Init, type InitArgs, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { lazy_property, set_own } from "#torch/distributions/class_attributes";
import { type Constraint, cat, dependent_property, stack } from "#torch/distributions/constraints";
import { _sum_rightmost } from "#torch/distributions/utils";
import { def_transform, Transform } from "./base.ts";

/** `tseq` with another cache size. */
function parts_of(given: readonly Transform[], cache_size: number): readonly Transform[] {
  const tseq = PySequence_Tuple(given);
  if (!tseq.every((t) => t instanceof Transform))
    throw new AssertionError("All elements of tseq must be Transform instances");
  return cache_size === 0 ? tseq : tseq.map((t) => t.with_cache(cache_size));
}

function check_dim(x: Tensor, dim: number, what: string): void {
  if (dim < -x.dim() || dim >= x.dim())
    throw new AssertionError(`dim ${dim} out of range for ${what} with ${x.dim()} dimensions`);
}

/** Refuses `value` unless its size along `dim` is `length`. */
function check_size(value: Tensor, name: string, dim: number, expected: string, length: number): void {
  if (value.size(dim) !== length)
    throw new AssertionError(`${name}.size(${dim}) = ${value.size(dim)} must equal ${expected} ${length}`);
}

const CatTransform_init = new Init(
  "CatTransform.__init__(self, tseq, dim=0, lengths=None, cache_size=0)",
  types<[tseq: readonly Transform[], dim: number, lengths: readonly number[] | null, cache_size: number]>,
);

/** Applies one transform to each part along `dim`; the parts have the given lengths, or length 1, as `torch.cat` joins them. */
export class CatTransform extends Transform {
  declare transforms: readonly Transform[];
  declare lengths: readonly number[];
  declare dim: number;
  /** The total length of all parts. */
  declare length: number;

  static {
    lazy_property(CatTransform, "event_dim", (self) => Math.max(...self.transforms.map((t) => t.event_dim)));
    dependent_property(CatTransform, "domain", (self) => self._constraint("domain"));
    dependent_property(CatTransform, "codomain", (self) => self._constraint("codomain"));
    def_transform(CatTransform, CatTransform_init);
  }

  constructor(...args: InitArgs<typeof CatTransform_init>) {
    const [tseq, dim, lengths, cache_size] = CatTransform_init.bind(args);
    const transforms = parts_of(tseq, cache_size);
    super(cache_size);
    this.transforms = transforms;
    this.lengths = lengths === null ? transforms.map(() => 1) : [...lengths];
    if (this.lengths.length !== transforms.length)
      throw new AssertionError(`lengths (${this.lengths.length}) must match transforms (${transforms.length})`);
    this.dim = dim;
    const length = this.lengths.reduce((a, b) => a + b, 0);
    set_own(this, "length", length); // replaces the `length` of a function, because a transform is one
  }

  private _constraint(name: "domain" | "codomain"): Constraint {
    const cseq = this.transforms.map((t) => t[name]);
    return cat(cseq, this.dim, this.lengths);
  }

  override get bijective(): boolean {
    return this.transforms.every((t) => t.bijective);
  }

  override with_cache(cache_size: number = 1): Transform {
    if (this._cache_size === cache_size) return this;
    return new CatTransform(this.transforms, this.dim, this.lengths, cache_size);
  }

  private _check(value: Tensor, name: string, what: string): void {
    check_dim(value, this.dim, what);
    check_size(value, name, this.dim, "length", this.length);
  }

  /** `what` for each transform, with the beginning and the length of its part. */
  private _each(what: (transform: Transform, start: number, length: number) => Tensor): Tensor[] {
    let start = 0;
    return this.transforms.map((transform, i) => {
      const part = what(transform, start, this.lengths[i]);
      start += this.lengths[i];
      return part;
    });
  }

  override _call(x: Tensor): Tensor {
    this._check(x, "x", "tensor");
    const parts = this._each((transform, start, length) => transform(x.narrow(this.dim, start, length)));
    return torch.cat(parts, { dim: this.dim });
  }

  override _inverse(y: Tensor): Tensor {
    this._check(y, "y", "tensor");
    const parts = this._each((transform, start, length) => transform.inv(y.narrow(this.dim, start, length)));
    return torch.cat(parts, { dim: this.dim });
  }

  override log_abs_det_jacobian(x: Tensor, y: Tensor): Tensor {
    this._check(x, "x", "x");
    this._check(y, "y", "y");
    const { dim, event_dim } = this;
    const logdetjacs = this._each((transform, start, length) => {
      const part = transform.log_abs_det_jacobian(x.narrow(dim, start, length), y.narrow(dim, start, length));
      return transform.event_dim < event_dim ? _sum_rightmost(part, event_dim - transform.event_dim) : part;
    });
    const behind = (dim >= 0 ? dim - x.dim() : dim) + event_dim;
    if (behind < 0) return torch.cat(logdetjacs, { dim: behind });
    return logdetjacs.slice(1).reduce((sum, part) => sum.add(part), logdetjacs[0].add(0)); // `dim` belongs to the event
  }
}

const StackTransform_init = new Init(
  "StackTransform.__init__(self, tseq, dim=0, cache_size=0)",
  types<[tseq: readonly Transform[], dim: number, cache_size: number]>,
);

/** Applies one transform to each slice along `dim`, as `torch.stack` joins them. */
export class StackTransform extends Transform {
  declare transforms: readonly Transform[];
  declare dim: number;

  static {
    dependent_property(StackTransform, "domain", (self) => self._constraint("domain"));
    dependent_property(StackTransform, "codomain", (self) => self._constraint("codomain"));
    def_transform(StackTransform, StackTransform_init);
  }

  constructor(...args: InitArgs<typeof StackTransform_init>) {
    const [tseq, dim, cache_size] = StackTransform_init.bind(args);
    const transforms = parts_of(tseq, cache_size);
    super(cache_size);
    this.transforms = transforms;
    this.dim = dim;
  }

  private _constraint(name: "domain" | "codomain"): Constraint {
    const cseq = this.transforms.map((t) => t[name]);
    return stack(cseq, this.dim);
  }

  override get bijective(): boolean {
    return this.transforms.every((t) => t.bijective);
  }

  override with_cache(cache_size: number = 1): Transform {
    return this._cache_size === cache_size ? this : new StackTransform(this.transforms, this.dim, cache_size);
  }

  private _check(value: Tensor, name: string, what: string): void {
    check_dim(value, this.dim, what);
    check_size(value, name, this.dim, "len(transforms)", this.transforms.length);
  }

  /** `what` for each transform and its index. */
  private _each(what: (transform: Transform, i: number) => Tensor): Tensor {
    return torch.stack(this.transforms.map(what), { dim: this.dim });
  }

  override _call(x: Tensor): Tensor {
    this._check(x, "x", "tensor");
    return this._each((transform, i) => transform(x.select(this.dim, i)));
  }

  override _inverse(y: Tensor): Tensor {
    this._check(y, "y", "tensor");
    return this._each((transform, i) => transform.inv(y.select(this.dim, i)));
  }

  override log_abs_det_jacobian(x: Tensor, y: Tensor): Tensor {
    this._check(x, "x", "x");
    this._check(y, "y", "y");
    return this._each((transform, i) => transform.log_abs_det_jacobian(x.select(this.dim, i), y.select(this.dim, i)));
  }
}
