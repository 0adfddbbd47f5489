/**
 * @file `mode.values` computes on every device, and asks a stub for the rows; on this device `mode` falls back.
 * @mirrors aten/src/ATen/native/cuda/Sorting.cpp
 */
import * as at from "#aten/generated/Functions";
import { REGISTER_PRIVATEUSE1_DISPATCH } from "#aten/native/DispatchStub";
import { mode_stub } from "#aten/native/SortingSelect";

REGISTER_PRIVATEUSE1_DISPATCH(
  mode_stub,
  (values, indices, self, dim) => {
    const [found, places] = at.mode(self, dim, true);
    values.copy_(found);
    indices.copy_(places);
  },
  "mode_kernel_webgpu",
);
