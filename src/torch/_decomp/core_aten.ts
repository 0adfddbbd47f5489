/**
 * @file The decompositions that a program asks for: `core_aten_decompositions()` and `get_decompositions(ops)`.
 * @mirrors torch/_decomp/__init__.py
 * @differs Apart from composite kernels, which are all listed, a decomposition is listed in ours once its graph equals PyTorch's, and it applies to
 * float32 and float64; PyTorch's table has more, and computes other dtypes in float32.
 */
import { AssertionError } from "#c10/util/Exception";
import { takes_values } from "#python/bridge/foreign_functions";
import { PyDict } from "#python/Objects/dictobject";
import { each } from "#python/Objects/iterobject";
import { composite_body, preservable_composites } from "#torch/_dispatch/composite_override";
import { OpOverload, OpOverloadPacket } from "#torch/_ops";
import { for_core_aten } from "./core_aten_registry.ts";
import { for_graphs } from "./for_graphs.ts";
import { overload_of } from "./index.ts";
import "./core_aten_attention.ts";
import "./core_aten_backward.ts";
import "./core_aten_pointwise.ts";
import "./core_aten_views.ts";

const MODULE = "torch._decomp";

/** The name of an operator of `aten`, without `.default`. */
const name_of = ({ _schema, _opname }: OpOverload): string =>
  _schema.overload_name === "" ? _opname : `${_opname}.${_schema.overload_name}`;

const decomposition_of = (name: string): unknown => for_core_aten.get(name) ?? for_graphs.get(name);

/** The decompositions of these operators; a packet stands for all its overloads, and an operator that has none is left out. */
export const get_decompositions = takes_values(MODULE, (aten_ops: unknown, type = "post_autograd"): PyDict => {
  if (!["post_autograd", "pre_autograd", "meta"].includes(type))
    throw new AssertionError(`type must be one of post_autograd, pre_autograd, or meta, got ${type}`);
  const table = new PyDict();
  if (type !== "post_autograd") return table;
  for (const op of each(aten_ops)) {
    const overloads = op instanceof OpOverloadPacket ? op.op_overloads() : op instanceof OpOverload ? [op] : [];
    for (const overload of overloads) {
      const fn = overload.namespace === "aten" ? decomposition_of(name_of(overload)) : undefined;
      if (fn !== undefined) table.set(overload, fn);
    }
  }
  return table;
});

/** Removes operators from a table; a packet stands for all its overloads. */
export const remove_decompositions = takes_values(MODULE, (decompositions: PyDict, aten_ops: unknown): void => {
  for (const op of each(aten_ops)) {
    const overloads = op instanceof OpOverloadPacket ? op.op_overloads() : [op];
    for (const overload of overloads) decompositions.delete(overload);
  }
});

/** Composite operators of core ATen, which stay. */
const PRESERVED_ATEN_CIA_OPS = new Set(
  "upsample_bilinear2d.vec upsample_nearest2d.vec silu_backward mish_backward _fused_rms_norm"
    .split(" ")
    .map((name) => `aten::${name}`),
);

/** The table that leaves the operators of core ATen. */
export const core_aten_decompositions = takes_values(MODULE, (): PyDict => {
  const table = new PyDict();
  for (const [name, fn] of [...for_graphs, ...for_core_aten]) table.set(overload_of(name), fn);
  for (const op of preservable_composites())
    if (!PRESERVED_ATEN_CIA_OPS.has(op.name()) && !table.has(op)) table.set(op, composite_body(op));
  return table;
});
