/**
 * @file One function for each instruction of Python 3.11: what it does with variables.
 * @mirrors torch/_dynamo/symbolic_convert.py#InstructionTranslatorBase
 */
import { NotImplementedError, RuntimeError } from "#c10/util/Exception";
import type { Code } from "#python/compiler/code";
import type { OpName } from "#python/compiler/opcode";
import { unpack } from "#python/Objects/abstract/sequences";
import { PyDict } from "#python/Objects/dictobject";
import type { BaseException } from "#python/Objects/exceptions";
import { EXCEPTIONS } from "#python/Objects/exceptions";
import { is_function } from "#python/Objects/funcobject";
import { PySet } from "#python/Objects/setobject";
import { info_of, type TypeObject, type_of } from "#python/Objects/typeobject";
import { build_class } from "#python/vm/build_class";
import { as_python_exception, exception_matches, raise } from "#python/vm/errors";
import { format_value } from "#python/vm/format_value";
import { import_ } from "#python/vm/import";
import { SELF_MATCHING } from "#python/vm/match";
import { torch } from "#torch/_torch";
import type { Instruction } from "./bytecode_transformation.ts";
import { Unsupported } from "./exc.ts";
import { unimplemented } from "./graph_break.ts";
import * as graph_break_hints from "./graph_break_hints.ts";
import { ObservedException } from "./observed.ts";
import { BINARY_OPERATORS, COMPARE_OPERATORS } from "./operations.ts";
import type { InstructionTranslator, InstructionTranslatorBase } from "./symbolic_convert.ts";
import { NO_KWARGS, NullVariable, type VariableTracker } from "./variables/base.ts";
import { BuiltinVariable } from "./variables/builtin.ts";
import { ConstantVariable } from "./variables/constant.ts";
import { constant_call } from "./variables/constant_call.ts";
import {
  type Context,
  ContextWrappingVariable,
  GenericContext,
  WithExitFunctionVariable,
} from "./variables/ctx_manager.ts";
import { ConstDictVariable, dict_items, key_of, SetVariable } from "./variables/dicts.ts";
import { CellVariable, NestedUserFunctionVariable } from "./variables/functions.ts";
import { ListIteratorVariable } from "./variables/iter.ts";
import { ListVariable, SliceVariable, TupleVariable } from "./variables/lists.ts";
import { ExceptionClassVariable, ExceptionVariable } from "./variables/misc.ts";
import { UnspecializedNNModuleVariable } from "./variables/nn_module.ts";
import { NodeVariable, NumberVariable, TensorVariable } from "./variables/tensor.ts";
import { UserDefinedObjectVariable } from "./variables/user_defined.ts";

type Tx = InstructionTranslatorBase;

export interface Handler {
  readonly run: (tx: Tx, inst: Instruction) => void;
  /** Whether the graph may end before the instruction, and whether the instruction leaves a value. */
  readonly breaks?: { readonly push: boolean };
}

const plain = (run: Handler["run"]): Handler => ({ run });
const breaking = (push: boolean, run: Handler["run"]): Handler => ({ run, breaks: { push } });
const constant = (value: unknown): ConstantVariable => new ConstantVariable(value);

/** An operator that takes values from the stack and leaves one. */
const operation = (nargs: number, name: (inst: Instruction) => string): Handler =>
  breaking(true, (tx, inst) => tx.push(tx.call_operator(name(inst), tx.popn(nargs))));

function name_of_local(tx: Tx, name: string): VariableTracker {
  const value = tx.symbolic_locals.get(name);
  if (value !== undefined) return value;
  throw new ObservedException(
    as_python_exception(
      new (EXCEPTIONS as unknown as Record<string, new (m: string) => Error>)["UnboundLocalError"]!(
        `cannot access local variable '${name}' where it is not associated with a value`,
      ),
    ),
  );
}

/** The program's name for what a node computes. */
function name_value(value: VariableTracker, name: string): void {
  if (value instanceof NodeVariable && value.source === null) value.set_name_hint(name);
}

/** `f(*args, **kwargs)` of the stack. */
function call(tx: Tx, inst: Instruction): void {
  const contents = [...tx.stack.splice(tx.stack.length - inst.arg - 2)];
  const has_null = contents[0] instanceof NullVariable;
  const fn = (has_null ? contents[1] : contents[0]) as VariableTracker;
  const args = has_null ? contents.slice(2) : contents.slice(1);
  const names = tx.kw_names;
  const positional = args.slice(0, args.length - names.length);
  const kwargs = new Map(names.map((name, i) => [name, args[positional.length + i] as VariableTracker]));
  try {
    tx.push(fn.realize().call_function(tx, positional, kwargs));
  } finally {
    tx.kw_names = [];
  }
}

/** The message of an `assert` whose condition is the jump that has just been read; null if it is no `assert`. */
function assertion_message(tx: Tx): string | null {
  let at = tx.instruction_pointer;
  const next = (): Instruction | undefined => tx.instructions[at++];
  if (next()?.opname !== "LOAD_ASSERTION_ERROR") return null;
  let inst = next();
  if (inst?.opname === "RAISE_VARARGS") return "assertion error";
  if (inst?.opname !== "LOAD_CONST" || typeof inst.argval !== "string") return null;
  const message = inst.argval;
  do inst = next();
  while (inst?.opname === "PRECALL" || inst?.opname === "CALL");
  return inst?.opname === "RAISE_VARARGS" ? message : null;
}

/** A jump that depends on a value. */
function jump_if(when: boolean, keep: boolean): Handler {
  return plain((tx, inst) => {
    const value = tx.pop();
    let truth: boolean;
    try {
      truth = tx.is_true(value);
    } catch (error) {
      if (!(error instanceof Unsupported) || !(value instanceof TensorVariable)) throw error;
      const message = when ? assertion_message(tx) : null;
      if (message !== null) {
        tx.call_node("call_function", torch._assert_async, [value.as_proxy(), message], new Map());
        tx.jump(inst);
        return;
      }
      error.real_stack ??= tx.user_stack();
      if (tx.parent !== null) throw error;
      return (tx as InstructionTranslator).break_at_jump(inst, value, keep, error);
    }
    if (truth === when) {
      if (keep) tx.push(value);
      tx.jump(inst);
    }
  });
}
const jump_if_none = (is_none: boolean): Handler =>
  plain((tx, inst) => {
    const value = tx.pop();
    const found = value instanceof ConstantVariable && value.value === null;
    if (found === is_none) tx.jump(inst);
  });

function build_function(tx: Tx, inst: Instruction): void {
  const code = tx.pop().as_python_constant() as Code;
  const closure = (inst.arg & 8) !== 0 ? (tx.pop() as TupleVariable).items : [];
  const annotations = (inst.arg & 4) !== 0 ? tx.pop() : null;
  const kwdefaults = (inst.arg & 2) !== 0 ? (tx.pop() as ConstDictVariable).entries() : [];
  const defaults = (inst.arg & 1) !== 0 ? tx.sequence(tx.pop()) : [];
  tx.push(
    new NestedUserFunctionVariable({
      code,
      globals: tx.scope.globals,
      defaults,
      kwdefaults: new Map(kwdefaults as [string, VariableTracker][]),
      annotations,
      closure: closure as CellVariable[],
    }),
  );
}

function raise_exception(tx: Tx, inst: Instruction): never {
  if (inst.arg === 0) {
    const last = tx.exceptions.at(-1);
    if (last === undefined)
      throw new ObservedException(as_python_exception(new RuntimeError("No active exception to reraise")));
    throw new ObservedException((last as ExceptionVariable).exception);
  }
  const cause = inst.arg === 2 ? tx.constant_of(tx.pop()) : undefined;
  const value = tx.pop();
  if (!(value instanceof ExceptionVariable || value instanceof ExceptionClassVariable))
    throw new NotImplementedError(`raise ${value.toString()}`);
  throw new ObservedException(as_python_exception(raise(value.as_python_constant(), cause)));
}

function format(tx: Tx, inst: Instruction): void {
  const spec = (inst.arg & 4) !== 0 ? (tx.pop().as_python_constant() as string) : "";
  const value = tx.pop();
  const of = value instanceof NumberVariable ? value.fixed() : value;
  if (!of.is_python_constant())
    unimplemented({
      gb_type: "Unsupported formatting",
      context: `FORMAT_VALUE ${value.toString()}`,
      explanation: `Dynamo does not know how to format ${value.toString()}`,
      hints: [...graph_break_hints.SUPPORTABLE],
    });
  tx.push(constant_call(tx, () => format_value(of.as_python_constant(), inst.arg & 3, spec)));
}

function unpack_sequence(tx: Tx, inst: Instruction): void {
  const of = tx.pop();
  const items = tx.sequence(of);
  if (items.length !== inst.arg) constant_call(tx, () => unpack(new Array(items.length).fill(null), inst.arg));
  for (const it of [...items].reverse()) tx.push(it);
}

function with_block(tx: Tx, inst: Instruction): void {
  const value = tx.pop();
  const context = context_of(value);
  if (context === null)
    unimplemented({
      gb_type: "Unsupported context manager",
      context: `Attempted SETUP_WITH/BEFORE_WITH on ${value.toString()}`,
      explanation: `Dynamo does not know how to enter a \`${value.python_type_name()}\` context manager.`,
      hints: [
        "Avoid using the unsupported context manager.",
        "If the context manager seems like it should be supported (e.g. torch.set_grad_enabled), then it may be the case that it was created outside the compiled region, which Dynamo does not support. Supported context managers can cross graph break boundaries only if they are local non-closure variables, or are intermediate values.",
        "File an issue to PyTorch. Simple context managers can potentially be supported, but note that context managers can't be supported in general",
      ],
    });
  const next = tx.instructions[tx.instruction_pointer] as Instruction;
  const block = { context, inside: next.exn_tab_entry, outside: inst.exn_tab_entry };
  const exit = new WithExitFunctionVariable(context, () => {
    const at = tx.block_stack.indexOf(block);
    if (at >= 0) tx.block_stack.splice(at, 1);
  });
  const entered = context.enter(tx);
  tx.block_stack.push(block);
  tx.push(exit);
  tx.push(entered);
}

/** The context of a value; null: the translator does not know how to enter it. */
function context_of(value: VariableTracker): Context | null {
  if (value instanceof ContextWrappingVariable) return value;
  if (!(value instanceof UserDefinedObjectVariable) || value instanceof UnspecializedNNModuleVariable) return null;
  const has = (name: string): boolean => is_function(value.type.lookup(name));
  return has("__enter__") && has("__exit__") ? new GenericContext(value) : null;
}

/** An exception leaves a `with` block: the context hears of it, and may stop it. */
function with_except_start(tx: Tx): void {
  const exit = below(tx, 4);
  const error = below(tx, 1) as ExceptionVariable;
  const cls = tx.value(type_of(error.exception).cls);
  tx.push(exit.call_function(tx, [cls, error, constant(null)], NO_KWARGS));
}

function for_iter(tx: Tx, inst: Instruction): void {
  const iterator = tx.stack.at(-1)?.realize();
  if (!(iterator instanceof ListIteratorVariable))
    throw new NotImplementedError(`iteration over ${iterator?.toString()}`);
  const next = iterator.next_variable();
  if (next !== null) tx.push(next);
  else {
    tx.pop();
    tx.jump(inst);
  }
}

function contains(tx: Tx, inst: Instruction): void {
  const [item, container] = tx.popn(2) as [VariableTracker, VariableTracker];
  const found = tx.call_operator("contains", [container, item]);
  tx.push(
    inst.arg === 1
      ? found instanceof TensorVariable
        ? tx.call_operator("not_", [found])
        : constant(!tx.is_true(found))
      : found,
  );
}

function match_exception(tx: Tx): void {
  const cls = tx.pop();
  const error = tx.stack.at(-1) as ExceptionVariable;
  tx.push(constant(exception_matches(error.exception, tx.constant_of(cls))));
}

/** `case [a, b]` takes lists and tuples. */
const is_sequence = (of: VariableTracker): boolean => of instanceof ListVariable || of instanceof TupleVariable;

/** `case {"a": n}`: the values of the keys, or None if one is missing. */
function match_keys(tx: Tx): void {
  const dict = below(tx, 2);
  const values: VariableTracker[] = [];
  for (const key of tx.sequence(below(tx, 1))) {
    if (!tx.is_true(dict.call_method(tx, "__contains__", [key.realize()], NO_KWARGS))) {
      tx.push(constant(null));
      return;
    }
    values.push(dict.call_method(tx, "__getitem__", [key.realize()], NO_KWARGS));
  }
  tx.push(new TupleVariable(values));
}

/** `case Point(x, y=1)`: the attributes, or None if the subject is no such object or lacks one. */
function match_class(tx: Tx, { arg }: Instruction): void {
  const [subject, cls, names] = tx.popn(3) as [VariableTracker, VariableTracker, VariableTracker];
  const call = (name: string, ...args: VariableTracker[]): VariableTracker =>
    new BuiltinVariable(tx.builtin(name)).call_function(tx, args, NO_KWARGS);
  const found: VariableTracker[] = [];
  const keywords = tx.sequence(names).map((it) => tx.constant_of(it) as string);
  let matches = tx.is_true(call("isinstance", subject, cls));
  if (matches && arg > 0) {
    const is_self = SELF_MATCHING.has((info_of(tx.constant_of(cls)) as TypeObject).name);
    if (is_self && arg === 1) found.push(subject);
    else {
      const positional = tx.sequence(cls.var_getattr(tx, "__match_args__")).map((it) => tx.constant_of(it) as string);
      if (positional.length < arg) throw new NotImplementedError("a pattern with too many positional parts");
      keywords.unshift(...positional.slice(0, arg));
    }
  }
  for (const name of matches ? keywords : []) {
    if (tx.is_true(call("hasattr", subject, constant(name)))) found.push(subject.var_getattr(tx, name));
    else matches = false;
  }
  tx.push(matches ? new TupleVariable(found) : constant(null));
}

/** An object or a dict changes by what stands `arg` places below. */
const below = (tx: Tx, arg: number): VariableTracker => tx.stack[tx.stack.length - arg]?.realize() as VariableTracker;

export const HANDLERS: Partial<Record<OpName, Handler>> = {
  NOP: plain(() => {}),
  RESUME: plain(() => {}),
  PRECALL: plain(() => {}),
  CACHE: plain(() => {}),
  COPY_FREE_VARS: plain(() => {}),
  EXTENDED_ARG: plain(() => {}),
  MAKE_CELL: plain(() => {}),
  POP_TOP: plain((tx) => void tx.pop_lazy()),
  PUSH_NULL: plain((tx) => tx.push(new NullVariable())),
  COPY: plain((tx, { arg }) => tx.push(tx.stack[tx.stack.length - arg] as VariableTracker)),
  SWAP: plain(({ stack }, { arg }) => {
    const [a, b] = [stack.length - 1, stack.length - arg];
    [stack[a], stack[b]] = [stack[b] as VariableTracker, stack[a] as VariableTracker];
  }),

  // ---- Names
  LOAD_CONST: plain((tx, { argval }) => tx.push(tx.value(argval))),
  LOAD_FAST: plain((tx, { argval }) => tx.push(name_of_local(tx, argval as string))),
  STORE_FAST: plain((tx, { argval }) => {
    const value = tx.pop_lazy();
    name_value(value, argval as string);
    tx.symbolic_locals.set(argval as string, value);
  }),
  DELETE_FAST: plain((tx, { argval }) => void tx.symbolic_locals.delete(argval as string)),
  LOAD_GLOBAL: plain((tx, { arg, argval }) => {
    if ((arg & 1) !== 0) tx.push(new NullVariable());
    tx.push(tx.load_global(argval as string));
  }),
  STORE_GLOBAL: plain((tx, { argval }) => tx.store_global(argval as string, tx.pop_lazy())),
  LOAD_CLOSURE: plain((tx, { argval }) => tx.push(cell_of(tx, argval as string))),
  LOAD_DEREF: plain((tx, { argval }) => {
    const { content } = cell_of(tx, argval as string);
    if (content === null) throw new ObservedException(tx.name_error(argval as string));
    tx.push(content);
  }),
  STORE_DEREF: plain((tx, { argval }) => {
    const value = tx.pop_lazy();
    name_value(value, argval as string);
    tx.output.side_effects.store_cell(cell_of(tx, argval as string), value);
  }),
  LOAD_ATTR: breaking(true, (tx, { argval }) => tx.push(tx.pop().var_getattr(tx, argval as string))),
  LOAD_METHOD: plain((tx, { argval }) => {
    const method = tx.pop().var_getattr(tx, argval as string);
    tx.push(new NullVariable());
    tx.push(method);
  }),
  STORE_ATTR: breaking(false, (tx, { argval }) => {
    const [value, of] = tx.popn(2) as [VariableTracker, VariableTracker];
    of.call_method(tx, "__setattr__", [constant(argval), value], NO_KWARGS);
  }),
  DELETE_ATTR: breaking(false, (tx, { argval }) => {
    tx.pop().call_method(tx, "__delattr__", [constant(argval)], NO_KWARGS);
  }),
  IMPORT_NAME: plain((tx, { argval }) => {
    const [level, names] = tx.popn(2).map((it) => it.as_python_constant());
    const module = constant_call(tx, () => import_(tx.scope.globals, argval as string, names, Number(level)));
    tx.push(module);
  }),
  IMPORT_FROM: plain((tx, { argval }) => tx.push(below(tx, 1).var_getattr(tx, argval as string))),
  LOAD_ASSERTION_ERROR: plain((tx) => tx.push(new ExceptionClassVariable(EXCEPTIONS.AssertionError))),
  LOAD_BUILD_CLASS: plain((tx) => tx.push(tx.value(build_class))),

  // ---- Operators
  BINARY_OP: operation(2, ({ arg }) => BINARY_OPERATORS[arg] as string),
  COMPARE_OP: operation(2, ({ arg }) => COMPARE_OPERATORS[arg] as string),
  BINARY_SUBSCR: operation(2, () => "getitem"),
  UNARY_NEGATIVE: operation(1, () => "neg"),
  UNARY_POSITIVE: operation(1, () => "pos"),
  UNARY_INVERT: operation(1, () => "invert"),
  UNARY_NOT: breaking(true, (tx) => {
    const value = tx.pop();
    tx.push(value instanceof TensorVariable ? tx.call_operator("not_", [value]) : constant(!tx.is_true(value)));
  }),
  STORE_SUBSCR: breaking(false, (tx) => {
    const [value, of, key] = tx.popn(3) as [VariableTracker, VariableTracker, VariableTracker];
    tx.call_operator("setitem", [of, key, value]);
  }),
  DELETE_SUBSCR: breaking(false, (tx) => void tx.call_operator("delitem", tx.popn(2))),
  IS_OP: plain((tx, { arg }) => {
    const [a, b] = tx.popn(2) as [VariableTracker, VariableTracker];
    const same = tx.same_object(a, b);
    if (same === null) throw new NotImplementedError(`${a.toString()} is ${b.toString()}`);
    tx.push(constant(same !== (arg === 1)));
  }),
  CONTAINS_OP: plain(contains),

  // ---- Jumps
  JUMP_FORWARD: plain((tx, inst) => tx.jump(inst)),
  JUMP_BACKWARD: plain((tx, inst) => tx.jump(inst)),
  JUMP_BACKWARD_NO_INTERRUPT: plain((tx, inst) => tx.jump(inst)),
  POP_JUMP_FORWARD_IF_FALSE: jump_if(false, false),
  POP_JUMP_BACKWARD_IF_FALSE: jump_if(false, false),
  POP_JUMP_FORWARD_IF_TRUE: jump_if(true, false),
  POP_JUMP_BACKWARD_IF_TRUE: jump_if(true, false),
  JUMP_IF_FALSE_OR_POP: jump_if(false, true),
  JUMP_IF_TRUE_OR_POP: jump_if(true, true),
  POP_JUMP_FORWARD_IF_NONE: jump_if_none(true),
  POP_JUMP_BACKWARD_IF_NONE: jump_if_none(true),
  POP_JUMP_FORWARD_IF_NOT_NONE: jump_if_none(false),
  POP_JUMP_BACKWARD_IF_NOT_NONE: jump_if_none(false),

  // ---- Loops
  GET_ITER: plain((tx) => tx.push(tx.iterator(tx.pop()))),
  FOR_ITER: plain(for_iter),

  // ---- Containers
  BUILD_TUPLE: plain((tx, { arg }) => tx.push(new TupleVariable(tx.stack.splice(tx.stack.length - arg)))),
  BUILD_LIST: plain((tx, { arg }) => tx.push(new ListVariable(tx.stack.splice(tx.stack.length - arg), null, "new"))),
  BUILD_SET: plain((tx, { arg }) => {
    const made = new PySet();
    for (const it of tx.popn(arg)) made.add(tx.constant_of(it));
    tx.push(new SetVariable(made));
  }),
  BUILD_MAP: plain((tx, { arg }) => {
    const flat = tx.stack.splice(tx.stack.length - 2 * arg);
    const made = new PyDict();
    for (let i = 0; i < flat.length; i += 2) made.set(key_of(tx, flat[i] as VariableTracker), flat[i + 1]);
    tx.push(new ConstDictVariable(made));
  }),
  BUILD_CONST_KEY_MAP: plain((tx, { arg }) => {
    const keys = tx.pop().as_python_constant() as readonly unknown[];
    const values = tx.stack.splice(tx.stack.length - arg);
    const made = new PyDict();
    for (const [i, key] of keys.entries()) made.set(key, values[i]);
    tx.push(new ConstDictVariable(made));
  }),
  BUILD_SLICE: plain((tx, { arg }) => {
    const items = tx.stack.splice(tx.stack.length - arg);
    if (arg === 2) items.push(constant(null));
    tx.push(new SliceVariable(items));
  }),
  BUILD_STRING: breaking(true, (tx, { arg }) =>
    tx.push(
      constant(
        tx
          .popn(arg)
          .map((it) => it.as_python_constant() as string)
          .join(""),
      ),
    ),
  ),
  FORMAT_VALUE: breaking(true, format),
  LIST_APPEND: plain((tx, { arg }) => {
    const value = tx.pop_lazy();
    (below(tx, arg) as ListVariable).items.push(value);
  }),
  LIST_EXTEND: plain((tx, { arg }) => {
    const value = tx.pop();
    (below(tx, arg) as ListVariable).items.push(...tx.sequence(value));
  }),
  LIST_TO_TUPLE: plain((tx) => tx.push(new TupleVariable((tx.pop() as ListVariable).items))),
  SET_ADD: plain((tx, { arg }) => {
    const value = tx.pop();
    (below(tx, arg) as SetVariable).items.add(tx.constant_of(value));
  }),
  SET_UPDATE: plain((tx, { arg }) => {
    const value = tx.pop();
    for (const it of tx.sequence(value)) (below(tx, arg) as SetVariable).items.add(tx.constant_of(it));
  }),
  MAP_ADD: plain((tx, { arg }) => {
    const value = tx.pop_lazy();
    const key = tx.pop();
    (below(tx, arg) as ConstDictVariable).items.set(key_of(tx, key), value);
  }),
  DICT_UPDATE: plain((tx, { arg }) => {
    const value = tx.pop();
    const target = below(tx, arg) as ConstDictVariable;
    for (const [key, it] of dict_items(tx, value)) target.items.set(key, it);
  }),
  DICT_MERGE: plain((tx, { arg }) => {
    const value = tx.pop();
    const target = below(tx, arg) as ConstDictVariable;
    for (const [key, it] of dict_items(tx, value)) target.items.set(key, it);
  }),
  UNPACK_SEQUENCE: plain(unpack_sequence),
  UNPACK_EX: plain((tx, { arg }) => {
    const items = tx.sequence(tx.pop());
    const [before, after] = [arg & 0xff, arg >> 8];
    if (items.length < before + after) throw new NotImplementedError("too few values to unpack");
    const middle = items.splice(before, items.length - before - after);
    const [first, last] = [items.slice(0, before), items.slice(before)];
    for (const it of last.reverse()) tx.push(it);
    tx.push(new ListVariable(middle, null, "new"));
    for (const it of first.reverse()) tx.push(it);
  }),
  MATCH_SEQUENCE: plain((tx) => tx.push(constant(is_sequence(below(tx, 1))))),
  MATCH_MAPPING: plain((tx) => tx.push(constant(below(tx, 1) instanceof ConstDictVariable))),
  MATCH_KEYS: plain(match_keys),
  MATCH_CLASS: plain(match_class),
  GET_LEN: plain((tx) => tx.push(new BuiltinVariable(tx.builtin("len")).call_function(tx, [below(tx, 1)], NO_KWARGS))),

  // ---- Calls
  KW_NAMES: plain((tx, { argval }) => {
    tx.kw_names = [...(argval as Iterable<string>)];
    tx.root.kw_names_const = argval;
  }),
  CALL: breaking(true, call),
  CALL_FUNCTION_EX: breaking(true, (tx, { arg }) => {
    const keywords = (arg & 1) !== 0 ? tx.pop() : null;
    const args = tx.sequence(tx.pop());
    const fn = tx.pop();
    tx.pop_lazy();
    const kwargs =
      keywords === null ? NO_KWARGS : new Map([...dict_items(tx, keywords)] as [string, VariableTracker][]);
    tx.push(fn.call_function(tx, args, kwargs));
  }),
  MAKE_FUNCTION: plain(build_function),
  RETURN_VALUE: plain((tx) => tx.return_value(tx.pop_lazy())),
  RETURN_GENERATOR: plain((tx) => {
    if (tx.parent === null) throw new NotImplementedError("a generator");
    tx.push(constant(null));
  }),
  YIELD_VALUE: plain((tx) => {
    tx.yielded = tx.pop_lazy();
    tx.push(constant(null));
    tx.finish();
  }),

  // ---- Blocks and exceptions
  BEFORE_WITH: breaking(true, with_block),
  WITH_EXCEPT_START: plain(with_except_start),
  RAISE_VARARGS: plain(raise_exception),
  PUSH_EXC_INFO: plain((tx) => {
    const error = tx.pop();
    tx.push(tx.exceptions.at(-1) ?? constant(null));
    tx.push(error);
    tx.exceptions.push(error);
  }),
  POP_EXCEPT: plain((tx) => {
    tx.pop();
    tx.exceptions.pop();
  }),
  CHECK_EXC_MATCH: plain(match_exception),
  RERAISE: plain((tx) => {
    throw new ObservedException((tx.pop() as ExceptionVariable).exception as BaseException);
  }),
};

function cell_of(tx: Tx, name: string): CellVariable {
  let cell = tx.cells.get(name);
  if (cell === undefined) {
    cell = new CellVariable(null);
    tx.cells.set(name, cell);
  }
  return cell;
}
