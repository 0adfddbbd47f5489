/**
 * @file WGSL that converts an element of an index tensor to i32, for `in_bounds`.
 * @original CUDA indexes with int64.
 */

/**
 * `type` is the type in which the element is computed. An int64 that does not fit into int32 becomes a number that is
 * always out of bounds.
 */
export function as_index(type: string, value: string): string {
  return type === "vec2<u32>" ? `i64_to_index(${value})` : value;
}
