/**
 * @file Instructions as objects: a code object is taken apart into them, and put together from them.
 * @mirrors torch/_dynamo/bytecode_transformation.py
 *
 * Arguments that count in a table (constants, names, variables) are kept as what they name, because a new code object has other tables. A jump knows
 * the instruction it goes to, and an instruction knows the one that handles its exceptions.
 */
import { AssertionError } from "#c10/util/Exception";
import { Code, type ExceptionTableEntry, type Position } from "#python/compiler/code";
import {
  hasconst,
  hasfree,
  hasjrel,
  haslocal,
  hasname,
  INLINE_CACHE_ENTRIES,
  OP,
  type OpName,
  opname,
} from "#python/compiler/opcode";
import { stack_effect } from "#python/compiler/stack_effect";
import { prepared } from "#python/vm/prepared_code";

/** Which instruction handles an exception, and how many values stay on the stack. */
export interface ExnTabEntry {
  readonly target: Instruction;
  readonly depth: number;
  readonly lasti: boolean;
}

export const NO_POSITION: Position = { lineno: null, end_lineno: null, col_offset: null, end_col_offset: null };

export class Instruction {
  readonly opcode: number;
  arg: number;
  /** A constant, a name, the name of a variable; undefined if the argument is only a number. */
  argval: unknown;
  target: Instruction | null = null;
  exn_tab_entry: ExnTabEntry | null = null;
  position: Position;
  /** Offset in bytes in the code object that it was taken from; -1 for a new instruction. */
  offset = -1;

  constructor(opcode: number, arg = 0, argval: unknown = undefined, position: Position = NO_POSITION) {
    this.opcode = opcode;
    this.arg = arg;
    this.argval = argval;
    this.position = position;
  }

  get opname(): OpName {
    return opname[this.opcode] as OpName;
  }

  copy(): Instruction {
    const made = new Instruction(this.opcode, this.arg, this.argval, this.position);
    made.target = this.target;
    made.exn_tab_entry = this.exn_tab_entry;
    made.offset = this.offset;
    return made;
  }
}

/** A new instruction by its name: `create_instruction("LOAD_CONST", { argval: 3 })`. */
export function create_instruction(
  name: OpName,
  { arg = 0, argval, target }: { arg?: number; argval?: unknown; target?: Instruction } = {},
): Instruction {
  const made = new Instruction(OP[name], arg, argval);
  made.target = target ?? null;
  return made;
}

/** `CALL` with what Python 3.11 puts in front of it. */
export const create_call_function = (nargs: number): Instruction[] => [
  create_instruction("PRECALL", { arg: nargs }),
  create_instruction("CALL", { arg: nargs }),
];

/** The instructions of a code object. */
export function cleaned_instructions(code: Code): Instruction[] {
  const { ops, args, offsets, handler_of, handlers, localsplus } = prepared(code);
  const positions = code.co_positions();
  const result = Array.from(ops, (op, i) => {
    const arg = args[i] as number;
    const made = new Instruction(
      op,
      arg,
      argval_of(code, localsplus, op, arg),
      positions[offsets[i] as number] ?? NO_POSITION,
    );
    made.offset = 2 * (offsets[i] as number);
    return made;
  });
  for (const [i, made] of result.entries()) {
    if (hasjrel.has(made.opcode)) made.target = result[made.arg] ?? null;
    const handler = handlers[handler_of[i] as number];
    if (handler !== undefined)
      made.exn_tab_entry = {
        target: result[handler.target] as Instruction,
        depth: handler.depth,
        lasti: handler.lasti,
      };
  }
  return result;
}

function argval_of(code: Code, localsplus: readonly string[], op: number, arg: number): unknown {
  if (hasconst.has(op)) return code.co_consts[arg];
  if (op === OP.LOAD_GLOBAL) return code.co_names[arg >> 1];
  if (hasname.has(op)) return code.co_names[arg];
  if (haslocal.has(op)) return code.co_varnames[arg];
  if (hasfree.has(op)) return localsplus[arg];
  return undefined;
}

/** Fields that a new code object keeps of an old one, and what it names. */
export interface CodeOptions {
  argcount: number;
  posonlyargcount: number;
  kwonlyargcount: number;
  flags: number;
  varnames: string[];
  cellvars: string[];
  freevars: string[];
  filename: string;
  name: string;
  qualname: string;
  firstlineno: number;
}

export const code_options = (code: Code): CodeOptions => ({
  argcount: code.co_argcount,
  posonlyargcount: code.co_posonlyargcount,
  kwonlyargcount: code.co_kwonlyargcount,
  flags: code.co_flags,
  varnames: [...code.co_varnames],
  cellvars: [...code.co_cellvars],
  freevars: [...code.co_freevars],
  filename: code.co_filename,
  name: code.co_name,
  qualname: code.co_qualname,
  firstlineno: code.co_firstlineno,
});

class Table {
  readonly values: unknown[] = [];

  index_of(value: unknown): number {
    const at = this.values.findIndex((it) => Object.is(it, value));
    return at >= 0 ? at : this.values.push(value) - 1;
  }
}

/** Gives the arguments that count in a table their numbers. */
function number_arguments(instructions: readonly Instruction[], options: CodeOptions): { consts: Table; names: Table } {
  const consts = new Table();
  const names = new Table();
  consts.index_of(null);
  for (const { opcode, argval } of instructions)
    if (haslocal.has(opcode) && !options.varnames.includes(argval as string)) options.varnames.push(argval as string);
  const own = new Set(options.varnames);
  const localsplus = [...options.varnames, ...options.cellvars.filter((name) => !own.has(name)), ...options.freevars];
  for (const each of instructions) {
    const { opcode, argval } = each;
    if (hasconst.has(opcode)) each.arg = consts.index_of(argval);
    else if (opcode === OP.LOAD_GLOBAL) each.arg = (names.index_of(argval) << 1) | (each.arg & 1);
    else if (hasname.has(opcode)) each.arg = names.index_of(argval);
    else if (haslocal.has(opcode)) each.arg = options.varnames.indexOf(argval as string);
    else if (hasfree.has(opcode)) {
      each.arg = localsplus.indexOf(argval as string);
      if (each.arg < 0) throw new AssertionError(`no cell is called ${String(argval)}`);
    }
  }
  return { consts, names };
}

const extended_args = (arg: number): number => (arg > 0xffffff ? 3 : arg > 0xffff ? 2 : arg > 0xff ? 1 : 0);
const size_of = ({ opcode, arg }: Instruction): number =>
  extended_args(arg) + 1 + (INLINE_CACHE_ENTRIES[opcode] as number);

/**
 * Offsets in code units of all instructions, after the jumps have their distances; the last one is the length. A jump that became longer stays so:
 * otherwise two jumps could make each other longer and shorter for ever.
 */
function place(instructions: readonly Instruction[]): {
  offsets: Map<Instruction | null, number>;
  sizes: Map<Instruction, number>;
} {
  const sizes = new Map(instructions.map((each) => [each, size_of(each)]));
  for (;;) {
    const offsets = new Map<Instruction | null, number>();
    let at = 0;
    for (const each of instructions) {
      offsets.set(each, at);
      at += sizes.get(each) as number;
    }
    offsets.set(null, at);
    let changed = false;
    for (const each of instructions) {
      if (each.target === null || !hasjrel.has(each.opcode)) continue;
      const target = offsets.get(each.target);
      if (target === undefined) throw new AssertionError(`a jump to an instruction that is not there: ${each.opname}`);
      const size = sizes.get(each) as number;
      each.arg = Math.abs(target - ((offsets.get(each) as number) + size));
      if (size_of(each) > size) {
        sizes.set(each, size_of(each));
        changed = true;
      }
    }
    if (!changed) return { offsets, sizes };
  }
}

function exception_table(
  instructions: readonly Instruction[],
  offsets: ReadonlyMap<Instruction | null, number>,
): ExceptionTableEntry[] {
  const table: ExceptionTableEntry[] = [];
  let open: { readonly entry: ExnTabEntry; readonly start: number } | null = null;
  const close = (end: number): void => {
    if (open === null) return;
    const { target, depth, lasti } = open.entry;
    table.push({ start: open.start, end, target: offsets.get(target) as number, depth, lasti });
    open = null;
  };
  for (const each of instructions) {
    const at = offsets.get(each) as number;
    const entry = each.exn_tab_entry;
    if (open !== null && (open as { entry: ExnTabEntry }).entry !== entry) close(at);
    if (open === null && entry !== null) open = { entry, start: at };
  }
  close(offsets.get(null) as number);
  return table;
}

const NEVER_NEXT: ReadonlySet<number> = new Set([
  OP.RETURN_VALUE,
  OP.RAISE_VARARGS,
  OP.RERAISE,
  OP.JUMP_FORWARD,
  OP.JUMP_BACKWARD,
  OP.JUMP_BACKWARD_NO_INTERRUPT,
]);

/** How an instruction changes the height of the stack. The compiler's table has jumps without a direction only. */
const effect_of = ({ opcode, arg, opname: name }: Instruction, jump: boolean): number =>
  name.startsWith("POP_JUMP_") ? -1 : stack_effect(opcode, arg, jump);

/** The greatest height of the stack. */
function stacksize_analysis(instructions: readonly Instruction[]): number {
  const index = new Map(instructions.map((each, i) => [each, i]));
  const heights = new Map<number, number>();
  const todo: [at: number, height: number][] = [[0, 0]];
  let greatest = 0;
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    const [at, height] = next;
    const each = instructions[at];
    if (each === undefined || (heights.get(at) ?? -1) >= height) continue;
    heights.set(at, height);
    greatest = Math.max(greatest, height);
    if (each.exn_tab_entry !== null) {
      const { target, depth, lasti } = each.exn_tab_entry;
      todo.push([index.get(target) as number, depth + (lasti ? 2 : 1)]);
    }
    if (each.target !== null && hasjrel.has(each.opcode))
      todo.push([index.get(each.target) as number, height + effect_of(each, true)]);
    if (!NEVER_NEXT.has(each.opcode)) todo.push([at + 1, height + effect_of(each, false)]);
  }
  return greatest + 2; // an instruction may go higher while it runs
}

/** A code object of these instructions. */
export function assemble(instructions: readonly Instruction[], options: CodeOptions): Code {
  const { consts, names } = number_arguments(instructions, options);
  const { offsets, sizes } = place(instructions);
  const length = offsets.get(null) as number;
  const code = new Uint8Array(2 * length);
  const positions: Position[] = new Array<Position>(length);
  for (const each of instructions) {
    let at = offsets.get(each) as number;
    const end = at + (sizes.get(each) as number);
    const prefixes = (sizes.get(each) as number) - 1 - (INLINE_CACHE_ENTRIES[each.opcode] as number);
    for (let i = prefixes; i > 0; i--) {
      positions[at] = each.position;
      code[2 * at] = OP.EXTENDED_ARG;
      code[2 * at++ + 1] = each.arg >>> (8 * i);
    }
    code[2 * at] = each.opcode;
    code[2 * at + 1] = each.arg;
    for (; at < end; at++) positions[at] = each.position;
  }
  return new Code({
    ...options,
    stacksize: stacksize_analysis(instructions),
    code,
    consts: consts.values,
    names: names.values as string[],
    positions,
    exceptiontable: exception_table(instructions, offsets),
    node: null,
  });
}

let next_unique = 0;

/** A name that no other variable or global of generated code has. */
export const unique_id = (name: string): string => `${name}_${next_unique++}`;

/** Instructions of a copied list go to each other, and no longer to the originals. */
export function copy_instructions(instructions: readonly Instruction[]): Instruction[] {
  const copies = new Map(instructions.map((each) => [each, each.copy()]));
  for (const each of copies.values()) {
    if (each.target !== null) each.target = copies.get(each.target) ?? each.target;
    if (each.exn_tab_entry !== null)
      each.exn_tab_entry = { ...each.exn_tab_entry, target: copies.get(each.exn_tab_entry.target) as Instruction };
  }
  // Rows of the exception table are told apart by their objects.
  let last: { readonly from: ExnTabEntry; readonly to: ExnTabEntry } | null = null;
  for (const each of instructions) {
    const made = copies.get(each) as Instruction;
    if (each.exn_tab_entry === null) continue;
    if (last === null || last.from !== each.exn_tab_entry)
      last = { from: each.exn_tab_entry, to: made.exn_tab_entry as ExnTabEntry };
    made.exn_tab_entry = last.to;
  }
  return [...copies.values()];
}
