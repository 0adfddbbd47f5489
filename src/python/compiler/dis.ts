/**
 * @file A code object as text, as `dis.dis` writes it, and its instructions one by one.
 * @mirrors Lib/dis.py (CPython 3.11)
 * @differs CPython writes the address of an inner code object, `<code object f at 0x7f..., file "a.py", line 1>`; objects have no address here.
 */
import { constant_repr } from "../ast/dump.ts";
import { PyFrozenSet } from "../Objects/setobject.ts";
import { PyTuple } from "../Objects/tupleobject.ts";
import { Code, type Position } from "./code.ts";
import {
  cmp_op,
  HAVE_ARGUMENT,
  hasconst,
  hasfree,
  hasjrel,
  haslocal,
  hasname,
  INLINE_CACHE_ENTRIES,
  nb_ops,
  OP,
  opname,
} from "./opcode.ts";

export interface Instruction {
  readonly opname: string;
  readonly opcode: number;
  /** null for an instruction without argument. */
  readonly arg: number | null;
  /** Meaning of the argument: a constant, a name, the offset that a jump goes to; else the argument. `undefined` is unknown. */
  readonly argval: unknown;
  /** `argval` as text. */
  readonly argrepr: string;
  /** In bytes. */
  readonly offset: number;
  /** The line that begins here, or null. */
  readonly starts_line: number | null;
  readonly is_jump_target: boolean;
  readonly positions: Position;
}

/** `repr` of a constant. */
export function const_repr(value: unknown): string {
  if (value instanceof Code) return code_repr(value);
  if (value instanceof PyTuple)
    return value.length === 1 ? `(${const_repr(value[0])},)` : `(${value.map(const_repr).join(", ")})`;
  if (value instanceof PyFrozenSet) return `frozenset({${value.elements.map(const_repr).join(", ")}})`;
  return constant_repr(value);
}

export function code_repr({ co_name, co_filename, co_firstlineno }: Code): string {
  return `<code object ${co_name}, file "${co_filename}", line ${co_firstlineno}>`;
}

/** Offset in bytes, number and full argument of every instruction; caches are left out. */
function* unpacked(code: Uint8Array): Generator<readonly [offset: number, opcode: number, arg: number | null]> {
  let extended = 0;
  for (let i = 0; i < code.length; i += 2 * (1 + INLINE_CACHE_ENTRIES[code[i]])) {
    const opcode = code[i];
    const arg = opcode >= HAVE_ARGUMENT ? code[i + 1] | extended : null;
    extended = opcode === OP.EXTENDED_ARG ? (arg as number) << 8 : 0;
    yield [i, opcode, arg];
  }
}

/** Where a jump goes to, in bytes. */
function jump_target(offset: number, opcode: number, arg: number): number {
  return offset + 2 + 2 * (opname[opcode].includes("JUMP_BACKWARD") ? -arg : arg);
}

/** Offsets at which a new line of the program begins, with the line. */
function line_starts(code: Code): Map<number, number> {
  const starts = new Map<number, number>();
  let last: number | null = null;
  code.co_positions().forEach(({ lineno }, i) => {
    if (lineno === null || lineno === last) return;
    last = lineno;
    starts.set(2 * i, lineno);
  });
  return starts;
}

/** `dis.get_instructions(code)`. */
export function get_instructions(code: Code): Instruction[] {
  return instructions_of(code, []);
}

/** @param more_targets offsets that are marked as targets beside those of jumps */
function instructions_of(code: Code, more_targets: readonly number[]): Instruction[] {
  const rows = [...unpacked(code.co_code)];
  const targets = new Set(more_targets);
  for (const [offset, opcode, arg] of rows)
    if (arg !== null && hasjrel.has(opcode)) targets.add(jump_target(offset, opcode, arg));
  const starts = line_starts(code);
  const positions = code.co_positions();
  const variables = code.localsplusnames();
  return rows.map(([offset, opcode, arg]) => {
    const [argval, argrepr] = arg === null ? [null, ""] : meaning(code, variables, offset, opcode, arg);
    return {
      opname: opname[opcode],
      opcode,
      arg,
      argval,
      argrepr,
      offset,
      starts_line: starts.get(offset) ?? null,
      is_jump_target: targets.has(offset),
      positions: positions[offset / 2],
    };
  });
}

const CONVERTERS = ["", "str", "repr", "ascii"];
const FUNCTION_PARTS = ["defaults", "kwdefaults", "annotations", "closure"];

function meaning(
  code: Code,
  variables: readonly string[],
  offset: number,
  opcode: number,
  arg: number,
): readonly [argval: unknown, argrepr: string] {
  if (opcode === OP.KW_NAMES) return [undefined, ""];
  if (hasconst.has(opcode)) return [code.co_consts[arg], const_repr(code.co_consts[arg])];
  if (opcode === OP.LOAD_GLOBAL) {
    const name = code.co_names[arg >> 1];
    return [name, arg & 1 ? `NULL + ${name}` : name];
  }
  if (hasname.has(opcode)) return [code.co_names[arg], code.co_names[arg]];
  if (hasjrel.has(opcode)) {
    const target = jump_target(offset, opcode, arg);
    return [target, `to ${target}`];
  }
  if (haslocal.has(opcode) || hasfree.has(opcode)) return [variables[arg], variables[arg]];
  if (opcode === OP.COMPARE_OP) return [cmp_op[arg], cmp_op[arg]];
  if (opcode === OP.FORMAT_VALUE) {
    const converter = CONVERTERS[arg & 3];
    const has_spec = (arg & 4) !== 0;
    const parts = [converter, has_spec ? "with format" : ""].filter((part) => part !== "");
    return [[converter === "" ? null : converter, has_spec], parts.join(", ")];
  }
  if (opcode === OP.MAKE_FUNCTION) return [arg, FUNCTION_PARTS.filter((_, i) => arg & (1 << i)).join(", ")];
  if (opcode === OP.BINARY_OP) return [arg, nb_ops[arg][1]];
  return [arg, ""];
}

/** `dis.dis(code)`: the instructions of a code object, and of the code objects among its constants. */
export function dis(code: Code): string {
  let text = disassembly(code);
  for (const value of code.co_consts)
    if (value instanceof Code) text += `\nDisassembly of ${code_repr(value)}:\n${dis(value)}`;
  return text;
}

/** `dis.disassemble(code)`. */
export function disassembly(code: Code): string {
  const handlers = code.co_exceptiontable.filter(({ start, end }) => start < end);
  const instructions = instructions_of(
    code,
    handlers.map(({ target }) => 2 * target),
  );
  const lines = instructions.map(({ starts_line }) => starts_line ?? 0);
  const has_lines = instructions.some(({ starts_line }) => starts_line !== null);
  const line_width = has_lines ? Math.max(3, String(Math.max(...lines)).length) : 0;
  const offset_width = Math.max(4, String(code.co_code.length - 2).length);
  let text = "";
  for (const each of instructions) {
    if (each.starts_line !== null && each.offset > 0) text += "\n";
    text += `${row(each, line_width, offset_width)}\n`;
  }
  if (code.co_exceptiontable.length > 0) text += "ExceptionTable:\n";
  for (const { start, end, target, depth, lasti } of code.co_exceptiontable)
    text += `  ${2 * start} to ${2 * end - 2} -> ${2 * target} [${depth}]${lasti ? " lasti" : ""}\n`;
  return text;
}

function row(instruction: Instruction, line_width: number, offset_width: number): string {
  const { starts_line, is_jump_target, offset, opname: name, arg, argrepr } = instruction;
  const fields = line_width > 0 ? [String(starts_line ?? "").padStart(line_width)] : [];
  fields.push("   ", is_jump_target ? ">>" : "  ", String(offset).padStart(offset_width), name.padEnd(20));
  if (arg !== null) fields.push(String(arg).padStart(5));
  if (arg !== null && argrepr !== "") fields.push(`(${argrepr})`);
  return fields.join(" ").trimEnd();
}
