/**
 * @file `unflatten`: an exported program as modules again, with the names and the hierarchy of the module that was exported.
 * @mirrors torch/export/unflatten.py
 * @differs Ours does not check the sizes of the arguments against the ranges of the program.
 *
 *     flat graph  ->  copies of new values stand where the program wrote  ->  one graph a module  ->  parameters are read from the modules
 *                 ->  calls of one module with equal graphs share it
 */
import { TypeError_, ValueError } from "#c10/util/Exception";
import { call } from "#python/Objects/call";
import { dict_of, type PyDict } from "#python/Objects/dictobject";
import { getattr, getattr_or_undefined, repr, setattr } from "#python/Objects/object";
import { tuple } from "#python/Objects/tupleobject";
import { inserting_after } from "#torch/_export/utils";
import { ops } from "#torch/_ops";
import { def, split_keywords } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { Graph } from "#torch/fx/graph/index";
import { GraphModule } from "#torch/fx/graph_module";
import type { Node } from "#torch/fx/node";
import { has_name } from "#torch/fx/qualified_names";
import { Module } from "#torch/nn/modules/module/index";
import { Parameter } from "#torch/nn/parameter/index";
import { flatten, type TreeSpec } from "#torch/utils/_pytree/index";
import { ExportedProgram, type ModuleCallEntry } from "../exported_program.ts";
import { type ExportGraphSignature, InputKind } from "../graph_signature.ts";
import { InterpreterModule, run_graph, set_plain, without_call } from "./interpreter_module.ts";
import { outline_submodules } from "./module_frame.ts";
import { deduplicate_modules, sink_params } from "./sink_params.ts";

export { InterpreterModule };

const new_module = (): Module => new (Module as unknown as new () => Module)();

/** New values of buffers and arguments are written to their places instead of being results. */
function inplace_mutations(graph: Graph, signature: ExportGraphSignature): void {
  const output = graph.output_node();
  const results = output.args[0] as unknown as Node[];
  const inputs = new Map([...graph.nodes].filter(({ op }) => op === "placeholder").map((node) => [node.name, node]));
  const buffers = new Map([...signature.inputs_to_buffers].map(([name, buffer]) => [buffer, name]));
  const places = new Map([
    ...[...signature.buffers_to_mutate].map(([name, buffer]): [string, string] => [
      name,
      buffers.get(buffer) as string,
    ]),
    ...signature.user_inputs_to_mutate,
  ]);
  for (const mutation of results.slice(0, places.size)) {
    const input = inputs.get(places.get(mutation.name) as string) as Node;
    const args = tuple([input, mutation]);
    const copy = inserting_after(mutation, () =>
      graph.create_node("call_function", ops.aten.copy_.default, args, null, null, null),
    );
    copy.meta = dict_of(mutation.meta);
    mutation.replace_all_uses_with(copy, (user: Node) => user !== copy, false);
  }
  output.args = tuple([tuple(results.slice(places.size))]) as never;
}

/** The modules at a path: those of all calls share what is assigned. */
function owners_of(root: Module, path: readonly string[]): Module[] {
  let owners = [root];
  for (const name of path)
    owners = owners.flatMap((owner) => {
      if (getattr_or_undefined(owner, name) === undefined) owner.add_module(name, new_module());
      return [...owner._modules].flatMap(([key, child]) =>
        without_call(key) === name && child !== null ? [child] : [],
      );
    });
  return owners;
}

type Kind = "parameter" | "buffer" | "constant";

/** Gives tensors to the modules; those that are one tensor stay one. */
class State {
  private readonly root: Module;
  private readonly clones = new Map<string, Tensor>();
  /** The names of each tensor: arguments of the graph, and places in the modules. */
  private readonly names = new Map<string, { readonly inputs: string[]; readonly targets: string[] }>();
  private readonly numbers = new Map<unknown, number>();

  constructor(root: Module) {
    this.root = root;
  }

  /** Storage, sizes, strides and offset tell tensors apart. */
  private identity(t: Tensor): string {
    const storage = t.cdata.storage().unsafeGetStorageImpl();
    if (!this.numbers.has(storage)) this.numbers.set(storage, this.numbers.size);
    return `${this.numbers.get(storage)} ${t.shape} ${t.stride()} ${t.storage_offset()}`;
  }

  assign(t: Tensor, target: string, kind: Kind, persistent = true): void {
    const id = `${kind} ${this.identity(t)}`;
    let own = this.clones.get(id);
    if (own === undefined) {
      own = kind === "parameter" ? (new Parameter(t.detach().clone() as never, t.requires_grad) as never) : t.clone();
      this.clones.set(id, own as Tensor);
    }
    const path = target.split(".");
    const field = path.pop() as string;
    for (const owner of owners_of(this.root, path)) {
      if (kind === "parameter") owner.register_parameter(field, own as never);
      else if (kind === "buffer") owner.register_buffer(field, own as never, persistent);
      else setattr(owner, field, own);
    }
  }

  /** Notes that an argument, or another name, stands for a tensor. */
  note(t: Tensor, input: string | null, target: string): void {
    const id = this.identity(t);
    const known = this.names.get(id);
    if (known === undefined && input === null) return; // nothing in the graph uses it
    const entry = known ?? { inputs: [], targets: [] };
    if (input !== null) entry.inputs.push(input);
    entry.targets.push(target);
    this.names.set(id, entry);
  }

  /** The places of each argument's tensor. */
  by_input(): Map<string, readonly string[]> {
    return new Map([...this.names.values()].flatMap(({ inputs, targets }) => inputs.map((name) => [name, targets])));
  }
}

function assign_state(root: Module, ep: ExportedProgram): Map<string, readonly string[]> {
  const { graph_signature: signature, state_dict, constants } = ep;
  const state = new State(root);
  const not_saved = new Set<string>(signature.non_persistent_buffers);
  const assigned = new Set<string>([...signature.parameters, ...signature.buffers]);
  for (const name of signature.parameters) state.assign(ep.tensor(name) as Tensor, name, "parameter");
  for (const name of signature.buffers) state.assign(ep.tensor(name) as Tensor, name, "buffer", !not_saved.has(name));
  for (const [name, t] of state_dict as ReadonlyMap<string, Tensor>)
    if (!assigned.has(name)) state.assign(t, name, t instanceof Parameter ? "parameter" : "buffer");
  for (const [name, t] of constants as ReadonlyMap<string, Tensor>)
    if (!assigned.has(name)) state.assign(t, name, "constant");
  const noted = new Set<string>();
  for (const { kind, arg, target } of signature.input_specs) {
    if (kind === InputKind.USER_INPUT) continue;
    state.note(ep.tensor(target as string) as Tensor, arg.name, target as string);
    noted.add(target as string);
  }
  for (const [name, t] of [...constants, ...state_dict] as [string, Tensor][])
    if (!noted.has(name)) state.note(t, null, name);
  return state.by_input();
}

/** Submodules stand in the order in which the exported module had them. */
function reorder(parent: Module, order: ReadonlyMap<string, number>, prefix = ""): void {
  const children = [...parent._modules].filter((pair): pair is [string, Module] => pair[1] !== null);
  const place = (name: string): number =>
    order.get(`${prefix}${name}`) ?? order.get(without_call(`${prefix}${name}`)) ?? order.size;
  for (const [name, child] of children) {
    reorder(child, order, `${without_call(`${prefix}${name}`)}.`);
    parent.__delattr__(name);
  }
  for (const [name, child] of children.sort(([a], [b]) => place(a) - place(b))) parent.add_module(name, child);
}

/** A module that does what an exported program does, with its hierarchy. */
export class UnflattenedModule extends Module {
  static readonly __module__: string = "torch.export.unflatten";
  declare readonly graph: Graph;
  declare readonly graph_module: GraphModule;
  declare readonly graph_signature: ExportGraphSignature;
  declare readonly module_call_graph: ModuleCallEntry[];
  declare readonly range_constraints: PyDict;
  declare private readonly adapter: unknown;

  constructor(ep: ExportedProgram, flat_args_adapter: unknown = null) {
    super();
    if (ep.graph_signature.backward_signature !== null) throw new ValueError("Unflattening on JointExportModule NYI");
    const flat = ep.graph.__deepcopy__() as Graph;
    const { graph_signature, module_call_graph, range_constraints } = ep;
    const fields = {
      graph: new Graph(),
      graph_signature,
      module_call_graph,
      range_constraints,
      adapter: flat_args_adapter,
    };
    for (const [name, value] of Object.entries(fields)) set_plain(this, name, value);
    this.graph.owning_module = this as never;
    inplace_mutations(flat, graph_signature);
    const { calls, graph_attributes } = outline_submodules(flat, this);
    for (const [fqn, names] of graph_attributes) {
      const owner = fqn === "" ? this : (fqn.split(".").reduce(getattr, this as unknown) as Module);
      for (const name of names) setattr(owner, name, getattr(ep.graph_module, name));
    }
    sink_params(this, assign_state(this, ep));
    deduplicate_modules(calls.values());
    const order = new Map(module_call_graph.map(({ fqn }, i) => [fqn, i]));
    for (const { fqn } of module_call_graph.slice(1)) owners_of(this, fqn.split("."));
    reorder(this, order);
    this.graph.lint();
    set_plain(this, "graph_module", new GraphModule(this, this.graph));
    this.graph.owning_module = this as never;
  }

  private adapted(flat: unknown[], in_spec: TreeSpec, wanted: TreeSpec, args: unknown): unknown[] {
    if (in_spec.__eq__(wanted)) return flat;
    if (this.adapter === null)
      throw new TypeError_(
        "There is no flat args adapter specified. Are you sure you are calling this with the right arguments? ",
      );
    const given = call(getattr(this.adapter, "adapt"), wanted, in_spec, flat, dict_of([]), args) as unknown[];
    if (given.length === wanted.num_leaves) return [...given];
    throw new TypeError_(
      `Flat args adaption failed, number of args mismatch Adapted: ${given.length} \nExported module: ${wanted.num_leaves}`,
    );
  }

  override forward(...given: unknown[]): unknown {
    const [args, keywords] = split_keywords(given);
    const { in_spec, out_spec } = this.module_call_graph[0].signature as {
      readonly in_spec: TreeSpec;
      readonly out_spec: TreeSpec;
    };
    const names = in_spec.children()[1].context as string[];
    const in_order = Object.entries(keywords).sort(([a], [b]) => names.indexOf(a) - names.indexOf(b));
    const [flat, spec] = flatten(tuple([tuple(args), dict_of(in_order)]));
    const inputs = this.adapted(flat, spec, in_spec, tuple(args));
    return out_spec.unflatten(run_graph(this, this.graph, inputs) as unknown[]);
  }
}

/**
 * A module with the hierarchy of the one that was exported. Its submodules take and give the tensors that cross their borders.
 * @param flat_args_adapter changes arguments of another structure
 */
export const unflatten = has_name(
  "torch.export.unflatten.unflatten",
  def(
    "unflatten(module: object, flat_args_adapter: object=None)",
    (module: unknown, adapter: unknown): UnflattenedModule => {
      if (!(module instanceof ExportedProgram))
        throw new TypeError_(`Expected an ExportedProgram, got ${repr(module)}`);
      return new UnflattenedModule(module, adapter);
    },
  ),
);
