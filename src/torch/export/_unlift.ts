/**
 * @file A module of an exported program: it reads its parameters itself, writes changed buffers back, and checks its arguments.
 * @mirrors torch/export/_unlift.py
 */

import { NotImplementedError, RuntimeError } from "#c10/util/Exception";
import { PyDict } from "#python/Objects/dictobject";
import { FloatValue } from "#python/Objects/floatobject";
import { repr, setattr } from "#python/Objects/object";
import { type PyTuple, tuple } from "#python/Objects/tupleobject";
import { inputs_with_paths } from "#torch/_export/inputs";
import { insert_copy, inserting_after, replace_uses } from "#torch/_export/utils";
import { maybe_get_fake_mode } from "#torch/_subclasses/fake_tensor/index";
import { sizes_of } from "#torch/_subclasses/fake_tensor/symbolic_sizes";
import { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { call_function } from "#torch/fx/callables";
import type { ShapeEnv } from "#torch/fx/experimental/symbolic_shapes/index";
import { ShapeGuardPythonPrinter } from "#torch/fx/experimental/symbolic_shapes/produce_guards";
import { placeholders_of } from "#torch/fx/graph/index";
import { _PyTreeCodeGen } from "#torch/fx/graph/pytree_codegen";
import { _assign_attr, _method_from_src, GraphModule, owner_of } from "#torch/fx/graph_module";
import type { Node } from "#torch/fx/node";
import { Module } from "#torch/nn/modules/module/index";
import { flatten, keystr, type TreeSpec } from "#torch/utils/_pytree/index";
import { dict_class, tuple_class } from "#torch/utils/_pytree/registry";
import type { Expr } from "#torch/utils/_sympy/expr";
import { ValueRanges } from "#torch/utils/_sympy/value_ranges";
import { conversions, type ExportedProgram } from "./exported_program.ts";
import { InputKind, OutputKind } from "./graph_signature.ts";

const MUTATIONS = [OutputKind.BUFFER_MUTATION, OutputKind.USER_INPUT_MUTATION, OutputKind.PARAMETER_MUTATION];

/** Each lifted placeholder becomes a read of the module; returns the nodes by their names. */
function unlift_inputs(gm: GraphModule, targets: readonly (string | null)[]): Map<string, Node> {
  const nodes = new Map<string, Node>();
  const placeholders = placeholders_of(gm.graph);
  for (const [i, placeholder] of placeholders.entries()) {
    const target = targets[i];
    if (target === null) {
      nodes.set(placeholder.name, placeholder);
      continue;
    }
    const read = inserting_after(placeholder, () => gm.graph.create_node("get_attr", target, null, null, null, null));
    replace_uses(placeholder, read);
    read.meta = placeholder.meta;
    gm.graph.erase_node(placeholder);
    nodes.set(target, read);
  }
  return nodes;
}

/** New values of buffers and arguments are copied to their places; the rest of the outputs stays. */
function insert_copies(gm: GraphModule, targets: readonly (string | null)[], nodes: ReadonlyMap<string, Node>): void {
  const output = gm.graph.output_node();
  const [outputs] = flatten(output.args);
  const copies = new Map<unknown, Node>();
  const results: unknown[] = [];
  for (const [i, value] of outputs.entries()) {
    const target = targets[i];
    if (target === null) {
      results.push(value);
      continue;
    }
    const place = nodes.get(target);
    if (place === undefined) throw new RuntimeError(`Could not find ${target} in either buffer or input nodes`);
    copies.set(value, insert_copy(gm.graph, place, value));
  }
  output.args = tuple([tuple(results.map((value) => copies.get(value) ?? value))]) as never;
}

/** Names of the arguments, if the program does not know those of `forward`. */
function argument_names(in_spec: TreeSpec): string[] {
  const [args, kwargs] = in_spec.children();
  const both = in_spec.type === tuple_class && in_spec.num_children === 2;
  if (both && args.type === tuple_class && kwargs.type === dict_class)
    return [...args.children().map((_, i) => `arg_${i}`), ...(kwargs.context as string[])];
  return in_spec.children().map((_, i) => `arg_${i}`);
}

/** The module that checks the arguments; its code is a list of assertions. */
export class GuardsFn extends Module {
  static readonly __module__ = "torch.export._unlift";
  readonly _is_impure = true;
  private readonly check: unknown;

  constructor(guards: readonly string[], paths: readonly PyTuple[]) {
    super();
    const places = paths.map((path) => [`L${keystr(path as never)}`, path] as const);
    const lines = guards.map((guard) => {
      let [actual, shown] = [guard, guard];
      for (const [i, [place, path]] of places.entries()) {
        const [first, ...rest] = path as unknown as { readonly key: string }[];
        actual = actual.replaceAll(place, `args[${i}]`);
        shown = shown.replaceAll(place, `${first.key}${keystr(rest as never)}`);
      }
      return `    torch._assert(${actual}, ${repr(`Guard failed: ${shown}`)})\n`;
    });
    const globals = new PyDict();
    globals.set("torch", torch);
    this.check = _method_from_src("_", `def _(*args):\n${lines.join("")}    return\n`, globals);
  }

  override forward(...args: unknown[]): unknown {
    return call_function(this.check, args);
  }
}

/** Conditions on the arguments that tracing fixed: constants and sizes. */
class InputGuards {
  private readonly places = new Map<string, string>();
  private readonly printer = new ShapeGuardPythonPrinter((symbol) => this.places.get(symbol) ?? symbol);

  /** The conditions on one argument. */
  of({ meta }: Node, place: string): string[] {
    const val: unknown = meta.get("val");
    if (val instanceof Tensor)
      return sizes_of(val).flatMap((size, dim) => this.of_size(val, size, `${place}.size()[${dim}]`));
    if (typeof val === "string") return [`${place} == '${val}'`];
    const is_number = typeof val === "number" || typeof val === "bigint" || val instanceof FloatValue;
    return is_number || typeof val === "boolean" ? [`${place} == ${repr(val)}`] : [];
  }

  private of_size(tensor: Tensor, size: Expr, place: string): string[] {
    if (size.constant !== null) return [`${place} == ${size.constant}`];
    const { symbol } = size;
    if (symbol !== null && !this.places.has(symbol)) {
      this.places.set(symbol, place);
      const { lower, upper } = environment_of(tensor)?.bound_sympy(size) ?? ValueRanges.UNKNOWN;
      const least = lower > 2 ? [`${place} >= ${lower}`] : [];
      return upper < Number.POSITIVE_INFINITY ? [...least, `${place} <= ${upper}`] : least;
    }
    const unknown = [...size.free_symbols()].filter((name) => !this.places.has(name));
    return unknown.length === 0 ? [`${place} == ${this.printer.expr(size)}`] : this.of_multiple(size, place);
  }

  /** `2*s26`, where no argument has the size `s26`: the size is even. */
  private of_multiple(size: Expr, place: string): string[] {
    const [first, second] = size.terms;
    const by = first?.coefficient ?? 1;
    const rest = second === undefined ? 0 : second.factors.length === 0 ? second.coefficient : null;
    if (rest === null || by === 1) return [];
    return rest === 0 ? [`${place} % ${by} == 0`] : [`(${place} - ${rest}) % ${by} == 0`];
  }

  /** The decisions of the program that do not follow from the ranges of sizes. */
  of_program(env: ShapeEnv): string[] {
    return env.guards
      .map(({ expr }) => expr.map((side) => env.replace(side)))
      .filter((guard) => [...guard.free_symbols()].every((name) => this.places.has(name)))
      .filter((guard) => !env.is_implied_by_ranges(guard) && guard.free_symbols().size > 0)
      .map((guard) => this.printer.relation(guard));
  }
}

const environment_of = (val: unknown): ShapeEnv | null => maybe_get_fake_mode(val)?.shape_env ?? null;

function input_guards(placeholders: readonly Node[], paths: readonly PyTuple[]): string[] {
  const guards = new InputGuards();
  const lines = placeholders.flatMap((node, i) => guards.of(node, `L${keystr(paths[i] as never)}`));
  const [env] = placeholders.map(({ meta }) => environment_of(meta.get("val"))).filter((it) => it !== null);
  return env === undefined ? lines : [...new Set([...lines, ...guards.of_program(env)])];
}

/** Puts what the graph reads into the module, as what it was. */
function assign(module: GraphModule, ep: ExportedProgram): void {
  const { graph_signature: signature } = ep;
  for (const name of signature.parameters) _assign_attr(ep.tensor(name), module, name);
  const not_saved = new Set<string>(signature.non_persistent_buffers);
  for (const name of signature.buffers) {
    _assign_attr(ep.tensor(name), module, name);
    const [owner, field] = owner_of(module, name);
    if (not_saved.has(name)) owner._non_persistent_buffers_set.add(field);
  }
  for (const name of signature.lifted_tensor_constants) setattr(...owner_of(module, name), ep.tensor(name));
}

conversions.unlift = (ep, check_guards) => {
  const { graph_signature: signature } = ep;
  const module = new GraphModule(ep.graph_module, ep.graph.__deepcopy__());
  assign(module, ep);
  const lifted = signature.input_specs.map(({ kind, target }) => (kind === InputKind.USER_INPUT ? null : target));
  const mutated = signature.output_specs.map(({ kind, target }) => (MUTATIONS.includes(kind) ? target : null));
  insert_copies(module, mutated, unlift_inputs(module, lifted));
  const { in_spec, out_spec } = ep.call_spec;
  const names = ep.module_call_graph[0].signature?.forward_arg_names ?? argument_names(in_spec);
  module.graph._codegen = new _PyTreeCodeGen([...names], in_spec, out_spec);
  module.graph.lint();
  const placeholders = placeholders_of(module.graph);
  const { example_inputs } = ep;
  if (check_guards && placeholders.length > 0 && example_inputs !== null) {
    const paths = inputs_with_paths([...names], example_inputs);
    const guards = input_guards(placeholders, paths);
    module.add_module("_guards_fn", new GuardsFn(guards, paths));
    inserting_after(placeholders.at(-1) as Node, () =>
      module.graph.call_module("_guards_fn", tuple(placeholders), new PyDict(), null),
    );
  }
  module.recompile();
  const refuse = (name: string) => (): never => {
    throw new NotImplementedError(`Calling ${name}() is not supported yet.`);
  };
  Object.assign(module, { train: refuse("train"), eval: refuse("eval") });
  return module;
};
