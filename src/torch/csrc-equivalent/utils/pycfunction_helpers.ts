/**
 * @file The steps of CPython between a call and the C function of a `PyMethodDef`: it binds self and throws for
 * superfluous arguments.
 * @mirrors torch/csrc/utils/pycfunction_helpers.h
 */
import { TypeError_ } from "#c10/util/Exception";
import { traceCall, tracer } from "#c10/util/Trace";
import { TensorBase } from "#torch/csrc-equivalent/autograd/python_variable/type";
import { NotImplemented } from "./disable_torch_function.ts";
import { type KwArgs, take_kwargs } from "./python_arg_parser.ts";
import { python_type } from "./python_numbers.ts";

// biome-ignore lint/suspicious/noExplicitAny: a binding's self is a tensor, null or nothing; its table knows which
export type PyCFunctionWithKeywords = (self: any, args: unknown[], kwargs: KwArgs | null) => unknown;

/** The cold twin of a method table's entry: `fn(self, args, take_kwargs(args))` in a `binding` event (Note [One road]). */
export function callSlow(name: string, fn: PyCFunctionWithKeywords, self: unknown, args: unknown[]): unknown {
  const kwargs = take_kwargs(args);
  const inputs = self === null ? args.slice() : [self, ...args];
  return traceCall("binding", name, fn, [self, args, kwargs], kwargs === null ? { inputs } : { inputs, kwargs });
}

// Note [Method descriptors]
// ~~~~~~~~~~~~~~~~~~~~~~~~~
// In Python `Tensor.add` is itself a function: `Tensor.add(x, y)` is `x.add(y)`, and `__torch_function__` receives it
// to call `func(*args, **kwargs)`. Here a method detached from its tensor has no `this`; then the tensor is its first
// argument. Every method of a tensor supports this: those of C++'s tables through `unbound_self`, those of Python's
// classes through `def_methods`.

/** The tensor of a call without an object in front of the point: `f = x.add; f(x, y)`. */
export function unbound_self(this_: unknown, args: unknown[], name: string): TensorBase {
  const self = this_ === undefined ? args.shift() : this_;
  if (self instanceof TensorBase) return self;
  if (self === undefined) throw new TypeError_(`unbound method TensorBase.${name}() needs an argument`);
  throw new TypeError_(does_not_apply(name, self));
}

export function does_not_apply(name: string, self: unknown): string {
  return `descriptor '${name}' for 'torch._C.TensorBase' objects doesn't apply to a '${python_type(self)}' object`;
}

/** Throws CPython's error for a function without arguments. */
export function takes_no_arguments(args: unknown[], name: string): void {
  const kwargs = take_kwargs(args);
  if (kwargs !== null && Object.keys(kwargs).length > 0)
    throw new TypeError_(`TensorBase.${name}() takes no keyword arguments`);
  if (args.length > 0) throw new TypeError_(`TensorBase.${name}() takes no arguments (${args.length} given)`);
}

/** Throws CPython's error for a function with one argument. */
export function takes_one_argument(args: readonly unknown[], kwargs: KwArgs | null, name: string): void {
  if (kwargs !== null && Object.keys(kwargs).length > 0)
    throw new TypeError_(`TensorBase.${name}() takes no keyword arguments`);
  if (args.length !== 1) throw new TypeError_(`TensorBase.${name}() takes exactly one argument (${args.length} given)`);
}

/** Used by infix operators: if an argument does not fit, the other operand may try. */
export function TypeError_to_NotImplemented_(fn: PyCFunctionWithKeywords, self: unknown, args: unknown[]): unknown {
  try {
    // The package's linker adds a number to one of two functions of the same name.
    if (tracer !== null) return callSlow(`torch::autograd::${fn.name.replace(/\$\d+$/, "")}`, fn, self, args);
    return fn(self, args, take_kwargs(args));
  } catch (error) {
    if (error instanceof TypeError_) return NotImplemented;
    throw error;
  }
}
