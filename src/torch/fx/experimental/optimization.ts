/**
 * @file Graph passes that make a model faster at inference: batch norms disappear in the layers before them, dropouts disappear.
 * @mirrors torch/fx/experimental/optimization.py
 */
import { getattr, setattr } from "#python/Objects/object";
import { deepcopy } from "#torch/_deepcopy";
import { def } from "#torch/_signature";
import * as nn from "#torch/nn/index";
import type { Module } from "#torch/nn/modules/module/index";
import { fuse_conv_bn_eval, fuse_linear_bn_eval } from "#torch/nn/utils/fusion";
import { symbolic_trace } from "../_symbolic_trace/index.ts";
import { Graph } from "../graph/index.ts";
import { GraphModule } from "../graph_module.ts";
import { Transformer } from "../interpreter.ts";
import { Node, type Target } from "../node.ts";
import { copy_node } from "../passes/tools_common.ts";
import { has_name } from "../qualified_names.ts";

type Modules = Map<unknown, unknown>;
// biome-ignore lint/suspicious/noExplicitAny: constructors of modules take any arguments
type ModuleClass = abstract new (...args: any[]) => Module;

const PATTERNS: readonly (readonly [first: ModuleClass, norm: ModuleClass])[] = [
  [nn.Conv1d, nn.BatchNorm1d],
  [nn.Conv2d, nn.BatchNorm2d],
  [nn.Conv3d, nn.BatchNorm3d],
  [nn.Linear, nn.BatchNorm1d],
];

const exactly = (value: unknown, cls: ModuleClass): boolean =>
  value instanceof cls && Object.getPrototypeOf(value) === cls.prototype;

function matches([first, norm]: (typeof PATTERNS)[number], node: Node, modules: Modules): boolean {
  const [before] = node.args;
  if (!(before instanceof Node) || before.op !== "call_module" || node.op !== "call_module") return false;
  return exactly(modules.get(before.target), first) && exactly(modules.get(node.target), norm);
}

/** Puts another module at the place to which a node refers. */
export const replace_node_module = has_name(
  "torch.fx.experimental.optimization.replace_node_module",
  (node: Node, modules: Modules, new_module: Module): void => {
    const target = node.target as string;
    const dot = target.lastIndexOf(".");
    modules.set(target, new_module);
    setattr(modules.get(dot < 0 ? "" : target.slice(0, dot)), target.slice(dot + 1), new_module);
  },
);

/**
 * Folds batch norms into the convolutions and linear layers before them.
 * @param model a module in evaluation mode
 * @param inplace changes the model itself
 */
export const fuse = has_name(
  "torch.fx.experimental.optimization.fuse",
  def(
    "fuse(model, inplace=False, no_trace=False)",
    (model: Module, inplace: boolean, no_trace: boolean): GraphModule => {
      const own = inplace ? model : deepcopy(model);
      const fx_model = no_trace && own instanceof GraphModule ? own : symbolic_trace(own);
      const modules: Modules = new Map([...fx_model.named_modules()]);
      const new_graph = fx_model.graph.__deepcopy__();
      for (const pattern of PATTERNS)
        for (const node of new_graph.nodes) {
          if (!matches(pattern, node, modules)) continue;
          const before = node.args[0] as Node;
          if (before.users.size > 1) continue;
          const norm = modules.get(node.target) as nn.BatchNorm1d;
          if (!getattr(norm, "track_running_stats")) continue;
          const first = modules.get(before.target) as never;
          const fused =
            pattern[0] === nn.Linear ? fuse_linear_bn_eval(first, norm) : fuse_conv_bn_eval(first, norm as never);
          replace_node_module(before, modules, fused as Module);
          (node.replace_all_uses_with as (by: Node) => unknown).call(node, before);
          new_graph.erase_node(node);
        }
      return new GraphModule(fx_model, new_graph);
    },
  ),
);

class DropoutRemover extends Transformer {
  override call_module(target: Target, args: readonly unknown[], kwargs: ReadonlyMap<unknown, unknown>): unknown {
    if (this.submodules.get(target) instanceof nn.Dropout) return args[0];
    return (super.call_module as (...args: unknown[]) => unknown).call(this, target, args, kwargs);
  }
}

/** The model without its dropouts. */
export const remove_dropout = has_name(
  "torch.fx.experimental.optimization.remove_dropout",
  (model: Module): GraphModule => new DropoutRemover(symbolic_trace(model)).transform(),
);

/** The nodes from `inputs` to `outputs` as a module. */
export const extract_subgraph = has_name(
  "torch.fx.experimental.optimization.extract_subgraph",
  (orig_module: Module, nodes: Node[], inputs: Node[], outputs: Node[]): GraphModule => {
    const new_graph = new Graph();
    const env = new Map<Node, Node>();
    for (const input of inputs) env.set(input, new_graph.placeholder(input.name));
    for (const node of nodes)
      env.set(
        node,
        copy_node(new_graph, node, (x) => env.get(x)),
      );
    (new_graph.output as (result: unknown) => Node).call(
      new_graph,
      outputs.map((output) => env.get(output)),
    );
    new_graph.lint();
    return new GraphModule(orig_module, new_graph);
  },
);
