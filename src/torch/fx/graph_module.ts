/**
 * @file `GraphModule`: a module whose `forward` is the code of a graph.
 * @mirrors torch/fx/graph_module.py
 *
 * Each object has a class of its own, because its `forward` is its own: the graph is written as Python text, and the machine compiles the text as a
 * file called `<eval_with_key>.N`. After an edit of the graph, `recompile` does this again.
 */
import { AssertionError, RuntimeError, TypeError_ } from "#c10/util/Exception";
import { foreign_type } from "#python/bridge/foreign_types";
import { register_namespace } from "#python/bridge/mappings";
import { streams } from "#python/builtins/print";
import { compile } from "#python/compiler/index";
import { TAKES_VALUES } from "#python/Objects/allocated";
import { builtins_of } from "#python/Objects/builtins_of";
import { dict_of, PyDict } from "#python/Objects/dictobject";
import { type PyFunction, running } from "#python/Objects/funcobject";
import { getattr, getattr_or_undefined, setattr, str } from "#python/Objects/object";
import { type_of } from "#python/Objects/typeobject";
import { run_frame } from "#python/vm/ceval";
import { make_frame } from "#python/vm/frame";
import { sources } from "#python/vm/traceback";
import { deepcopy, type Memo } from "#torch/_deepcopy";
import { def_methods } from "#torch/_signature";
import { Tensor } from "#torch/_tensor/index";
import { adopt } from "#torch/nn/modules/module/attributes";
import { Module } from "#torch/nn/modules/module/index";
import { Parameter } from "#torch/nn/parameter/index";
import * as pytree from "#torch/utils/_pytree/index";
import * as fx_pytree from "./_pytree.ts";
import { call_function } from "./callables.ts";
import type { PythonCode } from "./graph/codegen.ts";
import { _is_from_torch } from "./graph/codegen.ts";
import { Graph } from "./graph/index.ts";
import { _custom_builtins, _register_custom_builtin } from "./graph/namespace.ts";
import { _PyTreeCodeGen } from "./graph/pytree_codegen.ts";
import { module_of, name_of } from "./qualified_names.ts";

register_namespace(fx_pytree, "torch.fx._pytree");
_register_custom_builtin("fx_pytree", "import torch.fx._pytree as fx_pytree", fx_pytree);
_register_custom_builtin("pytree", "import torch.utils._pytree as pytree", pytree);

/** Number of the next text that is compiled. */
let next_id = 0;

/** The name of the file of a text: a number, and the function that was traced. */
function file_name(co_fields: ReadonlyMap<unknown, unknown>): string {
  const key = `<eval_with_key>.${next_id++}`;
  if (!co_fields.has("co_filename")) return key;
  return `${key} from ${str(co_fields.get("co_filename"))}:${str(co_fields.get("co_firstlineno"))} in ${str(co_fields.get("co_name"))}`;
}

/** The function of this name that the text defines. */
export function _method_from_src(
  method_name: string,
  src: string,
  globals: ReadonlyMap<unknown, unknown>,
  co_fields: ReadonlyMap<unknown, unknown> = new Map(),
): PyFunction {
  const names = dict_of(globals);
  const filename = file_name(co_fields);
  sources.set(filename, src);
  run_frame(make_frame(compile(src, filename, "exec"), names, builtins_of(names), names));
  return names.get(method_name) as PyFunction;
}

/** The statement by which a file finds a name of generated code. */
function _format_import_statement(name: string, obj: unknown): string {
  const custom = _custom_builtins.get(name);
  if (custom !== undefined) return custom.import_str;
  if (_is_from_torch(obj)) return "import torch";
  return `from ${module_of(obj) ?? "builtins"} import ${name_of(obj) ?? name} as ${name}`;
}

/** The function `forward` that the text defines. */
export function _forward_from_src(src: string, globals: ReadonlyMap<unknown, unknown>): PyFunction {
  return _method_from_src("forward", src, globals);
}

/** The import statements for the globals of generated code. */
export function _format_import_block(globals: ReadonlyMap<unknown, unknown>): string {
  const statements = new Set([...globals].map(([name, obj]) => _format_import_statement(name as string, obj)));
  return [...statements].sort().join("\n");
}

const attribute = (module: Module, name: string): unknown => getattr_or_undefined(module, name) ?? null;

/** A module for `name` of `owner`; it is made if there is none. */
function submodule(owner: Module, name: string): Module {
  let found = attribute(owner, name) as Module | null;
  if (found === null) {
    found = new (Module as unknown as new () => Module)();
    setattr(owner, name, found);
  }
  return found;
}

/** Sets what a node refers to: a tensor becomes a buffer. */
function assign_field(to_module: Module, field: string, value: unknown): void {
  if (value instanceof Tensor && !(value instanceof Parameter)) to_module.register_buffer(field, value);
  else setattr(to_module, field, value);
}

/** Copies what a node of `from_module` refers to, with the modules on the way to it. */
export function _copy_attr(from_module: Module, to_module: Module, target: string): void {
  const prefix = target.split(".");
  const field = prefix.pop() as string;
  let [from, to] = [from_module, to_module];
  for (const item of prefix) {
    const f = getattr(from, item) as Module;
    if (f === attribute(to, item)) return; // the whole module was copied before
    [from, to] = [f, submodule(to, item)];
  }
  assign_field(to, field, getattr(from, field));
}

/** The module in which the path `target` ends, and the last name; modules on the way are made. */
export function owner_of(to_module: Module, target: string): [owner: Module, field: string] {
  const prefix = target.split(".");
  const field = prefix.pop() as string;
  return [prefix.reduce((to, item) => submodule(to, item), to_module), field];
}

/** Sets `value` at the path `target`. */
export function _assign_attr(value: unknown, to_module: Module, target: string): void {
  assign_field(...owner_of(to_module, target), value);
}

/** A module whose attributes are all copied into the graph module, and not only those that the graph names. */
export class _CodeOnlyModule extends Module {}

/** Indents all lines but the first; blank ones become empty. */
export const _addindent = (text: string, spaces: number): string => {
  const [first, ...rest] = text.split("\n");
  return [first, ...rest.map((line) => (line.trim() === "" ? "" : " ".repeat(spaces) + line))].join("\n");
};

export interface ReadableOptions {
  readonly include_stride?: boolean;
  readonly include_device?: boolean;
  readonly colored?: boolean;
  readonly expanded_def?: boolean;
  readonly additional_meta?: string[] | null;
}

function readable(module: GraphModule, name: string, options: ReadableOptions): string {
  const code = (module.graph.python_code as (...args: unknown[]) => PythonCode)
    .call(module.graph, "self", {
      ...options,
      verbose: true,
    })
    .src.replace(/^\n+/, "");
  const own = _addindent(`class ${name}(torch.nn.Module):\n${code}`, 4);
  const parts = [""];
  for (const [child_name, child] of module.named_children())
    if (child instanceof GraphModule) parts.push(readable(child, child_name, { ...options, expanded_def: false }));
  return own + _addindent(parts.join("\n"), 4);
}

type Hook = (...args: unknown[]) => unknown;

/** A module whose `forward` is the code of a graph. */
export class GraphModule extends Module {
  static readonly [TAKES_VALUES] = true;
  static readonly __module__: string = "torch.fx.graph_module";
  declare _graph: Graph;
  declare _code: string;
  declare meta: PyDict;
  declare _tracer_cls: unknown;
  declare _replace_hooks: Hook[];
  declare _create_node_hooks: Hook[];
  declare _erase_node_hooks: Hook[];
  declare _deepcopy_hooks: Hook[];
  declare _lineno_map: PyDict;
  declare _prologue_start: number;

  static {
    def_methods(GraphModule, {
      recompile: "(self)",
      add_submodule: "(self, target, m)",
      delete_submodule: "(self, target)",
      delete_all_unused_submodules: "(self)",
      print_readable:
        "(self, print_output=True, include_stride=False, include_device=False, colored=False, *, fast_sympy_print=False, expanded_def=False, additional_meta=None)",
      __deepcopy__: "(self, memo: object)",
      __copy__: "(self)",
    });
  }

  /**
   * @param root the module, or a dict, that holds what the nodes of the graph refer to
   * @param class_name the name of the object's class
   */
  constructor(...given: unknown[]) {
    super();
    const [root, graph, class_name] = constructor_arguments(given);
    if (graph === undefined)
      throw new TypeError_("GraphModule.__init__() missing 1 required positional argument: 'graph'");
    own_class(this, class_name);
    const attributes = root instanceof Module ? null : attributes_of(root);
    const nodes = getattr(graph, "nodes") as Graph["nodes"];
    if (root instanceof Module) {
      this.training = (getattr_or_undefined(root, "training") as boolean | undefined) ?? true;
      if (root instanceof _CodeOnlyModule) copy_everything(root, this);
      for (const node of nodes)
        if (node.op === "get_attr" || node.op === "call_module") _copy_attr(root, this, node.target as string);
    }
    if (attributes !== null) {
      const targets: string[] = [];
      for (const node of nodes) {
        if (node.op !== "get_attr" && node.op !== "call_module") continue;
        if (!attributes.has(node.target))
          throw new RuntimeError(
            `Node ${str(node)} referenced target ${str(node.target)} but that target was not provided in \`\`root\`\`!`,
          );
        targets.push(node.target as string);
      }
      targets.sort((a, b) => a.split(".").length - b.split(".").length);
      for (const target of targets) _assign_attr(attributes.get(target), this, target);
    }
    this.graph = graph;
    this._tracer_cls = graph._tracer_cls;
    this.meta = new PyDict();
    this._replace_hooks = [];
    this._create_node_hooks = [];
    this._erase_node_hooks = [];
    this._deepcopy_hooks = [];
  }

  /** The graph; setting another one recompiles. */
  get graph(): Graph {
    return this._graph;
  }

  set graph(g: Graph) {
    if (!(g instanceof Graph)) throw new AssertionError(`Expected a Graph instance, but got ${type_of(g).toString()}`);
    this._graph = g;
    g.owning_module = this;
    this.recompile();
  }

  /** The Python text of `forward`. */
  get code(): string {
    if (typeof this._code !== "string")
      throw new RuntimeError("Code has not been generated! Please report a bug to PyTorch");
    return this._code;
  }

  /** Writes and compiles the code anew, after the graph was edited. */
  recompile(): PythonCode {
    const graph = this._graph;
    const { _codegen: codegen } = graph;
    if (codegen instanceof _PyTreeCodeGen)
      Object.assign(this, { _in_spec: codegen.in_spec, _out_spec: codegen.out_spec });
    const python_code = (graph.python_code as (...args: unknown[]) => PythonCode).call(graph, "self");
    this._code = python_code.src;
    this._lineno_map = python_code._lineno_map;
    this._prologue_start = python_code._prologue_start;
    set_forward(this, _method_from_src("forward", python_code.src, python_code.globals, graph._co_fields));
    for (const [, child] of this.named_children()) if (child instanceof GraphModule) child.recompile();
    return python_code;
  }

  /** Adds a module at the path `target`; false if something else stands on the way. */
  add_submodule(target: string, m: Module): boolean {
    const prefix = target.split(".");
    const field = prefix.pop() as string;
    let mod: Module = this;
    for (const item of prefix) {
      const next: unknown = submodule(mod, item);
      if (!(next instanceof Module)) return false;
      mod = next;
    }
    mod.add_module(field, m);
    return true;
  }

  /** Removes the module at the path `target`; false if there is none. */
  delete_submodule(target: string): boolean {
    const path = target.split(".");
    const field = path.pop() as string;
    let mod: Module = this;
    for (const item of path) {
      const next = attribute(mod, item);
      if (!(next instanceof Module)) return false;
      mod = next;
    }
    if (!(attribute(mod, field) instanceof Module)) return false;
    setattr(mod, field, undefined);
    return true;
  }

  /** Removes the modules that no node uses. */
  delete_all_unused_submodules(): void {
    const used = new Set<string>();
    for (const node of this.graph.nodes) {
      if (node.op !== "call_module" && node.op !== "get_attr") continue;
      const target = node.target as string;
      const atoms = target.split(".");
      atoms.forEach((_, i) => {
        used.add(atoms.slice(0, i + 1).join("."));
      });
      if (node.op !== "call_module") continue;
      try {
        for (const [name] of this.get_submodule(target).named_modules()) if (name !== "") used.add(`${target}.${name}`);
      } catch {
        // the module was deleted with one above it
      }
    }
    for (const [name] of [...this.named_modules()]) if (!used.has(name) && name !== "") this.delete_submodule(name);
  }

  /** The code of this module and of the graph modules in it, with comments that say where each line comes from. */
  print_readable(
    print_output: boolean,
    include_stride: boolean,
    include_device: boolean,
    colored: boolean,
    _fast_sympy_print: boolean,
    expanded_def: boolean,
    additional_meta: string[] | null,
  ): string {
    const options = { include_stride, include_device, colored, expanded_def, additional_meta };
    const text = readable(this, this._get_name(), options);
    if (print_output) streams.stdout.write(`${text}\n`);
    return text;
  }

  /** The function of the graph, for TypeScript. */
  get ts_code(): string {
    return `${this._get_name()}.forward = ${this._code.trim()}`;
  }

  override __deepcopy__(memo: Memo): this {
    const from = new _CodeOnlyModule();
    from.training = this.training;
    for (const [name, child] of this.named_children()) from.add_module(name, deepcopy(child, memo));
    for (const [name, parameter] of own_parameters(this)) from.register_parameter(name, deepcopy(parameter, memo));
    for (const [name, buffer] of own_buffers(this))
      from.register_buffer(name, deepcopy(buffer, memo), !this._non_persistent_buffers_set.has(name));
    for (const node of this.graph.nodes) {
      // What a node reads may be an ordinary attribute.
      if (node.op !== "get_attr" || (node.target as string).includes(".")) continue;
      const name = node.target as string;
      if (getattr_or_undefined(from, name) === undefined)
        setattr(from, name, deepcopy(getattr(this, name) as never, memo));
    }
    const copy = new GraphModule(from, this.graph.__deepcopy__(), this._get_name());
    for (const name of own_buffers(this).map(([name]) => name))
      if (this._non_persistent_buffers_set.has(name)) copy._non_persistent_buffers_set.add(name);
    for (const hooks of ["_replace_hooks", "_create_node_hooks", "_erase_node_hooks", "_deepcopy_hooks"] as const)
      copy[hooks] = [...this[hooks]];
    copy.meta = deepcopy(this.meta, memo);
    for (const hook of this._deepcopy_hooks) call_function(hook, [copy]);
    return copy as this;
  }

  __copy__(): GraphModule {
    const copy = new GraphModule(this, this.graph);
    copy.meta = this.meta;
    return copy;
  }

  __str__(): string {
    const reminder = "# To see more debug info, please use `graph_module.print_readable()`";
    return [super.toString(), this._code, reminder].join("\n");
  }

  override toString(): string {
    return this.__str__();
  }

  _register_replace_node_hook(hook: Hook): void {
    this._replace_hooks.push(hook);
  }
  _unregister_replace_node_hook(hook: Hook): void {
    this._replace_hooks.splice(this._replace_hooks.indexOf(hook), 1);
  }
  _register_create_node_hook(hook: Hook): void {
    this._create_node_hooks.push(hook);
  }
  _unregister_create_node_hook(hook: Hook): void {
    this._create_node_hooks.splice(this._create_node_hooks.indexOf(hook), 1);
  }
  _register_erase_node_hook(hook: Hook): void {
    this._erase_node_hooks.push(hook);
  }
  _unregister_erase_node_hook(hook: Hook): void {
    this._erase_node_hooks.splice(this._erase_node_hooks.indexOf(hook), 1);
  }
  _register_deepcopy_hook(hook: Hook): void {
    this._deepcopy_hooks.push(hook);
  }
  _unregister_deepcopy_hook(hook: Hook): void {
    this._deepcopy_hooks.splice(this._deepcopy_hooks.indexOf(hook), 1);
  }
}

function constructor_arguments(given: readonly unknown[]): [root: unknown, graph: Graph, class_name: string] {
  const last = given.at(-1);
  const is_keywords =
    given.length > 1 && typeof last === "object" && last !== null && Object.getPrototypeOf(last) === Object.prototype;
  const keywords = is_keywords ? (last as Record<string, unknown>) : {};
  const positional = is_keywords ? given.slice(0, -1) : given;
  const [root = keywords["root"], graph = keywords["graph"], class_name = keywords["class_name"] ?? "GraphModule"] =
    positional;
  return [root, graph as Graph, class_name as string];
}

/** The attributes in a dict that stands for a module. */
function attributes_of(root: unknown): ReadonlyMap<unknown, unknown> {
  if (root instanceof Map) return root;
  if (typeof root === "object" && root !== null && Object.getPrototypeOf(root) === Object.prototype)
    return new Map(Object.entries(root));
  throw new RuntimeError(`Unsupported type ${str(root)} passed for root!`);
}

/** Gives the object a class that nothing else has. */
function own_class(module: GraphModule, class_name: string): void {
  let cls = module.constructor as new (...args: unknown[]) => GraphModule;
  while (Object.hasOwn(cls, OWN)) cls = Object.getPrototypeOf(cls) as typeof cls;
  const impl = class extends cls {};
  Object.defineProperties(impl, { name: { value: class_name }, [OWN]: { value: true } });
  Object.setPrototypeOf(module, impl.prototype);
}
const OWN = Symbol("class of one object");

/** `type(module).forward = fn`, for both languages. */
export function set_forward(module: Module, fn: PyFunction): void {
  const cls = module.constructor as unknown as { readonly prototype: object };
  foreign_type(cls as never).set("forward", fn);
  Object.defineProperty(cls.prototype, "forward", {
    value(this: unknown, ...args: unknown[]) {
      return running.from_js(fn, [this, ...args]);
    },
    writable: true,
    configurable: true,
  });
}

function own_parameters(module: Module): [string, Parameter | null][] {
  adopt(module);
  return [...module._parameters];
}

function own_buffers(module: Module): [string, Tensor | null][] {
  adopt(module);
  return [...module._buffers];
}

function copy_everything(root: Module, to: GraphModule): void {
  for (const [name] of root.named_children()) _copy_attr(root, to, name);
  for (const [name] of root.named_buffers()) _copy_attr(root, to, name);
  for (const [name] of root.named_parameters()) _copy_attr(root, to, name);
}
