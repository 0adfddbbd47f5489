/**
 * @file `torch.finfo` and `torch.iinfo`: the numerical limits of a dtype.
 * @mirrors torch/csrc/TypeInfo.h
 * @differs An integral float is a plain number, which the front end treats as an int if that makes a difference:
 * `torch.full([2], torch.finfo(torch.float16).max)` has the dtype int64; in PyTorch it is a float.
 */
import { get_default_dtype } from "#c10/core/DefaultDtype";
import { elementSize, isFloatingType, isIntegralType, isSignedType, ScalarType } from "#c10/core/ScalarType";
import { TypeError_ } from "#c10/util/Exception";
import { format_general } from "#c10/util/format_float";
import type { THPDtype } from "./Dtype.ts";
import { getTHPDtype } from "./DynamicTypes.ts";
import { PythonArgParser, take_kwargs } from "./utils/python_arg_parser.ts";
import { THPUtils_packInt64 } from "./utils/python_numbers.ts";

interface Limits {
  readonly max: number;
  readonly eps: number;
  readonly smallest_normal: number;
  /** Precision as a decimal: a decimal with so many digits is preserved. */
  readonly resolution: number;
}

const FLOATS: ReadonlyMap<ScalarType, Limits> = new Map([
  [ScalarType.Double, { max: Number.MAX_VALUE, eps: 2 ** -52, smallest_normal: 2 ** -1022, resolution: 1e-15 }],
  [ScalarType.Float, { max: (2 - 2 ** -23) * 2 ** 127, eps: 2 ** -23, smallest_normal: 2 ** -126, resolution: 1e-6 }],
  [ScalarType.Half, { max: 65504, eps: 2 ** -10, smallest_normal: 2 ** -14, resolution: 1e-3 }],
  [ScalarType.BFloat16, { max: (2 - 2 ** -7) * 2 ** 127, eps: 2 ** -7, smallest_normal: 2 ** -126, resolution: 1e-2 }],
]);

abstract class DTypeInfo {
  readonly type: ScalarType;

  constructor(type: ScalarType) {
    this.type = type;
  }

  get bits(): number {
    return elementSize(this.type) * 8;
  }

  get dtype(): string {
    return (getTHPDtype(this.type) as THPDtype).name;
  }

  __eq__(other: unknown): boolean {
    return other instanceof DTypeInfo && other.constructor === this.constructor && other.type === this.type;
  }

  abstract toString(): string;

  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return this.toString();
  }
}

/** Limits of a floating dtype. */
export class THPFInfo extends DTypeInfo {
  private get limits(): Limits {
    return FLOATS.get(this.type) as Limits;
  }

  get max(): number {
    return this.limits.max;
  }

  get min(): number {
    return -this.limits.max;
  }

  /** The distance from 1 to the next larger number. */
  get eps(): number {
    return this.limits.eps;
  }

  get smallest_normal(): number {
    return this.limits.smallest_normal;
  }

  get tiny(): number {
    return this.limits.smallest_normal;
  }

  /** The approximate decimal resolution. */
  get resolution(): number {
    return this.limits.resolution;
  }

  toString(): string {
    const names = ["resolution", "min", "max", "eps", "smallest_normal", "tiny"] as const;
    return `finfo(${names.map((name) => `${name}=${format_general(this[name])}`).join(", ")}, dtype=${this.dtype})`;
  }
}

/** Limits of an integral dtype. */
export class THPIInfo extends DTypeInfo {
  get max(): number | bigint {
    return THPUtils_packInt64((1n << BigInt(isSignedType(this.type) ? this.bits - 1 : this.bits)) - 1n);
  }

  get min(): number | bigint {
    return isSignedType(this.type) ? THPUtils_packInt64(-(1n << BigInt(this.bits - 1))) : 0;
  }

  toString(): string {
    return `iinfo(min=${format_general(Number(this.min))}, max=${format_general(Number(this.max))}, dtype=${this.dtype})`;
  }
}

const finfo_parser = new PythonArgParser(["finfo(ScalarType type)", "finfo()"]);
const iinfo_parser = new PythonArgParser(["iinfo(ScalarType type)"]);

/** `torch.finfo(type)`; by default of the default dtype. */
export function THPFInfo_pynew(...args: unknown[]): THPFInfo {
  const kwargs = take_kwargs(args);
  const r = finfo_parser.parse(null, args, kwargs);
  const type = r.idx === 0 ? r.scalartype(0) : get_default_dtype();
  if (!isFloatingType(type))
    throw new TypeError_("torch.finfo() requires a floating point input type. Use torch.iinfo to handle 'torch.finfo'");
  return new THPFInfo(type);
}

/** `torch.iinfo(type)`. */
export function THPIInfo_pynew(...args: unknown[]): THPIInfo {
  const kwargs = take_kwargs(args);
  const type = iinfo_parser.parse(null, args, kwargs).scalartype(0);
  if (type === ScalarType.Bool) throw new TypeError_("torch.bool is not supported by torch.iinfo");
  if (!isIntegralType(type, false))
    throw new TypeError_("torch.iinfo() requires an integer input type. Use torch.finfo to handle 'torch.iinfo'");
  return new THPIInfo(type);
}

// Callable with or without `new`; the result is an instance in both cases.
THPFInfo_pynew.prototype = THPFInfo.prototype;
THPIInfo_pynew.prototype = THPIInfo.prototype;

export function THPDTypeInfo_init(module: Record<string, unknown>): void {
  module["finfo"] = Object.assign(THPFInfo_pynew, { __name__: "torch.finfo" });
  module["iinfo"] = Object.assign(THPIInfo_pynew, { __name__: "torch.iinfo" });
}
