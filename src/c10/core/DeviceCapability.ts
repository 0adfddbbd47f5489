/**
 * @file What a device can hold: the dtypes that tensors may have there.
 * @mirrors c10/core/DeviceCapability.h
 * @differs A set; PyTorch packs the same into the bits of a word.
 */
import { ScalarType } from "./ScalarType.ts";

export class DeviceCapability {
  readonly supported_scalar_types: ReadonlySet<ScalarType>;

  /** Everything that has a name, unless said otherwise. */
  constructor(supported_scalar_types: Iterable<ScalarType> = Object.values(ScalarType)) {
    this.supported_scalar_types = new Set(supported_scalar_types);
  }
}
