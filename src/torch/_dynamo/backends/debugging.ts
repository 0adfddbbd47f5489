/**
 * @file Backends that compile nothing: `eager` runs the graph, `aot_eager` runs what AOTAutograd makes of it.
 * @mirrors torch/_dynamo/backends/debugging.py
 */
import { getattr } from "#python/Objects/object";
import { nop } from "#torch/_functorch/compilers";
import { min_cut_rematerialization_partition } from "#torch/_functorch/partitioners/index";
import { def } from "#torch/_signature";
import type { GraphModule } from "#torch/fx/graph_module";
import { compile_with } from "./common.ts";
import { register_backend } from "./registry.ts";

/** The graph as it is. */
export const eager = def("eager(gm, fake_tensor_inputs)", (gm: GraphModule, _inputs: unknown): unknown =>
  getattr(gm, "forward"),
);

/** The graph after AOTAutograd, operator by operator. */
export const aot_eager = def(
  "aot_eager(gm, fake_tensor_inputs)",
  (gm: GraphModule, inputs: readonly unknown[]): unknown =>
    compile_with({ fw_compiler: nop, bw_compiler: nop }, gm, inputs),
);
/** The graphs of AOTAutograd, split where the least is saved for the backward graph. */
export const aot_eager_decomp_partition = def(
  "aot_eager_decomp_partition(gm, fake_tensor_inputs)",
  (gm: GraphModule, inputs: readonly unknown[]): unknown =>
    compile_with({ fw_compiler: nop, bw_compiler: nop, partition_fn: min_cut_rematerialization_partition }, gm, inputs),
);

type Register = (fn: unknown, options: { name: string; tags: string[] }) => unknown;
for (const [name, fn] of Object.entries({ eager, aot_eager, aot_eager_decomp_partition }))
  (register_backend as unknown as Register)(fn, { name, tags: ["debug"] });
