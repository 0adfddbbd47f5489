/**
 * @file Set-up of `GLASSTORCH_VECTORS=all npm test`: vector loops run from one element on, so that every test's small tensors go through them.
 */
import { set_least_elements_for_vectors } from "#aten/native/cpu/VecLoops";

if (process.env["GLASSTORCH_VECTORS"] === "all") set_least_elements_for_vectors(1);
