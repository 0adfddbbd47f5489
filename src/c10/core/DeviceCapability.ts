/**
 * @file The capabilities of a device: the dtypes that tensors may have on it.
 * @mirrors c10/core/DeviceCapability.h
 * @differs The dtypes are a set; PyTorch packs them into the bits of a word.
 */
import { ScalarType } from "./ScalarType.ts";

const all_scalar_types = Object.values(ScalarType).filter((type) => type !== ScalarType.Undefined);

export class DeviceCapability {
  readonly supported_scalar_types: ReadonlySet<ScalarType>;

  /** All dtypes, unless the caller gives a list. */
  constructor(supported_scalar_types: Iterable<ScalarType> = all_scalar_types) {
    this.supported_scalar_types = new Set(supported_scalar_types);
  }
}
