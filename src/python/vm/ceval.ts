/**
 * @file The machine: one loop that runs the instructions of frames.
 * @mirrors Python/ceval.c (CPython 3.11)
 * @differs The numbers of instructions are written out, because JavaScript makes a table of jumps only for literals; a test compares them with opcode.ts.
 */
import type { Code } from "../compiler/code.ts";
import { binary_op, unary_invert, unary_negative, unary_positive } from "../Objects/abstract/numbers.ts";
import { contains, delitem, getitem, length, setitem } from "../Objects/abstract/sequences.ts";
import { FUNCTION, vectorcall } from "../Objects/call.ts";
import { PyDict } from "../Objects/dictobject.ts";
import { AssertionError, type BaseException, RecursionError, SystemError } from "../Objects/exceptions.ts";
import { FloatValue } from "../Objects/floatobject.ts";
import {
  Cell,
  type FunctionRecord,
  METHOD,
  make_function,
  type PyFunction,
  type PyMethod,
} from "../Objects/funcobject.ts";
import { PyGenerator } from "../Objects/genobject.ts";
import { iter, PyIterator, step } from "../Objects/iterobject.ts";
import { type Comparison, getattr, richcompare, setattr, truth } from "../Objects/object.ts";
import { PySet } from "../Objects/setobject.ts";
import { PySlice } from "../Objects/sliceobject.ts";
import { PyTuple, tuple } from "../Objects/tupleobject.ts";
import { init_returned, simple_construction } from "../Objects/type_call.ts";
import { type_of } from "../Objects/typeobject.ts";
import { frame_of_call } from "./arguments.ts";
import { load_attribute, load_method, store_attribute } from "./attributes.ts";
import { annotations_of, call_with_star, dict_merge, dict_update, list_extend, set_update } from "./containers.ts";
import {
  add_traceback,
  as_python_exception,
  exception_matches,
  not_defined,
  raise,
  set_context,
  unbound_free,
  unbound_local,
} from "./errors.ts";
import { exception_group_match, prepare_reraise } from "./except_star.ts";
import { format_value } from "./format_value.ts";
import { evaluation, Frame, handled_exception, thread } from "./frame.ts";
import { hooks, limits } from "./hooks.ts";
import { import_from, import_name, import_star } from "./import.ts";
import { match_class, match_keys, match_mapping, match_sequence } from "./match.ts";
import { prepared } from "./prepared_code.ts";
import {
  delete_name,
  lookup_name,
  same_object,
  send,
  store_name,
  unpack_ex,
  unpack_sequence,
  with_method,
  yield_from_iterator,
} from "./protocols.ts";

// An idea in miniature
// ~~~~~~~~~~~~~~~~~~~~
//   for (;;)
//     switch (ops[pc++]) {
//       case LOAD_FAST: fast[sp++] = fast[arg]; break;
//       case BINARY_OP: { const b = fast[--sp]; fast[sp - 1] = binary_op(fast[sp - 1], b, arg); break; }
//       case CALL: frame = a new frame, whose arguments are taken from the stack; break;     no recursion
//       case RETURN_VALUE: value = fast[--sp]; frame = frame.back; fast[sp++] = value; break;
//     }
//
// `fast` holds a frame's variables and, behind them, its stack. A Python function that calls a Python function only changes `frame`, so the depth of
// a program is not the depth of JavaScript. A built-in function that calls back (`sorted(key=f)`) runs a loop of its own; its frame is an `entry`.
// An exception of JavaScript leaves the `switch`. The table of the frame's code says where the program handles it, or the frame is left.

const COMPARISONS: readonly Comparison[] = ["<", "<=", "==", "!=", ">", ">="];

function push_frame(frame: Frame): void {
  const depth = thread.depth + 1;
  if (depth > limits.recursion) throw new RecursionError("maximum recursion depth exceeded");
  thread.depth = depth;
  frame.depth = depth;
  frame.back = thread.frame;
  thread.frame = frame;
}

function pop_frame(frame: Frame): void {
  thread.frame = frame.back;
  thread.depth = frame.depth - 1;
}

/** Runs a frame until it returns or, if it is a generator's, yields. `thrown` is raised where the frame stands. */
export function run_frame(frame: Frame, thrown: BaseException | null = null): unknown {
  frame.entry = true;
  push_frame(frame);
  return run(frame, thrown);
}

/** Runs a frame through the hook that may replace its evaluation (PEP 523). */
export function evaluate(frame: Frame): unknown {
  const hook = hooks.eval_frame;
  return hook === null || frame.func === null ? run_frame(frame) : hook(frame, () => run_frame(frame));
}

/** The frame of a call whose arguments lie on the caller's stack from `start` on. */
function frame_on_stack(
  fn: PyFunction,
  stack: unknown[],
  start: number,
  count: number,
  kwnames: readonly string[] | null,
): Frame {
  const record = fn[FUNCTION];
  const code = prepared(record.code);
  if (kwnames === null && code.simple && count === code.argcount) {
    const frame = new Frame(code, fn, record.globals, record.builtins, null);
    const { fast } = frame;
    for (let i = 0; i < count; i++) fast[i] = stack[start + i];
    return frame;
  }
  return frame_of_call(fn, stack.slice(start, start + count), kwnames);
}

const record_of = (callable: unknown): FunctionRecord | undefined =>
  (callable as { readonly [FUNCTION]?: FunctionRecord })[FUNCTION];

function run(entry: Frame, thrown: BaseException | null): unknown {
  let frame = entry;
  let { ops, args, consts, names } = frame.prepared;
  let { fast, sp, pc } = frame;
  let kwnames: readonly string[] | null = null;
  let pending: unknown = thrown;
  let watch = hooks.instruction;
  /** Instruction that a RERAISE names as the origin, -1 without one; null: the exception is raised here. */
  let reraised: number | null = null;
  /** Whether the exception is new, so that it learns which one is being handled; one that is thrown into a generator is not. */
  let is_new = true;

  for (;;) {
    try {
      if (pending !== null) {
        const error = pending;
        pending = null;
        is_new = false;
        throw error;
      }
      for (;;) {
        const arg = args[pc] as number;
        if (watch !== null) {
          // The frame stands as inside the instruction, also if the hook raises.
          frame.pc = ++pc;
          frame.sp = sp;
          watch(frame, pc - 1);
          pc--;
        }
        switch (ops[pc++]) {
          case 9: // NOP
          case 151: // RESUME
          case 166: // PRECALL
            break;
          case 124: {
            // LOAD_FAST
            const value = fast[arg];
            if (value === undefined) throw unbound_local(frame.prepared, arg);
            fast[sp++] = value;
            break;
          }
          case 100: // LOAD_CONST
            fast[sp++] = consts[arg];
            break;
          case 125: // STORE_FAST
            fast[arg] = fast[--sp];
            break;
          case 1: // POP_TOP
            sp--;
            break;
          case 2: // PUSH_NULL
            fast[sp++] = undefined;
            break;
          case 120: // COPY
            fast[sp] = fast[sp - arg];
            sp++;
            break;
          case 99: {
            // SWAP
            const top = fast[sp - 1];
            fast[sp - 1] = fast[sp - arg];
            fast[sp - arg] = top;
            break;
          }

          // ---- Arithmetic and comparison
          case 122: {
            // BINARY_OP
            const b = fast[--sp];
            const a = fast[sp - 1];
            if (typeof a === "number" && typeof b === "number") {
              // +, - and *, and the same in place; NaN stands for the others, which `binary_op` computes.
              const result =
                arg === 0 || arg === 13
                  ? a + b
                  : arg === 10 || arg === 23
                    ? a - b
                    : arg === 5 || arg === 18
                      ? a * b
                      : Number.NaN;
              if (Number.isInteger(result)) {
                if (!Number.isInteger(a) || !Number.isInteger(b)) {
                  fast[sp - 1] = new FloatValue(result);
                  break;
                }
                if (Number.isSafeInteger(result)) {
                  fast[sp - 1] = result + 0; // -0 is no int
                  break;
                }
              } else if (!Number.isNaN(result)) {
                fast[sp - 1] = result;
                break;
              }
            }
            frame.pc = pc;
            fast[sp - 1] = binary_op(a, b, arg);
            break;
          }
          case 107: {
            // COMPARE_OP
            const b = fast[--sp];
            const a = fast[sp - 1];
            if (typeof a === "number" && typeof b === "number") {
              switch (arg) {
                case 0:
                  fast[sp - 1] = a < b;
                  break;
                case 1:
                  fast[sp - 1] = a <= b;
                  break;
                case 2:
                  fast[sp - 1] = a === b;
                  break;
                case 3:
                  fast[sp - 1] = a !== b;
                  break;
                case 4:
                  fast[sp - 1] = a > b;
                  break;
                default:
                  fast[sp - 1] = a >= b;
              }
            } else {
              frame.pc = pc;
              fast[sp - 1] = richcompare(a, b, COMPARISONS[arg] as Comparison);
            }
            break;
          }
          case 11: // UNARY_NEGATIVE
            frame.pc = pc;
            fast[sp - 1] = unary_negative(fast[sp - 1]);
            break;
          case 10: // UNARY_POSITIVE
            frame.pc = pc;
            fast[sp - 1] = unary_positive(fast[sp - 1]);
            break;
          case 15: // UNARY_INVERT
            frame.pc = pc;
            fast[sp - 1] = unary_invert(fast[sp - 1]);
            break;
          case 12: // UNARY_NOT
            frame.pc = pc;
            fast[sp - 1] = !truth(fast[sp - 1]);
            break;
          case 117: {
            // IS_OP
            const b = fast[--sp];
            fast[sp - 1] = same_object(fast[sp - 1], b) !== (arg === 1);
            break;
          }
          case 118: {
            // CONTAINS_OP
            const container = fast[--sp];
            frame.pc = pc;
            fast[sp - 1] = contains(container, fast[sp - 1]) !== (arg === 1);
            break;
          }

          // ---- Jumps
          case 110: // JUMP_FORWARD
          case 134: // JUMP_BACKWARD_NO_INTERRUPT
            pc = arg;
            break;
          case 140: // JUMP_BACKWARD
            limits.left -= pc - arg;
            if (limits.left < 0) {
              frame.pc = pc; // whoever looks at the frame finds its line
              limits.spent();
            }
            watch = hooks.instruction;
            pc = arg;
            break;
          case 114: {
            // POP_JUMP_FORWARD_IF_FALSE
            const condition = fast[--sp];
            if (condition === false || (condition !== true && !truth(condition))) pc = arg;
            break;
          }
          case 115: {
            // POP_JUMP_FORWARD_IF_TRUE
            const condition = fast[--sp];
            if (condition === true || (condition !== false && truth(condition))) pc = arg;
            break;
          }
          case 129: // POP_JUMP_FORWARD_IF_NONE
            if (fast[--sp] === null) pc = arg;
            break;
          case 128: // POP_JUMP_FORWARD_IF_NOT_NONE
            if (fast[--sp] !== null) pc = arg;
            break;
          case 173: // POP_JUMP_BACKWARD_IF_NOT_NONE
          case 174: // POP_JUMP_BACKWARD_IF_NONE
          case 175: // POP_JUMP_BACKWARD_IF_FALSE
          case 176: {
            // POP_JUMP_BACKWARD_IF_TRUE: the end of a loop, as JUMP_BACKWARD
            const op = ops[pc - 1] as number;
            const condition = fast[--sp];
            const holds = condition === true || (condition !== false && op >= 175 && truth(condition));
            if (op >= 175 ? holds === (op === 176) : (condition === null) === (op === 174)) {
              limits.left -= pc - arg;
              if (limits.left < 0) {
                frame.pc = pc;
                limits.spent();
              }
              watch = hooks.instruction;
              pc = arg;
            }
            break;
          }
          case 111: // JUMP_IF_FALSE_OR_POP
            if (truth(fast[sp - 1])) sp--;
            else pc = arg;
            break;
          case 112: // JUMP_IF_TRUE_OR_POP
            if (truth(fast[sp - 1])) pc = arg;
            else sp--;
            break;
          case 68: // GET_ITER
            frame.pc = pc;
            fast[sp - 1] = iter(fast[sp - 1]);
            break;
          case 93: {
            // FOR_ITER
            const iterator = fast[sp - 1];
            frame.pc = pc;
            const value = iterator instanceof PyIterator ? iterator.step() : step(iterator);
            if (value === undefined) {
              sp--;
              pc = arg;
            } else fast[sp++] = value;
            break;
          }

          // ---- Names
          case 116: {
            // LOAD_GLOBAL
            if ((arg & 1) === 1) fast[sp++] = undefined;
            const name = names[arg >> 1] as string;
            let value = frame.globals.get(name);
            if (value === undefined) {
              value = frame.builtins.get(name);
              if (value === undefined) throw not_defined(name);
            }
            fast[sp++] = value;
            break;
          }
          case 101: {
            // LOAD_NAME
            const name = names[arg] as string;
            let value = frame.locals === null ? undefined : lookup_name(frame.locals, name);
            if (value === undefined) value = frame.globals.get(name);
            if (value === undefined) value = frame.builtins.get(name);
            if (value === undefined) throw not_defined(name);
            fast[sp++] = value;
            break;
          }
          case 90: // STORE_NAME
            store_name(frame.locals as Map<unknown, unknown>, names[arg] as string, fast[--sp]);
            break;
          case 97: // STORE_GLOBAL
            frame.globals.set(names[arg], fast[--sp]);
            break;
          case 91: // DELETE_NAME
            delete_name(frame.locals as Map<unknown, unknown>, names[arg] as string);
            break;
          case 98: // DELETE_GLOBAL
            if (!frame.globals.delete(names[arg])) throw not_defined(names[arg] as string);
            break;
          case 126: // DELETE_FAST
            if (fast[arg] === undefined) throw unbound_local(frame.prepared, arg);
            fast[arg] = undefined;
            break;

          // ---- Cells
          case 135: // MAKE_CELL
            fast[arg] = new Cell(fast[arg]);
            break;
          case 149: {
            // COPY_FREE_VARS
            const closure = (frame.func as PyFunction)[FUNCTION].closure as readonly Cell[];
            const first = frame.prepared.nlocalsplus - arg;
            for (let i = 0; i < arg; i++) fast[first + i] = closure[i];
            break;
          }
          case 136: // LOAD_CLOSURE
            fast[sp++] = fast[arg];
            break;
          case 137: {
            // LOAD_DEREF
            const { value } = fast[arg] as Cell;
            if (value === undefined) throw unbound_free(frame.prepared, arg);
            fast[sp++] = value;
            break;
          }
          case 148: {
            // LOAD_CLASSDEREF
            let value = (frame.locals as Map<unknown, unknown>).get(frame.prepared.localsplus[arg]);
            if (value === undefined) value = (fast[arg] as Cell).value;
            if (value === undefined) throw unbound_free(frame.prepared, arg);
            fast[sp++] = value;
            break;
          }
          case 138: // STORE_DEREF
            (fast[arg] as Cell).value = fast[--sp];
            break;
          case 139: // DELETE_DEREF
            if ((fast[arg] as Cell).value === undefined) throw unbound_free(frame.prepared, arg);
            (fast[arg] as Cell).value = undefined;
            break;

          // ---- Attributes and elements
          case 106: // LOAD_ATTR
            frame.pc = pc;
            fast[sp - 1] = load_attribute(frame.prepared, pc - 1, arg, fast[sp - 1]);
            break;
          case 160: {
            // LOAD_METHOD
            frame.pc = pc;
            const self = fast[sp - 1];
            const method = load_method(frame.prepared, pc - 1, arg, self);
            if (method === undefined) {
              fast[sp - 1] = undefined;
              fast[sp++] = getattr(self, names[arg] as string);
            } else {
              fast[sp - 1] = method;
              fast[sp++] = self;
            }
            break;
          }
          case 95: {
            // STORE_ATTR
            const target = fast[--sp];
            const value = fast[--sp];
            frame.pc = pc;
            store_attribute(frame.prepared, pc - 1, arg, target, value);
            break;
          }
          case 96: // DELETE_ATTR
            frame.pc = pc;
            setattr(fast[--sp], names[arg] as string, undefined);
            break;
          case 25: {
            // BINARY_SUBSCR
            const key = fast[--sp];
            frame.pc = pc;
            fast[sp - 1] = getitem(fast[sp - 1], key);
            break;
          }
          case 60: {
            // STORE_SUBSCR
            const key = fast[--sp];
            const container = fast[--sp];
            frame.pc = pc;
            setitem(container, key, fast[--sp]);
            break;
          }
          case 61: {
            // DELETE_SUBSCR
            const key = fast[--sp];
            delitem(fast[--sp], key);
            break;
          }

          // ---- Calls
          case 172: // KW_NAMES
            kwnames = consts[arg] as readonly string[];
            break;
          case 171: {
            // CALL
            const base = sp - arg - 2; // the result's place
            let callable = fast[base];
            let start = base + 1;
            let count = arg + 1;
            if (callable === undefined) {
              callable = fast[start++];
              count--;
            }
            const keywords = kwnames;
            kwnames = null;
            frame.pc = pc;
            if (typeof callable === "function") {
              let record = record_of(callable);
              if (start === base + 2 && record === undefined) {
                // The place below the arguments is free for a first argument: the instance of a bound method, or a new instance.
                const method = (callable as unknown as PyMethod)[METHOD];
                if (method !== undefined && record_of(method.func) !== undefined) {
                  record = record_of(method.func);
                  callable = method.func;
                  fast[--start] = method.self;
                  count++;
                } else if (method === undefined) {
                  const construction = simple_construction(callable);
                  if (construction !== null) {
                    const self = construction.allocate();
                    fast[--start] = self;
                    const next = frame_on_stack(construction.init, fast, start, count + 1, keywords);
                    next.constructed = self;
                    frame.sp = base;
                    push_frame(next);
                    frame = next;
                    ({ ops, args, consts, names } = frame.prepared);
                    ({ fast, sp, pc } = frame);
                    break;
                  }
                }
              }
              if (record !== undefined) {
                const next = frame_on_stack(callable as PyFunction, fast, start, count, keywords);
                frame.sp = sp = base;
                if (hooks.eval_frame !== null) {
                  const result = evaluate(next);
                  fast[sp++] = result;
                  break;
                }
                if (--limits.left < 0) limits.spent();
                push_frame(next);
                frame = next;
                ({ ops, args, consts, names } = frame.prepared);
                ({ fast, sp, pc } = frame);
                break;
              }
            }
            const result = vectorcall(callable, fast.slice(start, start + count), keywords);
            sp = base;
            fast[sp++] = result;
            watch = hooks.instruction;
            break;
          }
          case 142: {
            // CALL_FUNCTION_EX
            const keywords = (arg & 1) === 1 ? fast[--sp] : null;
            const positional = fast[--sp];
            const callable = fast[--sp];
            sp--; // the empty place below
            frame.pc = pc;
            fast[sp] = call_with_star(callable, positional, keywords as PyDict | null);
            sp++;
            break;
          }
          case 83: {
            // RETURN_VALUE
            let value = fast[--sp];
            const finished = frame;
            if (finished.constructed !== undefined) {
              if (value !== null) {
                pop_frame(finished); // the error is the caller's
                frame = finished.back as Frame;
                ({ ops, args, consts, names } = frame.prepared);
                ({ fast, sp, pc } = frame);
                throw init_returned(value);
              }
              value = finished.constructed;
            }
            finished.pc = pc;
            finished.sp = sp;
            pop_frame(finished);
            if (finished.generator !== null) {
              (finished.generator as PyGenerator).finish(value);
              return undefined;
            }
            if (finished.entry) return value;
            frame = finished.back as Frame;
            finished.back = null;
            ({ ops, args, consts, names } = frame.prepared);
            ({ fast, sp, pc } = frame);
            fast[sp++] = value;
            break;
          }
          case 132: {
            // MAKE_FUNCTION
            const code = fast[--sp] as Code;
            const closure = (arg & 8) === 0 ? null : (fast[--sp] as readonly Cell[]);
            const fn = make_function(code, frame.globals, closure);
            const record = fn[FUNCTION];
            if ((arg & 4) !== 0) record.annotations = annotations_of(fast[--sp] as readonly unknown[]);
            if ((arg & 2) !== 0) record.kwdefaults = fast[--sp] as PyDict;
            if ((arg & 1) !== 0) record.defaults = fast[--sp] as PyTuple;
            if (typeof code.co_consts[0] === "string") record.doc = code.co_consts[0];
            fast[sp++] = fn;
            break;
          }
          case 71: // LOAD_BUILD_CLASS
            fast[sp++] = frame.builtins.get("__build_class__");
            break;

          // ---- Generators
          case 75: {
            // RETURN_GENERATOR
            const record = (frame.func as PyFunction)[FUNCTION];
            const suspended = frame;
            suspended.pc = pc;
            suspended.sp = sp;
            pop_frame(suspended);
            const generator = new PyGenerator(suspended, record.name, record.qualname);
            if (suspended.entry) return generator;
            frame = suspended.back as Frame;
            suspended.back = null;
            ({ ops, args, consts, names } = frame.prepared);
            ({ fast, sp, pc } = frame);
            fast[sp++] = generator;
            break;
          }
          case 86: {
            // YIELD_VALUE
            const value = fast[--sp];
            frame.pc = pc;
            frame.sp = sp;
            pop_frame(frame);
            frame.back = null;
            return value;
          }
          case 69: // GET_YIELD_FROM_ITER
            frame.pc = pc;
            fast[sp - 1] = yield_from_iterator(fast[sp - 1]);
            break;
          case 123: {
            // SEND
            const value = fast[sp - 1];
            frame.pc = pc;
            frame.sp = sp - 1;
            const sent = send(fast[sp - 2], value);
            if (sent.done) {
              sp--;
              fast[sp - 1] = sent.value;
              pc = arg;
            } else fast[sp - 1] = sent.value;
            break;
          }

          // ---- Collections
          case 102: {
            // BUILD_TUPLE
            sp -= arg;
            const values = new PyTuple(arg);
            for (let i = 0; i < arg; i++) values[i] = fast[sp + i];
            fast[sp++] = values;
            break;
          }
          case 103: // BUILD_LIST
            sp -= arg;
            fast[sp] = fast.slice(sp, sp + arg);
            sp++;
            break;
          case 104: {
            // BUILD_SET
            sp -= arg;
            const set = new PySet();
            for (let i = 0; i < arg; i++) set.add(fast[sp + i]);
            fast[sp++] = set;
            break;
          }
          case 105: {
            // BUILD_MAP
            sp -= 2 * arg;
            const dict = new PyDict();
            for (let i = 0; i < arg; i++) dict.set(fast[sp + 2 * i], fast[sp + 2 * i + 1]);
            fast[sp++] = dict;
            break;
          }
          case 156: {
            // BUILD_CONST_KEY_MAP
            const keys = fast[--sp] as readonly unknown[];
            sp -= arg;
            const dict = new PyDict();
            for (let i = 0; i < arg; i++) dict.set(keys[i], fast[sp + i]);
            fast[sp++] = dict;
            break;
          }
          case 157: {
            // BUILD_STRING
            sp -= arg;
            let text = "";
            for (let i = 0; i < arg; i++) text += fast[sp + i] as string;
            fast[sp++] = text;
            break;
          }
          case 133: {
            // BUILD_SLICE
            const step_ = arg === 3 ? fast[--sp] : null;
            const stop = fast[--sp];
            fast[sp - 1] = new PySlice(fast[sp - 1], stop, step_);
            break;
          }
          case 82: // LIST_TO_TUPLE
            fast[sp - 1] = tuple(fast[sp - 1] as unknown[]);
            break;
          case 145: {
            // LIST_APPEND
            const value = fast[--sp];
            (fast[sp - arg] as unknown[]).push(value);
            break;
          }
          case 146: {
            // SET_ADD
            const value = fast[--sp];
            (fast[sp - arg] as PySet).add(value);
            break;
          }
          case 147: {
            // MAP_ADD
            const value = fast[--sp];
            const key = fast[--sp];
            (fast[sp - arg] as PyDict).set(key, value);
            break;
          }
          case 162: {
            // LIST_EXTEND
            const values = fast[--sp];
            list_extend(fast[sp - arg] as unknown[], values);
            break;
          }
          case 163: {
            // SET_UPDATE
            const values = fast[--sp];
            set_update(fast[sp - arg] as PySet, values);
            break;
          }
          case 165: {
            // DICT_UPDATE
            const source = fast[--sp];
            dict_update(fast[sp - arg] as PyDict, source);
            break;
          }
          case 164: {
            // DICT_MERGE
            const source = fast[--sp];
            dict_merge(fast[sp - arg] as PyDict, source, fast[sp - arg - 2]);
            break;
          }
          case 92: {
            // UNPACK_SEQUENCE
            frame.pc = pc;
            const values = unpack_sequence(fast[--sp], arg);
            for (let i = arg - 1; i >= 0; i--) fast[sp++] = values[i];
            break;
          }
          case 94: {
            // UNPACK_EX
            const values = unpack_ex(fast[--sp], arg & 0xff, arg >> 8);
            for (let i = values.length - 1; i >= 0; i--) fast[sp++] = values[i];
            break;
          }
          case 155: {
            // FORMAT_VALUE
            const spec = (arg & 4) === 0 ? "" : (fast[--sp] as string);
            frame.pc = pc;
            fast[sp - 1] = format_value(fast[sp - 1], arg & 3, spec);
            break;
          }

          // ---- Exceptions and `with`
          case 130: {
            // RAISE_VARARGS
            const cause = arg === 2 ? fast[--sp] : undefined;
            frame.pc = pc;
            if (arg === 0) {
              const current = handled_exception();
              if (current !== null) {
                reraised = -1; // a bare `raise` adds no entry to the traceback
                throw current;
              }
            }
            throw raise(arg >= 1 ? fast[--sp] : undefined, cause);
          }
          case 35: {
            // PUSH_EXC_INFO
            const error = fast[sp - 1] as BaseException;
            fast[sp - 1] = thread.exc_info.value;
            fast[sp++] = error;
            thread.exc_info.value = error;
            break;
          }
          case 89: // POP_EXCEPT
            thread.exc_info.value = fast[--sp] as BaseException | null;
            break;
          case 36: // CHECK_EXC_MATCH
            fast[sp - 1] = exception_matches(fast[sp - 2], fast[sp - 1]);
            break;
          case 37: {
            // CHECK_EG_MATCH
            const { match, rest } = exception_group_match(fast[sp - 2] as BaseException | null, fast[sp - 1]);
            fast[sp - 2] = rest;
            fast[sp - 1] = match;
            if (match !== null) thread.exc_info.value = match;
            break;
          }
          case 88: {
            // PREP_RERAISE_STAR
            const raised = fast[--sp] as readonly unknown[];
            fast[sp - 1] = prepare_reraise(fast[sp - 1] as BaseException, raised);
            break;
          }
          case 119: {
            // RERAISE
            const error = fast[--sp];
            reraised = arg > 0 ? (fast[sp - arg] as number) : -1;
            throw error;
          }
          case 74: // LOAD_ASSERTION_ERROR
            fast[sp++] = AssertionError;
            break;
          case 53: {
            // BEFORE_WITH
            const manager = fast[sp - 1];
            const exit = with_method(manager, "__exit__");
            const enter = with_method(manager, "__enter__");
            fast[sp - 1] = exit;
            frame.pc = pc;
            fast[sp++] = vectorcall(enter, [], null);
            break;
          }
          case 49: {
            // WITH_EXCEPT_START
            const error = fast[sp - 1] as BaseException;
            frame.pc = pc;
            fast[sp] = vectorcall(fast[sp - 4], [type_of(error).cls, error, error.__traceback__], null);
            sp++;
            break;
          }

          // ---- Modules and classes
          case 108: {
            // IMPORT_NAME
            const from_list = fast[--sp];
            const level = fast[sp - 1];
            frame.pc = pc;
            fast[sp - 1] = import_name(frame, names[arg] as string, from_list, level);
            break;
          }
          case 109: // IMPORT_FROM
            fast[sp] = import_from(fast[sp - 1], names[arg] as string);
            sp++;
            break;
          case 84: // IMPORT_STAR
            import_star(fast[--sp], frame.locals as Map<unknown, unknown>);
            break;
          case 85: // SETUP_ANNOTATIONS
            if (!(frame.locals as Map<unknown, unknown>).has("__annotations__"))
              frame.locals?.set("__annotations__", new PyDict());
            break;
          case 70: // PRINT_EXPR
            vectorcall(frame.builtins.get("__displayhook__"), [fast[--sp]], null);
            break;

          // ---- Pattern matching
          case 30: // GET_LEN
            fast[sp] = length(fast[sp - 1]);
            sp++;
            break;
          case 31: // MATCH_MAPPING
            fast[sp] = match_mapping(fast[sp - 1]);
            sp++;
            break;
          case 32: // MATCH_SEQUENCE
            fast[sp] = match_sequence(fast[sp - 1]);
            sp++;
            break;
          case 33: // MATCH_KEYS
            fast[sp] = match_keys(fast[sp - 2], fast[sp - 1] as readonly unknown[]);
            sp++;
            break;
          case 152: {
            // MATCH_CLASS
            const keys = fast[--sp] as readonly string[];
            const type = fast[--sp];
            fast[sp - 1] = match_class(fast[sp - 1], type, arg, keys);
            break;
          }
          default:
            throw new SystemError(`unknown opcode ${ops[pc - 1]}`);
        }
      }
    } catch (raised) {
      // The frame that ran is `frame`, also if a call it made has left frames of its own behind.
      const error = as_python_exception(raised);
      kwnames = null;
      thread.frame = frame;
      thread.depth = frame.depth;
      watch = hooks.instruction;
      let origin = reraised;
      reraised = null;
      for (;;) {
        const at = pc - 1;
        frame.pc = pc;
        if (origin === null) {
          if (is_new) set_context(error);
          add_traceback(error, frame);
        }
        is_new = false;
        hooks.exception?.(frame, error);
        const k = at < 0 ? -1 : (frame.prepared.handler_of[at] as number);
        const handler = k < 0 ? undefined : frame.prepared.handlers[k];
        if (handler !== undefined) {
          const bottom = frame.prepared.nlocalsplus + handler.depth;
          if (handler.lasti) {
            fast[bottom] = origin === null || origin < 0 ? at : origin;
            sp = bottom + 1;
          } else sp = bottom;
          fast[sp++] = error;
          pc = handler.target;
          is_new = true;
          break;
        }
        origin = null;
        const left = frame;
        left.sp = left.prepared.nlocalsplus;
        pop_frame(left);
        if (left.entry) throw error;
        frame = left.back as Frame;
        ({ ops, args, consts, names } = frame.prepared);
        ({ fast, sp, pc } = frame);
      }
    }
  }
}

evaluation.run = run_frame;
