/**
 * @file An element of an index tensor as a kernel's text uses it: an i32, to be given to `in_bounds`.
 * @original CUDA indexes with int64.
 */

/** `type`: what the element is computed in. An int64 that is no int32 becomes a number that lies in no bounds. */
export function as_index(type: string, value: string): string {
  return type === "vec2<u32>" ? `i64_to_index(${value})` : value;
}
