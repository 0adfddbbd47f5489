/**
 * @file `export`: a module runs once on tensors without data, above autograd, with its parameters as inputs of the graph.
 * @mirrors torch/export/_trace.py
 * @differs Ours runs the module (`strict=False`); PyTorch can also read its bytecode (`strict=True`).
 *
 *     M(x)  ->  fake x, fake parameters  ->  make_fx(pre_dispatch)  ->  constants become inputs  ->  parts with gradients off become
 *     graphs of their own  ->  placeholders get names (x, p_l_weight)  ->  ExportedProgram
 */

import { NotImplementedError, ValueError } from "#c10/util/Exception";
import { dict_of, PyDict } from "#python/Objects/dictobject";
import { str } from "#python/Objects/object";
import { PyTuple, tuple } from "#python/Objects/tupleobject";
import { type_of } from "#python/Objects/typeobject";
import { with_python_dispatcher } from "#torch/_dispatch/python";
import { UserError, UserErrorType } from "#torch/_dynamo/exc";
import { bind_signature_to_inputs, forward_arg_names } from "#torch/_export/inputs";
import {
  type FakeInputs,
  make_constraints,
  make_fake_inputs,
  produce_guards_and_solve_constraints,
} from "#torch/_export/non_strict_utils";
import { gather_constant_attrs, lift_constants_pass } from "#torch/_export/passes/lift_constants_pass";
import { insert_metadata_assertions } from "#torch/_export/passes/metadata_assertions";
import { replace_autocast_with_hop_pass } from "#torch/_export/passes/replace_autocast_with_hop_pass";
import { replace_set_grad_with_hop_pass } from "#torch/_export/passes/replace_set_grad_with_hop_pass";
import { placeholder_naming_pass } from "#torch/_export/placeholder_names";
import { insert_copy, set_missing_values } from "#torch/_export/utils";
import { with_module_attributes_restored } from "#torch/_functorch/_aot_autograd/frontend_utils";
import { ops } from "#torch/_ops";
import { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { call_function } from "#torch/fx/callables";
import { trace } from "#torch/fx/experimental/proxy_tensor/index";
import { placeholders_of } from "#torch/fx/graph/index";
import { GraphModule } from "#torch/fx/graph_module";
import type { Node } from "#torch/fx/node";
import { insert_deferred_runtime_asserts, remove_unused_numbers } from "#torch/fx/passes/runtime_assert";
import { Module } from "#torch/nn/modules/module/index";
import { register_module_buffer_registration_hook } from "#torch/nn/modules/module/registration";
import { _reparametrize_module } from "#torch/nn/utils/stateless";
import { flatten, type TreeSpec } from "#torch/utils/_pytree/index";
import { ExportedProgram, ModuleCallEntry, ModuleCallSignature } from "./exported_program.ts";
import { convert_to_export_graph_signature } from "./graph_signature.ts";

type Kwargs = ReadonlyMap<unknown, unknown>;

/** A traced module before its inputs have names. */
interface Traced {
  readonly gm: GraphModule;
  readonly in_spec: TreeSpec;
  readonly out_spec: TreeSpec;
  readonly parameter_names: readonly string[];
  readonly buffer_names: readonly string[];
}

const names_and_tensors = (pairs: Iterable<[string, Tensor | null]>): Map<string, Tensor> =>
  new Map([...pairs].filter((pair): pair is [string, Tensor] => pair[1] !== null));

/** Operators whose value nobody uses and that change nothing. */
const is_impure = (node: Node): boolean =>
  node.op !== "call_function" || node.target !== (ops.aten.detach.default as unknown);

/** Notes the names of the root's own buffers that the program assigns, in place or not: `self.n += 1`. (`register_buffer_assignment_hook`) */
const note_assignment =
  (root: Module, assigned: Set<string>) =>
  (mod: unknown, name: unknown, buffer: unknown): unknown => {
    if (mod === root) assigned.add(name as string);
    return buffer;
  };

/** `_export_to_aten_ir_make_fx` */
function trace_module(mod: Module, given_inputs: FakeInputs): Traced {
  const { args, kwargs, fake_mode, shape_env } = given_inputs;
  const parameters = names_and_tensors(mod.named_parameters({ remove_duplicate: false }));
  const buffers = names_and_tensors(mod.named_buffers({ remove_duplicate: false }));
  const fakes = [...parameters, ...buffers].map(([name, t]): [string, Tensor] => [
    name,
    fake_mode.from_tensor(t, { static_shapes: true }),
  ]);
  const [flat_args, in_spec] = flatten(tuple([args, kwargs]));
  let out_spec: TreeSpec | null = null;
  let replaced: [name: string, value: Tensor][] = [];
  const assigned = new Set<string>();
  const program = (...given: unknown[]): unknown => {
    const state = new Map(fakes);
    const [positional, named] = in_spec.unflatten(given.slice(fakes.length)) as [PyTuple, PyDict];
    const run = (): unknown => with_module_attributes_restored(mod, () => call_function(mod, [...positional], named));
    const [leaves, spec] = flatten(_reparametrize_module(mod, state, true, true, run, true));
    out_spec = spec;
    const changed = ([name, value]: [string, Tensor], i: number): boolean =>
      value !== fakes[i][1] || assigned.has(name);
    replaced = [...state].filter((entry, i) => buffers.has(entry[0]) && changed(entry, i));
    return tuple([...leaves, ...replaced.map(([, value]) => value)]);
  };
  const inputs = tuple([...fakes.map(([, fake]) => fake), ...flat_args]);
  const enabled = torch.is_grad_enabled();
  const cudnn = torch.backends.cudnn.enabled;
  const hook = register_module_buffer_registration_hook(note_assignment(mod, assigned));
  let gm: GraphModule;
  try {
    torch.backends.cudnn.enabled = false; // a graph names no backend's own kernels
    const run = (): GraphModule => trace(program, inputs, { fake_mode, pre_dispatch: true, scope_root: mod });
    gm = with_python_dispatcher(run);
  } finally {
    hook.remove();
    torch._C._set_grad_enabled(enabled);
    torch.backends.cudnn.enabled = cudnn;
  }
  copy_to_buffers(
    gm,
    replaced.map(([name]) => [...parameters.keys(), ...buffers.keys()].indexOf(name)),
  );
  gm.graph.eliminate_dead_code(is_impure);
  produce_guards_and_solve_constraints(given_inputs);
  insert_deferred_runtime_asserts(gm.graph, shape_env);
  remove_unused_numbers(gm);
  insert_metadata_assertions(gm);
  set_missing_values(gm, inputs);
  preserve_requires_grad(gm, inputs);
  return {
    gm,
    in_spec,
    out_spec: out_spec as unknown as TreeSpec,
    parameter_names: [...parameters.keys()],
    buffer_names: [...buffers.keys()],
  };
}

/** The last outputs are copied to these inputs, and are outputs no more. */
function copy_to_buffers(gm: GraphModule, inputs: readonly number[]): void {
  if (inputs.length === 0) return;
  const placeholders = placeholders_of(gm.graph);
  const output = gm.graph.output_node();
  const values = output.args[0] as Node[];
  const first = values.length - inputs.length;
  for (const [i, input] of inputs.entries()) {
    const value = values[first + i];
    const copy = insert_copy(gm.graph, placeholders[input], value);
    copy.meta = value.meta;
  }
  output.args = tuple([tuple(values.slice(0, first))]) as never;
}

const non_persistent_buffers = (mod: Module): Set<string> => {
  const names = new Set<string>();
  for (const [path, module] of mod.named_modules({ remove_duplicate: false }))
    for (const name of module._non_persistent_buffers_set) names.add(path === "" ? name : `${path}.${name}`);
  return names;
};

/** Keys of the modules in which a node ran: `L__self__l` for `l`. */
function name_module_stacks(gm: GraphModule): void {
  for (const { meta } of gm.graph.nodes) {
    const stack = meta.get("nn_module_stack") as ReadonlyMap<string, unknown> | undefined;
    if (stack === undefined) continue;
    const named = new PyDict();
    for (const [key, entry] of stack) named.set(key.startsWith("L__self__") ? key : `L__self__${key}`, entry);
    meta.set("nn_module_stack", named);
  }
}

/** Notes in the description of each input whether it needs a gradient. */
function preserve_requires_grad(gm: GraphModule, inputs: readonly unknown[]): void {
  const placeholders = placeholders_of(gm.graph);
  for (const [i, node] of placeholders.entries()) {
    const [val, given] = [node.meta.get("val") as unknown, inputs[i]];
    if (val instanceof Tensor && given instanceof Tensor && given.requires_grad && val.is_leaf)
      val.requires_grad = true;
  }
}

/** `_export_for_training` */
export function export_module(
  mod: Module,
  args: unknown,
  given_kwargs: Kwargs | Readonly<Record<string, unknown>> | null,
  dynamic_shapes: unknown,
  strict: boolean,
): ExportedProgram {
  if (!(args instanceof PyTuple))
    throw new UserError(
      UserErrorType.INVALID_INPUT,
      `Expecting \`args\` to be a tuple of example positional inputs, got ${type_of(args)}`,
    );
  if (strict)
    throw new NotImplementedError(
      "torch.export.export is not implemented with strict=True, which reads the module's bytecode: strict=False runs the module",
    );
  const kwargs = dict_of(given_kwargs instanceof Map ? given_kwargs : Object.entries(given_kwargs ?? {}));
  const combined = bind_signature_to_inputs(mod, args, kwargs);
  const inputs = make_fake_inputs(tuple([...args]), kwargs, combined, dynamic_shapes);
  const { fake_mode } = inputs;
  const constant_attrs = gather_constant_attrs(mod);
  const traced = fake_mode.with(() => trace_module(mod, inputs));
  const { in_spec, out_spec, parameter_names, buffer_names } = traced;
  let { gm } = traced;
  const placeholders = placeholders_of(gm.graph).map(({ name }) => name);
  const not_saved = non_persistent_buffers(mod);
  const signature = convert_to_export_graph_signature(gm, {
    inputs_to_parameters: new Map(parameter_names.map((name, i) => [placeholders[i], name])),
    inputs_to_buffers: new Map(buffer_names.map((name, i) => [placeholders[parameter_names.length + i], name])),
    non_persistent_buffers: not_saved,
    mutations: [],
  });
  const constants = lift_constants_pass(gm, signature, constant_attrs, fake_mode);
  gm = replace_set_grad_with_hop_pass(gm, signature);
  gm = replace_autocast_with_hop_pass(gm, signature);
  for (const module of gm.modules()) if (module instanceof GraphModule) name_module_stacks(module);
  for (const node of gm.graph.nodes)
    if (node.op === "placeholder" || node.op === "output") {
      node.meta.delete("nn_module_stack");
      node.meta.delete("stack_trace");
    }
  placeholder_naming_pass(gm, signature, bind_signature_to_inputs(mod, inputs.args, inputs.kwargs) as never);
  const state_dict = new PyDict();
  for (const [name, parameter] of mod.named_parameters({ remove_duplicate: false })) state_dict.set(name, parameter);
  for (const [name, buffer] of mod.named_buffers({ remove_duplicate: false }))
    if (not_saved.has(name)) constants.set(name, buffer as Tensor);
    else state_dict.set(name, buffer);
  const top = new ModuleCallSignature(in_spec, out_spec, forward_arg_names(mod, args, kwargs));
  const names = [...mod.named_modules({ remove_duplicate: false })].map(([name]) => name);
  return new ExportedProgram({
    root: gm,
    graph: gm.graph,
    graph_signature: signature,
    state_dict,
    range_constraints: make_constraints(inputs),
    module_call_graph: names.map((name) => new ModuleCallEntry(name, name === "" ? top : null)),
    example_inputs: tuple([tuple([...args]), kwargs]),
    constants,
    dialect: "TRAINING",
  });
}

/** Checks that the value is a module. @throws {ValueError} if it is not */
export function check_module(mod: unknown): asserts mod is Module {
  if (!(mod instanceof Module))
    throw new ValueError(`Expected \`mod\` to be an instance of \`torch.nn.Module\`, got ${str(type_of(mod))}.`);
}
