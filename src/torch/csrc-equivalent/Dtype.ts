/**
 * @file `torch.dtype`: the Python class of a `ScalarType`. One object per dtype, compared by identity.
 * @mirrors torch/csrc/Dtype.h
 */
import {
  elementSize,
  isComplexType,
  isFloatingType,
  isSignedType,
  type ScalarType,
  toComplexType,
  toRealValueType,
} from "#c10/core/ScalarType";
import { getTHPDtype } from "./DynamicTypes.ts";

export class THPDtype {
  static readonly __name__ = "torch.dtype";
  readonly scalar_type: ScalarType;
  /** Name without the prefix `torch.`. */
  readonly name: string;

  constructor(scalar_type: ScalarType, name: string) {
    this.scalar_type = scalar_type;
    this.name = name;
  }

  get is_floating_point(): boolean {
    return isFloatingType(this.scalar_type);
  }

  get is_complex(): boolean {
    return isComplexType(this.scalar_type);
  }

  get is_signed(): boolean {
    return isSignedType(this.scalar_type);
  }

  /** Bytes of one element. */
  get itemsize(): number {
    return elementSize(this.scalar_type);
  }

  to_real(): THPDtype {
    return isFloatingType(this.scalar_type) || !isComplexType(this.scalar_type)
      ? this
      : getTHPDtype(toRealValueType(this.scalar_type));
  }

  to_complex(): THPDtype {
    return isComplexType(this.scalar_type) ? this : getTHPDtype(toComplexType(this.scalar_type));
  }

  /** `THPDtype_reduce`: a pickle refers to it by name. */
  __reduce_ex__(_protocol: number): { module: string; name: string } {
    return { module: "torch", name: this.name };
  }

  toString(): string {
    return `torch.${this.name}`;
  }

  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return this.toString();
  }
}

export function THPDtype_Check(obj: unknown): obj is THPDtype {
  return obj instanceof THPDtype;
}

/** Types of Python that stand for a dtype where an argument is one: `dtype=float`. A Python program fills the table. */
export const python_types = new Map<unknown, ScalarType>();

export function THPDtype_New(scalar_type: ScalarType, name: string): THPDtype {
  return new THPDtype(scalar_type, name);
}

export function THPDtype_init(module: Record<string, unknown>): void {
  module["dtype"] = THPDtype;
}
