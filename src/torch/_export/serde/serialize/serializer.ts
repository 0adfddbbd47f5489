/**
 * @file Exported programs as JSON: a graph is a list of nodes whose arguments say of which kind they are.
 * @mirrors torch/_export/serde/serialize.py#GraphModuleSerializer
 *
 *     add = torch.ops.aten.add.Tensor(x, 2)   ->   {"target": "torch.ops.aten.add.Tensor", "inputs": [{"name": "self", "arg": {"as_tensor":
 *                                                   {"name": "x"}}, "kind": 1}, ...], "outputs": [{"as_tensor": {"name": "add"}}], ...}
 */
import { PyComplex } from "#python/Objects/complexobject";
import { dict_of, PyDict } from "#python/Objects/dictobject";
import { FloatValue } from "#python/Objects/floatobject";
import { getattr, repr, str } from "#python/Objects/object";
import { type_of } from "#python/Objects/typeobject";
import { is_getitem } from "#torch/_functorch/compile_utils";
import { HigherOrderOperator } from "#torch/_higher_order_ops/higher_order_operator";
import { OpOverload } from "#torch/_ops";
import { is_symbol, sym_sizes, sym_storage_offset, sym_strides } from "#torch/_subclasses/fake_tensor/symbolic_sizes";
import { Tensor } from "#torch/_tensor/index";
import type { ExportedProgram, ModuleCallEntry } from "#torch/export/exported_program";
import {
  type ArgumentSpec,
  ConstantArgument,
  InputKind,
  type InputSpec,
  OutputKind,
  type OutputSpec,
  SymBoolArgument,
  SymFloatArgument,
  SymIntArgument,
} from "#torch/export/graph_signature";
import { type SymBool, SymFloat, SymInt } from "#torch/fx/experimental/sym_node";
import type { Graph } from "#torch/fx/graph/index";
import { GraphModule } from "#torch/fx/graph_module";
import { Node } from "#torch/fx/node";
import { module_of, name_of } from "#torch/fx/qualified_names";
import { treespec_dumps } from "#torch/utils/_pytree/treespec_json";
import { ArgumentKind, Layout, MemoryFormat, number_of, ScalarType, TREESPEC_VERSION } from "../schema.ts";
import { record, SerializeError, serialize_sym_bool, serialize_sym_float, serialize_sym_int } from "./symbols.ts";

const ST_DELIMITER = ";";

const is_int = (value: unknown): boolean =>
  typeof value === "bigint" || (typeof value === "number" && Number.isInteger(value));
const is_float = (value: unknown): boolean =>
  value instanceof FloatValue || (typeof value === "number" && !Number.isInteger(value));
const is_sequence = (value: unknown): value is readonly unknown[] => Array.isArray(value);

/** A device as its fields. */
const device_record = ({ type, index }: Tensor["device"]): PyDict => record({ type, index: index ?? null });

/** Everything about a tensor but its data. */
export function serialize_tensor_meta(t: Tensor): PyDict {
  return record({
    dtype: number_of(ScalarType, t.dtype),
    sizes: sym_sizes(t).map(serialize_sym_int),
    requires_grad: t.requires_grad,
    device: device_record(t.device),
    strides: sym_strides(t).map(serialize_sym_int),
    storage_offset: serialize_sym_int(sym_storage_offset(t)),
    layout: number_of(Layout, t.layout),
  });
}

/** The name of a function in the text. */
function serialize_operator(target: unknown): string {
  if (target instanceof OpOverload) return `torch.ops.${str(target)}`;
  if (target instanceof HigherOrderOperator) return `torch.ops.higher_order.${target._name}`;
  const [module, name] = [module_of(target), name_of(target)];
  if (module !== undefined && name !== undefined) return `${module}.${name}`;
  throw new SerializeError(`Unsupported target type for node: ${type_of(target).toString()}`);
}

/** The kind of an empty list, which only the schema tells. */
function empty_list(type: string): string {
  if (/bool/.test(type)) return "as_bools";
  if (/float/.test(type)) return "as_floats";
  if (/str/.test(type)) return "as_strings";
  return /int|Sym/.test(type) ? "as_ints" : "as_tensors";
}

/** Turns one graph, with those that it calls, into its record. */
class GraphSerializer {
  private readonly tensor_values = new PyDict();
  private readonly sym_int_values = new PyDict();
  private readonly sym_float_values = new PyDict();
  private readonly sym_bool_values = new PyDict();
  private readonly graph: Graph;

  constructor(graph: Graph) {
    this.graph = graph;
  }

  serialize(): PyDict {
    const inputs: PyDict[] = [];
    const nodes: PyDict[] = [];
    let outputs: PyDict[] = [];
    let is_single_tensor_return = false;
    for (const node of this.graph.nodes) {
      if (node.op === "placeholder") inputs.push(this.placeholder(node));
      else if (node.op === "call_function" && !is_getitem(node)) nodes.push(this.call(node));
      else if (node.op === "output") {
        const [values] = node.args as readonly unknown[];
        is_single_tensor_return = values instanceof Node;
        outputs = (is_sequence(values) ? values : [values]).map((value) => this.argument(value));
      }
    }
    return record({
      inputs,
      outputs,
      nodes,
      tensor_values: this.tensor_values,
      sym_int_values: this.sym_int_values,
      sym_bool_values: this.sym_bool_values,
      is_single_tensor_return,
      custom_obj_values: new PyDict(),
      sym_float_values: this.sym_float_values,
    });
  }

  private placeholder(node: Node): PyDict {
    const val: unknown = node.meta.get("val");
    return this.element(node.name, val);
  }

  /** A symbol by the name of its node. */
  private symbol(name: string, val: SymInt | SymFloat | SymBool): PyDict {
    const as_name = record({ as_name: name });
    if (val instanceof SymInt) {
      this.sym_int_values.set(name, serialize_sym_int(val));
      return record({ as_sym_int: as_name });
    }
    if (val instanceof SymFloat) {
      this.sym_float_values.set(name, serialize_sym_float(val));
      return record({ as_sym_float: as_name });
    }
    this.sym_bool_values.set(name, serialize_sym_bool(val));
    return record({ as_sym_bool: as_name });
  }

  private tensor_argument(name: string, val: unknown): PyDict {
    if (val instanceof Tensor) this.tensor_values.set(name, serialize_tensor_meta(val));
    return record({ name });
  }

  private tensor(name: string, val: unknown): PyDict {
    return record({ as_tensor: this.tensor_argument(name, val) });
  }

  private call(node: Node): PyDict {
    const is_hop = node.target instanceof HigherOrderOperator;
    const val: unknown = node.meta.get("val");
    return record({
      target: serialize_operator(node.target),
      inputs: this.inputs_of(node),
      outputs: is_hop ? this.hoo_outputs(node, val) : this.outputs(node, node.target as unknown as OpOverload, val),
      metadata: serialize_metadata(node),
      is_hop_single_tensor_return: is_hop ? val instanceof Tensor : null,
      name: node.name,
    });
  }

  private inputs_of(node: Node): PyDict[] {
    const target: unknown = node.target;
    if (target instanceof HigherOrderOperator) return this.hoo_inputs(node);
    if (target instanceof OpOverload) return this.inputs(node, target);
    return (node.args as readonly unknown[]).map((arg, i) =>
      record({ name: "ab"[i], arg: this.argument(arg), kind: ArgumentKind.POSITIONAL }),
    );
  }

  private inputs(node: Node, target: OpOverload): PyDict[] {
    const { args, kwargs } = node as unknown as { args: readonly unknown[]; kwargs: ReadonlyMap<string, unknown> };
    return target._schema.arguments.flatMap(({ name, type, kwarg_only }, i) => {
      const keyword = kwargs.has(name);
      if (!keyword && (kwarg_only || i >= args.length)) return [];
      const kind = keyword ? ArgumentKind.KEYWORD : ArgumentKind.POSITIONAL;
      return [record({ name, arg: this.argument(keyword ? kwargs.get(name) : args[i], str(type)), kind })];
    });
  }

  private hoo_inputs(node: Node): PyDict[] {
    const { args, kwargs } = node as unknown as { args: readonly unknown[]; kwargs: ReadonlyMap<string, unknown> };
    const entry = (name: string, value: unknown, kind: number): PyDict =>
      record({ name, arg: this.argument(value), kind });
    return [
      ...args.map((arg) => entry("", arg, ArgumentKind.POSITIONAL)),
      ...[...kwargs].map(([name, value]) => entry(name, value, ArgumentKind.KEYWORD)),
    ];
  }

  /** The names of the elements of a result, where the graph reads them. */
  private names_of_elements(node: Node, count: number): string[] {
    const names = Array.from({ length: count }, (_, i) => `${node.name}_unused_${i}`);
    for (const user of node.users.keys() as Iterable<Node>)
      if (is_getitem(user)) names[user.args[1] as number] = user.name;
    return names;
  }

  private outputs(node: Node, target: OpOverload, val: unknown): PyDict[] {
    if (!(target instanceof OpOverload)) return [this.element(node.name, val)];
    const { returns } = target._schema;
    if (returns.length === 0) return [];
    if (returns.length === 1 && !is_sequence(val)) return [this.element(node.name, val)];
    const values = val as readonly unknown[];
    const names = this.names_of_elements(node, values.length);
    if (returns.length > 1) return values.map((each, i) => this.element(names[i], each));
    return [record({ as_tensors: values.map((each, i) => this.tensor_argument(names[i], each)) })];
  }

  private hoo_outputs(node: Node, val: unknown): PyDict[] {
    if (!is_sequence(val)) return [this.element(node.name, val)];
    const names = this.names_of_elements(node, val.length);
    return val.map((each, i) => this.element(names[i], each));
  }

  private element(name: string, val: unknown): PyDict {
    if (is_symbol(val)) return this.symbol(name, val);
    return val instanceof Tensor ? this.tensor(name, val) : this.argument(val);
  }

  private argument_of_node(node: Node): PyDict {
    const val: unknown = node.meta.get("val");
    if (is_symbol(val)) return record({ [kind_of(val)]: record({ as_name: node.name }) });
    if (node.op !== "get_attr") return record({ as_tensor: record({ name: node.name }) });
    const value = getattr(node.graph.owning_module, node.target as string);
    if (value instanceof GraphModule)
      return record({ as_graph: record({ name: node.target, graph: new GraphSerializer(value.graph).serialize() }) });
    throw new SerializeError(
      value instanceof Tensor
        ? "getattr nodes containing tensors should not appear in the graph"
        : `Unsupported getattr attribute ${node.target} with type: ${type_of(value).toString()}`,
    );
  }

  /** A value with its kind. @param type the schema's type of it */
  private argument(value: unknown, type = ""): PyDict {
    if (value instanceof Node) return this.argument_of_node(value);
    if (typeof value === "boolean") return record({ as_bool: value });
    if (typeof value === "string") return record({ as_string: value });
    if (is_int(value)) return record({ as_int: value });
    if (is_float(value)) return record({ as_float: value });
    if (value instanceof PyComplex)
      return record({ as_complex: record({ real: getattr(value, "real"), imag: getattr(value, "imag") }) });
    if (value === null || value === undefined) return record({ as_none: true });
    if (value instanceof Map)
      return record({ as_string_to_argument: dict_of([...value].map(([key, each]) => [key, this.argument(each)])) });
    const kind = type_of(value).name;
    if (kind === "dtype") return record({ as_scalar_type: number_of(ScalarType, value) });
    if (kind === "device") return record({ as_device: device_record(value as Tensor["device"]) });
    if (kind === "memory_format") return record({ as_memory_format: number_of(MemoryFormat, value) });
    if (kind === "layout") return record({ as_layout: number_of(Layout, value) });
    if (value instanceof OpOverload || value instanceof HigherOrderOperator)
      return record({ as_operator: serialize_operator(value) });
    if (is_sequence(value)) return this.list(value, type);
    throw new SerializeError(`Unsupported argument type: ${type_of(value).toString()} with schema arg_type ${type}`);
  }

  private list(values: readonly unknown[], type: string): PyDict {
    const all = (test: (value: unknown) => boolean): boolean => values.every(test);
    if (values.length === 0) return record({ [empty_list(type)]: [] });
    if (all((value) => typeof value === "boolean")) return record({ as_bools: [...values] });
    if (all(is_int)) return record({ as_ints: [...values] });
    if (all(is_float)) return record({ as_floats: [...values] });
    if (all((value) => typeof value === "string")) return record({ as_strings: [...values] });
    const tensor = (node: unknown): PyDict => record({ name: (node as Node).name });
    const is_sym_int = (value: unknown): boolean => value instanceof Node && value.meta.get("val") instanceof SymInt;
    if (all((value) => is_int(value) || is_sym_int(value)))
      return record({
        as_sym_ints: values.map((value) =>
          value instanceof Node ? record({ as_name: value.name }) : record({ as_int: value }),
        ),
      });
    if (all((value) => value instanceof Node)) return record({ as_tensors: values.map(tensor) });
    if (all((value) => value instanceof Node || value === null))
      return record({
        as_optional_tensors: values.map((node) =>
          record(node === null ? { as_none: true } : { as_tensor: tensor(node) }),
        ),
      });
    if (all((value) => is_sequence(value) && value.every((each) => each instanceof Node)))
      return record({ as_nested_tensors: (values as readonly Node[][]).map((nodes) => nodes.map(tensor)) });
    if (all((value) => is_sequence(value) && value.every(is_int)))
      return record({ as_int_lists: (values as readonly number[][]).map((each) => [...each]) });
    throw new SerializeError(
      `Unsupported list/tuple argument type: [${values.map((value) => type_of(value).toString()).join(", ")}]`,
    );
  }
}

/** Where a node comes from, as text. */
function serialize_metadata(node: Node): PyDict {
  const metadata = new PyDict();
  const stack_trace: unknown = node.meta.get("stack_trace");
  if (typeof stack_trace === "string" && stack_trace !== "") metadata.set("stack_trace", stack_trace);
  const stack = node.meta.get("nn_module_stack") as ReadonlyMap<string, readonly string[]> | undefined;
  if (stack !== undefined && stack.size > 0)
    metadata.set(
      "nn_module_stack",
      [...stack].map(([key, [path, type]]) => `${key},${path},${type}`).join(ST_DELIMITER),
    );
  const torch_fn = node.meta.get("torch_fn") as readonly string[] | undefined;
  if (torch_fn !== undefined) metadata.set("torch_fn", torch_fn.join(ST_DELIMITER));
  return metadata;
}

const name_record = (arg: ArgumentSpec): PyDict => record({ name: arg.name });

const kind_of = (val: unknown): string =>
  val instanceof SymInt ? "as_sym_int" : val instanceof SymFloat ? "as_sym_float" : "as_sym_bool";

/** A caller's value, or a result. */
function argument_spec(arg: ArgumentSpec): PyDict {
  const as_name = record({ as_name: arg.name });
  if (arg instanceof SymIntArgument) return record({ as_sym_int: as_name });
  if (arg instanceof SymFloatArgument) return record({ as_sym_float: as_name });
  if (arg instanceof SymBoolArgument) return record({ as_sym_bool: as_name });
  if (!(arg instanceof ConstantArgument)) return record({ as_tensor: name_record(arg) });
  return constant(arg.value);
}

function constant(value: unknown): PyDict {
  if (value === null) return record({ as_none: true });
  if (typeof value === "boolean") return record({ as_bool: value });
  if (typeof value === "string") return record({ as_string: value });
  if (is_int(value)) return record({ as_int: value });
  if (is_float(value)) return record({ as_float: value });
  throw new SerializeError(`Unsupported constant type: ${type_of(value).toString()}`);
}

function input_spec({ kind, arg, target, persistent }: InputSpec): PyDict {
  switch (kind) {
    case InputKind.USER_INPUT:
      return arg instanceof ConstantArgument
        ? record({ constant_input: record({ name: arg.name, value: constant(arg.value) }) })
        : record({ user_input: record({ arg: argument_spec(arg) }) });
    case InputKind.PARAMETER:
      return record({ parameter: record({ arg: name_record(arg), parameter_name: target }) });
    case InputKind.BUFFER:
      return record({ buffer: record({ arg: name_record(arg), buffer_name: target, persistent }) });
    case InputKind.CONSTANT_TENSOR:
      return record({ tensor_constant: record({ arg: name_record(arg), tensor_constant_name: target }) });
    default:
      throw new SerializeError(`Unknown argument kind: ${repr(kind)}`);
  }
}

/** The key of a kind of output, and the name of its target's field. */
const OUTPUTS = new Map([
  [OutputKind.BUFFER_MUTATION, ["buffer_mutation", "buffer_name"]],
  [OutputKind.PARAMETER_MUTATION, ["parameter_mutation", "parameter_name"]],
  [OutputKind.GRADIENT_TO_PARAMETER, ["gradient_to_parameter", "parameter_name"]],
  [OutputKind.GRADIENT_TO_USER_INPUT, ["gradient_to_user_input", "user_input_name"]],
  [OutputKind.USER_INPUT_MUTATION, ["user_input_mutation", "user_input_name"]],
]);

function output_spec({ kind, arg, target }: OutputSpec): PyDict {
  if (kind === OutputKind.USER_OUTPUT) return record({ user_output: record({ arg: argument_spec(arg) }) });
  if (kind === OutputKind.LOSS_OUTPUT) return record({ loss_output: record({ arg: name_record(arg) }) });
  const names = OUTPUTS.get(kind);
  if (names === undefined) throw new SerializeError(`Unknown argument kind: ${repr(kind)}`);
  return record({ [names[0]]: record({ arg: name_record(arg), [names[1]]: target }) });
}

function module_call({ fqn, signature }: ModuleCallEntry): PyDict {
  if (signature === null) return record({ fqn, signature: null });
  const { inputs, outputs, in_spec, out_spec, forward_arg_names } = signature;
  return record({
    fqn,
    signature: record({
      inputs: (inputs as ArgumentSpec[]).map(argument_spec),
      outputs: (outputs as ArgumentSpec[]).map(argument_spec),
      in_spec: treespec_dumps(in_spec, TREESPEC_VERSION),
      out_spec: treespec_dumps(out_spec, TREESPEC_VERSION),
      forward_arg_names: forward_arg_names === null ? null : [...forward_arg_names],
    }),
  });
}

/** The record of a program's graph, signature and modules. */
export function serialize_graph_module(ep: ExportedProgram): PyDict {
  return record({
    graph: new GraphSerializer(ep.graph).serialize(),
    signature: record({
      input_specs: ep.graph_signature.input_specs.map(input_spec),
      output_specs: ep.graph_signature.output_specs.map(output_spec),
    }),
    module_call_graph: ep.module_call_graph.map(module_call),
    metadata: new PyDict(),
    treespec_namedtuple_fields: new PyDict(),
  });
}
