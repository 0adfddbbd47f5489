/**
 * @file The kinds of inputs and outputs of an exported graph: parameters, buffers, values of the caller, new values of buffers.
 * @mirrors torch/export/graph_signature.py
 */
import { AssertionError } from "#c10/util/Exception";
import { FloatValue } from "#python/Objects/floatobject";
import { str } from "#python/Objects/object";
import { type PyTuple, tuple } from "#python/Objects/tupleobject";
import { type_of } from "#python/Objects/typeobject";
import { Tensor } from "#torch/_tensor/index";
import { SymBool, SymFloat, SymInt } from "#torch/fx/experimental/sym_node";
import type { GraphModule } from "#torch/fx/graph_module";
import { Node } from "#torch/fx/node";
import { flatten } from "#torch/utils/_pytree/index";
import { Member, Record_ } from "./records.ts";

/** A value of the graph, by its node's name. */
abstract class NamedArgument extends Record_ {
  static override readonly fields: readonly string[] = ["name"];
  name: string;
  constructor(name: string) {
    super();
    this.name = name;
  }
}
export class TensorArgument extends NamedArgument {}
export class SymIntArgument extends NamedArgument {}
export class SymFloatArgument extends NamedArgument {}
export class SymBoolArgument extends NamedArgument {}

/** A value that tracing fixed. */
export class ConstantArgument extends NamedArgument {
  static override readonly fields = ["name", "value"];
  readonly value: unknown;
  constructor(name: string, value: unknown) {
    super(name);
    this.value = value;
  }
}

export type ArgumentSpec = TensorArgument | SymIntArgument | SymFloatArgument | SymBoolArgument | ConstantArgument;

export class InputKind extends Member {
  static readonly USER_INPUT = new InputKind("USER_INPUT", 1);
  static readonly PARAMETER = new InputKind("PARAMETER", 2);
  static readonly BUFFER = new InputKind("BUFFER", 3);
  static readonly CONSTANT_TENSOR = new InputKind("CONSTANT_TENSOR", 4);
  static readonly CUSTOM_OBJ = new InputKind("CUSTOM_OBJ", 5);
  static readonly TOKEN = new InputKind("TOKEN", 6);
}

export class OutputKind extends Member {
  static readonly USER_OUTPUT = new OutputKind("USER_OUTPUT", 1);
  static readonly LOSS_OUTPUT = new OutputKind("LOSS_OUTPUT", 2);
  static readonly BUFFER_MUTATION = new OutputKind("BUFFER_MUTATION", 3);
  static readonly PARAMETER_MUTATION = new OutputKind("PARAMETER_MUTATION", 4);
  static readonly GRADIENT_TO_PARAMETER = new OutputKind("GRADIENT_TO_PARAMETER", 5);
  static readonly GRADIENT_TO_USER_INPUT = new OutputKind("GRADIENT_TO_USER_INPUT", 6);
  static readonly USER_INPUT_MUTATION = new OutputKind("USER_INPUT_MUTATION", 7);
  static readonly TOKEN = new OutputKind("TOKEN", 8);
}

const check_arg = (arg: unknown): void => {
  if (!(arg instanceof NamedArgument)) throw new AssertionError(`expected valid arg type, got ${type_of(arg)}`);
};

export class InputSpec extends Record_ {
  static override readonly fields = ["kind", "arg", "target", "persistent"];
  readonly kind: InputKind;
  arg: ArgumentSpec;
  /** The name in the module; null for a value of the caller. */
  target: string | null;
  readonly persistent: boolean | null;

  constructor(kind: InputKind, arg: ArgumentSpec, target: string | null, persistent: boolean | null = null) {
    super();
    if (kind === InputKind.BUFFER && persistent === null)
      throw new AssertionError("Failed to specify persistent flag on BUFFER.");
    check_arg(arg);
    this.kind = kind;
    this.arg = arg;
    this.target = target;
    this.persistent = persistent;
  }

  __str__(): string {
    const target = this.target === null ? "" : ` target='${this.target}'`;
    const persistent = this.persistent === null ? "" : ` persistent=${this.persistent ? "True" : "False"}`;
    return `${this.arg.name}: ${this.kind.name}${target}${persistent}`;
  }
}

export class OutputSpec extends Record_ {
  static override readonly fields = ["kind", "arg", "target"];
  readonly kind: OutputKind;
  arg: ArgumentSpec;
  /** The name of what gets the value; null for a result. */
  target: string | null;

  constructor(kind: OutputKind, arg: ArgumentSpec, target: string | null) {
    super();
    check_arg(arg);
    this.kind = kind;
    this.arg = arg;
    this.target = target;
  }

  __str__(): string {
    return `${this.arg.name}: ${this.kind.name}${this.target === null ? "" : ` target='${this.target}'`}`;
  }
}

type Names = ReadonlyMap<string, string>;

/** The inputs of a graph, parameters first, and its outputs, changed inputs first. */
export class ExportGraphSignature extends Record_ {
  static override readonly fields = ["input_specs", "output_specs"];
  input_specs: InputSpec[];
  output_specs: OutputSpec[];

  constructor(input_specs: InputSpec[], output_specs: OutputSpec[]) {
    super();
    this.input_specs = input_specs;
    this.output_specs = output_specs;
  }

  private targets(kind: InputKind, keep: (spec: InputSpec) => boolean = () => true): PyTuple<string> {
    const found = this.input_specs.filter((spec) => spec.kind === kind && keep(spec));
    return tuple(found.map(({ target }) => target as string));
  }
  get parameters(): PyTuple<string> {
    return this.targets(InputKind.PARAMETER);
  }
  get buffers(): PyTuple<string> {
    return this.targets(InputKind.BUFFER);
  }
  get non_persistent_buffers(): PyTuple<string> {
    return this.targets(InputKind.BUFFER, ({ persistent }) => persistent === false);
  }
  get lifted_tensor_constants(): PyTuple<string> {
    return this.targets(InputKind.CONSTANT_TENSOR);
  }

  /** Names of the caller's values; a constant is given itself. */
  get user_inputs(): PyTuple {
    const specs = this.input_specs.filter(({ kind }) => kind === InputKind.USER_INPUT);
    return tuple(specs.map(({ arg }) => (arg instanceof ConstantArgument ? arg.value : arg.name)));
  }
  get user_outputs(): PyTuple {
    const results = [OutputKind.USER_OUTPUT, OutputKind.LOSS_OUTPUT];
    const specs = this.output_specs.filter(({ kind }) => results.includes(kind));
    return tuple(specs.map(({ arg }) => (arg instanceof ConstantArgument ? arg.value : arg.name)));
  }

  private names_of(specs: readonly (InputSpec | OutputSpec)[], kind: Member): Names {
    return new Map(specs.filter((spec) => spec.kind === kind).map(({ arg, target }) => [arg.name, target as string]));
  }
  get inputs_to_parameters(): Names {
    return this.names_of(this.input_specs, InputKind.PARAMETER);
  }
  get inputs_to_buffers(): Names {
    return this.names_of(this.input_specs, InputKind.BUFFER);
  }
  get inputs_to_lifted_tensor_constants(): Names {
    return this.names_of(this.input_specs, InputKind.CONSTANT_TENSOR);
  }
  get buffers_to_mutate(): Names {
    return this.names_of(this.output_specs, OutputKind.BUFFER_MUTATION);
  }
  get parameters_to_mutate(): Names {
    return this.names_of(this.output_specs, OutputKind.PARAMETER_MUTATION);
  }
  get user_inputs_to_mutate(): Names {
    return this.names_of(this.output_specs, OutputKind.USER_INPUT_MUTATION);
  }
  get backward_signature(): null {
    return null;
  }

  /** Puts a new name in the place of one, wherever a value is named. */
  replace_all_uses(old: string, new_: string): void {
    for (const { arg } of [...this.output_specs, ...this.input_specs])
      if (!(arg instanceof ConstantArgument) && arg.name === old) arg.name = new_;
  }

  __str__(): string {
    const lines = (specs: readonly unknown[]): string => specs.map((spec) => str(spec)).join("\n");
    return `\n# inputs\n${lines(this.input_specs)}\n\n# outputs\n${lines(this.output_specs)}\n`;
  }
}

const is_constant = (value: unknown): boolean =>
  value === null || ["number", "bigint", "boolean", "string"].includes(typeof value) || value instanceof FloatValue;

/** The kind of a node, or of a constant in its place. */
export function make_argument_spec(node: unknown): ArgumentSpec {
  if (!(node instanceof Node)) return new ConstantArgument("", node);
  if (!node.meta.has("val"))
    throw new AssertionError(`${str(node)} is not a constant or a node with a 'val' metadata field`);
  const val: unknown = node.meta.get("val");
  if (val instanceof Tensor) return new TensorArgument(node.name);
  if (val instanceof SymInt) return new SymIntArgument(node.name);
  if (val instanceof SymFloat) return new SymFloatArgument(node.name);
  if (val instanceof SymBool) return new SymBoolArgument(node.name);
  if (is_constant(val)) return new ConstantArgument(node.name, val);
  throw new AssertionError(
    `Encountered an unsupported object of type ${type_of(val)} while writing the metadata for exported program`,
  );
}

/** The facts of a traced graph from which its signature is made. Names are those of nodes. */
export interface GraphNames {
  readonly inputs_to_parameters: Names;
  readonly inputs_to_buffers: Names;
  readonly non_persistent_buffers: ReadonlySet<string>;
  /** The first outputs, with the kind and the name of what they change. */
  readonly mutations: readonly (readonly [OutputKind, target: string])[];
}

/** `_convert_to_export_graph_signature` */
export function convert_to_export_graph_signature(gm: GraphModule, names: GraphNames): ExportGraphSignature {
  const nodes = [...gm.graph.nodes];
  const inputs = nodes.filter(({ op }) => op === "placeholder").map(make_argument_spec);
  const [outputs] = flatten((nodes.at(-1) as Node).args);
  const input_specs = inputs.map((arg) => {
    const parameter = names.inputs_to_parameters.get(arg.name);
    if (parameter !== undefined) return new InputSpec(InputKind.PARAMETER, arg, parameter);
    const buffer = names.inputs_to_buffers.get(arg.name);
    if (buffer === undefined) return new InputSpec(InputKind.USER_INPUT, arg, null);
    return new InputSpec(InputKind.BUFFER, arg, buffer, !names.non_persistent_buffers.has(buffer));
  });
  const output_specs = outputs.map((out, i) => {
    const [kind, target] = names.mutations[i] ?? [OutputKind.USER_OUTPUT, null];
    return new OutputSpec(kind, make_argument_spec(out), target);
  });
  return new ExportGraphSignature(input_specs, output_specs);
}
