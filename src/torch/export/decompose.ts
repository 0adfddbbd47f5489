/**
 * @file `run_decompositions`: the program traced again below autograd, without mutation and in other operators.
 * @mirrors torch/export/exported_program.py#_decompose_exported_program
 *
 *     linear, add_ on a buffer  ->  permute, addmm, add; the buffer's new value is the first output (BUFFER_MUTATION)
 */

import { DispatchKey } from "#c10/core/DispatchKey";
import { ExcludeDispatchKeyGuard } from "#c10/core/impl/LocalDispatchKeySet";
import { PyDict } from "#python/Objects/dictobject";
import { type PyTuple, tuple } from "#python/Objects/tupleobject";
import { core_aten_decompositions } from "#torch/_decomp/core_aten";
import { with_table_of_composites } from "#torch/_dispatch/composite_override";
import { gather_constant_attrs, lift_constants_pass } from "#torch/_export/passes/lift_constants_pass";
import { placeholder_naming_pass } from "#torch/_export/placeholder_names";
import { node_replace, set_missing_values } from "#torch/_export/utils";
import { collect_metadata, type FlatFunction } from "#torch/_functorch/_aot_autograd/functional_program";
import { capture_inference_graph } from "#torch/_functorch/_aot_autograd/graph_capture";
import { ops } from "#torch/_ops";
import { detect_fake_mode, FakeTensorMode } from "#torch/_subclasses/fake_tensor/index";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { call_function } from "#torch/fx/callables";
import { propagate_unbacked } from "#torch/fx/experimental/symbolic_shapes/propagate_unbacked";
import { binds_unbacked } from "#torch/fx/experimental/symbolic_shapes/unbacked_bindings";
import { placeholders_of } from "#torch/fx/graph/index";
import { type GraphModule, owner_of } from "#torch/fx/graph_module";
import { Node } from "#torch/fx/node";
import { insert_deferred_runtime_asserts, remove_unused_numbers } from "#torch/fx/passes/runtime_assert";
import { _reparametrize_module } from "#torch/nn/utils/stateless";
import { flatten } from "#torch/utils/_pytree/index";
import { conversions, ExportedProgram } from "./exported_program.ts";
import {
  ExportGraphSignature,
  InputKind,
  InputSpec,
  make_argument_spec,
  OutputKind,
  OutputSpec,
} from "./graph_signature.ts";

/** The inputs of a program in the order in which it is traced again. */
interface Inputs {
  readonly kinds: readonly InputKind[];
  /** The name in the module; null for a value of the caller. */
  readonly targets: readonly (string | null)[];
  readonly values: readonly unknown[];
}

function inputs_of(ep: ExportedProgram, module: GraphModule): Inputs {
  const { graph_signature: signature } = ep;
  const placeholders = placeholders_of(ep.graph);
  const vals = new Map(
    signature.input_specs.map(({ kind, target }, i) => [
      kind === InputKind.USER_INPUT ? i : target,
      placeholders[i].meta.get("val") as unknown,
    ]),
  );
  const kind_of = new Map(signature.input_specs.map(({ kind, target }) => [target, kind]));
  const parameters = [...module.named_parameters({ remove_duplicate: false })].map(([name]) => name);
  const buffers = [...module.named_buffers({ remove_duplicate: false })].map(([name]) => name);
  const state = [...parameters, ...buffers].filter((name) => kind_of.has(name));
  const users = signature.input_specs.flatMap(({ kind }, i) => (kind === InputKind.USER_INPUT ? [i] : []));
  return {
    kinds: [...state.map((name) => kind_of.get(name) as InputKind), ...users.map(() => InputKind.USER_INPUT)],
    targets: [...state, ...users.map(() => null)],
    values: [...state.map((name) => vals.get(name)), ...users.map((i) => vals.get(i))],
  };
}

const MUTATION = new Map([
  [InputKind.PARAMETER, OutputKind.PARAMETER_MUTATION],
  [InputKind.BUFFER, OutputKind.BUFFER_MUTATION],
  [InputKind.USER_INPUT, OutputKind.USER_INPUT_MUTATION],
]);

conversions.decompose = (ep, table) => {
  const module = ep.module(false);
  for (const name of ep.graph_signature.lifted_tensor_constants) {
    const [owner, field] = owner_of(module, name);
    Reflect.deleteProperty(owner, field);
    owner.register_buffer(field, ep.tensor(name));
  }
  const { kinds, targets, values } = inputs_of(ep, module);
  const fake_mode =
    detect_fake_mode(values) ?? new FakeTensorMode({ allow_non_fake_inputs: true, export: true } as never);
  const { in_spec } = ep.call_spec;
  const program: FlatFunction = (given) => {
    const count = targets.indexOf(null);
    const state_count = count < 0 ? targets.length : count;
    const state = new Map(targets.slice(0, state_count).map((name, i) => [name as string, given[i] as Tensor]));
    const flat = given.slice(state_count);
    const [args, kwargs] = in_spec.unflatten(flat) as [PyTuple, PyDict];
    const run = (): unknown =>
      binds_unbacked(module) ? propagate_unbacked(module, flat) : call_function(module, args, kwargs);
    return flatten(_reparametrize_module(module, state, false, false, run))[0];
  };
  const decompositions = table ?? core_aten_decompositions();
  const capture = (): [GraphModule, readonly number[]] => {
    const info = collect_metadata(program, values, fake_mode);
    return [capture_inference_graph(program, values, info, fake_mode, decompositions), info.mutated_inputs];
  };
  const [gm, mutated] = below_views(() => with_table_of_composites(decompositions, () => without_backends(capture)));
  if (fake_mode.shape_env !== null) {
    insert_deferred_runtime_asserts(gm.graph, fake_mode.shape_env);
    remove_unused_numbers(gm);
  }
  const placeholders = placeholders_of(gm.graph);
  set_missing_values(gm, values);
  const persistent = new Set<string>(ep.graph_signature.non_persistent_buffers);
  const input_specs = placeholders.map((node, i) => {
    const [kind, target] = [kinds[i], targets[i]];
    const persists = kind === InputKind.BUFFER ? !persistent.has(target as string) : null;
    return new InputSpec(kind, make_argument_spec(node), target, persists);
  });
  const [outputs] = flatten(gm.graph.output_node().args);
  const output_specs = outputs.map((out, i) => {
    const changed = mutated[i];
    const kind = changed === undefined ? OutputKind.USER_OUTPUT : (MUTATION.get(kinds[changed]) as OutputKind);
    const target = changed === undefined ? null : (targets[changed] ?? placeholders[changed].name);
    return new OutputSpec(kind, make_argument_spec(out), target);
  });
  const signature = new ExportGraphSignature(input_specs, output_specs);
  const constants = lift_constants_pass(gm, signature, gather_constant_attrs(module), fake_mode);
  for (const [name, value] of ep.constants) constants.set(name as string, value as Tensor);
  placeholder_naming_pass(gm, signature, user_inputs(ep) as never);
  remove_copies(gm, signature);
  return new ExportedProgram({
    root: gm,
    graph: gm.graph,
    graph_signature: signature,
    state_dict: ep.state_dict,
    range_constraints: ep.range_constraints,
    module_call_graph: ep.module_call_graph,
    example_inputs: ep.example_inputs,
    constants,
    dialect: "ATEN",
  });
};

/**
 * Runs `fn` without gradients, and where no view remembers its base: a transposed parameter does not require a gradient then, as in PyTorch, where
 * composite operators are decomposed below autograd. (`_override_composite_implicit_decomp`)
 */
function below_views<R>(fn: () => R): R {
  const guard = new ExcludeDispatchKeyGuard(DispatchKey.ADInplaceOrView);
  try {
    return torch.no_grad(fn);
  } finally {
    guard[Symbol.dispose]();
  }
}

/** Runs `fn` while no library of a device has operators of its own. (`_ignore_backend_decomps`) */
function without_backends<R>(fn: () => R): R {
  const mkldnn = torch.backends.mkldnn.set_flags(false) as unknown[];
  const cudnn = torch.backends.cudnn.enabled;
  torch.backends.cudnn.enabled = false;
  try {
    return fn();
  } finally {
    (torch.backends.mkldnn.set_flags as (...flags: unknown[]) => unknown)(...mkldnn);
    torch.backends.cudnn.enabled = cudnn;
  }
}

/** The new value of a buffer is the copied value itself, not its copy. (`_remove_unnecessary_copy_op_pass`) */
function remove_copies(gm: GraphModule, signature: ExportGraphSignature): void {
  const changed = new Set([...signature.buffers_to_mutate.keys(), ...signature.parameters_to_mutate.keys()]);
  for (const out of flatten(gm.graph.output_node().args)[0]) {
    if (!(out instanceof Node) || !changed.has(out.name) || out.target !== (ops.aten.copy.default as unknown)) continue;
    const source = out.args[1] as Node;
    signature.replace_all_uses(out.name, source.name);
    node_replace(out, source);
  }
  gm.recompile();
}

/** The caller's arguments by the names of the parameters. */
function user_inputs(ep: ExportedProgram): PyDict {
  const names = ep.module_call_graph[0].signature?.forward_arg_names ?? [];
  const bound = new PyDict();
  const [args, kwargs] = (ep.example_inputs ?? tuple([tuple([]), new PyDict()])) as unknown as [PyTuple, PyDict];
  for (const [i, arg] of args.entries()) bound.set(names[i], arg);
  for (const [name, value] of kwargs) bound.set(name, value);
  return bound;
}
