/**
 * @file The instructions of CPython 3.11: their names, numbers and the inline caches that follow them.
 * @mirrors Lib/opcode.py (CPython 3.11)
 */

/** Number of every instruction. From 90 (`HAVE_ARGUMENT`) on, an instruction uses its argument. */
// biome-ignore format: table
export const OP = {
  CACHE: 0, POP_TOP: 1, PUSH_NULL: 2, NOP: 9, UNARY_POSITIVE: 10, UNARY_NEGATIVE: 11, UNARY_NOT: 12, UNARY_INVERT: 15, BINARY_SUBSCR: 25,
  GET_LEN: 30, MATCH_MAPPING: 31, MATCH_SEQUENCE: 32, MATCH_KEYS: 33, PUSH_EXC_INFO: 35, CHECK_EXC_MATCH: 36, CHECK_EG_MATCH: 37,
  WITH_EXCEPT_START: 49, GET_AITER: 50, GET_ANEXT: 51, BEFORE_ASYNC_WITH: 52, BEFORE_WITH: 53, END_ASYNC_FOR: 54, STORE_SUBSCR: 60,
  DELETE_SUBSCR: 61, GET_ITER: 68, GET_YIELD_FROM_ITER: 69, PRINT_EXPR: 70, LOAD_BUILD_CLASS: 71, LOAD_ASSERTION_ERROR: 74,
  RETURN_GENERATOR: 75, LIST_TO_TUPLE: 82, RETURN_VALUE: 83, IMPORT_STAR: 84, SETUP_ANNOTATIONS: 85, YIELD_VALUE: 86, ASYNC_GEN_WRAP: 87,
  PREP_RERAISE_STAR: 88, POP_EXCEPT: 89, STORE_NAME: 90, DELETE_NAME: 91, UNPACK_SEQUENCE: 92, FOR_ITER: 93, UNPACK_EX: 94, STORE_ATTR: 95,
  DELETE_ATTR: 96, STORE_GLOBAL: 97, DELETE_GLOBAL: 98, SWAP: 99, LOAD_CONST: 100, LOAD_NAME: 101, BUILD_TUPLE: 102, BUILD_LIST: 103,
  BUILD_SET: 104, BUILD_MAP: 105, LOAD_ATTR: 106, COMPARE_OP: 107, IMPORT_NAME: 108, IMPORT_FROM: 109, JUMP_FORWARD: 110,
  JUMP_IF_FALSE_OR_POP: 111, JUMP_IF_TRUE_OR_POP: 112, POP_JUMP_FORWARD_IF_FALSE: 114, POP_JUMP_FORWARD_IF_TRUE: 115, LOAD_GLOBAL: 116,
  IS_OP: 117, CONTAINS_OP: 118, RERAISE: 119, COPY: 120, BINARY_OP: 122, SEND: 123, LOAD_FAST: 124, STORE_FAST: 125, DELETE_FAST: 126,
  POP_JUMP_FORWARD_IF_NOT_NONE: 128, POP_JUMP_FORWARD_IF_NONE: 129, RAISE_VARARGS: 130, GET_AWAITABLE: 131, MAKE_FUNCTION: 132,
  BUILD_SLICE: 133, JUMP_BACKWARD_NO_INTERRUPT: 134, MAKE_CELL: 135, LOAD_CLOSURE: 136, LOAD_DEREF: 137, STORE_DEREF: 138,
  DELETE_DEREF: 139, JUMP_BACKWARD: 140, CALL_FUNCTION_EX: 142, EXTENDED_ARG: 144, LIST_APPEND: 145, SET_ADD: 146, MAP_ADD: 147,
  LOAD_CLASSDEREF: 148, COPY_FREE_VARS: 149, RESUME: 151, MATCH_CLASS: 152, FORMAT_VALUE: 155, BUILD_CONST_KEY_MAP: 156, BUILD_STRING: 157,
  LOAD_METHOD: 160, LIST_EXTEND: 162, SET_UPDATE: 163, DICT_MERGE: 164, DICT_UPDATE: 165, PRECALL: 166, CALL: 171, KW_NAMES: 172,
  POP_JUMP_BACKWARD_IF_NOT_NONE: 173, POP_JUMP_BACKWARD_IF_NONE: 174, POP_JUMP_BACKWARD_IF_FALSE: 175, POP_JUMP_BACKWARD_IF_TRUE: 176,
} as const;
export type OpName = keyof typeof OP;

export const HAVE_ARGUMENT = 90;

/** Name of the instruction with this number; `<n>` for a number without one. */
export const opname: readonly string[] = Array.from({ length: 256 }, (_, i) => `<${i}>`);
for (const [name, number] of Object.entries(OP)) (opname as string[])[number] = name;

/** How many code units of inline cache follow an instruction. The machine here has no use for them, but offsets count them. */
export const INLINE_CACHE_ENTRIES = new Uint8Array(256);
// biome-ignore format: table
const CACHES: readonly (readonly [OpName, number])[] = [
  ["BINARY_SUBSCR", 4], ["STORE_SUBSCR", 1], ["UNPACK_SEQUENCE", 1], ["STORE_ATTR", 4], ["LOAD_ATTR", 4], ["COMPARE_OP", 2], ["LOAD_GLOBAL", 5], ["BINARY_OP", 1], ["LOAD_METHOD", 10], ["PRECALL", 1], ["CALL", 4],
];
for (const [name, entries] of CACHES) INLINE_CACHE_ENTRIES[OP[name]] = entries;

/** Instructions whose argument is an index into `co_consts`. */
// biome-ignore format: table
export const hasconst: ReadonlySet<number> = new Set([
  OP.LOAD_CONST, OP.KW_NAMES,
]);

/** Instructions whose argument is an index into `co_names`. `LOAD_GLOBAL` keeps one more bit below the index. */
// biome-ignore format: table
export const hasname: ReadonlySet<number> = new Set([
  OP.STORE_NAME, OP.DELETE_NAME, OP.STORE_ATTR, OP.DELETE_ATTR, OP.STORE_GLOBAL, OP.DELETE_GLOBAL, OP.LOAD_NAME, OP.LOAD_ATTR,
  OP.IMPORT_NAME, OP.IMPORT_FROM, OP.LOAD_GLOBAL, OP.LOAD_METHOD,
]);

/** Jumps. The argument is the distance in code units from the next instruction, forwards or backwards. */
// biome-ignore format: table
export const hasjrel: ReadonlySet<number> = new Set([
  OP.FOR_ITER, OP.JUMP_FORWARD, OP.JUMP_IF_FALSE_OR_POP, OP.JUMP_IF_TRUE_OR_POP, OP.POP_JUMP_FORWARD_IF_FALSE, OP.POP_JUMP_FORWARD_IF_TRUE,
  OP.SEND, OP.POP_JUMP_FORWARD_IF_NOT_NONE, OP.POP_JUMP_FORWARD_IF_NONE, OP.JUMP_BACKWARD_NO_INTERRUPT, OP.JUMP_BACKWARD,
  OP.POP_JUMP_BACKWARD_IF_NOT_NONE, OP.POP_JUMP_BACKWARD_IF_NONE, OP.POP_JUMP_BACKWARD_IF_FALSE, OP.POP_JUMP_BACKWARD_IF_TRUE,
]);

/** Instructions whose argument is the number of a local variable. */
// biome-ignore format: table
export const haslocal: ReadonlySet<number> = new Set([
  OP.LOAD_FAST, OP.STORE_FAST, OP.DELETE_FAST,
]);

/** Instructions whose argument is the number of a cell among all local variables. */
// biome-ignore format: table
export const hasfree: ReadonlySet<number> = new Set([
  OP.MAKE_CELL, OP.LOAD_CLOSURE, OP.LOAD_DEREF, OP.STORE_DEREF, OP.DELETE_DEREF, OP.LOAD_CLASSDEREF,
]);

/** Comparisons, in the order of `COMPARE_OP`'s argument. */
export const cmp_op = ["<", "<=", "==", "!=", ">", ">="] as const;

/** Names and signs of `BINARY_OP`, in the order of its argument; from 13 on they work in place. */
// biome-ignore format: table
export const nb_ops: readonly (readonly [name: string, sign: string])[] = [
  ["NB_ADD", "+"], ["NB_AND", "&"], ["NB_FLOOR_DIVIDE", "//"], ["NB_LSHIFT", "<<"], ["NB_MATRIX_MULTIPLY", "@"], ["NB_MULTIPLY", "*"],
  ["NB_REMAINDER", "%"], ["NB_OR", "|"], ["NB_POWER", "**"], ["NB_RSHIFT", ">>"], ["NB_SUBTRACT", "-"], ["NB_TRUE_DIVIDE", "/"],
  ["NB_XOR", "^"], ["NB_INPLACE_ADD", "+="], ["NB_INPLACE_AND", "&="], ["NB_INPLACE_FLOOR_DIVIDE", "//="], ["NB_INPLACE_LSHIFT", "<<="],
  ["NB_INPLACE_MATRIX_MULTIPLY", "@="], ["NB_INPLACE_MULTIPLY", "*="], ["NB_INPLACE_REMAINDER", "%="], ["NB_INPLACE_OR", "|="],
  ["NB_INPLACE_POWER", "**="], ["NB_INPLACE_RSHIFT", ">>="], ["NB_INPLACE_SUBTRACT", "-="], ["NB_INPLACE_TRUE_DIVIDE", "/="],
  ["NB_INPLACE_XOR", "^="],
];
