/**
 * @file The loop over instructions of a loaded file. There is no executor in front of it: what was written is what runs.
 * @mirrors torch/csrc/jit/mobile/interpreter.cpp
 *
 * The mechanism in miniature: arguments lie on the stack. An instruction takes values from the stack or from the frame's registers and
 * leaves its results on the stack. The only call is that of an interface's method, which is looked up in the class of its first argument.
 */
import { IValue } from "#aten/core/ivalue";
import { is_same_ivalue, print_key } from "#aten/core/ivalue.impl";
import { peek, pop, type Stack } from "#aten/core/stack";
import { RuntimeError, TORCH_CHECK, TORCH_WARN } from "#c10/util/Exception";
import { executor_settings } from "../runtime/executor_settings.ts";
import { type Instruction, isOpSupportedInMobile, Op, op_name } from "../runtime/instruction.ts";
import { begin_round } from "../runtime/interpreter/loop_round.ts";
import { getOperation } from "../runtime/promoted_operations.ts";
import {
  dictConstruct,
  format,
  isinstance,
  listConstruct,
  listUnpack,
  namedTupleConstruct,
  tupleConstruct,
  tupleSlice,
} from "../runtime/vararg_functions.ts";
import type { Code, MobileFunction } from "./function.ts";

interface Frame {
  readonly code: Code;
  readonly registers: IValue[];
  pc: number;
}

function frame_of(code: Code): Frame {
  return { code, registers: new Array<IValue>(code.register_size + 1).fill(IValue.None), pc: 0 };
}

/** A part of the code that an instruction names. */
function entry<T>(table: readonly T[], index: number, what: string): T {
  TORCH_CHECK(index >= 0 && index < table.length, `the bytecode has no ${what} ${index}`);
  return table[index];
}

export class InterpreterState {
  private readonly frames_: Frame[];
  /** The method of an object's class. */
  private readonly find_method_: (object: IValue, name: string) => MobileFunction;
  private left_ = executor_settings.instruction_limit ?? Number.POSITIVE_INFINITY;

  constructor(code: Code, find_method: (object: IValue, name: string) => MobileFunction) {
    this.frames_ = [frame_of(code)];
    this.find_method_ = find_method;
  }

  /** Replaces the arguments on the stack by the results. */
  run(stack: Stack): void {
    while (this.frames_.length > 0) {
      TORCH_CHECK(this.left_-- > 0, "the program ran more instructions than its limit allows");
      this.step(stack, this.frames_[this.frames_.length - 1]);
    }
  }

  private step(stack: Stack, frame: Frame): void {
    const { code, registers } = frame;
    const instruction = entry(code.instructions, frame.pc++, "instruction");
    const { op, X, N } = instruction;
    switch (op) {
      case Op.OP:
        entry(code.operators, X, "operator")(stack);
        break;
      case Op.OPN:
        stack.push(IValue.fromInt(N));
        entry(code.operators, X, "operator")(stack);
        break;
      case Op.LOAD:
        stack.push(entry(registers, X, "register"));
        break;
      case Op.MOVE:
        stack.push(entry(registers, X, "register"));
        registers[X] = IValue.None;
        break;
      case Op.STORE:
        entry(registers, X, "register");
        registers[X] = pop(stack);
        break;
      case Op.STOREN:
        entry(registers, X + N - 1, "register");
        for (let i = N - 1; i >= 0; i--) registers[X + i] = pop(stack);
        break;
      case Op.DROP:
        pop(stack);
        break;
      case Op.DROPR:
        entry(registers, X, "register");
        registers[X] = IValue.None;
        break;
      case Op.LOADC:
        stack.push(entry(code.constants, X, "constant"));
        break;
      case Op.JF:
        if (!pop(stack).toBool()) frame.pc += X - 1;
        break;
      case Op.JMP:
        frame.pc += X - 1;
        break;
      case Op.LOOP:
        if (!begin_round(stack, N)) frame.pc += X - 1;
        break;
      case Op.RET:
        this.frames_.pop();
        break;
      case Op.INTERFACE_CALL: {
        const name = entry(code.constants, X, "constant").toStringRef();
        const fn = this.find_method_(peek(stack, 0, N), name);
        this.frames_.push(frame_of(fn.code));
        break;
      }
      default:
        this.rare(stack, frame, instruction);
    }
  }

  /** Instructions that are not worth a place in the loop. None of them changes the frame. */
  private rare(stack: Stack, { code }: Frame, { op, X, N }: Instruction): void {
    const type = () => entry(code.types, X, "type");
    switch (op) {
      case Op.GET_ATTR:
        stack.push(pop(stack).toObject().getSlot(X));
        break;
      case Op.SET_ATTR: {
        const value = pop(stack);
        pop(stack).toObject().setSlot(X, value);
        break;
      }
      case Op.LIST_CONSTRUCT:
        listConstruct(stack, type(), N);
        break;
      case Op.LIST_UNPACK:
        listUnpack(stack, X);
        break;
      case Op.TUPLE_CONSTRUCT:
        tupleConstruct(stack, X);
        break;
      case Op.NAMED_TUPLE_CONSTRUCT:
        namedTupleConstruct(stack, type(), N);
        break;
      case Op.TUPLE_SLICE:
        tupleSlice(stack, X, X + N);
        break;
      case Op.DICT_CONSTRUCT:
        dictConstruct(stack, type(), N);
        break;
      case Op.DICT_INDEX: {
        const key = pop(stack);
        const value = pop(stack).toGenericDict().find(key);
        if (value === null) throw new RuntimeError(`KeyError: ${print_key(key)}`);
        stack.push(value);
        break;
      }
      case Op.ISINSTANCE:
        isinstance(stack, code.types.slice(X, X + N));
        break;
      case Op.FORMAT:
        format(stack, X);
        break;
      case Op.WARN:
        pop(stack); // the stack level: the source says where
        TORCH_WARN(pop(stack).toStringRef());
        break;
      case Op.UN_INITIALIZED:
        stack.push(IValue.uninitialized);
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
      default:
        TORCH_CHECK(isOpSupportedInMobile(op), op_name(op), " is not supported in mobile module.");
        getOperation(op)(stack);
    }
  }
}
