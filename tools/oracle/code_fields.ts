/**
 * @file Our code objects in the form in which record_bytecode.py writes CPython's.
 * @original
 */
import { Code } from "../../src/python/compiler/code.ts";
import { PyBytes } from "../../src/python/Objects/bytesobject.ts";
import { PyComplex } from "../../src/python/Objects/complexobject.ts";
import { FloatValue, float_repr } from "../../src/python/Objects/floatobject.ts";
import { PyFrozenSet } from "../../src/python/Objects/setobject.ts";
import { PyTuple } from "../../src/python/Objects/tupleobject.ts";

/** A text that differs for constants of different type or value. */
function constant_text(value: unknown): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "bigint") return `i${value}`;
  if (typeof value === "string") return `s${value}`;
  if (typeof value === "number")
    return Number.isInteger(value) && !Object.is(value, -0) ? `i${value}` : `f${float_repr(value)}`;
  if (value instanceof FloatValue) return `f${float_repr(value.value)}`;
  if (value instanceof PyComplex) return `c${float_repr(value.real)},${float_repr(value.imag)}`;
  if (value instanceof PyBytes) return `b${Buffer.from(value.data).toString("hex")}`;
  if (value instanceof PyTuple) return `(${value.map(constant_text).join(", ")})`;
  if (value instanceof PyFrozenSet) return `{${value.elements.map(constant_text).sort().join(", ")}}`;
  return value instanceof Code ? `<code ${value.co_qualname}>` : String(value);
}

export function fields_of(code: Code): Record<string, unknown> {
  return {
    qualname: code.co_qualname,
    name: code.co_name,
    firstlineno: code.co_firstlineno,
    counts: [code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount],
    flags: code.co_flags,
    stacksize: code.co_stacksize,
    names: code.co_names,
    varnames: code.co_varnames,
    cellvars: code.co_cellvars,
    freevars: code.co_freevars,
    consts: code.co_consts.map(constant_text),
    code: Buffer.from(code.co_code).toString("hex"),
    exceptiontable: code.co_exceptiontable.map((e) => [e.start, e.end, e.target, e.depth, e.lasti]),
    positions: code.co_positions().map((p) => [p.lineno, p.end_lineno, p.col_offset, p.end_col_offset]),
  };
}

/** A code object and those among its constants, the outer one first. */
export function* all_codes(code: Code): Generator<Code> {
  yield code;
  for (const value of code.co_consts) if (value instanceof Code) yield* all_codes(value);
}
