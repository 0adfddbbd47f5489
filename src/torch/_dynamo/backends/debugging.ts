/**
 * @file Backends that compile nothing: `eager` runs the graph, `aot_eager` runs what AOTAutograd makes of it.
 * @mirrors torch/_dynamo/backends/debugging.py
 */
import { aot_function } from "#torch/_functorch/aot_autograd";
import { nop } from "#torch/_functorch/compilers";
import { min_cut_rematerialization_partition } from "#torch/_functorch/partitioners/index";
import { def } from "#torch/_signature";
import type { GraphModule } from "#torch/fx/graph_module";
import { for_each_size, forward_of } from "./common.ts";
import { for_each_float } from "./floats.ts";
import { register_backend } from "./registry.ts";

/** The graph as it is. */
export const eager = def("eager(gm, fake_tensor_inputs)", (gm: GraphModule, _inputs: unknown): unknown =>
  forward_of(gm),
);

type AotOptions = Record<string, unknown>;
const aot = (gm: GraphModule, options: AotOptions): unknown =>
  for_each_float(gm, (of) =>
    for_each_size(of, () =>
      (aot_function as unknown as (fn: unknown, options: AotOptions) => unknown)(forward_of(of), options),
    ),
  );

/** The graph after AOTAutograd, operator by operator. */
export const aot_eager = def("aot_eager(gm, fake_tensor_inputs)", (gm: GraphModule, _inputs: unknown): unknown =>
  aot(gm, { fw_compiler: nop, bw_compiler: nop }),
);
/** The graphs of AOTAutograd, split where the least is saved for the backward graph. */
export const aot_eager_decomp_partition = def(
  "aot_eager_decomp_partition(gm, fake_tensor_inputs)",
  (gm: GraphModule, _inputs: unknown): unknown =>
    aot(gm, { fw_compiler: nop, bw_compiler: nop, partition_fn: min_cut_rematerialization_partition }),
);

type Register = (fn: unknown, options: { name: string; tags: string[] }) => unknown;
for (const [name, fn] of Object.entries({ eager, aot_eager, aot_eager_decomp_partition }))
  (register_backend as unknown as Register)(fn, { name, tags: ["debug"] });
