/**
 * @file `import { python } from "glasstorch/python"` of a program that Node runs in this repository.
 * @original
 */
import { entry } from "./entry.ts";

const loaded = await entry<typeof import("../../src/python.ts")>("src/python.ts");

export const {
  python,
  program,
  PyDict,
  PyTuple,
  format_exception,
  compile,
  dis,
  dump,
  parse,
  unparse,
  tokenize,
  TokenType,
  symtable,
  DEF,
  Scope,
  get_instructions,
  Code,
  BaseException,
  SystemExit,
} = loaded;
export default loaded.default;
