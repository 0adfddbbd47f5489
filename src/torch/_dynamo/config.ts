/**
 * @file Settings of Dynamo.
 * @mirrors torch/_dynamo/config.py
 */
export const config = {
  /** How many compiled forms a frame may have; then it runs as it is. */
  recompile_limit: 8,
  accumulated_recompile_limit: 256,
  /** Whether hitting the limit is an error. */
  fail_on_recompile_limit_hit: false,
  specialize_int: false,
  specialize_float: false,
  /** Whether a size that has changed becomes a symbol. */
  automatic_dynamic_shapes: true,
  assume_static_by_default: true,
  capture_scalar_outputs: false,
  suppress_errors: false,
};
