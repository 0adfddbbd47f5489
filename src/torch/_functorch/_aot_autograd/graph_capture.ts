/**
 * @file The graph of a program: its forward alone, or forward and backward as one joint graph.
 * @mirrors torch/_functorch/_aot_autograd/graph_capture.py
 */
import { tuple } from "#python/Objects/tupleobject";
import { with_python_dispatcher } from "#torch/_dispatch/python";
import type { FakeTensorMode } from "#torch/_subclasses/fake_tensor/index";
import { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { trace, traced_graph } from "#torch/fx/experimental/proxy_tensor/index";
import type { GraphModule } from "#torch/fx/graph_module";
import { graph_captured } from "#torch/fx/recording";
import { preserve_node_meta } from "#torch/fx/traceback";
import { eliminate_dead_code } from "../compile_utils.ts";
import { from_fun, to_fun, with_functionalization } from "../functionalize.ts";
import type { FlatFunction, ProgramInfo } from "./functional_program.ts";

type Table = ReadonlyMap<unknown, unknown>;

const wrapped = (args: readonly unknown[]): unknown[] => args.map((arg) => (arg instanceof Tensor ? to_fun(arg) : arg));

/** Notes of every node so far that forward ran it. */
function mark_forward(): void {
  for (const node of traced_graph()?.nodes ?? [])
    if (node.op !== "placeholder") node.meta.set("partitioner_tag", "is_forward");
}

function finished(gm: GraphModule): GraphModule {
  eliminate_dead_code(gm.graph);
  gm.recompile();
  graph_captured("torch._functorch._aot_autograd.graph_capture", gm.graph);
  return gm;
}

/** The graph without gradients: it returns the new values of mutated arguments, then the results. */
export function capture_inference_graph(
  fn: FlatFunction,
  fake_args: readonly unknown[],
  info: ProgramInfo,
  fake_mode: FakeTensorMode,
  decompositions: Table,
): GraphModule {
  fake_mode.epoch++;
  const program = (...args: unknown[]): unknown => {
    const f_args = wrapped(args);
    const outs = with_functionalization(true, () => fn(f_args));
    return tuple([...info.mutated_inputs.map((i) => f_args[i]), ...outs].map(from_fun));
  };
  const run = (): GraphModule => trace(program, tuple(fake_args), { decomposition_table: decompositions, fake_mode });
  return finished(preserve_node_meta().run(() => with_python_dispatcher(run)));
}

/** The graph of arguments and gradients of the results: it returns what forward returns, and the gradients of the arguments. */
export function capture_joint_graph(
  fn: FlatFunction,
  fake_args: readonly unknown[],
  info: ProgramInfo,
  fake_mode: FakeTensorMode,
  decompositions: Table,
): GraphModule {
  fake_mode.epoch++;
  const joint = (primals: unknown[], tangents: unknown[]): unknown => {
    const f_primals = wrapped(primals);
    const f_tangents = wrapped(tangents);
    const [outs, grads] = with_functionalization(true, () => {
      // A leaf of autograd must not be written to.
      const fresh = (arg: unknown, i: number): unknown =>
        info.mutated_inputs.includes(i) && arg instanceof Tensor && arg.requires_grad ? arg.clone() : arg;
      const args = f_primals.map(fresh);
      const results = fn(args);
      const fw_outs = [...info.mutated_inputs.map((i) => args[i]), ...results];
      mark_forward();
      return [fw_outs, gradients(f_primals, fw_outs, f_tangents)];
    });
    return tuple([outs.map(from_fun), grads.map(from_fun)]);
  };
  const gradients = (primals: unknown[], fw_outs: unknown[], tangents: unknown[]): unknown[] => {
    const wants = (arg: unknown): boolean => arg instanceof Tensor && arg.requires_grad;
    const grad_primals = primals.filter(wants) as Tensor[];
    const needed = fw_outs.filter((_, i) => info.needs_tangent[i]) as Tensor[];
    const found = torch.autograd.grad(needed, grad_primals, tangents as Tensor[], { allow_unused: true });
    let i = 0;
    return primals.map((arg) => (wants(arg) ? (found[i++] ?? null) : null));
  };
  const args = tuple([[...fake_args], [...info.traced_tangents]]);
  const names = ["primals", "tangents"];
  const run = (): GraphModule => trace(joint, args, { decomposition_table: decompositions, fake_mode, names });
  return finished(preserve_node_meta().run(() => with_python_dispatcher(run)));
}
