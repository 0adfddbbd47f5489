/**
 * @file AOTAutograd: a function is traced once, forward and backward, and compilers get graphs of operators without mutation.
 * @mirrors torch/_functorch/aot_autograd.py
 * @differs `aot_function` takes sizes as constants, also with `dynamic=True`: a call with another shape is not noticed, as with PyTorch's
 * `aot_function` without guards. A graph of Dynamo keeps its symbols.
 *
 *     f(x, w) --run once on functional fake tensors--> what is mutated, what needs gradients
 *             --make_fx of f and its gradients-------> joint graph(primals, tangents)
 *             --partition_fn-------------------------> forward graph, backward graph
 *             --fw_compiler, bw_compiler-------------> two functions, which one node of autograd calls
 */
import { dict_of, PyDict } from "#python/Objects/dictobject";
import { tuple } from "#python/Objects/tupleobject";
import { def, split_keywords } from "#torch/_signature";
import { detect_fake_mode, FakeTensorMode } from "#torch/_subclasses/fake_tensor/index";
import { is_symbol } from "#torch/_subclasses/fake_tensor/symbolic_sizes";
import { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { call_function } from "#torch/fx/callables";
import { propagate_unbacked } from "#torch/fx/experimental/symbolic_shapes/propagate_unbacked";
import { binds_unbacked } from "#torch/fx/experimental/symbolic_shapes/unbacked_bindings";
import { placeholders_of } from "#torch/fx/graph/index";
import type { GraphModule } from "#torch/fx/graph_module";
import { graph_partitioned } from "#torch/fx/recording";
import { Module } from "#torch/nn/modules/module/index";
import { flatten, type TreeSpec } from "#torch/utils/_pytree/index";
import { collect_metadata, type FlatFunction, type ProgramInfo } from "./_aot_autograd/functional_program.ts";
import { capture_inference_graph, capture_joint_graph } from "./_aot_autograd/graph_capture.ts";
import {
  boxed,
  type Compiled,
  compiled_function,
  with_aliases,
  without_autocast,
} from "./_aot_autograd/runtime_wrappers.ts";
import { is_sym_node } from "./partitioners/extract.ts";
import { default_partition } from "./partitioners/index.ts";

export { make_boxed_func } from "./_aot_autograd/runtime_wrappers.ts";

type Table = ReadonlyMap<unknown, unknown>;

/** `AOTConfig`. */
interface Config {
  readonly fw_compiler: unknown;
  readonly bw_compiler: unknown;
  readonly inference_compiler: unknown;
  readonly partition_fn: unknown;
  readonly decompositions: Table;
  /** The first arguments are parameters and buffers, which live as long as the program. */
  readonly num_params_buffers: number;
}

const values_of = (gm: GraphModule): unknown[] =>
  [...gm.graph.nodes].flatMap((node) => (node.op === "placeholder" ? [node.meta.get("val")] : []));

/** The program with gradients. */
function dispatch_autograd(
  fn: FlatFunction,
  fake_args: readonly unknown[],
  info: ProgramInfo,
  fake_mode: FakeTensorMode,
  config: Config,
): Compiled {
  const joint = torch.enable_grad(() => capture_joint_graph(fn, fake_args, info, fake_mode, config.decompositions));
  const joint_graph = joint.graph; // a partition function may give the module another one
  const keywords = new PyDict();
  keywords.set("num_fwd_outputs", info.needs_tangent.length);
  keywords.set(
    "static_lifetime_input_indices",
    Array.from({ length: config.num_params_buffers }, (_, i) => i),
  );
  const joint_inputs = tuple([[...fake_args], [...info.traced_tangents]]);
  const [fw_module, bw_module] = call_function(config.partition_fn, [joint, joint_inputs], keywords) as [
    GraphModule,
    GraphModule,
  ];
  graph_partitioned(joint_graph, [fw_module, bw_module], info.needs_tangent.length);
  const compile = (compiler: unknown, gm: GraphModule): Compiled =>
    boxed(torch.no_grad(() => call_function(compiler, [gm, values_of(gm)])));
  const forward = compile(config.fw_compiler, fw_module);
  const symbols_saved = placeholders_of(bw_module.graph).findIndex((node) => !is_sym_node(node));
  // With sizes among its arguments, backward is compiled at once: what its compiler assumes of them becomes guards.
  let backward = symbols_saved > 0 ? compile(config.bw_compiler, bw_module) : null;
  const first_use = (args: unknown[]): unknown[] => {
    backward ??= compile(config.bw_compiler, bw_module);
    return backward(args);
  };
  return compiled_function(forward, first_use, info, Math.max(symbols_saved, 0));
}

/** The mode in which a program is traced: that of its arguments, with their symbols. */
function fake_mode_of(args: readonly unknown[]): FakeTensorMode {
  const shape_env = args.find(is_symbol)?.node.shape_env;
  return detect_fake_mode(args) ?? new FakeTensorMode(...(shape_env === undefined ? [] : [{ shape_env }]));
}

/** `create_aot_dispatcher_function`. */
function compile_program(fn: FlatFunction, args: readonly unknown[], config: Config): Compiled {
  const fake_mode = fake_mode_of(args);
  const fake_args = args.map((arg) =>
    arg instanceof Tensor && !fake_mode.is_our_fake(arg) ? fake_mode.from_tensor(arg) : arg,
  );
  const info = collect_metadata(fn, fake_args, fake_mode);
  const needs_autograd =
    torch.is_grad_enabled() &&
    fake_args.some((arg) => arg instanceof Tensor && arg.requires_grad) &&
    info.needs_tangent.includes(true);
  if (needs_autograd) return with_aliases(dispatch_autograd(fn, fake_args, info, fake_mode, config), info);
  const gm = torch.no_grad(() => capture_inference_graph(fn, fake_args, info, fake_mode, config.decompositions));
  const compiled = boxed(call_function(config.inference_compiler, [gm, fake_args]));
  return with_aliases((given) => torch.no_grad(() => without_autocast(() => compiled(given))), info);
}

/** A function that does what `fn` does with compiled graphs; they are made at the first call. */
export const aot_function = def(
  "aot_function(fn, fw_compiler, bw_compiler=None, partition_fn=None, decompositions=None, num_params_buffers=0, keep_inference_input_mutations=False, inference_compiler=None, *, dynamic=False, enable_log=True, disable_functionalization=False)",
  (
    fn: unknown,
    fw_compiler: unknown,
    bw_compiler: unknown,
    partition_fn: unknown,
    decompositions: Table | null,
    num_params_buffers: number,
    _keep_inference_input_mutations: boolean,
    inference_compiler: unknown,
  ): ((...args: unknown[]) => unknown) => {
    const config: Config = {
      fw_compiler,
      bw_compiler: bw_compiler ?? fw_compiler,
      inference_compiler: inference_compiler ?? fw_compiler,
      partition_fn: partition_fn ?? default_partition,
      decompositions: decompositions ?? new Map(),
      num_params_buffers,
    };
    let compiled: Compiled | null = null;
    let out_spec: TreeSpec | null = null;
    const returned_function = (...given: unknown[]): unknown => {
      const [positional, keywords] = split_keywords(given);
      const kwargs = dict_of(Object.entries(keywords));
      const [flat_args, in_spec] = flatten(tuple([tuple(positional), kwargs]));
      const flat_fn: FlatFunction = (flat) => {
        const [args, kw] = in_spec.unflatten([...flat]) as [unknown[], PyDict];
        const [leaves, spec] = flatten(call_function(fn, [...args], kw));
        out_spec = spec;
        return leaves;
      };
      compiled ??= compile_program(flat_fn, flat_args, config);
      return (out_spec as unknown as TreeSpec).unflatten(compiled(flat_args));
    };
    return returned_function;
  },
);

/** Compilers of a graph, and the function that separates its forward from its backward. */
export interface AotOptions {
  readonly fw_compiler: unknown;
  readonly bw_compiler?: unknown;
  readonly inference_compiler?: unknown;
  readonly partition_fn?: unknown;
  readonly decompositions?: Table | null;
}

/**
 * Compiles a graph of Dynamo, at once: its arguments are a flat list, its results a list.
 * @param args fake tensors, and symbols for numbers; guards that the trace adds go to their `ShapeEnv`
 */
export function compile_dynamo_graph(
  mod: GraphModule,
  args: readonly unknown[],
  { fw_compiler, bw_compiler, inference_compiler, partition_fn, decompositions }: AotOptions,
): (...args: unknown[]) => unknown {
  const forward = mod.forward.bind(mod);
  const binds = binds_unbacked(mod);
  let has_list = true;
  const flat_fn: FlatFunction = (flat) => {
    const out = binds ? propagate_unbacked(mod, flat) : call_function(forward, [...flat]);
    has_list = Array.isArray(out);
    return has_list ? [...(out as unknown[])] : [out];
  };
  const compiled = compile_program(flat_fn, args, {
    fw_compiler,
    bw_compiler: bw_compiler ?? fw_compiler,
    inference_compiler: inference_compiler ?? fw_compiler,
    partition_fn: partition_fn ?? default_partition,
    decompositions: decompositions ?? new Map(),
    num_params_buffers: 0,
  });
  return (...given) => {
    const results = compiled(given);
    return has_list ? tuple(results) : results[0];
  };
}

/** Compiles a graph that Dynamo gave to a backend, with its example inputs. */
export const aot_module_simplified = def(
  "aot_module_simplified(mod, args, fw_compiler, bw_compiler=None, partition_fn=None, decompositions=None, keep_inference_input_mutations=False, inference_compiler=None, compiler_config_extra=None, ignore_shape_env=False, disable_functionalization=False, pre_grad_passes=None)",
  (
    mod: GraphModule,
    args: readonly unknown[],
    fw_compiler: unknown,
    bw_compiler: unknown,
    partition_fn: unknown,
    decompositions: Table | null,
    _keep_inference_input_mutations: boolean,
    inference_compiler: unknown,
  ): unknown =>
    compile_dynamo_graph(mod, args, { fw_compiler, bw_compiler, partition_fn, decompositions, inference_compiler }),
);

/** A module that does what `mod` does with compiled graphs. The keywords are those of `aot_function`. */
export function aot_module(mod: Module, ...given: unknown[]): Module {
  const functional = (parameters: object, ...args: unknown[]): unknown => {
    const [positional, keywords] = split_keywords(args);
    return torch.func.functional_call(mod, parameters as never, tuple(positional) as never, keywords as never);
  };
  const tensors: Record<string, Tensor> = {};
  for (const [name, t] of mod.named_parameters()) tensors[name] = t;
  for (const [name, t] of mod.named_buffers()) tensors[name] = t;
  const [args, keywords] = split_keywords(given);
  const compiled = (aot_function as (...all: unknown[]) => (...inputs: unknown[]) => unknown)(functional, ...args, {
    ...keywords,
    num_params_buffers: Object.keys(tensors).length,
  });
  class AOTModule extends Module {
    readonly orig_module = mod;
    override forward(...inputs: unknown[]): unknown {
      return compiled(tensors, ...inputs);
    }
  }
  return new (AOTModule as unknown as new () => Module)();
}
