/**
 * @file Exported programs from JSON.
 * @mirrors torch/_export/serde/serialize.py#GraphModuleDeserializer
 * @differs Sizes that depend on data are refused; PyTorch reads them.
 */
import { NotImplementedError } from "#c10/util/Exception";
import { PyComplex } from "#python/Objects/complexobject";
import { dict_of, PyDict } from "#python/Objects/dictobject";
import { getattr } from "#python/Objects/object";
import { tuple } from "#python/Objects/tupleobject";
import { import_module } from "#python/vm/import";
import { getitem } from "#torch/_export/utils";
import { FakeTensorMode } from "#torch/_subclasses/fake_tensor/index";
import { attach_symbols } from "#torch/_subclasses/fake_tensor/symbolic_sizes";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { ModuleCallEntry, ModuleCallSignature } from "#torch/export/exported_program";
import {
  type ArgumentSpec,
  ConstantArgument,
  ExportGraphSignature,
  InputKind,
  InputSpec,
  OutputKind,
  OutputSpec,
  SymBoolArgument,
  SymFloatArgument,
  SymIntArgument,
  TensorArgument,
} from "#torch/export/graph_signature";
import { SymBool, SymFloat, SymNode } from "#torch/fx/experimental/sym_node";
import { Graph } from "#torch/fx/graph/index";
import { GraphModule } from "#torch/fx/graph_module";
import { Node } from "#torch/fx/node";
import { operator } from "#torch/fx/proxy/index";
import { Module } from "#torch/nn/modules/module/index";
import { treespec_loads } from "#torch/utils/_pytree/treespec_json";
import type { Expr } from "#torch/utils/_sympy/expr";
import { ArgumentKind, Layout, MemoryFormat, ScalarType, value_of } from "../schema.ts";
import { type Json, SerializeError, type SymbolTable } from "./symbols.ts";

const text = (json: Json, name: string): string => json.get(name) as string;
const list = <T = Json>(json: Json, name: string): T[] => json.get(name) as T[];
const object = (json: Json, name: string): Json => json.get(name) as Json;

/** The one field of a union, and its value. */
export const union = (json: Json): [kind: string, value: never] => {
  const found = [...json].find(([, value]) => value !== null);
  if (found === undefined) throw new SerializeError("Empty union in the serialized program");
  return found as [string, never];
};

export interface TensorMeta {
  readonly size: Expr[];
  readonly stride: Expr[];
  readonly storage_offset: Expr;
  readonly dtype: unknown;
  readonly device: unknown;
  readonly requires_grad: boolean;
}

function device_of(json: Json): unknown {
  const index = json.get("index") as number | null | undefined;
  return torch.device(index == null ? text(json, "type") : `${text(json, "type")}:${index}`);
}

/** The description of a tensor: its dtype, device, sizes and strides. */
export function deserialize_tensor_meta(json: Json, symbols: SymbolTable): TensorMeta {
  return {
    size: list(json, "sizes").map((size) => symbols.expr(size)),
    stride: list(json, "strides").map((stride) => symbols.expr(stride)),
    storage_offset: symbols.expr(object(json, "storage_offset")),
    dtype: value_of(ScalarType, json.get("dtype")),
    device: device_of(object(json, "device")),
    requires_grad: json.get("requires_grad") === true,
  };
}

/** The operator of this name. */
function deserialize_operator(name: string): unknown {
  const [module, function_name] = name.split(".") as [string, string];
  if (module === "_operator") return operator(function_name);
  if (module === "math") return getattr(import_module("math"), function_name);
  const path = name.split(".").slice(1); // without `torch`
  try {
    return path.reduce<unknown>((at, part) => getattr(at, part), torch);
  } catch {
    throw new SerializeError(
      `We failed to resolve ${name} to an operator. If it's a custom op/custom triton op, this is usually because the custom op is not registered when deserializing. Please import the custom op to register it before deserializing. Otherwise, please file an issue on github.`,
    );
  }
}

/** Makes one graph, and the graphs that it calls. */
class GraphDeserializer {
  private readonly graph = new Graph();
  private readonly module = new (Module as unknown as new () => Module)();
  private readonly nodes = new Map<string, unknown>();
  /** The values of nodes, by name. */
  private readonly vals = new Map<string, unknown>();
  private readonly json: Json;
  private readonly mode: FakeTensorMode;
  private readonly symbols: SymbolTable;

  constructor(json: Json, mode: FakeTensorMode, symbols: SymbolTable) {
    this.json = json;
    this.mode = mode;
    this.symbols = symbols;
    const { env } = symbols;
    const values = (kind: string): [string, Json][] => [...((json.get(kind) ?? []) as Iterable<[string, Json]>)];
    for (const [name, value] of values("sym_int_values"))
      this.vals.set(name, env.create_symintnode(symbols.expr(value)));
    for (const [name, value] of values("sym_float_values"))
      this.vals.set(name, new SymFloat(new SymNode(symbols.read(value), env)));
    for (const [name, value] of values("sym_bool_values"))
      this.vals.set(name, new SymBool(new SymNode(symbols.read(value), env)));
    const metas = values("tensor_values").map(
      ([name, meta]) => [name, deserialize_tensor_meta(meta, symbols)] as const,
    );
    for (const [name, meta] of metas) this.vals.set(name, this.fake(meta));
  }

  private fake({ size, stride, storage_offset, dtype, device, requires_grad }: TensorMeta): Tensor {
    const [sizes, strides] = [size, stride].map((exprs) => exprs.map((expr) => this.symbols.example(expr)));
    const options = { dtype, device, requires_grad } as never;
    const made = this.mode.with(() => torch.empty_strided(sizes as number[], strides as number[], options));
    attach_symbols(made, this.symbols.env, { sizes: size, strides: stride, storage_offset });
    return made;
  }

  /** @param names of the inputs that are no tensors, by their places */
  run(names: ReadonlyMap<number, string>): GraphModule {
    for (const [i, input] of list(this.json, "inputs").entries()) this.placeholder(input, names.get(i) ?? `arg_${i}`);
    for (const node of list(this.json, "nodes")) this.call(node);
    const outputs = list(this.json, "outputs").map((output) => this.argument(output));
    const single = this.json.get("is_single_tensor_return") === true;
    const output = this.graph.output(single ? outputs[0] : tuple(outputs), null);
    const val = (value: unknown): unknown => (value instanceof Node ? value.meta.get("val") : value);
    output.meta.set("val", single ? val(outputs[0]) : tuple(outputs.map(val)));
    return new GraphModule(this.module, this.graph);
  }

  private placeholder(input: Json, given: string): void {
    const [kind, value] = union(input);
    const is_symbol = kind.startsWith("as_sym_");
    const name = kind === "as_tensor" ? text(value, "name") : is_symbol ? text(value, "as_name") : given;
    const node = this.graph.placeholder(name);
    node._rename(name);
    node.meta.set("val", kind === "as_tensor" || is_symbol ? this.vals.get(name) : this.argument(input));
    this.nodes.set(name, node);
  }

  private call(json: Json): void {
    const args: unknown[] = [];
    const kwargs = new PyDict();
    for (const input of list(json, "inputs")) {
      const value = this.argument(object(input, "arg"));
      if (Number(input.get("kind")) === ArgumentKind.KEYWORD) kwargs.set(input.get("name"), value);
      else args.push(value);
    }
    const outputs = list(json, "outputs");
    const target = deserialize_operator(text(json, "target"));
    const name = (json.get("name") as string | null) ?? this.name_of(outputs);
    const node = this.graph.create_node("call_function", target, tuple(args), kwargs, name, null);
    if (name !== null) node._rename(name);
    const meta = deserialize_metadata(object(json, "metadata"));
    for (const [key, value] of meta) node.meta.set(key, value);
    this.results(node, json, outputs, meta);
  }

  private name_of(outputs: readonly Json[]): string | null {
    if (outputs.length !== 1) return null;
    const [kind, value] = union(outputs[0]);
    return kind === "as_tensor" ? text(value, "name") : kind.startsWith("as_sym_") ? text(value, "as_name") : null;
  }

  /** The values of a call, and nodes for the elements that the graph reads. */
  private results(node: Node, json: Json, outputs: readonly Json[], meta: PyDict): void {
    if (outputs.length === 0) {
      node.meta.set("val", null);
      return;
    }
    const is_hop = text(json, "target").startsWith("torch.ops.higher_order.");
    const [kind, value] = union(outputs[0]);
    const single = is_hop ? json.get("is_hop_single_tensor_return") === true : outputs.length === 1;
    if (single && (kind === "as_tensor" || kind.startsWith("as_sym_"))) {
      const name = text(value, kind === "as_tensor" ? "name" : "as_name");
      this.nodes.set(name, node);
      node.meta.set("val", this.vals.get(name) ?? null);
      return;
    }
    const elements = kind === "as_tensors" ? (value as Json[]) : outputs.map((each) => union(each)[1] as Json);
    const names = elements.map((each) =>
      each instanceof Map ? ((each.get("name") as string | undefined) ?? null) : null,
    );
    const vals = names.map((name) => (name === null ? null : (this.vals.get(name) ?? null)));
    node.meta.set("val", kind === "as_tensors" ? [...vals] : tuple(vals));
    for (const [i, name] of names.entries()) {
      if (name === null || name === `${node.name}_unused_${i}`) continue;
      const item = this.graph.create_node("call_function", getitem(), tuple([node, i]), new PyDict(), name, null);
      item._rename(name);
      for (const [key, each] of meta) item.meta.set(key, each);
      item.meta.set("val", vals[i]);
      this.nodes.set(name, item);
    }
  }

  /** A value from its kind. */
  private argument(json: Json): unknown {
    const [kind, value] = union(json) as [string, unknown];
    const node = (each: unknown): unknown => this.nodes.get(text(each as Json, "name"));
    switch (kind) {
      case "as_none":
        return null;
      case "as_tensor":
        return node(value);
      case "as_sym_int":
      case "as_sym_float":
      case "as_sym_bool":
        return this.number_or_symbol(value as Json);
      case "as_sym_ints":
      case "as_sym_floats":
      case "as_sym_bools":
        return (value as Json[]).map((each) => this.number_or_symbol(each));
      case "as_tensors":
        return (value as Json[]).map(node);
      case "as_optional_tensors":
        return (value as Json[]).map((each) => this.argument(each));
      case "as_nested_tensors":
        return (value as Json[][]).map((each) => each.map(node));
      case "as_scalar_type":
        return value_of(ScalarType, value);
      case "as_memory_format":
        return value_of(MemoryFormat, value);
      case "as_layout":
        return value_of(Layout, value);
      case "as_device":
        return device_of(value as Json);
      case "as_complex":
        return new PyComplex(Number((value as Json).get("real")), Number((value as Json).get("imag")));
      case "as_graph":
        return this.subgraph(value as Json);
      case "as_operator":
        return deserialize_operator(value as string);
      case "as_string_to_argument":
        return dict_of([...(value as ReadonlyMap<string, Json>)].map(([key, each]) => [key, this.argument(each)]));
      case "as_int_lists":
        return (value as unknown[][]).map((each) => [...each]);
      case "as_int":
      case "as_float":
      case "as_bool":
      case "as_string":
        return value;
      case "as_ints":
      case "as_floats":
      case "as_bools":
      case "as_strings":
        return [...(value as unknown[])];
      default:
        throw new NotImplementedError(`torch.export.load is not implemented for arguments of the kind ${kind}`);
    }
  }

  /** `{"as_name": ...}` is a node, `{"as_int": ...}` a number. */
  private number_or_symbol(json: Json): unknown {
    const name = json.get("as_name");
    return name == null ? union(json)[1] : this.nodes.get(name as string);
  }

  private subgraph(json: Json): Node {
    const name = text(json, "name");
    this.module.register_module(
      name,
      new GraphDeserializer(object(json, "graph"), this.mode, this.symbols).run(new Map()),
    );
    const node = this.graph.create_node("get_attr", name, tuple([]), new PyDict(), name, null);
    node._rename(name);
    return node;
  }
}

function deserialize_metadata(json: Json): PyDict {
  const meta = new PyDict();
  const stack_trace = json.get("stack_trace");
  if (stack_trace !== undefined) meta.set("stack_trace", stack_trace);
  const stack = json.get("nn_module_stack") as string | undefined;
  if (stack !== undefined) {
    const modules = new PyDict();
    for (const entry of stack.split(/;(?![^(]*\))/)) {
      const [key, path, ...type] = entry.split(",");
      modules.set(key, tuple([path, type.join(",")]));
    }
    meta.set("nn_module_stack", modules);
  }
  const torch_fn = json.get("torch_fn") as string | undefined;
  if (torch_fn !== undefined) meta.set("torch_fn", tuple(torch_fn.split(";")));
  return meta;
}

const tensor_argument = (json: Json): TensorArgument => new TensorArgument(text(object(json, "arg"), "name"));

function argument_spec(json: Json): ArgumentSpec {
  const [kind, value] = union(json);
  if (kind === "as_tensor") return new TensorArgument(text(value, "name"));
  if (kind === "as_sym_int") return new SymIntArgument(text(value, "as_name"));
  if (kind === "as_sym_float") return new SymFloatArgument(text(value, "as_name"));
  if (kind === "as_sym_bool") return new SymBoolArgument(text(value, "as_name"));
  return new ConstantArgument("", kind === "as_none" ? null : value);
}

function input_spec(json: Json): InputSpec {
  const [kind, spec] = union(json) as [string, Json];
  switch (kind) {
    case "user_input":
      return new InputSpec(InputKind.USER_INPUT, argument_spec(object(spec, "arg")), null);
    case "parameter":
      return new InputSpec(InputKind.PARAMETER, tensor_argument(spec), text(spec, "parameter_name"));
    case "buffer":
      return new InputSpec(
        InputKind.BUFFER,
        tensor_argument(spec),
        text(spec, "buffer_name"),
        spec.get("persistent") === true,
      );
    case "tensor_constant":
      return new InputSpec(InputKind.CONSTANT_TENSOR, tensor_argument(spec), text(spec, "tensor_constant_name"));
    case "constant_input": {
      const [type, value] = union(object(spec, "value"));
      const arg = new ConstantArgument(text(spec, "name"), type === "as_none" ? null : value);
      return new InputSpec(InputKind.USER_INPUT, arg, null);
    }
    default:
      throw new SerializeError(`Unknown input spec: ${kind}`);
  }
}

const MUTATIONS = new Map([
  ["buffer_mutation", [OutputKind.BUFFER_MUTATION, "buffer_name"]],
  ["parameter_mutation", [OutputKind.PARAMETER_MUTATION, "parameter_name"]],
  ["gradient_to_parameter", [OutputKind.GRADIENT_TO_PARAMETER, "parameter_name"]],
  ["gradient_to_user_input", [OutputKind.GRADIENT_TO_USER_INPUT, "user_input_name"]],
  ["user_input_mutation", [OutputKind.USER_INPUT_MUTATION, "user_input_name"]],
] as const);

function output_spec(json: Json): OutputSpec {
  const [kind, spec] = union(json) as [string, Json];
  if (kind === "user_output") return new OutputSpec(OutputKind.USER_OUTPUT, argument_spec(object(spec, "arg")), null);
  if (kind === "loss_output") return new OutputSpec(OutputKind.LOSS_OUTPUT, tensor_argument(spec), null);
  const found = MUTATIONS.get(kind as never);
  if (found === undefined) throw new SerializeError(`Unknown output spec: ${kind}`);
  return new OutputSpec(found[0], tensor_argument(spec), text(spec, found[1]));
}

function module_call(json: Json): ModuleCallEntry {
  const signature = json.get("signature") as Json | null;
  if (signature === null) return new ModuleCallEntry(text(json, "fqn"), null);
  const made = new ModuleCallSignature(
    treespec_loads(text(signature, "in_spec")),
    treespec_loads(text(signature, "out_spec")),
    (signature.get("forward_arg_names") as string[] | null) ?? null,
  );
  made.inputs = list(signature, "inputs").map(argument_spec);
  made.outputs = list(signature, "outputs").map(argument_spec);
  return new ModuleCallEntry(text(json, "fqn"), made);
}

/** The parts of a program that its graph module's record holds. */
export function deserialize_graph_module(
  json: Json,
  symbols: SymbolTable,
): {
  readonly graph_module: GraphModule;
  readonly graph_signature: ExportGraphSignature;
  readonly module_call_graph: ModuleCallEntry[];
} {
  const signature = object(json, "signature");
  const input_specs = list(signature, "input_specs").map(input_spec);
  const names = new Map(input_specs.map(({ arg }, i) => [i, arg.name]));
  const { env: shape_env } = symbols;
  const mode = new FakeTensorMode({ shape_env, allow_non_fake_inputs: true, export: true } as never);
  const graph_module = new GraphDeserializer(object(json, "graph"), mode, symbols).run(names);
  return {
    graph_module,
    graph_signature: new ExportGraphSignature(input_specs, list(signature, "output_specs").map(output_spec)),
    module_call_graph: list(json, "module_call_graph").map(module_call),
  };
}
