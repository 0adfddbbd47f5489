/**
 * @file The instructions of TorchScript's interpreter: an opcode and two numbers, X and N.
 * @mirrors torch/csrc/jit/runtime/instruction.h
 */

/**
 * Opcodes and what X and N are. O: an index into the table of operators, R: a register, I: a number, P: a jump relative to this
 * instruction, F: an index into the table of functions, T: into the table of types, C: into the table of constants, S: a slot of an object.
 */
const OPCODES = [
  ["OP", "O"], // calls operator X
  ["OPN", "OI"], // calls vararg operator X with N arguments
  ["LOAD", "R"], // pushes the value of register X
  ["MOVE", "R"], // pushes the value of register X and clears the register
  ["STOREN", "RI"], // pops N values into registers X, X + 1, ...
  ["STORE", "R"], // pops one value into register X
  ["DROP", ""], // pops one value
  ["DROPR", "R"], // clears register X
  ["LOADC", "C"], // pushes constant X
  ["JF", "P"], // pops a bool and jumps by X if it is false
  ["JMP", "P"], // jumps by X
  ["LOOP", "PI"], // begins a round of a loop with N values on the stack, or jumps by X behind it
  ["RET", ""], // leaves the function
  ["WAIT", ""], // replaces a future by its value
  ["CALL", "F"], // calls function X
  ["GUARD", "T"], // pushes whether the tensor on top has type X
  ["TYPECHECK", "TN"], // pushes whether the N tensors on top have the types X, X + 1, ...
  ["FAIL_GUARD", "T"], // pushes false, once
  ["PROFILE_OP", "F"], // calls callback X, which looks at the stack
  ["TAIL_CALL", "F"], // continues in function X instead of this one
  ["INTERFACE_CALL", "CI"], // calls the method named by constant X of the first of N arguments
  ["GET_ATTR", "S"], // replaces an object by its attribute X
  ["SET_ATTR", "S"], // pops a value and an object, and sets its attribute X
  ["LIST_UNPACK", "I"], // replaces a list by its X elements
  ["TUPLE_CONSTRUCT", "I"], // makes a tuple of X values
  ["NAMED_TUPLE_CONSTRUCT", "TI"], // makes a tuple of type X of N values
  ["LIST_CONSTRUCT", "TI"], // makes a list of type X of N values
  ["DICT_CONSTRUCT", "TI"], // makes a dict of type X of N keys and values
  ["CREATE_OBJECT", "T"], // makes an object of class X, whose attributes are not set
  ["ISINSTANCE", "TI"], // replaces a value by whether its type is one of the types X, ..., X + N - 1
  ["TUPLE_SLICE", "II"], // replaces a tuple by its N elements from X on
  ["TUPLE_INDEX", ""],
  ["RAISE_EXCEPTION", ""],
  ["DICT_INDEX", ""],
  ["UNCHECKED_CAST", ""],
  ["__IS__", ""],
  ["UN_INITIALIZED", ""],
  ["__ISNOT__", ""],
  ["FORMAT", "I"], // formats X values
  ["DEVICE", ""],
  ["DTYPE", ""],
  ["DIM", ""],
  ["__NOT__", ""],
  ["TO_LIST", ""],
  ["NUM_TO_TENSOR", ""],
  ["IS_CUDA", ""],
  ["FORK", "CN"], // starts function X with N arguments, and pushes a future
  ["WARN", "I"], // warns; X numbers the statements that warn once
  ["ENTER", "EN"], // remembers the context manager on top of the stack
  ["EXIT", "EX"], // calls `__exit__` of the last one
  ["AWAITABLE", "CN"], // as FORK, but the function runs when somebody waits
] as const;

export type OpName = (typeof OPCODES)[number][0];
export type OpCode = number;

/** Numbers of opcodes by name. */
export const Op = Object.fromEntries(OPCODES.map(([name], code) => [name, code])) as {
  readonly [Name in OpName]: number;
};

/** `LOAD` */
export function op_name(op: OpCode): OpName {
  return OPCODES[op][0];
}

/** The kinds of X and N, a letter each. */
export function op_info(op: OpCode): string {
  return OPCODES[op][1];
}

export class Instruction {
  op: OpCode;
  X: number;
  readonly N: number;

  constructor(op: OpCode, X: number, N: number) {
    this.op = op;
    this.X = X;
    this.N = N;
  }

  /** The numbers that the opcode uses: `STOREN 1 3`. */
  toString(): string {
    const used = op_info(this.op).length;
    return [op_name(this.op), this.X, this.N].slice(0, 1 + used).join(" ");
  }
}

const not_on_mobile: ReadonlySet<OpName> = new Set([
  "GUARD",
  "TYPECHECK",
  "FAIL_GUARD",
  "PROFILE_OP",
  "TAIL_CALL",
  "CALL",
  "FORK",
  "WAIT",
  "AWAITABLE",
]);

/** Whether the light interpreter of phones has the instruction. */
export function isOpSupportedInMobile(op: OpCode): boolean {
  return !not_on_mobile.has(op_name(op));
}
