/**
 * @file Iterators whose elements are known.
 * @mirrors torch/_dynamo/variables/iter.py, torch/_dynamo/variables/lists.py#ListIteratorVariable
 */
import type { PyCodegen } from "../codegen.ts";
import { type Translator, VariableTracker } from "./base.ts";

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
    const rest = this.items.slice(this.index);
    this.index = this.items.length;
    return rest;
  }
  override reconstruct(codegen: PyCodegen): void {
    const rest = this.items.slice(this.index);
    for (const it of rest) codegen.reconstruct(it);
    codegen.append("BUILD_TUPLE", rest.length);
    codegen.append("GET_ITER");
  }
}
