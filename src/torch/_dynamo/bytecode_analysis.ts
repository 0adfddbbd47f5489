/**
 * @file Questions about instructions: which variables are read later, and whether a jump goes backwards.
 * @mirrors torch/_dynamo/bytecode_analysis.py
 */
import { OP } from "#python/compiler/opcode";
import type { Instruction } from "./bytecode_transformation.ts";

const READS: ReadonlySet<number> = new Set([OP.LOAD_FAST, OP.LOAD_DEREF, OP.LOAD_CLOSURE, OP.DELETE_FAST]);
const WRITES: ReadonlySet<number> = new Set([OP.STORE_FAST, OP.STORE_DEREF]);
const ENDS: ReadonlySet<number> = new Set([OP.RETURN_VALUE, OP.RAISE_VARARGS, OP.RERAISE]);
const ALWAYS_JUMPS: ReadonlySet<number> = new Set([OP.JUMP_FORWARD, OP.JUMP_BACKWARD, OP.JUMP_BACKWARD_NO_INTERRUPT]);

/** The instructions that may run next. */
function* followers(
  instructions: readonly Instruction[],
  index: ReadonlyMap<Instruction, number>,
  at: number,
): Generator<number> {
  const each = instructions[at] as Instruction;
  if (each.exn_tab_entry !== null) yield index.get(each.exn_tab_entry.target) as number;
  if (each.target !== null) yield index.get(each.target) as number;
  if (!ENDS.has(each.opcode) && !ALWAYS_JUMPS.has(each.opcode) && at + 1 < instructions.length) yield at + 1;
}

/** Names of the variables whose value is read from `from` on, before it is replaced. */
export function livevars_analysis(instructions: readonly Instruction[], from: Instruction): ReadonlySet<string> {
  const index = new Map(instructions.map((each, i) => [each, i]));
  const start = index.get(from) as number;
  // Names that are live before an instruction grow until nothing changes.
  const live = instructions.map(() => new Set<string>());
  for (let changed = true; changed; ) {
    changed = false;
    for (let at = instructions.length - 1; at >= 0; at--) {
      const each = instructions[at] as Instruction;
      const before = live[at] as Set<string>;
      const size = before.size;
      for (const next of followers(instructions, index, at))
        for (const name of live[next] as Set<string>)
          if (!(WRITES.has(each.opcode) && each.argval === name)) before.add(name);
      if (READS.has(each.opcode)) before.add(each.argval as string);
      if (before.size !== size) changed = true;
    }
  }
  return live[start] as Set<string>;
}

const IS_RETURN: ReadonlySet<number> = new Set([OP.RETURN_VALUE]);

/** Whether a jump behind `from`, and before the next return, goes to an instruction before `from`: then `from` probably stands in a loop. */
export function has_backedge(instructions: readonly Instruction[], from: Instruction): boolean {
  const start = instructions.indexOf(from);
  for (const each of instructions.slice(start + 1)) {
    if (IS_RETURN.has(each.opcode)) return false;
    if (each.target !== null && each.target.offset < from.offset) return true;
  }
  return false;
}
