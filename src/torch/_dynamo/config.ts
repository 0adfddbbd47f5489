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
  /** Whether `x.item()` is a number of the graph; it always is under `fullgraph=True`. */
  capture_scalar_outputs: false,
  /** Whether operators whose result's size depends on data stand in the graph; they always do under `fullgraph=True`. */
  capture_dynamic_output_shape_ops: false,
  suppress_errors: false,
};
