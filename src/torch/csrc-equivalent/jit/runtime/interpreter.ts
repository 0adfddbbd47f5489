/**
 * @file The interpreter of TorchScript: a loop over instructions, with a stack of values and a stack of frames.
 * @mirrors torch/csrc/jit/runtime/interpreter.cpp
 *
 * The mechanism in miniature: arguments lie on the stack. An instruction takes values from the stack or from the frame's registers and
 * leaves its results on the stack. A call pushes a frame, and `RET` pops it; the results stay. `WAIT` for a future that is not completed
 * suspends the whole state: the stack is kept, `run` returns, and the future's callback continues at the same instruction.
 */
import type { ClassType } from "#aten/core/class_type";
import type { Dict } from "#aten/core/Dict";
import type { Function } from "#aten/core/function";
import { IValue } from "#aten/core/ivalue";
import { is_same_ivalue, print_key } from "#aten/core/ivalue.impl";
import type { ObjectType } from "#aten/core/ivalue_inl";
import { Future } from "#aten/core/ivalue_inl";
import type { Type } from "#aten/core/jit_type";
import { peek, pop, type Stack } from "#aten/core/stack";
import { concrete_sizes, strides_of, tensor_facts, tensor_type_from } from "#aten/core/tensor_type";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { GradMode } from "#c10/core/GradMode";
import { NotImplementedError, RuntimeError, TORCH_CHECK, TORCH_INTERNAL_ASSERT, TORCH_WARN } from "#c10/util/Exception";
import { current_tracer } from "#c10/util/Trace";
import { without_hint } from "#c10/util/whole_numbers";
import { format_stack_trace, type StackEntry } from "../frontend/source_range.ts";
import type { Graph } from "../ir/ir.ts";
import { recorded_run } from "../recording.ts";
import { executor_settings } from "./executor_settings.ts";
import { Op } from "./instruction.ts";
import type { CodeImpl } from "./interpreter/code_impl.ts";
import { CodeImpl as Code } from "./interpreter/code_impl.ts";
import { Frame } from "./interpreter/frame.ts";
import { begin_round } from "./interpreter/loop_round.ts";
import { JITException } from "./jit_exception.ts";
import { getOperation } from "./promoted_operations.ts";
import { launch, run_all, run_until, type TaskLauncher } from "./task_launcher.ts";
import {
  createObject,
  dictConstruct,
  format,
  isinstance,
  listConstruct,
  listUnpack,
  namedTupleConstruct,
  tupleConstruct,
  tupleSlice,
} from "./vararg_functions.ts";

/** Called before each instruction, when it is set: `state.frames()` says where the program is. */
export type StepCallback = (state: InterpreterState, stack: Stack) => void;

/** Functions that the layers above set: the code of a function for these arguments. The executor sets it. */
export const interpreter_hooks: {
  step: StepCallback | null;
  plan_for: (fn: Function, stack: Stack) => CodeImpl;
} = {
  step: null,
  plan_for: () => {
    throw new RuntimeError("the graph executor is not loaded");
  },
};

/** A function that runs itself, without a graph. */
interface BuiltinFunction extends Function {
  run(stack: Stack): void;
}

/** Instructions for a graph. */
export function code_of(graph: Graph, function_name: string): CodeImpl {
  return new Code(graph, function_name).run();
}

/** States that run now, outermost first; the last one is asked for the current traceback. */
const running: InterpreterState[] = [];

export class InterpreterState {
  private readonly frames_: Frame[] = [];
  private readonly entered_objects: IValue[] = [];
  /** Warnings that were shown: each statement warns once. */
  private readonly warned_nodes_ = new Set<number>();
  private readonly taskLauncher_: TaskLauncher;
  private future_: Future | null = null;
  private left_ = executor_settings.instruction_limit ?? Number.POSITIVE_INFINITY;
  /** Where this state's values begin on the stack; -1 before it first runs. */
  private stack_start_ = -1;

  constructor(code: CodeImpl, taskLauncher: TaskLauncher = launch) {
    this.taskLauncher_ = taskLauncher;
    this.frames_.push(new Frame(code, 0));
  }

  /** The calls that have not returned, outermost first. */
  frames(): readonly Frame[] {
    return this.frames_;
  }

  /** The future that the results will complete. */
  getFuture(): Future {
    if (this.future_ === null) {
      const future = new Future(this.frames_[0].function.return_type_);
      future.set_run(() => run_until(future));
      this.future_ = future;
    }
    return this.future_;
  }

  /** Replaces the arguments on the stack by the results. */
  run(stack: Stack): void {
    const code = this.frames_[0].function;
    const suspended = this.runImpl(stack);
    if (suspended) {
      const future = this.getFuture();
      run_until(future);
      const value = future.value();
      if (code.n_outputs === 1) stack.push(value);
      else stack.push(...value.toTuple());
    }
    if (running.length === 0) run_all();
  }

  /** Runs until it waits for something; the future is completed then or later. */
  runAsync(stack: Stack): Future {
    const future = this.getFuture();
    this.runImpl(stack);
    return future;
  }

  /** @returns whether it was suspended */
  private runImpl(stack: Stack): boolean {
    // A state that continues owns the whole stack that it gets.
    this.stack_start_ = this.stack_start_ === -1 ? stack.length - this.frames_[0].function.n_inputs : 0;
    running.push(this);
    try {
      if (current_tracer() === null) return this.loop(stack);
      return recorded_run<InterpreterState, boolean>(this, interpreter_hooks, () => this.loop(stack));
    } catch (error) {
      this.leaveContexts();
      this.handleError(error);
      return false;
    } finally {
      running.pop();
    }
  }

  private loop(stack: Stack): boolean {
    let frame = this.frames_[this.frames_.length - 1];
    let { instructions_: instructions } = frame.function;
    for (;;) {
      if (interpreter_hooks.step !== null) interpreter_hooks.step(this, stack);
      const instruction = instructions[frame.pc];
      const { X } = instruction;
      switch (instruction.op) {
        case Op.OP:
          frame.function.operator_table_[X](stack);
          frame.pc++;
          break;
        case Op.OPN:
          stack.push(IValue.fromInt(instruction.N));
          frame.function.operator_table_[X](stack);
          frame.pc++;
          break;
        case Op.LOAD:
          stack.push(frame.registers[X]);
          frame.pc++;
          break;
        case Op.MOVE:
          stack.push(frame.registers[X]);
          frame.registers[X] = IValue.None;
          frame.pc++;
          break;
        case Op.STORE:
          frame.registers[X] = pop(stack);
          frame.pc++;
          break;
        case Op.STOREN:
          for (let i = instruction.N - 1; i >= 0; i--) frame.registers[X + i] = pop(stack);
          frame.pc++;
          break;
        case Op.LOADC:
          stack.push(frame.function.constant_table_[X]);
          frame.pc++;
          break;
        case Op.DROP:
          stack.length--;
          frame.pc++;
          break;
        case Op.DROPR:
          frame.registers[X] = IValue.None;
          frame.pc++;
          break;
        case Op.JF:
          frame.pc += pop(stack).toBool() ? 1 : X;
          break;
        case Op.JMP:
          frame.pc += X;
          break;
        case Op.LOOP:
          this.spend(X);
          frame.pc += begin_round(stack, instruction.N) ? 1 : X;
          break;
        case Op.GET_ATTR:
          stack.push(pop(stack).toObject().getSlot(X));
          frame.pc++;
          break;
        case Op.RET:
          if (this.frames_.length === 1) {
            this.complete(stack);
            this.frames_.pop();
            return false;
          }
          this.frames_.pop();
          frame = this.frames_[this.frames_.length - 1];
          instructions = frame.function.instructions_;
          break;
        case Op.WAIT: {
          const future = stack[stack.length - 1].toFuture();
          if (!future.completed()) {
            this.suspend(stack, future);
            return true;
          }
          stack[stack.length - 1] = future.value();
          frame.pc++;
          break;
        }
        case Op.CALL:
        case Op.INTERFACE_CALL:
        case Op.EXIT:
        case Op.TAIL_CALL:
          this.call(stack, frame);
          frame = this.frames_[this.frames_.length - 1];
          instructions = frame.function.instructions_;
          break;
        default:
          this.rare(stack, frame);
          frame.pc++;
      }
    }
  }

  /** A round of a loop, or a call, counts as all instructions of its body; nothing else can make a program endless. */
  private spend(instructions: number): void {
    this.left_ -= instructions;
    TORCH_CHECK(this.left_ >= 0, "the program ran more instructions than its limit allows");
  }

  /** Calls a function: a graph gets a frame, other functions run at once. */
  private call(stack: Stack, frame: Frame): void {
    const { op, X, N } = frame.function.instructions_[frame.pc];
    let fn: Function;
    if (op === Op.INTERFACE_CALL) {
      const object = peek(stack, 0, N).toObject();
      fn = (object.type() as unknown as ClassType).getMethod(frame.function.constant_table_[X].toStringRef());
    } else if (op === Op.EXIT) {
      const object = this.entered_objects.pop() as IValue;
      fn = exit_method(object);
      stack.push(object, IValue.None, IValue.None, IValue.None);
    } else fn = frame.function.function_table_[X];
    if (!fn.isGraphFunction()) {
      (fn as BuiltinFunction).run(stack);
      frame.pc++;
      return;
    }
    const code = interpreter_hooks.plan_for(fn, stack);
    if (op === Op.TAIL_CALL) {
      const args = stack.splice(stack.length - code.n_inputs);
      stack.length = frame.base_pointer;
      stack.push(...args);
      this.frames_.pop();
    } else frame.pc++;
    this.spend(code.instructions_.length);
    this.frames_.push(new Frame(code, stack.length - code.n_inputs));
  }

  /** Instructions that are not worth a place in the loop. None of them changes the frame. */
  private rare(stack: Stack, frame: Frame): void {
    const { op, X, N } = frame.function.instructions_[frame.pc];
    const type = () => frame.function.type_table_[X];
    switch (op) {
      case Op.SET_ATTR: {
        const value = pop(stack);
        pop(stack).toObject().setSlot(X, value);
        break;
      }
      case Op.LIST_UNPACK:
        listUnpack(stack, X);
        break;
      case Op.TUPLE_CONSTRUCT:
        tupleConstruct(stack, X);
        break;
      case Op.NAMED_TUPLE_CONSTRUCT:
        namedTupleConstruct(stack, type(), N);
        break;
      case Op.LIST_CONSTRUCT:
        listConstruct(stack, type(), N);
        break;
      case Op.DICT_CONSTRUCT:
        dictConstruct(stack, type(), N);
        break;
      case Op.CREATE_OBJECT:
        createObject(stack, type() as unknown as ObjectType);
        break;
      case Op.ISINSTANCE:
        isinstance(stack, frame.function.type_table_.slice(X, X + N));
        break;
      case Op.TUPLE_SLICE:
        tupleSlice(stack, X, X + N);
        break;
      case Op.UN_INITIALIZED:
        stack.push(IValue.uninitialized);
        break;
      case Op.FORMAT:
        format(stack, X);
        break;
      case Op.__NOT__:
        stack.push(IValue.fromBool(!pop(stack).toBool()));
        break;
      case Op.__IS__:
        stack.push(IValue.fromBool(is_same_ivalue(pop(stack), pop(stack))));
        break;
      case Op.__ISNOT__:
        stack.push(IValue.fromBool(!is_same_ivalue(pop(stack), pop(stack))));
        break;
      case Op.DICT_INDEX: {
        const key = pop(stack);
        const dict: Dict = pop(stack).toGenericDict();
        const value = dict.find(key);
        if (value === null) throw new RuntimeError(`KeyError: ${print_key(key)}`);
        stack.push(value);
        break;
      }
      case Op.PROFILE_OP:
        stack.push(IValue.fromInt(frame.id()));
        frame.function.profile_function_table_[X](stack);
        break;
      case Op.TYPECHECK:
        stack.push(IValue.fromBool(tensors_match(stack, frame.function.type_table_.slice(X, X + N))));
        break;
      case Op.GUARD: {
        // A value that is not initialized is never used, so its type does not matter.
        const value = stack[stack.length - 1];
        stack.push(IValue.fromBool(!value.isTensor() || tensor_matches(type(), value.toTensor())));
        break;
      }
      case Op.FAIL_GUARD:
        frame.function.instructions_[frame.pc].op = Op.GUARD;
        stack.push(IValue.False);
        break;
      case Op.FORK:
        this.fork(stack, frame.function.function_table_[X], N, true);
        break;
      case Op.AWAITABLE:
        this.fork(stack, frame.function.function_table_[X], N, false);
        break;
      case Op.WARN:
        this.warn(stack, frame, X);
        break;
      case Op.ENTER: {
        const object = stack[stack.length - 1];
        TORCH_INTERNAL_ASSERT(object.isObject());
        this.entered_objects.push(object);
        break;
      }
      default:
        getOperation(op)(stack);
    }
  }

  /** Makes a task of a function and its arguments, and pushes its future. An awaitable runs only when somebody waits. */
  private fork(stack: Stack, fn: Function, num_args: number, at_once: boolean): void {
    const code = interpreter_hooks.plan_for(fn, stack);
    const forked = new InterpreterState(code, this.taskLauncher_);
    const args = stack.splice(stack.length - num_args);
    const future = forked.getFuture();
    stack.push(IValue.fromFuture(future));
    const task = (): void => void forked.runAsync(args);
    if (at_once) this.taskLauncher_(task);
    else
      future.set_run(() => {
        task();
        run_until(future);
      });
  }

  /** Keeps this state's part of the stack and continues when the future is completed. */
  private suspend(stack: Stack, future: Future): void {
    this.getFuture();
    const kept = stack.splice(this.stack_start_);
    future.addCallback(() => this.taskLauncher_(() => void this.runAsync(kept)));
  }

  private complete(stack: Stack): void {
    if (this.future_ === null) return;
    const { n_outputs } = this.frames_[0].function;
    const outputs = stack.slice(stack.length - n_outputs);
    this.future_.markCompleted(n_outputs === 1 ? outputs[0] : IValue.fromTuple(outputs));
  }

  /** @param id the statement's number if it warns only once, otherwise -1 */
  private warn(stack: Stack, frame: Frame, id: number): void {
    const source = frame.function.instructions_source_[frame.pc].sourceRange().source_view;
    if ((source?.filename() ?? null) !== null) pop(stack); // the stack level: the source says where
    const message = pop(stack).toStringRef();
    if (id !== -1 && this.warned_nodes_.has(id)) return;
    if (id !== -1) this.warned_nodes_.add(id);
    TORCH_WARN(message);
  }

  /** Calls `__exit__` of the context managers that an error leaves. */
  private leaveContexts(): void {
    for (const object of [...this.entered_objects].reverse()) {
      try {
        const fn = exit_method(object);
        const stack: Stack = [object, IValue.None, IValue.None, IValue.None];
        if (fn.isGraphFunction()) new InterpreterState(interpreter_hooks.plan_for(fn, stack)).run(stack);
        else (fn as BuiltinFunction).run(stack);
      } catch {
        // The first error is the one that is reported.
      }
    }
  }

  /** Where the program is: an entry for each frame, and for each call that was inlined into it. */
  callstack(): StackEntry[] {
    const entries: StackEntry[] = [];
    for (const [i, frame] of this.frames_.entries()) {
      let name = frame.function.function_name_;
      const pc = i + 1 < this.frames_.length ? frame.pc - 1 : frame.pc;
      const node = frame.function.instructions_source_[pc];
      for (const call of node.callstack()?.vec() ?? []) {
        entries.push({ filename: name, range: call.source_range() });
        name = call.function_name();
      }
      entries.push({ filename: name, range: node.sourceRange() });
    }
    return entries;
  }

  /** Throws the error again with the program's traceback, or keeps it in the future. */
  private handleError(error: unknown): void {
    if (!(error instanceof Error)) throw error;
    const python_class_name = error instanceof JITException ? error.getPythonClassName() : null;
    const reason = without_hint(error.message); // a script has floats
    const message = `The following operation failed in the TorchScript interpreter.\n${format_stack_trace(this.callstack())}${python_class_name ?? "RuntimeError"}: ${reason}\n`;
    if (this.future_ !== null) {
      this.future_.setError(new RuntimeError(message));
      return;
    }
    if (error instanceof JITException) throw new JITException(message, python_class_name, error.message);
    if (error instanceof NotImplementedError) throw new NotImplementedError(message);
    throw new RuntimeError(message);
  }
}

function exit_method(object: IValue): Function {
  return (object.toObject().type() as unknown as ClassType).getMethod("__exit__");
}

function tensors_match(stack: Stack, types: readonly Type[]): boolean {
  return types.every((type, i) => {
    const tensor = peek(stack, i, types.length).toTensor();
    return !tensor.defined() || tensor_matches(type, tensor);
  });
}

/** `TensorType::matchTensor`: whether a tensor has everything that the type says. */
function tensor_matches(type: Type, tensor: Tensor): boolean {
  const wanted = tensor_facts(type);
  if (wanted.undefined !== null && wanted.undefined === tensor.defined()) return false;
  if (!tensor.defined()) return true;
  const requires_grad = GradMode.is_enabled() && tensor.requires_grad();
  const same = (a: readonly (number | null)[] | null, b: readonly (number | null)[] | null): boolean =>
    a === null || (b !== null && a.length === b.length && a.every((n, i) => n === null || n === b[i]));
  const given = tensor_facts(tensor_type_from(tensor));
  return (
    (wanted.scalarType ?? tensor.scalar_type()) === tensor.scalar_type() &&
    (wanted.device === null || wanted.device.eq(tensor.device())) &&
    (wanted.requiresGrad ?? requires_grad) === requires_grad &&
    same(strides_of(wanted), strides_of(given)) &&
    same(concrete_sizes(wanted.sizes), tensor.sizes())
  );
}

/** The traceback of the program that runs now, innermost call first; empty if none runs. */
export function currentCallstack(): StackEntry[] {
  return running.at(-1)?.callstack().reverse() ?? [];
}

/** Checks that a graph's arguments are on the stack. */
export function check_arguments(code: CodeImpl, stack: Stack): void {
  TORCH_CHECK(stack.length >= code.n_inputs, `expected ${code.n_inputs} inputs, but got only ${stack.length}`);
}
