/**
 * @file Generators: a frame that stops at `yield` and runs on at the next value that is asked for.
 * @mirrors Objects/genobject.c (CPython 3.11)
 */
import { OP } from "../compiler/opcode.ts";
import { ExceptionInfo, evaluation, type Frame, thread } from "../vm/frame.ts";
import { vectorcall } from "./call.ts";
import { define_attributes } from "./descrobject.ts";
import { BaseException, GeneratorExit, RuntimeError, StopIteration, TypeError_, ValueError } from "./exceptions.ts";
import { address } from "./hashing.ts";
import { iterator_type, PyIterator } from "./iterobject.ts";
import { define_methods } from "./methodobject.ts";
import { getattr_or_undefined, repr } from "./object.ts";
import { PyTuple } from "./tupleobject.ts";
import { info_of, type_of } from "./typeobject.ts";

export class PyGenerator extends PyIterator {
  /** Null once it has ended. */
  frame: Frame | null;
  readonly code: unknown;
  running = false;
  name: string;
  qualname: string;
  private result_: unknown = null;
  private readonly exc_info = new ExceptionInfo();

  constructor(frame: Frame, name: string, qualname: string) {
    super();
    this.frame = frame;
    this.code = frame.f_code;
    this.name = name;
    this.qualname = qualname;
    frame.generator = this;
  }

  override get result(): unknown {
    return this.result_;
  }

  /** The machine tells what `return` gave. */
  finish(value: unknown): void {
    this.result_ = value;
  }

  step(): unknown {
    return this.send(null);
  }

  /** `generator.send(value)`, but undefined instead of StopIteration. */
  send(value: unknown): unknown {
    const { frame } = this;
    if (this.running) throw new ValueError("generator already executing");
    if (frame === null) {
      this.result_ = null;
      return undefined;
    }
    if (this.fresh(frame)) {
      if (value !== null) throw new TypeError_("can't send non-None value to a just-started generator");
    }
    frame.fast[frame.sp++] = value; // the result of `yield`
    return this.resume(frame, null);
  }

  /** Nothing but making the generator has run. */
  private fresh(frame: Frame): boolean {
    return frame.prepared.ops[frame.pc - 1] === OP.RETURN_GENERATOR;
  }

  private resume(frame: Frame, thrown: BaseException | null): unknown {
    this.running = true;
    // What is thrown in learns what the generator handles, not what its caller does.
    const handled = this.exc_info.value;
    if (thrown !== null && handled !== null && handled !== thrown) thrown.__context__ = handled;
    this.exc_info.previous = thread.exc_info;
    thread.exc_info = this.exc_info;
    let ended = true;
    try {
      const value = evaluation.run(frame, thrown);
      ended = value === undefined;
      return value;
    } catch (error) {
      if (error instanceof StopIteration) {
        const wrapped = new RuntimeError("generator raised StopIteration");
        wrapped.__cause__ = error;
        wrapped.__context__ = error;
        wrapped.__suppress_context__ = true;
        throw wrapped;
      }
      throw error;
    } finally {
      thread.exc_info = this.exc_info.previous as ExceptionInfo;
      this.exc_info.previous = null;
      this.running = false;
      if (ended) this.frame = null;
    }
  }

  /** `generator.throw(exception)`: raised at the `yield` where it stands, or in the generator that it delegates to. */
  throw_in(error: BaseException): unknown {
    const { frame } = this;
    if (this.running) throw new ValueError("generator already executing");
    if (frame === null) {
      thread.passed_on = error;
      throw error;
    }
    const inner = this.delegate;
    if (inner !== null) {
      let value: unknown;
      let failed: BaseException | null = null;
      this.running = true;
      try {
        if (error instanceof GeneratorExit) {
          close_iterator(inner);
          failed = error;
        } else if (inner instanceof PyGenerator) value = inner.throw_in(error);
        else {
          const method = getattr_or_undefined(inner, "throw");
          if (method === undefined) failed = error;
          else value = vectorcall(method, [error], null);
        }
      } catch (raised) {
        if (!(raised instanceof BaseException)) throw raised;
        if (raised instanceof StopIteration) {
          this.running = false;
          return this.leave_delegate(frame, raised.value);
        }
        failed = raised;
      } finally {
        this.running = false;
      }
      if (failed === null) {
        if (value !== undefined) return value;
        return this.leave_delegate(frame, inner instanceof PyGenerator ? inner.result : null);
      }
      return this.resume(frame, failed);
    }
    return this.resume(frame, error);
  }

  /** The inner iterator has ended: the generator runs on behind `yield from`. */
  private leave_delegate(frame: Frame, result: unknown): unknown {
    frame.fast[frame.sp - 1] = result; // in the place of the inner iterator
    // The frame stands at RESUME; before it are SEND, whose jump ends the delegation, and YIELD_VALUE.
    let at = frame.pc;
    while (frame.prepared.ops[at] !== OP.SEND) at--;
    frame.pc = frame.prepared.args[at] as number;
    return this.resume(frame, null);
  }

  /** The iterator of the `yield from` at which the generator stands, or null. */
  get delegate(): unknown {
    const { frame } = this;
    if (frame === null || this.running) return null;
    const { ops } = frame.prepared;
    // SEND, YIELD_VALUE, RESUME, JUMP_BACKWARD_NO_INTERRUPT
    if (ops[frame.pc - 1] !== OP.YIELD_VALUE || ops[frame.pc - 2] !== OP.SEND) return null;
    return frame.fast[frame.sp - 1];
  }

  /** `generator.close()`. */
  close(): void {
    if (this.frame === null) return;
    try {
      const value = this.throw_in(new GeneratorExit());
      if (value !== undefined) throw new RuntimeError("generator ignored GeneratorExit");
    } catch (error) {
      if (!(error instanceof GeneratorExit) && !(error instanceof StopIteration)) throw error;
    }
  }

  /** JavaScript's `for` leaves a generator early. */
  return(value?: unknown): IteratorResult<unknown> {
    this.close();
    return { done: true, value };
  }
}

/** Closes the iterator of a `yield from`. */
function close_iterator(iterator: unknown): void {
  if (iterator instanceof PyGenerator) iterator.close();
  else {
    const close = getattr_or_undefined(iterator, "close");
    if (close !== undefined) vectorcall(close, [], null);
  }
}

/** The exception that `throw` and `raise` make of a class or an instance. */
export function exception_of(value: unknown): BaseException {
  if (value instanceof BaseException) return value;
  const info = info_of(value);
  if (info !== undefined && (value as { prototype: unknown }).prototype instanceof BaseException) {
    const made = vectorcall(value, [], null);
    if (made instanceof BaseException) return made;
    throw new TypeError_(
      `calling ${repr(value)} should have returned an instance of BaseException, not ${repr(type_of(made).cls)}`,
    );
  }
  if (value === BaseException) return new BaseException();
  throw new TypeError_("exceptions must derive from BaseException");
}

export const generator_type = iterator_type("generator", PyGenerator);

function ended(generator: PyGenerator): StopIteration {
  return generator.result === null ? new StopIteration() : new StopIteration(generator.result);
}

/** The exception of `throw(type, value)`, whose first argument may be an instance alone. */
function thrown(type: unknown, value: unknown): BaseException {
  if (type instanceof BaseException) {
    if (value !== null) throw new TypeError_("instance exception may not have a separate value");
    return type;
  }
  if (info_of(type)?.cls.prototype instanceof BaseException || type === BaseException) {
    if (value === null) return exception_of(type);
    if (value instanceof BaseException) return value;
    return vectorcall(type, value instanceof PyTuple ? [...value] : [value], null) as BaseException;
  }
  throw new TypeError_(
    `exceptions must be classes or instances deriving from BaseException, not ${type_of(type).tp_name}`,
  );
}

define_methods(generator_type, {
  "send(self, arg, /)": (self: PyGenerator, arg) => {
    const value = self.send(arg);
    if (value === undefined) throw ended(self);
    return value;
  },
  "throw(self, typ, val=None, tb=None, /)": (self: PyGenerator, type: unknown, value: unknown) => {
    const result = self.throw_in(thrown(type, value));
    if (result === undefined) throw ended(self);
    return result;
  },
  "close(self, /)": (self: PyGenerator) => self.close(),
  "__repr__(self, /)": (self: PyGenerator) => `<generator object ${self.qualname} at ${address(self)}>`,
});
define_attributes(generator_type, {
  __name__: [(self: PyGenerator) => self.name, (self: PyGenerator, name: string) => void (self.name = name)],
  __qualname__: [
    (self: PyGenerator) => self.qualname,
    (self: PyGenerator, name: string) => void (self.qualname = name),
  ],
  gi_frame: (self: PyGenerator) => self.frame,
  gi_running: (self: PyGenerator) => self.running,
  gi_code: (self: PyGenerator) => self.code,
  gi_yieldfrom: (self: PyGenerator) => self.delegate,
});
