/**
 * @file Set-up of `GLASSTORCH_VECTORS=all npm test`: vector loops run from one element on, so that every test's small tensors go through them;
 * and of `GLASSTORCH_GRAIN=1`: ranges are split between threads from so many elements on.
 */

import { set_least_elements_for_vectors } from "#aten/native/cpu/Loops/VecLoops";
import { set_largest_grain_size } from "#aten/ParallelNative";

/** Then a sum with a product is rounded twice on small tensors too, where JavaScript computes in float64 and rounds once. */
export const vectors_everywhere = process.env["GLASSTORCH_VECTORS"] === "all";

if (vectors_everywhere) set_least_elements_for_vectors(1);

const grain = process.env["GLASSTORCH_GRAIN"];
if (grain !== undefined) set_largest_grain_size(Number(grain));
