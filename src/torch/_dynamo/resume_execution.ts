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
  create_call_function,
  create_instruction,
  type ExnTabEntry,
  type Instruction,
  unique_id,
} from "./bytecode_transformation.ts";
import type { BlockStackEntry } from "./symbolic_convert.ts";

export interface Resume {
  readonly code: Code;
  /** The global name of the function, for a code without free variables. */
  readonly name: string;
}

interface Wanted {
  /** The places of the stack: whether each is empty. */
  readonly nulls: readonly boolean[];
  /** The `with` block that each place of the stack belongs to: the place holds the class of which the context is made and entered again. */
  readonly contexts: readonly (BlockStackEntry | null)[];
  readonly args: readonly string[];
  readonly globals: PyDict;
}

const PREFIX = /^torch_dynamo_resume_in_(.*)_at_\d+$/;

/** The name of the function whose rest a code is. */
export const original_name = (name: string): string => PREFIX.exec(name)?.[1] ?? name;

/** Where the instructions of a rest came from: the rest of a rest is one of the original code. */
interface Origin {
  readonly code: Code;
  readonly instructions: readonly Instruction[];
  /** Instructions of the original that the rest has behind its prefix. */
  readonly body: readonly Instruction[];
  readonly prefix: number;
}
const origins = new WeakMap<Code, Origin>();

/** Functions by the code they continue, the instruction, and what stands on the stack. */
const cache = new WeakMap<Code, Map<string, Resume>>();

export function generate_resume(
  code: Code,
  instructions: readonly Instruction[],
  target: Instruction,
  lineno: number,
  wanted: Wanted,
): Resume {
  const origin = origins.get(code);
  if (origin !== undefined) {
    const original = (of: Instruction): Instruction =>
      origin.body[instructions.indexOf(of) - origin.prefix] as Instruction;
    const contexts = wanted.contexts.map((block) =>
      block === null || block.inside === null
        ? block
        : { ...block, inside: { ...block.inside, target: original(block.inside.target) } },
    );
    return generate_resume(origin.code, origin.instructions, original(target), lineno, { ...wanted, contexts });
  }
  const { nulls, contexts, args, globals } = wanted;
  const made_with = contexts.map((it) => (it === null ? "" : it.context.target_values.map(String).join("|") || "with"));
  const key = `${target.offset} ${nulls.map(Number).join("")} ${args.join(",")} ${lineno} ${made_with.join(",")}`;
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
  const is_body = ({ opcode }: Instruction): boolean => opcode !== OP.MAKE_CELL && opcode !== OP.COPY_FREE_VARS;
  const body = copies.filter(is_body);
  const prefix: Instruction[] = [];
  if (freevars.length > 0) prefix.push(create_instruction("COPY_FREE_VARS", { arg: freevars.length }));
  prefix.push(create_instruction("RESUME"));
  let next = 0;
  let row: ExnTabEntry | null = null;
  const push = (...made: Instruction[]): void => {
    for (const each of made) each.exn_tab_entry = row;
    prefix.push(...made);
  };
  for (const [i, is_null] of nulls.entries()) {
    push(is_null ? create_instruction("PUSH_NULL") : create_instruction("LOAD_FAST", { argval: stack[next++] }));
    const block = contexts[i] ?? null;
    if (block === null) continue;
    const values = block.context.target_values;
    push(create_instruction("PUSH_NULL"), create_instruction("SWAP", { arg: 2 }));
    push(
      ...values.map((value) => create_instruction("LOAD_CONST", { argval: value })),
      ...create_call_function(values.length),
    );
    push(create_instruction("BEFORE_WITH"));
    const { inside } = block;
    row = inside === null ? null : { ...inside, target: copies[instructions.indexOf(inside.target)] as Instruction };
    push(create_instruction("POP_TOP"));
  }
  push(create_instruction("JUMP_FORWARD", { target: entry }));
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
  origins.set(made, { code, instructions, body: instructions.filter(is_body), prefix: prefix.length });
  const resume: Resume = { code: made, name: unique_id(`__resume_at_${target.offset}`) };
  if (freevars.length === 0) globals.set(resume.name, make_function(made, globals, null));
  const all = cache.get(code) ?? new Map<string, Resume>();
  all.set(key, resume);
  cache.set(code, all);
  return resume;
}
