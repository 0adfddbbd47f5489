/**
 * @file `ExportedProgram`: a graph of operators without state, and the state, structures and constraints that belong to it.
 * @mirrors torch/export/exported_program.py
 */
import { AssertionError, RuntimeError, ValueError } from "#c10/util/Exception";
import { PyDict } from "#python/Objects/dictobject";
import { repr, str } from "#python/Objects/object";
import { PyTuple, tuple } from "#python/Objects/tupleobject";
import { node_replace } from "#torch/_export/utils";
import { is_getitem } from "#torch/_functorch/compile_utils";
import { def_methods } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { CodeGen } from "#torch/fx/graph/all";
import type { Graph } from "#torch/fx/graph/index";
import { GraphModule } from "#torch/fx/graph_module";
import { named_tuple } from "#torch/fx/named_tuple";
import type { Node } from "#torch/fx/node";
import type { Module } from "#torch/nn/modules/module/index";
import type { Parameter } from "#torch/nn/parameter/index";
import type { TreeSpec } from "#torch/utils/_pytree/index";
import type { ExportGraphSignature } from "./graph_signature.ts";
import { Record_ } from "./records.ts";

/** How a module is called. */
export class ModuleCallSignature extends Record_ {
  static override readonly __module__ = "torch.export.exported_program";
  static override readonly fields = ["inputs", "outputs", "in_spec", "out_spec", "forward_arg_names"];
  inputs: unknown[] = [];
  outputs: unknown[] = [];
  readonly in_spec: TreeSpec;
  readonly out_spec: TreeSpec;
  readonly forward_arg_names: string[] | null;

  constructor(in_spec: TreeSpec, out_spec: TreeSpec, forward_arg_names: string[] | null = null) {
    super();
    this.in_spec = in_spec;
    this.out_spec = out_spec;
    this.forward_arg_names = forward_arg_names;
  }
}

/** A module by its name in the exported one. */
export class ModuleCallEntry extends Record_ {
  static override readonly __module__ = "torch.export.exported_program";
  static override readonly fields = ["fqn", "signature"];
  readonly fqn: string;
  readonly signature: ModuleCallSignature | null;

  constructor(fqn: string, signature: ModuleCallSignature | null = null) {
    super();
    this.fqn = fqn;
    this.signature = signature;
  }
}

const CallSpec = named_tuple("torch.export.exported_program", "CallSpec", ["in_spec", "out_spec"]);

/** Everything that a program consists of. */
export interface ProgramParts {
  readonly root: Module;
  readonly graph: Graph;
  readonly graph_signature: ExportGraphSignature;
  readonly state_dict: ReadonlyMap<unknown, unknown>;
  /** Ranges of the symbols of sizes. */
  readonly range_constraints: PyDict;
  readonly module_call_graph: ModuleCallEntry[];
  /** `(args, kwargs)` */
  readonly example_inputs: PyTuple | null;
  readonly constants: ReadonlyMap<string, Tensor>;
  /** Whether the graph may still contain mutation. */
  readonly dialect: "TRAINING" | "ATEN";
}

/** Turns a program into a module; registered by its file, which needs this one. */
type Unlift = (ep: ExportedProgram, check_guards: boolean) => GraphModule;
type Decompose = (ep: ExportedProgram, table: ReadonlyMap<unknown, unknown> | null) => ExportedProgram;
export const conversions: { unlift: Unlift | null; decompose: Decompose | null } = { unlift: null, decompose: null };

/** Equal reads of one tuple become one. */
function common_getitem_elimination(gm: GraphModule): void {
  const known = new Map<unknown, Map<unknown, Node>>();
  for (const node of [...gm.graph.nodes]) {
    if (!is_getitem(node)) continue;
    const [source, index] = node.args as unknown as [Node, unknown];
    const of_source = known.get(source) ?? new Map<unknown, Node>();
    known.set(source, of_source);
    const first = of_source.get(index);
    if (first === undefined) of_source.set(index, node);
    else node_replace(node, first);
  }
}

/** A captured program; `module()` makes a module of it that runs. */
export class ExportedProgram {
  static readonly __module__ = "torch.export.exported_program";
  private readonly parts: ProgramParts;
  readonly _graph_module: GraphModule;
  private inputs: PyTuple | null;

  static {
    def_methods(ExportedProgram, {
      module: "(self, check_guards=True)",
      run_decompositions: "(self, decomp_table: object=None, decompose_custom_triton_ops=False)",
    });
  }

  constructor(parts: ProgramParts) {
    parts.graph._codegen = new CodeGen();
    this.parts = parts;
    this._graph_module = new GraphModule(parts.root, parts.graph);
    if (parts.root instanceof GraphModule)
      for (const [key, value] of parts.root.meta) this._graph_module.meta.set(key, value);
    for (const module of this._graph_module.modules())
      if (module instanceof GraphModule) common_getitem_elimination(module);
    this._graph_module.recompile();
    this.inputs = parts.example_inputs;
  }

  get graph_module(): GraphModule {
    return this._graph_module;
  }
  set graph_module(_value: unknown) {
    refuse("graph_module");
  }
  get graph(): Graph {
    return this._graph_module.graph;
  }
  set graph(_value: unknown) {
    refuse("graph");
  }
  get graph_signature(): ExportGraphSignature {
    return this.parts.graph_signature;
  }
  set graph_signature(_value: unknown) {
    refuse("graph_signature");
  }
  get state_dict(): ReadonlyMap<unknown, unknown> {
    return this.parts.state_dict;
  }
  set state_dict(_value: unknown) {
    refuse("state_dict");
  }
  get range_constraints(): PyDict {
    return this.parts.range_constraints;
  }
  set range_constraints(_value: unknown) {
    refuse("range_constraints");
  }
  get module_call_graph(): ModuleCallEntry[] {
    return this.parts.module_call_graph;
  }
  set module_call_graph(_value: unknown) {
    refuse("module_call_graph");
  }
  get dialect(): string {
    return this.parts.dialect;
  }
  get constants(): PyDict {
    const constants = new PyDict();
    for (const [name, value] of this.parts.constants) constants.set(name, value);
    return constants;
  }
  set constants(_value: unknown) {
    refuse("constants");
  }
  get tensor_constants(): PyDict {
    return this.constants;
  }

  get example_inputs(): PyTuple | null {
    return this.inputs;
  }
  set example_inputs(value: unknown) {
    if (value !== null) {
      const [args, kwargs] = Array.isArray(value) ? (value as unknown[]) : [];
      if (!(value instanceof PyTuple && value.length === 2 && args instanceof PyTuple && kwargs instanceof Map))
        throw new ValueError(
          "Example inputs should be a tuple containing example arguments (as a tuple), and example kwargs (as a dictionary).",
        );
    }
    this.inputs = value as PyTuple | null;
  }

  /** The structures of the arguments and of the result. */
  get call_spec(): { readonly in_spec: TreeSpec; readonly out_spec: TreeSpec } {
    const { signature } = this.parts.module_call_graph[0];
    return CallSpec.make(signature?.in_spec ?? null, signature?.out_spec ?? null) as never;
  }

  private *pairs(names: Iterable<string>): Generator<PyTuple> {
    for (const name of names) yield tuple([name, this.parts.state_dict.get(name) ?? this.parts.constants.get(name)]);
  }
  named_parameters(): Generator<PyTuple> {
    return this.pairs(this.graph_signature.parameters);
  }
  named_buffers(): Generator<PyTuple> {
    return this.pairs(this.graph_signature.buffers);
  }
  *parameters(): Generator<unknown> {
    for (const [, parameter] of this.named_parameters()) yield parameter;
  }
  *buffers(): Generator<unknown> {
    for (const [, buffer] of this.named_buffers()) yield buffer;
  }

  __call__(): never {
    throw new RuntimeError(
      "Unable to call ExportedProgram directly. You should use `exported_program.module()` instead.",
    );
  }

  /** A module with the parameters and buffers, which takes the arguments of the original one. */
  module(check_guards: boolean): GraphModule {
    if (conversions.unlift === null) throw new AssertionError("torch.export is not loaded");
    return conversions.unlift(this, check_guards);
  }

  /**
   * The program without mutation, in the operators that a table leaves.
   * @param decomp_table functions by operator; core ATen's without one
   */
  run_decompositions(decomp_table: ReadonlyMap<unknown, unknown> | null, _triton: boolean): ExportedProgram {
    if (conversions.decompose === null) throw new AssertionError("torch.export is not loaded");
    const is_empty = decomp_table !== null && !(decomp_table instanceof Map); // an empty dict of Python comes as `{}`
    return conversions.decompose(this, is_empty ? new PyDict() : decomp_table);
  }

  __str__(): string {
    const indented = (text: string): string => text.replaceAll("\n", "\n    ");
    const print = this._graph_module.print_readable as unknown as (options: object) => string;
    const graph_module = print.call(this._graph_module, { print_output: false, colored: false });
    return [
      "ExportedProgram:",
      `    ${indented(graph_module)}`,
      `Graph signature: ${indented(str(this.graph_signature))}`,
      `Range constraints: ${repr(this.range_constraints)}\n`,
    ].join("\n");
  }

  toString(): string {
    return this.__str__();
  }

  /** The tensor behind a name. */
  tensor(name: string): Tensor | Parameter {
    return (this.parts.constants.get(name) ?? this.parts.state_dict.get(name)) as Tensor;
  }
}

function refuse(name: string): never {
  throw new RuntimeError(`Unable to set ExportedProgram's ${name} attribute.`);
}
