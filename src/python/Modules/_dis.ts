/**
 * @file The instructions of code objects for Python programs. `dis` itself is Lib/dis.py.
 * @mirrors Lib/dis.py, Modules/_opcode.c (CPython 3.11)
 */
import type { Code } from "../compiler/code.ts";
import { code_repr, disassembly, get_instructions } from "../compiler/dis.ts";
import * as opcode from "../compiler/opcode.ts";
import { PyDict } from "../Objects/dictobject.ts";
import { functions } from "../Objects/methodobject.ts";
import { tuple } from "../Objects/tupleobject.ts";

/** Makes the module. */
export function _dis(): Map<string, unknown> {
  const sorted = (set: ReadonlySet<number>): number[] => [...set].sort((a, b) => a - b);
  const module = new Map<string, unknown>([
    ["opname", [...opcode.opname]],
    ["opmap", new PyDict(Object.entries(opcode.OP))],
    ["cmp_op", tuple([...opcode.cmp_op])],
    ["HAVE_ARGUMENT", opcode.HAVE_ARGUMENT],
    ["EXTENDED_ARG", opcode.OP.EXTENDED_ARG],
    ["hasconst", sorted(opcode.hasconst)],
    ["hasfree", sorted(opcode.hasfree)],
    ["hasjrel", sorted(opcode.hasjrel)],
    ["haslocal", sorted(opcode.haslocal)],
    ["hasname", sorted(opcode.hasname)],
  ]);
  for (const [name, fn] of functions("_dis", {
    "text(code, /)": (code: Code) => disassembly(code),
    "code_repr(code, /)": (code: Code) => code_repr(code),
    "instructions(code, /)": (code: Code) =>
      get_instructions(code).map((each) =>
        tuple([
          each.opname,
          each.opcode,
          each.arg,
          each.argval === undefined ? null : each.argval,
          each.argrepr,
          each.offset,
          each.starts_line,
          each.is_jump_target,
          tuple([
            each.positions.lineno,
            each.positions.end_lineno,
            each.positions.col_offset,
            each.positions.end_col_offset,
          ]),
        ]),
      ),
  }))
    module.set(name, fn);
  return module;
}
