/**
 * @file Cuts a flat graph along its nodes' `nn_module_stack`: nodes that ran in a submodule become the graph of a module, which the outer graph calls.
 * @mirrors torch/export/unflatten.py#_ModuleFrame
 * @differs Calls of modules keep no signatures of their own (`preserve_module_call_signature`): a module takes and gives the tensors that cross its border.
 *
 *     linear (in "")            ->   root:  linear, call_module[layer](linear), add
 *     relu   (in "", "layer")        layer: relu
 *     add    (in "")
 */
import { RuntimeError } from "#c10/util/Exception";
import { dict_of } from "#python/Objects/dictobject";
import { getattr_or_undefined } from "#python/Objects/object";
import { tuple } from "#python/Objects/tupleobject";
import { inserting_before } from "#torch/_export/utils";
import { Graph } from "#torch/fx/graph/index";
import type { Node } from "#torch/fx/node";
import { Proxy } from "#torch/fx/proxy/index";
import type { Module } from "#torch/nn/modules/module/index";
import { accessor_of, call_name, InterpreterModule } from "./interpreter_module.ts";

/** A module on the way to a node: its path, its class, and how often it was called before. */
interface Place {
  readonly fqn: string;
  readonly type: string | null;
  readonly num_calls: number;
}

/** One call of a module. */
export interface Call {
  readonly fqn: string;
  readonly index: number;
  readonly module: InterpreterModule;
  readonly parent_fqn: string;
  readonly parent_module: Module;
  readonly node: Node;
}

/** The state that all frames of one walk share. */
class Walk {
  readonly nodes: readonly Node[];
  /** Nodes that were copied already, by name. */
  readonly seen = new Map<string, Node>();
  /** The calls of each module. */
  readonly calls = new Map<string, Call[]>();
  /** Graphs that operators call, by the module in which they do. */
  readonly graph_attributes = new Map<string, Set<string>>();
  /** Modules that were made only because something below them was called. */
  readonly created = new Map<string, InterpreterModule>();

  constructor(graph: Graph) {
    this.nodes = [...graph.nodes];
  }
}

const same = (a: Place | undefined, b: Place): boolean =>
  a !== undefined && a.fqn === b.fqn && a.type === b.type && a.num_calls === b.num_calls;
const begins_with = (stack: readonly Place[], start: readonly Place[]): boolean =>
  start.every((place, i) => same(stack[i], place));

type Stack = ReadonlyMap<string, readonly [fqn: string, type: string]>;
const stack_of = (node: Node): Stack => (node.meta.get("nn_module_stack") ?? new Map()) as Stack;

/** The modules in which a node ran; null if it does not say. */
function places_of(node: Node): Place[] | null {
  const stack = stack_of(node);
  if (stack.size === 0) return null;
  return [...stack].map(([key, [fqn, type]]) => ({
    fqn,
    type: fqn === "" ? null : type,
    num_calls: key.includes("@") ? Number(key.split("@").at(-1)) : 0,
  }));
}

/** Puts a module at a path; modules on the way are made. */
function add_submodule(root: Module, path: string, module: Module, create: (path: string) => Module): void {
  const prefix = path.split(".");
  const field = prefix.pop() as string;
  let at = root;
  for (const [i, name] of prefix.entries()) {
    const known = getattr_or_undefined(at, name) as Module | undefined;
    const next = known ?? create(prefix.slice(0, i + 1).join("."));
    if (known === undefined) at.add_module(name, next);
    at = next;
  }
  at.add_module(field, module);
}

/** The graph of one call of a module, while it is made. */
class ModuleFrame {
  private readonly walk: Walk;
  private readonly parent: ModuleFrame | null;
  private readonly stack: readonly Place[];
  private readonly module: Module;
  private readonly graph: Graph;
  private readonly fqn: string;
  private readonly name: string;
  /** Copies of nodes in this graph. */
  private readonly copies = new Map<Node, Node>();
  private readonly placeholders = new Map<Node, Node>();
  private readonly call: Node | null;

  constructor(walk: Walk, parent: ModuleFrame | null, stack: readonly Place[], module_id: string, root: Module | null) {
    this.walk = walk;
    this.parent = parent;
    this.stack = stack;
    const { fqn, type, num_calls } = stack.at(-1) as Place;
    this.fqn = fqn;
    this.name = call_name(fqn, num_calls + 1);
    this.module = root ?? walk.created.get(fqn) ?? new InterpreterModule(new Graph(), type);
    this.graph = (this.module as InterpreterModule).graph;
    this.call = parent === null ? null : this.called_by(parent, module_id, type, num_calls + 1);
  }

  private called_by(parent: ModuleFrame, module_id: string, type: string | null, index: number): Node {
    const { walk, module } = this;
    const accessor = accessor_of(parent.fqn, this.name);
    add_submodule(parent.module, accessor, module, (path) => {
      const whole = parent.fqn === "" ? path : `${parent.fqn}.${path}`;
      const made = walk.created.get(whole) ?? new InterpreterModule(new Graph(), type);
      walk.created.set(whole, made);
      return made;
    });
    const node = parent.graph.create_node("call_module", accessor, null, null, null, null);
    const calls = walk.calls.get(module_id) ?? [];
    for (const [name, child] of calls[0]?.module._modules ?? []) if (child !== null) module.add_module(name, child);
    calls.push({
      fqn: this.fqn,
      index,
      module: module as InterpreterModule,
      parent_fqn: parent.fqn,
      parent_module: parent.module,
      node,
    });
    walk.calls.set(module_id, calls);
    return node;
  }

  /** The node of this graph that stands for one of the flat graph: a copy, or a parameter of the module. */
  private remap(x: Node): Node {
    const known = this.copies.get(x) ?? this.placeholders.get(x);
    if (known !== undefined) return known;
    const { parent, call } = this;
    if (parent === null || call === null)
      throw new RuntimeError(`Could not run remap_input() on op type: ${x.op} for node ${x}`);
    const [first] = this.graph.nodes;
    const make = (): Node => this.graph.placeholder(x.name, x.type);
    const placeholder = first === undefined ? make() : inserting_before(first, make);
    placeholder.meta = dict_of(x.meta);
    this.placeholders.set(x, placeholder);
    const outer = parent.remap(x);
    call.args = tuple([outer, ...(call.args as unknown as Node[])]) as never;
    return placeholder;
  }

  private copy(node: Node): void {
    const remap = (x: Node): Node => this.remap(x);
    this.copies.set(
      node,
      (this.graph.node_copy as (node: Node, transform: unknown) => Node).call(this.graph, node, remap),
    );
    this.walk.seen.set(node.name, node);
  }

  /** Values that nodes outside use become results. */
  private finish(): void {
    const { parent, call, walk } = this;
    walk.created.delete(this.fqn);
    const used_outside = (node: Node): boolean =>
      [...(node.users.keys() as Iterable<Node>)].some(({ name }) => !walk.seen.has(name));
    const results = [...this.copies].filter(([node]) => used_outside(node));
    const outputs = results.map(([, copy]) => copy);
    const [only] = outputs;
    const single = outputs.length === 1 && only !== undefined;
    (this.graph.output as (result: unknown) => Node).call(this.graph, single ? only : outputs);
    if (parent === null || call === null) return;
    const val = ({ meta }: Node): unknown => meta.get("val") ?? null;
    call.meta.set("val", single ? val(only) : outputs.map(val));
    if (single) {
      parent.copies.set((results[0] as [Node, Node])[0], call);
      return;
    }
    for (const [i, [node]] of results.entries()) {
      const item = new Proxy(call).__getitem__(i).node;
      item.meta.set("val", val(node));
      parent.copies.set(node, item);
    }
  }

  run_outer(): void {
    const { nodes } = this.walk;
    const inputs = nodes.filter(({ op }) => op === "placeholder");
    for (const node of inputs) this.copy(node);
    this.run_from(inputs.length);
    for (const node of nodes) if (node.op === "output") this.copy(node);
  }

  /** Copies nodes until one ran elsewhere; returns its place. */
  private run_from(start: number): number {
    const { walk, stack } = this;
    let at = start;
    while (at < walk.nodes.length) {
      const node = walk.nodes[at] as Node;
      if (node.op === "output") {
        if (stack.length > 1) this.finish();
        return at;
      }
      const places = places_of(node) ?? stack;
      if (!begins_with(places, stack)) {
        this.finish();
        return at;
      }
      const next = places[stack.length];
      if (next !== undefined) {
        const key = [...stack_of(node).keys()][stack.length] as string;
        const id = key.split("@")[0] as string;
        at = new ModuleFrame(walk, this, [...stack, next], id, null).run_from(at);
        continue;
      }
      if (node.op === "get_attr") {
        const names = walk.graph_attributes.get(this.name) ?? new Set<string>();
        walk.graph_attributes.set(this.name, names.add(node.target as string));
      }
      this.copy(node);
      at++;
    }
    return at;
  }
}

/** Fills `root`, whose graph is empty, with the nodes and modules of a flat graph. */
export function outline_submodules(graph: Graph, root: Module): Pick<Walk, "calls" | "graph_attributes"> {
  const walk = new Walk(graph);
  new ModuleFrame(walk, null, [{ fqn: "", type: null, num_calls: 0 }], "", root).run_outer();
  return walk;
}
