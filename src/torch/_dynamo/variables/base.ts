/**
 * @file `VariableTracker`: what the translator knows of a value while it follows the program.
 * @mirrors torch/_dynamo/variables/base.py
 *
 *     x + 1, 2 * 3          TensorVariable (a node of the graph), ConstantVariable 6
 *     [x, 1], self.fc       ListVariable of the two, UnspecializedNNModuleVariable
 * A class answers what instructions ask: attributes, calls, items, truth. What it cannot answer breaks the graph.
 */
import { NotImplementedError } from "#c10/util/Exception";
import type { TypeObject } from "#python/Objects/typeobject";
import type { PyCodegen } from "../codegen.ts";
import { unimplemented } from "../graph_break.ts";
import * as graph_break_hints from "../graph_break_hints.ts";
import { mutation_scope } from "../mutation_scope.ts";
import type { Source } from "../source.ts";
import type { InstructionTranslatorBase } from "../symbolic_convert.ts";

export type Translator = InstructionTranslatorBase;
export type Kwargs = ReadonlyMap<string, VariableTracker>;
export const NO_KWARGS: Kwargs = new Map();

/** How changes of a value reach the program: not at all (null), because the value is new, or by writing into the old one. */
export type Mutation = "new" | "existing" | null;

export abstract class VariableTracker {
  /** Where the value came from; null if the program made it. */
  source: Source | null;
  /** Whether the value can change, and who must hear of it. */
  mutation: Mutation;
  /** The depth of functions of operators in which the variable was made. */
  readonly scope = mutation_scope.depth;

  constructor(source: Source | null = null, mutation: Mutation = null) {
    this.source = source;
    this.mutation = mutation;
  }

  /** The value itself, if it is one that waited for its first use. */
  realize(): VariableTracker {
    return this;
  }

  /** The name of its class, as messages have it. */
  get vt_name(): string {
    return this.constructor.name;
  }
  /** The text in messages. */
  toString(): string {
    return `${this.vt_name}()`;
  }
  /** The class of the value. @throws {NotImplementedError} if it is not known */
  python_type(): TypeObject {
    throw new NotImplementedError(`${this.vt_name} has no type`);
  }
  python_type_name(): string {
    try {
      return this.python_type().name;
    } catch {
      return "<unknown type>";
    }
  }
  is_python_constant(): boolean {
    return false;
  }
  /** The value, if it is the same in every call. @throws {NotImplementedError} */
  as_python_constant(): unknown {
    throw new NotImplementedError(`${this.toString()} is not a constant`);
  }
  is_tensor(): boolean {
    return false;
  }
  /** The value or node that stands for the variable in the arguments of a node. @throws {NotImplementedError} if nothing can */
  as_proxy(): unknown {
    throw new NotImplementedError(this.toString());
  }
  /** Whether `as_proxy` has an answer. */
  can_be_proxy(): boolean {
    try {
      this.as_proxy();
      return true;
    } catch (error) {
      if (error instanceof NotImplementedError) return false;
      throw error;
    }
  }
  /** Instructions that make the value anew. */
  reconstruct(_codegen: PyCodegen): void {
    unimplemented({
      gb_type: "Reconstruction failure",
      context: this.toString(),
      explanation: `Dynamo has no bytecode reconstruction implemented for sourceless variable ${this.toString()}.`,
      hints: [
        "If Dynamo is attempting to trace a return statement and your code is attempting to return a variable that Dynamo cannot reconstruct, then remove it from the return statement.",
        ...graph_break_hints.CAUSED_BY_EARLIER_GRAPH_BREAK,
        "Report an issue to PyTorch if you need reconstrtuction support. Note that objects that don't have reconstruction rules may be fundamentally unreconstructable.",
      ],
    });
  }
  /** The values inside, which leave the frame with it. */
  children(): Iterable<VariableTracker> {
    return [];
  }
  /** Whether the value counts as true; null if only a tensor's data can tell. */
  truth(_tx: Translator): boolean | null {
    return null;
  }
  /** The elements, for whoever goes through them. */
  unpack_var_sequence(_tx: Translator): VariableTracker[] {
    throw new NotImplementedError(this.toString());
  }
  has_unpack_var_sequence(tx: Translator): boolean {
    try {
      this.unpack_var_sequence(tx);
      return true;
    } catch (error) {
      if (error instanceof NotImplementedError) return false;
      throw error;
    }
  }

  var_getattr(_tx: Translator, name: string): VariableTracker {
    let method: unknown;
    try {
      method = this.python_type().lookup(name);
    } catch (error) {
      if (!(error instanceof NotImplementedError)) throw error;
    }
    if (typeof method === "function") return new MethodVariable(this, name);
    return unimplemented({
      gb_type: "Unsupported attribute access",
      context: `var_getattr ${this.toString()} ${name}`,
      explanation: `Dynamo does not know how to get the attribute \`${name}\` of ${this.toString()}.`,
      hints: [...graph_break_hints.SUPPORTABLE],
    });
  }
  call_function(_tx: Translator, args: readonly VariableTracker[], kwargs: Kwargs): VariableTracker {
    return unimplemented({
      gb_type: "Unsupported function call",
      context: `call_function ${this.toString()} ${texts(args)} ${keyword_texts(kwargs)}`,
      explanation: `Dynamo does not know how to trace the function \`${this.debug_repr()}\``,
      hints: [`Avoid calling \`${this.debug_repr()}\` in your code.`, "Please report an issue to PyTorch."],
    });
  }
  call_method(tx: Translator, name: string, args: readonly VariableTracker[], kwargs: Kwargs): VariableTracker {
    void tx;
    return unimplemented({
      gb_type: "Unsupported method call",
      context: `call_method ${this.toString()} ${name} ${texts(args)} ${keyword_texts(kwargs)}`,
      explanation: `Dynamo does not know how to trace method \`${name}\` of class \`${this.python_type_name()}\``,
      hints: [
        `Avoid calling \`${this.python_type_name()}.${name}\` in your code.`,
        "Please report an issue to PyTorch.",
      ],
    });
  }
  debug_repr(): string {
    return this.toString();
  }
}

/** One object that is the same in every call and that generated code loads as it is: a function, a class, an exception. */
export abstract class ObjectVariable extends VariableTracker {
  abstract readonly value: unknown;

  override truth(_tx: Translator): boolean {
    return true;
  }
  override is_python_constant(): boolean {
    return true;
  }
  override as_python_constant(): unknown {
    return this.value;
  }
  override reconstruct(codegen: PyCodegen): void {
    codegen.load_const(this.value);
  }
}

export const texts = (args: readonly VariableTracker[]): string => `[${args.map(String).join(", ")}]`;
export const keyword_texts = (kwargs: Kwargs): string =>
  `{${[...kwargs].map(([name, value]) => `'${name}': ${String(value)}`).join(", ")}}`;

/** `typestr` of messages: the names of the classes. */
export const type_texts = (args: readonly VariableTracker[]): string => args.map((arg) => arg.vt_name).join(" ");

/** A value that the translator has not looked at: an argument that may never be used. */
export class LazyVariableTracker extends VariableTracker {
  private readonly make: () => VariableTracker;
  private made: VariableTracker | null = null;
  /** The value in this call. */
  readonly value: unknown;

  constructor(source: Source, value: unknown, make: () => VariableTracker) {
    super(source);
    this.value = value;
    this.make = make;
  }
  get is_realized(): boolean {
    return this.made !== null;
  }
  override realize(): VariableTracker {
    this.made ??= this.make();
    return this.made;
  }
  override reconstruct(codegen: PyCodegen): void {
    if (this.made === null) (this.source as Source).reconstruct(codegen);
    else this.made.reconstruct(codegen);
  }
  override toString(): string {
    return this.realize().toString();
  }
}

/** `xs.append` without the call. */
export class MethodVariable extends VariableTracker {
  readonly self: VariableTracker;
  readonly name: string;

  constructor(self: VariableTracker, name: string) {
    super();
    this.self = self;
    this.name = name;
  }
  override children(): Iterable<VariableTracker> {
    return [this.self];
  }
  override call_function(tx: Translator, args: readonly VariableTracker[], kwargs: Kwargs): VariableTracker {
    return this.self.call_method(
      tx,
      this.name,
      args.map((arg) => arg.realize()),
      kwargs,
    );
  }
  override reconstruct(codegen: PyCodegen): void {
    codegen.reconstruct(this.self);
    codegen.load_attr(this.name);
  }
}

/** A value of which nothing is known: the result of an instruction that broke the graph. */
export class UnknownVariable extends VariableTracker {}

/** An attribute that the followed code deleted. */
export class DeletedVariable extends VariableTracker {}

/** The empty place below a function on the stack of Python 3.11. */
export class NullVariable extends VariableTracker {
  override reconstruct(codegen: PyCodegen): void {
    codegen.append("PUSH_NULL");
  }
}
