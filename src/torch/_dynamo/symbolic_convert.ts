/**
 * @file The translator: it goes through the instructions of a frame with variables in place of values, and writes a graph.
 * @mirrors torch/_dynamo/symbolic_convert.py
 *
 *     LOAD_FAST x; LOAD_CONST 1; BINARY_OP +       stack: TensorVariable, ConstantVariable -> a node `add`, TensorVariable
 *     print(y)                                     nobody knows how: the graph ends here
 * Note [Graph breaks]
 * ~~~~~~~~~~~~~~~~~~~
 * Before an instruction that may fail, the translator notes a speculation. If it fails, the whole frame is translated again from its start; this
 * time the graph ends before that instruction, the generated code runs it as it is, and the rest of the frame becomes a function of its own, which
 * is a frame like any other when it is called (resume_execution.ts).
 */
import { NotImplementedError } from "#c10/util/Exception";
import { CO, type Code } from "#python/compiler/code";
import { OP, type OpName } from "#python/compiler/opcode";
import { stack_effect } from "#python/compiler/stack_effect";
import { builtins_of } from "#python/Objects/builtins_of";
import type { PyDict } from "#python/Objects/dictobject";
import { has_backedge, livevars_analysis } from "./bytecode_analysis.ts";
import {
  cleaned_instructions,
  create_instruction,
  type ExnTabEntry,
  type Instruction,
  unique_id,
} from "./bytecode_transformation.ts";
import { PyCodegen } from "./codegen.ts";
import { type FrameSummary, SkipFrame, SpeculationRestartAnalysis, Unsupported, UserError } from "./exc.ts";
import { unimplemented } from "./graph_break.ts";
import * as graph_break_hints from "./graph_break_hints.ts";
import { inlining } from "./inline.ts";
import { HANDLERS, type Handler } from "./instruction_handlers.ts";
import { ObservedException } from "./observed.ts";
import { Operations } from "./operations.ts";
import type { OutputGraph } from "./output_graph.ts";
import { generate_resume, original_name } from "./resume_execution.ts";
import { GlobalSource, LocalSource, ModuleGlobalSource } from "./source.ts";
import { NullVariable, UnknownVariable, type VariableTracker } from "./variables/base.ts";
import { build } from "./variables/build.ts";
import { ConstantVariable } from "./variables/constant.ts";
import { type Context, WithExitFunctionVariable } from "./variables/ctx_manager.ts";
import { bind_args, CellVariable } from "./variables/functions.ts";
import { GeneratorVariable } from "./variables/iter.ts";
import { ExceptionVariable } from "./variables/misc.ts";
import { NodeVariable, type TensorVariable } from "./variables/tensor.ts";

/** One place where a translation may fail. */
interface SpeculationEntry {
  readonly instruction: number;
  reason: { readonly reason: string; readonly user_stack: readonly FrameSummary[] } | null;
}

/** The places of a frame where translation was tried, in order, over all its attempts. */
export class SpeculationLog {
  private readonly entries: SpeculationEntry[] = [];
  private index = 0;

  restart(): void {
    this.index = 0;
  }
  next(instruction: number): SpeculationEntry {
    const known = this.entries[this.index];
    if (known !== undefined && known.instruction === instruction) {
      this.index++;
      return known;
    }
    this.entries.length = this.index;
    const made: SpeculationEntry = { instruction, reason: null };
    this.entries.push(made);
    this.index++;
    return made;
  }
}

/** A `with` block: its context, and the rows of the exception table inside and outside of it. */
export interface BlockStackEntry {
  readonly context: Context;
  readonly inside: ExnTabEntry | null;
  readonly outside: ExnTabEntry | null;
}

/** Ends the loop of a translator. */
class Done extends Error {}

/** Where a frame's names live. */
export interface Scope {
  readonly code: Code;
  readonly globals: PyDict;
  readonly builtins: PyDict;
  /** Whether the code is the library's own, whose globals do not change. */
  readonly is_library: boolean;
}

export abstract class InstructionTranslatorBase extends Operations {
  readonly output: OutputGraph;
  readonly scope: Scope;
  readonly instructions: readonly Instruction[];
  readonly symbolic_locals = new Map<string, VariableTracker>();
  readonly cells = new Map<string, CellVariable>();
  readonly stack: VariableTracker[] = [];
  instruction_pointer = 0;
  current: Instruction;
  kw_names: readonly string[] = [];
  readonly parent: InstructionTranslatorBase | null;
  readonly globals_read = new Map<PyDict, Map<string, VariableTracker>>();
  /** Contexts of this frame that were entered and not left. */
  readonly block_stack: BlockStackEntry[] = [];
  /** The exceptions that are being handled. */
  readonly exceptions: VariableTracker[] = [];
  /** The value that a generator yields. */
  yielded: VariableTracker | null = null;

  constructor(
    output: OutputGraph,
    scope: Scope,
    instructions: readonly Instruction[],
    parent: InstructionTranslatorBase | null,
  ) {
    super();
    this.output = output;
    this.scope = scope;
    this.instructions = instructions;
    this.current = instructions[0] as Instruction;
    this.parent = parent;
  }
  protected override get tx(): InstructionTranslatorBase {
    return this;
  }

  // ---- The stack

  push(value: VariableTracker): void {
    this.stack.push(value);
  }
  /** The value on top, looked at. */
  pop(): VariableTracker {
    return this.pop_lazy().realize();
  }
  pop_lazy(): VariableTracker {
    return this.stack.pop() as VariableTracker;
  }
  popn(n: number): VariableTracker[] {
    const values = n === 0 ? [] : this.stack.splice(this.stack.length - n);
    return values.map((it) => it.realize());
  }

  // ---- Where the program stands

  frame_summary(): FrameSummary {
    return {
      filename: this.scope.code.co_filename,
      lineno: this.current.position.lineno ?? this.scope.code.co_firstlineno,
      name: this.scope.code.co_name,
    };
  }
  /** The program's lines, outermost first. The rest of a frame has the name of its function. */
  user_stack(): FrameSummary[] {
    const own = this.frame_summary();
    return [...(this.parent?.user_stack() ?? []), { ...own, name: original_name(own.name) }];
  }
  get root(): InstructionTranslator {
    return (this.parent?.root ?? this) as InstructionTranslator;
  }
  override super_arguments(): VariableTracker[] {
    const cls = this.cells.get("__class__")?.content;
    const self =
      this.symbolic_locals.get(this.scope.code.co_varnames[0] as string) ??
      this.cells.get(this.scope.code.co_varnames[0] as string)?.content;
    if (cls == null || self == null) throw new NotImplementedError("super() outside of a method");
    return [cls.realize(), self.realize()];
  }

  // ---- Names

  load_global(name: string): VariableTracker {
    const { globals, builtins, is_library } = this.scope;
    const read = this.globals_of(globals);
    const stored = read.get(name);
    if (stored !== undefined) return stored;
    const has = globals.has(name);
    if (!has && !builtins.has(name))
      unimplemented({
        gb_type: "failed to find name in frame builtins",
        context: "",
        explanation: `Failed to find name \`${name}\` in frame's builtins.`,
        hints: [...graph_break_hints.DYNAMO_BUG],
      });
    const value = has ? globals.get(name) : builtins.get(name);
    const is_root = globals === this.root.scope.globals;
    const source = !has || is_library ? null : is_root ? new GlobalSource(name) : new ModuleGlobalSource(globals, name);
    const made = build(this, value, source);
    read.set(name, made);
    return made;
  }

  /** `global n; n = value`. */
  store_global(name: string, value: VariableTracker): void {
    const { globals } = this.scope;
    this.globals_of(globals).set(name, value);
    this.output.side_effects.store_global(globals, name, value, globals === this.root.scope.globals);
  }
  /** Globals that were read or written, by the module. All frames of a translation share them. */
  private globals_of(globals: PyDict): Map<string, VariableTracker> {
    const { globals_read } = this.root;
    const known = globals_read.get(globals) ?? new Map<string, VariableTracker>();
    globals_read.set(globals, known);
    return known;
  }

  // ---- The loop

  run(): void {
    try {
      for (;;) this.step();
    } catch (error) {
      if (!(error instanceof Done)) throw error;
    }
  }
  /** Ends the loop. */
  finish(): never {
    throw new Done();
  }
  jump(inst: Instruction): void {
    this.instruction_pointer = this.instructions.indexOf(inst.target as Instruction);
  }

  private step(): void {
    const inst = this.instructions[this.instruction_pointer] as Instruction;
    this.current = inst;
    this.instruction_pointer++;
    this.output.stack_of = () => this.user_stack();
    const handler = HANDLERS[inst.opname];
    if (handler === undefined)
      unimplemented({
        gb_type: "Missing bytecode handler",
        context: `${inst.opname} with args ${inst.arg}`,
        explanation: `Dynamo does not know how to handle the bytecode instruction \`${inst.opname}\`.`,
        hints: [
          `Do not trace code that produces the \`${inst.opname}\` bytecode instruction (see https://docs.python.org/3/library/dis.html for bytecode semantics).`,
          ...graph_break_hints.SUPPORTABLE,
        ],
      });
    try {
      this.run_handler(handler, inst);
    } catch (error) {
      if (error instanceof Unsupported) error.real_stack ??= this.user_stack();
      if (error instanceof ObservedException) this.handle_exception(error, inst);
      else throw error;
    }
  }

  /** An exception of the program goes to the handler of the instruction, or leaves the frame. */
  private handle_exception(error: ObservedException, inst: Instruction): void {
    const entry = inst.exn_tab_entry;
    if (entry === null) this.unhandled(error);
    this.stack.length = Math.min(this.stack.length, entry.depth);
    if (entry.lasti) this.push(new ConstantVariable(inst.offset));
    this.push(new ExceptionVariable(error.exception));
    this.instruction_pointer = this.instructions.indexOf(entry.target);
  }
  protected abstract unhandled(error: ObservedException): never;

  /** `return value`. */
  abstract return_value(value: VariableTracker): never;

  /** Whether the graph may end inside this frame. */
  abstract should_compile_partial_graph(): boolean;

  private run_handler({ run, breaks }: Handler, inst: Instruction): void {
    if (breaks === undefined || this.parent !== null) {
      as_unsupported(() => run(this, inst));
      return;
    }
    const speculation = this.root.speculation_log.next(this.instructions.indexOf(inst));
    if (speculation.reason !== null) {
      this.break_graph(inst, breaks.push, speculation.reason);
      return;
    }
    try {
      as_unsupported(() => run(this, inst));
    } catch (error) {
      if (!(error instanceof Unsupported || error instanceof UserError)) throw error;
      if (error instanceof Unsupported) error.real_stack ??= this.user_stack();
      const generic = this.block_stack.filter(({ context }) => !context.can_restore);
      if (generic.length > 0 && !this.output.options.one_graph) break_under_context(error, generic);
      if (!this.should_compile_partial_graph() || (error instanceof Unsupported && error.skip_frame)) throw error;
      this.refuse_loop(error);
      if (error instanceof Unsupported) {
        error.remove_from_stats();
        error.add_to_stats("graph_break");
      }
      const [reason, user_stack] =
        error instanceof Unsupported
          ? [error.msg, error.real_stack as FrameSummary[]]
          : [error.message, this.user_stack()];
      speculation.reason = { reason, user_stack };
      throw new SpeculationRestartAnalysis(`graph break at ${inst.opname}`);
    }
  }

  /** A graph does not end inside a loop: the frame runs as it is. */
  refuse_loop(error: unknown): void {
    if (!has_backedge(this.instructions, this.current)) return;
    const { co_name, co_filename, co_firstlineno } = this.scope.code;
    unimplemented({
      gb_type: "graph break in loop",
      context: `frame skipped: ${co_name} (${co_filename} line ${co_firstlineno})`,
      explanation:
        "torch.compile detected a graph break in a for/while loop. Skipping the frame and falling back to eager, as graph breaks in loops are not supported.",
      hints: [...graph_break_hints.CAUSED_BY_EARLIER_GRAPH_BREAK],
      skip_frame: true,
      from_exc: error,
    });
  }

  private break_graph(
    inst: Instruction,
    push: boolean,
    reason: { reason: string; user_stack: readonly FrameSummary[] },
  ): void {
    const effect =
      inst.opcode === OP.CALL
        ? stack_effect(OP.PRECALL, inst.arg, false) + stack_effect(OP.CALL, inst.arg, false)
        : stack_effect(inst.opcode, inst.arg, false);
    const pops = (push ? 1 : 0) - effect;
    const { root } = this;
    root.compile_subgraph({ ...reason, graph_break: true }, pops);
    const codegen = new PyCodegen(root);
    const leave = this.enter_contexts(codegen);
    if (inst.opcode === OP.CALL && this.kw_names.length > 0)
      codegen.push(create_instruction("KW_NAMES", { argval: root.kw_names_const }));
    if (inst.opcode === OP.CALL) codegen.push(create_instruction("PRECALL", { arg: inst.arg }));
    const copy = inst.copy();
    copy.exn_tab_entry = leave.handler;
    codegen.push(copy);
    leave.generate();
    root.add_output_instructions(codegen.output);
    this.stack.splice(this.stack.length - pops);
    if (push) this.push(new UnknownVariable());
    root.call_resume_at(this.instructions[this.instruction_pointer] as Instruction);
    this.finish();
  }

  /** Around the instruction that runs as it is: the contexts are entered, and left also if it raises. */
  private enter_contexts(codegen: PyCodegen): { readonly handler: ExnTabEntry | null; readonly generate: () => void } {
    const names = this.block_stack.map(({ context }) => {
      const name = unique_id("___context_manager");
      context.reconstruct_type(codegen);
      codegen.push_null_below();
      for (const arg of context.target_values) codegen.load_const(arg);
      codegen.call(context.target_values.length);
      codegen.push(create_instruction("STORE_FAST", { argval: name }));
      codegen.call_on_local(name, "__enter__", []);
      return name;
    });
    const leave = (): void => {
      for (const name of [...names].reverse()) codegen.call_on_local(name, "__exit__", [null, null, null]);
    };
    if (names.length === 0) return { handler: null, generate: leave };
    const start = create_instruction("NOP");
    const end = create_instruction("NOP");
    return {
      handler: { target: start, depth: 0, lasti: false },
      generate: () => {
        leave();
        codegen.push(create_instruction("JUMP_FORWARD", { target: end }), start);
        leave();
        codegen.append("RERAISE", 0);
        codegen.push(end);
      },
    };
  }
}

/** A value that cannot stand in a graph is a reason to break it. */
function as_unsupported(run: () => void): void {
  try {
    run();
  } catch (error) {
    if (!(error instanceof NotImplementedError)) throw error;
    unimplemented({
      gb_type: "Unsupported value in the graph",
      context: error.message,
      explanation: `Dynamo cannot represent ${error.message}.`,
      hints: [...graph_break_hints.SUPPORTABLE],
    });
  }
}
/** The methods of a context of the program run once: the graph does not end inside. */
function break_under_context(error: Unsupported | UserError, generic: readonly BlockStackEntry[]): never {
  if (error instanceof Unsupported) error.remove_from_stats();
  return unimplemented({
    gb_type: "Graph break under GenericContextWrappingVariable",
    context: `Active generic context managers: [${generic.map(({ context }) => context.toString()).join(", ")}]`,
    explanation: "Attempted to graph break in an active context manager(s) that doesn't support graph breaking.",
    hints: [
      "Move the offending context manager(s) to outside the compiled region.",
      ...graph_break_hints.CAUSED_BY_EARLIER_GRAPH_BREAK,
    ],
    from_exc: error,
  });
}

/** The translator of the outermost frame: it also writes the code that replaces the frame's. */
export class InstructionTranslator extends InstructionTranslatorBase {
  readonly speculation_log: SpeculationLog;
  readonly output_instructions: Instruction[] = [];
  kw_names_const: unknown = null;

  constructor(
    output: OutputGraph,
    scope: Scope,
    instructions: readonly Instruction[],
    f_locals: ReadonlyMap<string, unknown>,
    speculation_log: SpeculationLog,
  ) {
    super(output, scope, instructions, null);
    this.speculation_log = speculation_log;
    const { co_cellvars, co_freevars } = scope.code;
    for (const [name, value] of f_locals) {
      const variable = build(this, value, new LocalSource(name, true));
      if (co_cellvars.includes(name)) this.cells.set(name, new CellVariable(variable, null, null, name));
      else if (!co_freevars.includes(name)) this.symbolic_locals.set(name, variable);
    }
    for (const name of co_freevars) {
      const content = f_locals.has(name) ? build(this, f_locals.get(name), new LocalSource(name)) : null;
      this.cells.set(name, new CellVariable(content, null, null, name));
    }
    for (const name of co_cellvars)
      if (!this.cells.has(name)) this.cells.set(name, new CellVariable(null, null, null, name));
  }

  cell_and_freevars(): ReadonlySet<string> {
    return new Set([...this.scope.code.co_cellvars, ...this.scope.code.co_freevars]);
  }
  add_output_instructions(instructions: readonly Instruction[]): void {
    this.output_instructions.push(...instructions);
  }
  /** The graph does not end inside a `try`, for the generated code has no handlers, but it may end inside a `with`. */
  override should_compile_partial_graph(): boolean {
    let entry = this.current.exn_tab_entry;
    for (const { context, inside, outside } of [...this.block_stack].reverse()) {
      if (!context.can_restore || entry?.target !== inside?.target) return false;
      entry = outside;
    }
    return !this.output.options.one_graph && entry === null;
  }
  protected override unhandled(error: ObservedException): never {
    const { exception } = error;
    return unimplemented({
      gb_type: "Observed exception",
      context: `raised exception ${exception.name}(${exception.message})`,
      explanation:
        "Dynamo found no exception handler at the top-level compiled function when encountering an exception. Exception will propagate outside the compiled region.",
      hints: [...graph_break_hints.USER_ERROR, ...graph_break_hints.SUPPORTABLE],
      skip_frame: true,
    });
  }

  /** The end of the frame. */
  override return_value(value: VariableTracker): never {
    if (this.output.count_calls() === 0 && !this.output.options.one_graph)
      throw new SkipFrame("no content in function call");
    this.stack.length = 0;
    this.push(value);
    this.compile_subgraph({ reason: "return_value", user_stack: [this.frame_summary()], graph_break: false }, 0);
    this.add_output_instructions([create_instruction("RETURN_VALUE")]);
    this.finish();
  }

  /** Variables that someone reads later, and that are not what they were when the frame began. */
  private live_locals(): [string, VariableTracker][] {
    if (this.output.compile_reason?.graph_break !== true) return [];
    const reads = livevars_analysis(this.instructions, this.current);
    return [...this.symbolic_locals].filter(
      ([name, value]) => reads.has(name) && !(value.source instanceof LocalSource && value.source.local_name === name),
    );
  }

  /** Ends the graph: generated code calls it, makes the stack and the variables anew, and does the side effects. */
  compile_subgraph(
    reason: { reason: string; user_stack: readonly FrameSummary[]; graph_break: boolean },
    pops: number,
  ): void {
    const { output } = this;
    output.compile_reason = reason;
    const kept = this.stack.length - pops;
    // Inside of contexts the graph leaves them at its end.
    if (reason.graph_break) for (const { context } of [...this.block_stack].reverse()) context.exit(this, []);
    const stack = this.stack.filter((value, i) => i >= kept || !(value instanceof NullVariable));
    const locals = this.live_locals();
    const values = [...stack, ...locals.map(([, value]) => value)];
    this.add_output_instructions(this.prefix());
    for (const it of values) it.realize();
    const name = unique_id("graph_out");
    const generate = (codegen: PyCodegen, is_live: (cell: CellVariable) => boolean): PyCodegen => {
      output.side_effects.begin();
      codegen.make_object = (of, value) => output.side_effects.make_object(of, value);
      for (const value of values) codegen.reconstruct(value);
      output.side_effects.codegen_update_mutated(codegen, is_live);
      for (const [local] of [...locals].reverse()) codegen.store(local);
      return codegen;
    };
    const first = generate(new PyCodegen(this, name), () => true);
    // A cell that this frame made ends with the frame, unless a function that leaves the frame has it.
    const ends = (cell: CellVariable): boolean =>
      !reason.graph_break && cell.local_name !== null && this.scope.code.co_cellvars.includes(cell.local_name);
    const shared = [...first.uses]
      .filter(([value, count]) => count > 1 && value.source === null && !(value instanceof NodeVariable))
      .map(([value]) => value);
    const second = generate(new PyCodegen(this, name, shared), (cell) => !ends(cell) || first.loaded_cells.has(cell));
    if (output.count_calls() > 0 || second.graph_outputs.size > 0) {
      this.call_graph([...second.graph_outputs.keys()]);
      this.add_output_instructions([create_instruction("STORE_FAST", { argval: name })]);
    }
    this.add_output_instructions(second.output);
  }

  private call_graph(outputs: readonly TensorVariable["node"][]): void {
    const { name, load } = this.output.compile_and_call_fx_graph(outputs, this.scope.globals);
    const codegen = new PyCodegen(this);
    codegen.append("PUSH_NULL");
    codegen.load_global(name);
    for (const each of load) each(codegen);
    codegen.call(load.length);
    this.add_output_instructions(codegen.output);
  }

  /** The instructions with which every code with cells begins. */
  private prefix(): Instruction[] {
    const first: Instruction[] = [];
    for (const each of this.instructions) {
      if (each.opcode !== OP.COPY_FREE_VARS && each.opcode !== OP.MAKE_CELL) break;
      first.push(each.copy());
    }
    first.push(create_instruction("RESUME"));
    return first;
  }

  /** Calls the function of the frame's rest with the stack and the variables that it reads, and returns its result. */
  call_resume_at(target: Instruction): Instruction {
    const codegen = new PyCodegen(this);
    const reads = livevars_analysis(this.instructions, target);
    const args = [...this.symbolic_locals.keys()].filter((name) => reads.has(name));
    const values = this.stack.filter((it) => !(it instanceof NullVariable));
    const temps = values.map(() => unique_id("stack"));
    const { globals, code } = this.scope;
    const start = create_instruction("NOP");
    codegen.push(start);
    for (const temp of [...temps].reverse()) codegen.push(create_instruction("STORE_FAST", { argval: temp }));
    const resume = generate_resume(
      code,
      this.instructions,
      target,
      this.current.position.lineno ?? code.co_firstlineno,
      {
        nulls: this.stack.map((it) => it instanceof NullVariable),
        contexts: this.stack.map((it) => this.block_of(it)),
        args,
        globals,
      },
    );
    codegen.append("PUSH_NULL");
    const free = resume.code.co_freevars;
    if (free.length === 0) codegen.load_global(resume.name);
    else {
      for (const name of free) codegen.push(create_instruction("LOAD_CLOSURE", { argval: name }));
      codegen.append("BUILD_TUPLE", free.length);
      codegen.load_const(resume.code);
      codegen.append("MAKE_FUNCTION", 8);
    }
    for (const temp of temps) codegen.push(create_instruction("LOAD_FAST", { argval: temp }));
    for (const name of args) codegen.push(create_instruction("LOAD_FAST", { argval: name }));
    codegen.call(temps.length + args.length);
    codegen.append("RETURN_VALUE");
    this.add_output_instructions(codegen.output);
    return start;
  }

  /** The block that a value of the stack will leave; null for another value. */
  private block_of(value: VariableTracker): BlockStackEntry | null {
    if (!(value instanceof WithExitFunctionVariable)) return null;
    return this.block_stack.find(({ context }) => context === value.context) ?? null;
  }

  /** A jump whose condition is a tensor: both ways go on in functions of their own. */
  break_at_jump(inst: Instruction, value: VariableTracker, push: boolean, error: Unsupported): never {
    if (!this.should_compile_partial_graph()) throw error;
    this.refuse_loop(error);
    this.push(value);
    this.compile_subgraph(
      { reason: `generic_jump ${value.toString()}`, user_stack: [this.frame_summary()], graph_break: true },
      1,
    );
    this.stack.pop();
    // The place to go to is generated behind the jump, also where the program goes back.
    const jump = create_instruction(inst.opname.replace("BACKWARD", "FORWARD") as OpName);
    this.add_output_instructions([jump]);
    this.call_resume_at(this.instructions[this.instruction_pointer] as Instruction);
    if (push) this.push(value);
    jump.target = this.call_resume_at(inst.target as Instruction);
    this.finish();
  }
}

/** The translator of a call that is followed: it writes into the caller's graph. */
export class InliningInstructionTranslator extends InstructionTranslatorBase {
  result: VariableTracker | null = null;

  override should_compile_partial_graph(): boolean {
    return false;
  }
  protected override unhandled(error: ObservedException): never {
    throw error;
  }
  override return_value(value: VariableTracker): never {
    this.result = value;
    this.finish();
  }
}

/** Calls above each other that are followed. */
const INLINE_LIMIT = 200;
const instructions_of = new WeakMap<Code, Instruction[]>();
export function cached_instructions(code: Code): Instruction[] {
  const known = instructions_of.get(code) ?? cleaned_instructions(code);
  instructions_of.set(code, known);
  return known;
}
/** Whether a module's code is the library's or the standard library's. */
export const is_library_code = (globals: PyDict): boolean => String(globals.get("__name__") ?? "").startsWith("torch.");

inlining.run = (parent, callee, given, kwargs) => {
  const { code, globals, closure } = callee;
  let depth = 0;
  for (let at: InstructionTranslatorBase | null = parent; at !== null; at = at.parent) depth++;
  if (depth > INLINE_LIMIT || (code.co_flags & (CO.COROUTINE | CO.ASYNC_GENERATOR)) !== 0)
    throw new NotImplementedError(`a call of ${callee.name}`);
  const scope: Scope = { code, globals, builtins: builtins_of(globals), is_library: is_library_code(globals) };
  const child = new InliningInstructionTranslator(parent.output, scope, cached_instructions(code), parent);
  for (const [name, value] of bind_args(callee, given, kwargs))
    if (code.co_cellvars.includes(name)) child.cells.set(name, new CellVariable(value));
    else child.symbolic_locals.set(name, value);
  for (const [i, name] of code.co_freevars.entries()) child.cells.set(name, closure[i] as CellVariable);
  if ((code.co_flags & CO.GENERATOR) === 0) {
    child.run();
    return child.result as VariableTracker;
  }
  return new GeneratorVariable(() => {
    child.yielded = null;
    if (child.result === null) child.run();
    return child.yielded;
  });
};
