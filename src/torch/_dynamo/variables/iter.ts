/**
 * @file Iterators whose elements are known.
 * @mirrors torch/_dynamo/variables/iter.py, torch/_dynamo/variables/lists.py#ListIteratorVariable
 */
import { StopIteration } from "#python/Objects/exceptions";
import type { PyCodegen } from "../codegen.ts";
import { ObservedException } from "../observed.ts";
import { NO_KWARGS, type Translator, VariableTracker } from "./base.ts";

export class ListIteratorVariable extends VariableTracker {
  readonly items: readonly VariableTracker[];
  index = 0;

  constructor(items: readonly VariableTracker[]) {
    super(null, "new");
    this.items = items;
  }
  override children(): Iterable<VariableTracker> {
    return this.items.slice(this.index);
  }
  /** The next element; null at the end. */
  next_variable(): VariableTracker | null {
    return this.items[this.index++] ?? null;
  }
  override unpack_var_sequence(_tx: Translator): VariableTracker[] {
    const rest: VariableTracker[] = [];
    for (let next = this.next_variable(); next !== null; next = this.next_variable()) rest.push(next);
    return rest;
  }
  override reconstruct(codegen: PyCodegen): void {
    const rest = this.items.slice(this.index);
    for (const it of rest) codegen.reconstruct(it);
    codegen.append("BUILD_TUPLE", rest.length);
    codegen.append("GET_ITER");
  }
}

/** A generator of the program: its frame goes on when the next value is asked for. */
export class GeneratorVariable extends ListIteratorVariable {
  private readonly resume: () => VariableTracker | null;

  /** @param resume runs the frame to its next `yield`; null at its end */
  constructor(resume: () => VariableTracker | null) {
    super([]);
    this.resume = resume;
  }
  override next_variable(): VariableTracker | null {
    return this.resume();
  }
  override reconstruct(codegen: PyCodegen): void {
    VariableTracker.prototype.reconstruct.call(this, codegen);
  }
}

/** An iterator of a class of the program: `__next__` is followed each time. */
export class ObjectIteratorVariable extends ListIteratorVariable {
  private readonly object: VariableTracker;
  private readonly tx: Translator;

  constructor(tx: Translator, object: VariableTracker) {
    super([]);
    this.tx = tx;
    this.object = object;
  }
  override children(): Iterable<VariableTracker> {
    return [this.object];
  }
  override next_variable(): VariableTracker | null {
    try {
      return this.object.call_method(this.tx, "__next__", [], NO_KWARGS);
    } catch (error) {
      if (error instanceof ObservedException && error.exception instanceof StopIteration) return null;
      throw error;
    }
  }
  override reconstruct(codegen: PyCodegen): void {
    codegen.reconstruct(this.object);
  }
}
