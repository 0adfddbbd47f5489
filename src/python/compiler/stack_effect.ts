/**
 * @file How many values an instruction adds to the stack, and how deep the stack of a function gets.
 * @mirrors Python/compile.c (CPython 3.11): stack_effect, stackdepth
 */
import { type BasicBlock, is_block_push, is_exit, is_jump, PSEUDO } from "./instruction.ts";
import { OP } from "./opcode.ts";

/** Instructions whose effect depends neither on the argument nor on a jump; those that are not listed leave the height as it is. */
// biome-ignore format: table
const CONSTANT_EFFECTS: readonly (readonly [number, number])[] = [
  [OP.POP_TOP, -1], [OP.SET_ADD, -1], [OP.LIST_APPEND, -1], [OP.MAP_ADD, -2], [OP.BINARY_SUBSCR, -1], [OP.STORE_SUBSCR, -3],
  [OP.DELETE_SUBSCR, -2], [OP.PRINT_EXPR, -1], [OP.LOAD_BUILD_CLASS, 1], [OP.RETURN_VALUE, -1], [OP.IMPORT_STAR, -1], [OP.POP_EXCEPT, -1],
  [OP.STORE_NAME, -1], [OP.STORE_ATTR, -2], [OP.DELETE_ATTR, -1], [OP.STORE_GLOBAL, -1], [OP.LOAD_CONST, 1], [OP.LOAD_NAME, 1],
  [OP.COMPARE_OP, -1], [OP.IS_OP, -1], [OP.CONTAINS_OP, -1], [OP.IMPORT_NAME, -1], [OP.IMPORT_FROM, 1], [PSEUDO.POP_JUMP_IF_FALSE, -1],
  [PSEUDO.POP_JUMP_IF_TRUE, -1], [PSEUDO.POP_JUMP_IF_NONE, -1], [PSEUDO.POP_JUMP_IF_NOT_NONE, -1], [OP.PREP_RERAISE_STAR, -1],
  [OP.RERAISE, -1], [OP.PUSH_EXC_INFO, 1], [OP.WITH_EXCEPT_START, 1], [OP.LOAD_FAST, 1], [OP.STORE_FAST, -1], [OP.CALL, -1],
  [OP.LOAD_CLOSURE, 1], [OP.LOAD_DEREF, 1], [OP.LOAD_CLASSDEREF, 1], [OP.STORE_DEREF, -1], [OP.BEFORE_WITH, 1], [OP.LOAD_METHOD, 1],
  [OP.LOAD_ASSERTION_ERROR, 1], [OP.LIST_EXTEND, -1], [OP.SET_UPDATE, -1], [OP.DICT_MERGE, -1], [OP.DICT_UPDATE, -1], [OP.MATCH_CLASS, -2],
  [OP.GET_LEN, 1], [OP.MATCH_MAPPING, 1], [OP.MATCH_SEQUENCE, 1], [OP.MATCH_KEYS, 1], [OP.COPY, 1], [OP.PUSH_NULL, 1], [OP.BINARY_OP, -1],
];
const constant_effect = new Int8Array(PSEUDO.POP_JUMP_IF_NOT_NONE + 1);
for (const [opcode, effect] of CONSTANT_EFFECTS) constant_effect[opcode] = effect;

/** How many values an instruction adds; a jump may leave another number at its target. */
export function stack_effect(opcode: number, arg: number, jump: boolean): number {
  switch (opcode) {
    case OP.UNPACK_SEQUENCE:
      return arg - 1;
    case OP.UNPACK_EX:
      return (arg & 0xff) + (arg >> 8);
    case OP.FOR_ITER:
      return jump ? -1 : 1;
    case OP.SEND:
      return jump ? -1 : 0;
    case OP.BUILD_TUPLE:
    case OP.BUILD_LIST:
    case OP.BUILD_SET:
    case OP.BUILD_STRING:
      return 1 - arg;
    case OP.BUILD_MAP:
      return 1 - 2 * arg;
    case OP.BUILD_CONST_KEY_MAP:
    case OP.RAISE_VARARGS:
    case OP.PRECALL:
      return -arg;
    case OP.JUMP_IF_TRUE_OR_POP:
    case OP.JUMP_IF_FALSE_OR_POP:
      return jump ? 0 : -1;
    case OP.LOAD_GLOBAL:
      return 1 + (arg & 1);
    case PSEUDO.SETUP_FINALLY:
    case PSEUDO.SETUP_WITH:
      return jump ? 1 : 0;
    case PSEUDO.SETUP_CLEANUP:
      return jump ? 2 : 0;
    case OP.CALL_FUNCTION_EX:
      return -2 - (arg & 1);
    case OP.MAKE_FUNCTION:
      return -((arg & 1) + ((arg >> 1) & 1) + ((arg >> 2) & 1) + ((arg >> 3) & 1));
    case OP.BUILD_SLICE:
      return arg === 3 ? -2 : -1;
    case OP.FORMAT_VALUE:
      return (arg & 4) === 4 ? -1 : 0;
    default:
      return constant_effect[opcode];
  }
}

/** The greatest height of the stack. Each block remembers the height at its beginning: the exception table needs it. */
export function stack_depth(entry: BasicBlock, is_generator: boolean): number {
  const todo: BasicBlock[] = [];
  let deepest = 0;
  const enter = (block: BasicBlock, depth: number): void => {
    if (block.start_depth >= depth) return;
    block.start_depth = depth;
    todo.push(block);
  };
  enter(entry, is_generator ? 1 : 0);
  for (let block = todo.pop(); block !== undefined; block = todo.pop()) {
    let depth = block.start_depth;
    let { next } = block;
    for (const { opcode, arg, target } of block.instructions) {
      const after = depth + stack_effect(opcode, arg, false);
      if (after > deepest) deepest = after;
      if (target !== null && (is_jump(opcode) || is_block_push(opcode))) {
        const there = depth + stack_effect(opcode, arg, true);
        if (there > deepest) deepest = there;
        enter(target, there);
      }
      depth = after;
      if (opcode === PSEUDO.JUMP || opcode === PSEUDO.JUMP_NO_INTERRUPT || is_exit(opcode)) {
        next = null;
        break;
      }
    }
    if (next !== null) enter(next, depth);
  }
  return deepest;
}
