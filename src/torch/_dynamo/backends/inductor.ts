/**
 * @file The backend of `torch.compile` when no other is named: fused kernels.
 * @mirrors torch/_dynamo/backends/inductor.py
 */
import { compile_fx } from "#torch/_inductor/compile_fx";
import { def } from "#torch/_signature";
import type { GraphModule } from "#torch/fx/graph_module";
import { compile_graph } from "./common.ts";
import { register_backend } from "./registry.ts";

/** Compiles the graph, and the graph of its gradients, into kernels. */
export const inductor = def("inductor(gm, example_inputs)", (gm: GraphModule, inputs: readonly unknown[]): unknown =>
  compile_graph(gm, inputs, (of) => compile_fx(of, inputs)),
);

(register_backend as unknown as (fn: unknown, options: { name: string }) => unknown)(inductor, { name: "inductor" });
