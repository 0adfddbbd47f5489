/**
 * @file Set-up of `GLASSTORCH_HEAP_STRESS=1 npm test`: the heap sweeps at every fourth block, and what is freed or handed out holds 0xFF. What
 * leans on zeroed memory, or keeps an address longer than its tensor, then fails. `GLASSTORCH_HEAP_MB=8` makes the heap so small that
 * ArrayBuffers must take over; with `GLASSTORCH_HEAP_TENSORS=0` they always do, and vectors run on copies.
 */
import { set_heap_options } from "#c10/core/CPUHeap";

const tensors = process.env["GLASSTORCH_HEAP_TENSORS"] !== "0";
const megabytes = process.env["GLASSTORCH_HEAP_MB"];
/** Whether small tensors are sure to be in the heap: what a recording says of loops depends on it, and nothing else. */
export const tensors_in_heap = tensors && megabytes === undefined;
/** Whether a kernel may find no room for its copies, and run without vectors: then what two runs give may differ in the last place. */
export const heap_may_be_full = megabytes !== undefined;
/** Whether sweeps are forced, and none is ever due. */
export const heap_under_stress = process.env["GLASSTORCH_HEAP_STRESS"] === "1";

set_heap_options({
  stress: heap_under_stress,
  tensors,
  ...(megabytes === undefined ? {} : { maximum: Number(megabytes) * 2 ** 20 }),
});
