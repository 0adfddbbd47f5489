/**
 * @file The rest of a frame as a function: `torch_dynamo_resume_in_f_at_9`.
 * @mirrors torch/_dynamo/resume_execution.py
 *
 * Its parameters are the values on the stack and the variables that are read later. Its code is the frame's, with a jump in front:
 *
 *     LOAD_FAST ___stack0; JUMP_FORWARD -> instruction k; (all instructions of the frame)
 */
import type { Code } from "#python/compiler/code";
import { CO } from "#python/compiler/code";
import { OP } from "#python/compiler/opcode";
import type { PyDict } from "#python/Objects/dictobject";
import { make_function } from "#python/Objects/funcobject";
import {
  assemble,
  code_options,
  copy_instructions,
  create_instruction,
  type Instruction,
  unique_id,
} from "./bytecode_transformation.ts";

export interface Resume {
  readonly code: Code;
  /** The global name of the function, for a code without free variables. */
  readonly name: string;
}

interface Wanted {
  /** The places of the stack: whether each is empty. */
  readonly nulls: readonly boolean[];
  readonly args: readonly string[];
  readonly globals: PyDict;
}

const PREFIX = /^torch_dynamo_resume_in_(.*)_at_\d+$/;

/** The name of the function whose rest a code is. */
export const original_name = (name: string): string => PREFIX.exec(name)?.[1] ?? name;

/** Functions by the code they continue, the instruction, and what stands on the stack. */
const cache = new WeakMap<Code, Map<string, Resume>>();

export function generate_resume(
  code: Code,
  instructions: readonly Instruction[],
  target: Instruction,
  lineno: number,
  { nulls, args, globals }: Wanted,
): Resume {
  const key = `${target.offset} ${nulls.map(Number).join("")} ${args.join(",")} ${lineno}`;
  const known = cache.get(code)?.get(key);
  if (known !== undefined) {
    if (!globals.has(known.name) && known.code.co_freevars.length === 0)
      globals.set(known.name, make_function(known.code, globals, null));
    return known;
  }
  const stack = nulls.flatMap((is_null, i) =>
    is_null ? [] : [`___stack${nulls.slice(0, i).filter((it) => !it).length}`],
  );
  const copies = copy_instructions(instructions);
  const entry = copies[instructions.indexOf(target)] as Instruction;
  // Cells of the frame come as free variables.
  const freevars = [...code.co_cellvars, ...code.co_freevars];
  const body = copies.filter(({ opcode }) => opcode !== OP.MAKE_CELL && opcode !== OP.COPY_FREE_VARS);
  const prefix: Instruction[] = [];
  if (freevars.length > 0) prefix.push(create_instruction("COPY_FREE_VARS", { arg: freevars.length }));
  prefix.push(create_instruction("RESUME"));
  let next = 0;
  for (const is_null of nulls)
    prefix.push(is_null ? create_instruction("PUSH_NULL") : create_instruction("LOAD_FAST", { argval: stack[next++] }));
  prefix.push(create_instruction("JUMP_FORWARD", { target: entry }));
  const original = original_name(code.co_name);
  const name = `torch_dynamo_resume_in_${original}_at_${lineno}`;
  const qualname = code.co_qualname.includes(".")
    ? `${code.co_qualname.slice(0, code.co_qualname.lastIndexOf("."))}.${name}`
    : name;
  const options = code_options(code);
  const made = assemble([...prefix, ...body], {
    ...options,
    argcount: stack.length + args.length,
    posonlyargcount: 0,
    kwonlyargcount: 0,
    flags: options.flags & ~(CO.VARARGS | CO.VARKEYWORDS),
    varnames: [...stack, ...args, ...options.varnames.filter((it) => !args.includes(it) && !freevars.includes(it))],
    cellvars: [],
    freevars,
    name,
    qualname,
    firstlineno: lineno,
  });
  const resume: Resume = { code: made, name: unique_id(`__resume_at_${target.offset}`) };
  if (freevars.length === 0) globals.set(resume.name, make_function(made, globals, null));
  const all = cache.get(code) ?? new Map<string, Resume>();
  all.set(key, resume);
  cache.set(code, all);
  return resume;
}
