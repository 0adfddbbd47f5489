/**
 * @file The arguments of an export as tensors without data.
 * @mirrors torch/_export/non_strict_utils.py#make_fake_inputs
 */
import type { PyDict } from "#python/Objects/dictobject";
import type { PyTuple } from "#python/Objects/tupleobject";
import { FakeTensorMode } from "#torch/_subclasses/fake_tensor/index";
import { Tensor } from "#torch/_tensor/index";
import { check_dynamic_shapes } from "#torch/export/dynamic_shapes";
import { ShapeEnv } from "#torch/fx/experimental/symbolic_shapes";
import { map_leaves } from "#torch/utils/_pytree/index";

/** The arguments that are traced, and their mode. */
export interface FakeInputs {
  readonly fake_mode: FakeTensorMode;
  readonly args: PyTuple;
  readonly kwargs: PyDict;
}

export function fakify_inputs(args: PyTuple, kwargs: PyDict, dynamic_shapes: unknown): FakeInputs {
  check_dynamic_shapes(dynamic_shapes);
  const options = { shape_env: new ShapeEnv(), allow_non_fake_inputs: true, export: true };
  const fake_mode = new FakeTensorMode(options as never);
  const fake = (leaf: unknown): unknown => (leaf instanceof Tensor ? fake_mode.from_tensor(leaf) : leaf);
  return { fake_mode, args: map_leaves(args, fake) as PyTuple, kwargs: map_leaves(kwargs, fake) as PyDict };
}
