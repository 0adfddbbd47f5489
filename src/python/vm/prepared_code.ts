/**
 * @file A code object in the form that the machine runs: one number for each instruction, one for its argument, without caches and prefixes.
 * @original CPython runs `co_code` itself and writes its caches into it; see "quickening" in Python/specialize.c.
 */
import { CO, type Code } from "../compiler/code.ts";
import { HAVE_ARGUMENT, hasjrel, INLINE_CACHE_ENTRIES, OP, opname } from "../compiler/opcode.ts";
import { key_of, type TypeObject } from "../Objects/typeobject.ts";

/** Memory of one instruction that reads or writes an attribute or calls a method: the type of its last object, and what was found there. */
export class AttributeCache {
  type: TypeObject | null = null;
  version = -1;
  /** The function of the class; undefined: the attribute is a property of the object itself. */
  value: unknown = undefined;
}

export class PreparedCode {
  readonly code: Code;
  readonly ops: Uint8Array;
  /** Arguments; those of jumps are the index of the instruction to jump to. */
  readonly args: Int32Array;
  /** Offset in code units of each instruction, by which places and the exception table are found. */
  readonly offsets: Int32Array;
  /** Index in `handlers` of each instruction's handler, or -1. */
  readonly handler_of: Int32Array;
  readonly handlers: readonly { readonly target: number; readonly depth: number; readonly lasti: boolean }[];
  readonly consts: readonly unknown[];
  readonly names: readonly string[];
  /** Names as keys of an object's properties. */
  readonly keys: readonly string[];
  readonly localsplus: readonly string[];
  readonly nlocalsplus: number;
  readonly framesize: number;
  readonly argcount: number;
  /** Whether a call needs nothing but as many positional arguments as there are parameters. */
  readonly simple: boolean;
  readonly caches: (AttributeCache | undefined)[];

  constructor(code: Code) {
    this.code = code;
    this.consts = code.co_consts;
    this.names = code.co_names;
    this.keys = code.co_names.map(key_of);
    this.localsplus = code.localsplusnames();
    this.nlocalsplus = this.localsplus.length;
    this.framesize = this.nlocalsplus + code.co_stacksize;
    this.argcount = code.co_argcount;
    this.simple = code.co_kwonlyargcount === 0 && (code.co_flags & (CO.VARARGS | CO.VARKEYWORDS)) === 0;
    const ops: number[] = [];
    const args: number[] = [];
    const offsets: number[] = [];
    const units = code.co_code;
    const index_at = new Int32Array(units.length / 2 + 1);
    let extended = 0;
    for (let unit = 0; unit < units.length / 2; ) {
      const op = units[2 * unit] as number;
      const arg = (units[2 * unit + 1] as number) | (extended << 8);
      index_at[unit] = ops.length;
      if (op === OP.EXTENDED_ARG) {
        extended = arg;
        unit++;
        continue;
      }
      extended = 0;
      ops.push(op);
      args.push(op >= HAVE_ARGUMENT ? arg : 0);
      offsets.push(unit);
      unit += 1 + (INLINE_CACHE_ENTRIES[op] as number);
    }
    index_at[units.length / 2] = ops.length;
    for (let i = 0; i < ops.length; i++) {
      const op = ops[i] as number;
      if (!hasjrel.has(op)) continue;
      const next = (offsets[i] as number) + 1 + (INLINE_CACHE_ENTRIES[op] as number);
      const distance = args[i] as number;
      args[i] = index_at[(opname[op] as string).includes("BACKWARD") ? next - distance : next + distance] as number;
    }
    this.ops = Uint8Array.from(ops);
    this.args = Int32Array.from(args);
    this.offsets = Int32Array.from(offsets);
    this.handler_of = new Int32Array(ops.length).fill(-1);
    this.handlers = code.co_exceptiontable.map((entry, k) => {
      for (let i = index_at[entry.start] as number; i < ops.length && (offsets[i] as number) < entry.end; i++)
        if ((offsets[i] as number) >= entry.start) this.handler_of[i] = k;
      return { target: index_at[entry.target] as number, depth: entry.depth, lasti: entry.lasti };
    });
    this.caches = new Array(ops.length).fill(undefined);
  }
}

/** The form that the machine runs, made at the first call. */
export function prepared(code: Code): PreparedCode {
  const known = code.prepared as PreparedCode | null;
  if (known !== null) return known;
  const made = new PreparedCode(code);
  code.prepared = made;
  return made;
}
