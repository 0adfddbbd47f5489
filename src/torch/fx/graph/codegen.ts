/**
 * @file `CodeGen`: a graph as the text of a Python function.
 * @mirrors torch/fx/graph.py#CodeGen
 *
 * An idea in miniature: each node becomes one line, and a value is set to None behind the line that uses it last.
 *
 *     x, y -> add(x, y) -> relu(add) -> output       def forward(self, x, y):
 *                                                        add = x + y;  x = y = None
 *                                                        relu = torch.relu(add);  add = None
 *                                                        return relu
 */
import { NotImplementedError } from "#c10/util/Exception";
import { TAKES_VALUES } from "#python/Objects/allocated";
import { PyDict } from "#python/Objects/dictobject";
import { getattr, getattr_or_undefined, repr, str, truth } from "#python/Objects/object";
import { PySlice } from "#python/Objects/sliceobject";
import { PyTuple } from "#python/Objects/tupleobject";
import { type_of } from "#python/Objects/typeobject";
import { import_module } from "#python/vm/import";
import { OpOverload } from "#torch/_ops";
import { def_methods } from "#torch/_signature";
import { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { dtype_abbrs } from "#torch/utils/_dtype_abbrs";
import { call_function } from "../callables.ts";
import { Node } from "../node.ts";
import { _get_qualified_name, module_of, name_of, operator_name } from "../qualified_names.ts";
import { _type_repr } from "../type_repr.ts";
import { filled, inplace_methods, magic_methods } from "./magic_methods.ts";
import { _custom_builtins, type _Namespace } from "./namespace.ts";
import { _parse_stack_trace } from "./stack_trace.ts";

/** The text of a function, and the names that it finds outside itself. */
export class PythonCode {
  static readonly [TAKES_VALUES] = true;
  static readonly __module__ = "torch.fx.graph";
  readonly src: string;
  readonly globals: PyDict;
  /** The number of the node behind each line of the function, or null. */
  readonly _lineno_map: PyDict;
  readonly _prologue_start: number;

  constructor(src: string, globals: PyDict, lineno_map: PyDict, prologue_start: number) {
    this.src = src;
    this.globals = globals;
    this._lineno_map = lineno_map;
    this._prologue_start = prologue_start;
  }
}

/** Whether generated code reaches the object as `torch.…`. */
export function _is_from_torch(obj: unknown): boolean {
  const module = typeof obj === "string" ? undefined : module_of(obj);
  return module !== undefined && /^torch(?:\.(?!_dynamo\.|_inductor\.)[^.]+)*$/.test(module);
}

/** `base.a.b`; a part that is no name is read with `getattr`. */
export function _format_target(base: string, target: string): string {
  return target
    .split(".")
    .reduce((r, e) => (/^[\p{L}_][\p{L}\p{N}_]*$/u.test(e) ? `${r}.${e}` : `getattr(${r}, "${e}")`), base);
}

export interface CodeOptions {
  /** Comments with stack traces, and the types of tensors. */
  readonly verbose?: boolean;
  readonly include_stride?: boolean;
  readonly include_device?: boolean;
  readonly colored?: boolean;
  /** One parameter a line. */
  readonly expanded_def?: boolean;
  readonly additional_meta?: readonly string[] | null;
}

const COLORS = {
  red: "\x1b[31m",
  blue: "\x1b[34m",
  dim: "\x1b[2m",
  dim_blue: "\x1b[2m\x1b[34m",
  dim_green: "\x1b[2m\x1b[32m",
} as const;

/** Changes the lines of a function's body. */
type TransformCodeFunc = (body: string[]) => unknown;

/** Writes a graph as the text of a Python function. */
export class CodeGen {
  static readonly [TAKES_VALUES] = true;
  static readonly __module__: string = "torch.fx.graph";
  _body_transformer: TransformCodeFunc | null = null;
  _func_name = "forward";

  static {
    def_methods(CodeGen, {
      gen_fn_def: "(self, free_vars, maybe_return_annotation, *, expanded_def=False)",
      generate_output: "(self, output_args: object, *, descs=None, repr_fn=None)",
      process_outputs: "(self, outputs: object)",
      additional_globals: "(self)",
    });
  }

  /** The first lines of the function: its head, and what stands before the first node. */
  gen_fn_def(free_vars: string[], maybe_return_annotation: string, expanded_def: boolean): string {
    if (free_vars[0] !== "self") free_vars.unshift("self");
    if (!expanded_def) return `def ${this._func_name}(${free_vars.join(", ")})${maybe_return_annotation}:`;
    const lines = free_vars.map((arg) => {
      const at = arg.indexOf("#");
      return at < 0 ? `    ${arg},\n` : `    ${arg.slice(0, at).trimEnd()},  # ${arg.slice(at + 1).trimStart()}\n`;
    });
    return `def ${this._func_name}(\n${lines.join("")})${maybe_return_annotation}:`;
  }

  /** The statement that returns the value of the graph. */
  generate_output(output_args: unknown, _descs: unknown, repr_fn: unknown): string {
    return `return ${repr_fn === null ? repr(output_args) : String(call_function(repr_fn, [output_args]))}`;
  }

  /** Changes the inputs of the graph before it is interpreted. */
  process_inputs(...args: unknown[]): unknown {
    return args;
  }

  process_outputs(outputs: unknown): unknown {
    return outputs;
  }

  /** Further names that the function needs: pairs of name and value. */
  additional_globals(): [string, unknown][] {
    return [];
  }

  _gen_python_code(
    nodes: readonly Node[],
    root_module: string,
    namespace: _Namespace,
    options: CodeOptions = {},
  ): PythonCode {
    return new Writer(this, nodes, root_module, namespace, options).write();
  }
}

/** Writes one function. */
class Writer {
  private readonly codegen: CodeGen;
  private readonly nodes: readonly Node[];
  private readonly root_module: string;
  private readonly namespace: _Namespace;
  private readonly options: CodeOptions;
  private readonly free_vars: string[] = [];
  private readonly globals = new PyDict();
  private readonly wrapped_fns = new Set<string>();
  private maybe_return_annotation = "";
  private prev_summary_str: string | null = null;
  /** The lines of the body; a comment `# COUNTER: i` stands before those of node `i`. */
  private body: string[] = [];

  constructor(
    codegen: CodeGen,
    nodes: readonly Node[],
    root_module: string,
    namespace: _Namespace,
    options: CodeOptions,
  ) {
    this.codegen = codegen;
    this.nodes = nodes;
    this.root_module = root_module;
    this.namespace = namespace;
    this.options = options;
  }

  write(): PythonCode {
    for (const [name, { obj }] of _custom_builtins) this.add_global(name, obj);
    const last_uses = this.last_uses();
    this.nodes.forEach((node, i) => {
      if (this.options.verbose) this.append_stacktrace_summary(node);
      this.body.push(`# COUNTER: ${i}\n`);
      this.emit_node(node);
      this.delete_unused_values(node, last_uses.get(node) ?? []);
    });
    if (this.body.length === 0) this.body.push("pass\n");
    let wrap_stmts = "";
    if (this.wrapped_fns.size > 0) {
      const statements = [...this.wrapped_fns].map((name) => `torch.fx._symbolic_trace.wrap("${name}")`);
      wrap_stmts = statements.join("\n");
    }
    if (this.codegen._body_transformer !== null)
      this.body = [...(call_function(this.codegen._body_transformer, [this.body]) as string[])];
    for (const [name, value] of this.codegen.additional_globals()) this.add_global(name, value);
    const { expanded_def = false } = this.options;
    const prologue = this.head(
      this.free_vars,
      this.maybe_return_annotation,
      ...(expanded_def ? [{ expanded_def }] : []),
    );
    const [code, lineno_map] = this.numbered_body(prologue);
    return new PythonCode(
      `\n${wrap_stmts}\n\n${prologue}\n${code}`,
      this.globals,
      lineno_map,
      wrap_stmts.split("\n").length + 3,
    );
  }

  private head(...args: unknown[]): string {
    return (this.codegen.gen_fn_def as (...args: unknown[]) => string).apply(this.codegen, args);
  }

  /** The body, indented, and the node of each line. */
  private numbered_body(prologue: string): [code: string, lineno_map: PyDict] {
    const lineno_map = new PyDict();
    const prologue_len = prologue.split("\n").length;
    const lines: string[] = [];
    let current: number | null = null;
    for (const line of this.body.join("").split("\n")) {
      const counter = /# COUNTER: (\d+)/.exec(line);
      if (counter !== null) current = Number(counter[1]);
      else {
        lineno_map.set(lines.length + prologue_len, current);
        lines.push(line);
      }
    }
    const code = lines.join("\n").replace(/^\n+/, "");
    return [
      code
        .split("\n")
        .map((line) => `    ${line}`)
        .join("\n"),
      lineno_map,
    ];
  }

  private paint(color: keyof typeof COLORS, text: string): string {
    return this.options.colored ? `${COLORS[color]}${text}\x1b[0m` : text;
  }

  /** The name under which the code finds `obj`; what is not below `torch` becomes a global of the function. */
  private add_global(name_hint: string, obj: unknown): string {
    if (obj !== torch.device && _is_from_torch(obj)) return _get_qualified_name(obj);
    const name = this.namespace.create_name(name_hint, obj);
    if (!this.globals.has(name)) this.globals.set(name, obj);
    return name;
  }

  private type_repr(o: unknown): string {
    if (o instanceof PyTuple && o.length === 0) return "()";
    const typename = _type_repr(o);
    const args = getattr_or_undefined(o, "__args__");
    if (type_of(o).name === "UnionType" && typename.includes("|"))
      return [...(args as unknown[])].map((arg) => this.type_repr(arg)).join("|");
    let origin = getattr_or_undefined(o, "__origin__");
    if (origin === undefined || origin === null || !truth(origin)) return this.add_global(typename, o);
    if (typename.startsWith("typing.")) origin = typing_form(origin) ?? origin;
    const origin_name = this.add_global(_type_repr(origin), origin);
    if (!Array.isArray(args) || args.length === 0) return origin_name;
    return `${origin_name}[${args.map((arg) => this.type_repr(arg)).join(",")}]`;
  }

  /** An argument as the code writes it. */
  private get_repr(arg: unknown): string {
    if (arg instanceof Node) return arg.toString();
    if (arg instanceof PyTuple) {
      if (getattr_or_undefined(arg, "_fields") !== undefined) {
        const type = type_of(arg).cls;
        const values = arg.map((a) => repr(a));
        return `${this.add_global(_get_qualified_name(type), type)}(${values.join(", ")}${values.length === 1 ? "," : ""})`;
      }
      return arg.length === 1 ? `(${this.get_repr(arg[0])},)` : `(${arg.map((a) => this.get_repr(a)).join(", ")})`;
    }
    if (arg instanceof OpOverload) return this.add_global(_get_qualified_name(arg), arg);
    if (arg instanceof Tensor)
      return `torch.Tensor(size=${repr([...arg.shape])}, dtype=${String(arg.dtype).replace("torch.", "")})`;
    if (Array.isArray(arg)) return `[${arg.map((a) => this.get_repr(a)).join(", ")}]`;
    if (arg instanceof PySlice)
      return `slice(${[arg.start, arg.stop, arg.step].map((a) => this.get_repr(a)).join(", ")})`;
    if (is_enum_member(arg)) {
      const cls = type_of(arg).cls;
      return `${this.add_global(type_of(arg).name, cls)}.${String(getattr_or_undefined(arg, "name"))}`;
    }
    return this.paint("blue", repr(arg));
  }

  private format_args(args: readonly unknown[], kwargs: ReadonlyMap<unknown, unknown>): string {
    return [
      ...args.map((a) => this.get_repr(a)),
      ...[...kwargs].map(([k, v]) => `${String(k)} = ${this.get_repr(v)}`),
    ].join(", ");
  }

  /** The nodes that nobody uses after a node, by that node. */
  private last_uses(): Map<Node, Node[]> {
    const seen = new Set<Node>();
    const found = new Map<Node, Node[]>();
    for (const user of this.nodes.toReversed())
      for (const input of user._input_nodes.keys() as Iterable<Node>) {
        if (seen.has(input)) continue;
        seen.add(input);
        const others = found.get(user);
        if (others === undefined) found.set(user, [input]);
        else others.push(input);
      }
    return found;
  }

  private delete_unused_values(user: Node, last_used: readonly Node[]): void {
    if (user.op === "placeholder") return;
    const unused = user.op === "output" ? [] : user.users.size === 0 ? [...last_used, user] : last_used;
    if (unused.length === 0) this.body.push("\n");
    else this.body.push(`;  ${this.paint("dim", [...unused.map(String), "None"].join(" = "))}\n`);
  }

  /** A comment that says where the user's program made the node. */
  private append_stacktrace_summary(node: Node): void {
    if (node.op === "placeholder" || node.op === "output") return;
    const { meta } = node;
    const more = (this.options.additional_meta ?? [])
      .filter((key) => meta.has(key))
      .map((key) => `${key}: ${str(meta.get(key))}`);
    const additional = more.length > 0 ? `# ${more.join(", ")} ` : "";
    const custom = meta.get("custom");
    let annotation = "";
    if (custom instanceof Map && custom.size > 0) {
      const shortened = new PyDict();
      for (const [key, value] of custom) {
        const text = str(value);
        shortened.set(key, text.length > 40 ? `${text.slice(0, 40)}...` : value);
      }
      annotation = ` Annotation: ${str(shortened)}`;
    }
    const trace = node.stack_trace;
    const parsed = typeof trace === "string" && trace !== "" ? _parse_stack_trace(trace) : null;
    const where = parsed === null ? "No stacktrace found for following nodes" : parsed.get_summary_str();
    const summary = `\n${this.paint("dim", `${additional}#${annotation} ${where}`)}\n`;
    if (summary === this.prev_summary_str) return;
    this.prev_summary_str = summary;
    this.body.push(summary);
  }

  private type_annotation(node: Node): string {
    const { meta } = node;
    const value = meta.get("val") ?? meta.get("tensor_meta") ?? meta.get("example_value") ?? null;
    const list = (sizes: readonly unknown[]): string => `[${sizes.map(str).join(", ")}]`;
    if (this.options.verbose && value instanceof Tensor) {
      // asked as a program asks, so that symbols of sizes are shown
      const stride = this.options.include_stride ? list(call_function(getattr(value, "stride"), []) as unknown[]) : "";
      const device = this.options.include_device ? String(value.device) : "";
      const text =
        this.paint("red", dtype_abbrs(value.dtype)) +
        this.paint("blue", list(getattr(value, "shape") as unknown[])) +
        this.paint("dim_blue", stride) +
        this.paint("dim_green", device);
      const name = type_of(value).name;
      return name === "Tensor" || name === "FakeTensor" ? `: "${text}"` : `: "${name}(${text})"`;
    }
    if (this.options.verbose && type_of(value).name === "TensorMetadata") {
      const { dtype, shape } = value as { readonly dtype: unknown; readonly shape: readonly unknown[] };
      return `: "${dtype_abbrs(dtype)}${list(shape)}"`;
    }
    if (this.options.verbose && /^Sym(?:Int|Float|Bool)$/.test(type_of(value).name)) return `: "Sym(${repr(value)})"`;
    return node.type === null ? "" : ` : ${this.type_repr(node.type)}`;
  }

  private emit_node(node: Node): void {
    const annotation = this.type_annotation(node);
    const target = node.target as string;
    const begin = `${node.toString()}${annotation} = `;
    switch (node.op) {
      case "placeholder": {
        const default_arg = node.args.length === 0 ? "" : ` = ${this.get_repr(node.args[0])}`;
        const desc = this.options.expanded_def ? (node.meta.get("desc") ?? null) : null;
        const comment = desc === null ? "" : `  # ${str(desc)}`;
        this.free_vars.push(`${target}${annotation}${default_arg}${comment}`);
        const raw_name = target.replaceAll("*", "");
        if (raw_name !== node.toString()) this.body.push(`${node.toString()} = ${raw_name}\n`);
        return;
      }
      case "call_method": {
        const [self, ...rest] = node.args;
        this.body.push(
          `${begin}${_format_target(this.get_repr(self), target)}(${this.format_args(rest, node.kwargs)})`,
        );
        return;
      }
      case "call_function":
        this.body.push(this.function_call(node, annotation));
        return;
      case "call_module":
        this.body.push(
          `${begin}${_format_target(this.root_module, target)}(${this.format_args(node.args, node.kwargs)})`,
        );
        return;
      case "get_attr":
        this.body.push(`${begin}${_format_target(this.root_module, target)}`);
        return;
      case "output":
        if (node.type !== null) this.maybe_return_annotation = ` -> ${this.type_repr(node.type)}`;
        this.body.push(this.output(node));
        return;
    }
    throw new NotImplementedError(`node: ${node.op} ${str(target)}`);
  }

  private output(node: Node): string {
    const repr_fn = (arg: unknown): string => this.get_repr(arg);
    const generate = this.codegen.generate_output as (...args: unknown[]) => string;
    return generate.call(this.codegen, node.args[0], { repr_fn });
  }

  private function_call(node: Node, annotation: string): string {
    const { target, args, kwargs } = node;
    const begin = `${node.toString()}${annotation} = `;
    const operator = operator_name(target);
    if (operator !== null) {
      const values = args.map((a) => this.get_repr(a));
      const [magic, inplace] = [magic_methods[operator], inplace_methods[operator]];
      if (magic !== undefined) return `${begin}${filled(magic, values)}`;
      if (inplace !== undefined) return `${filled(inplace, values)};  ${begin}${values[0]}`;
    }
    const global_name = this.add_global(_get_qualified_name(target), target);
    const [object, attr] = args;
    if (global_name === "getattr" && args.length === 2 && typeof attr === "string" && /^[A-Za-z_]\w*$/.test(attr))
      return `${begin}${_format_target(this.get_repr(object), attr)}`;
    if (node.meta.get("is_wrapped") === true) this.wrapped_fns.add(global_name);
    return `${begin}${global_name}(${this.format_args(args, kwargs)})`;
  }
}

const is_enum_member = (value: unknown): boolean => type_of(value).mro.some((type) => type.name === "Enum");

/** `typing.List` for `list`, as annotations of `typing` are written. */
function typing_form(origin: unknown): unknown {
  const name = name_of(origin);
  const forms: Readonly<Record<string, string>> = {
    list: "List",
    dict: "Dict",
    set: "Set",
    frozenset: "FrozenSet",
    tuple: "Tuple",
  };
  const form = name === undefined || module_of(origin) !== "builtins" ? undefined : forms[name];
  return form === undefined ? undefined : getattr_or_undefined(import_module("typing"), form);
}
