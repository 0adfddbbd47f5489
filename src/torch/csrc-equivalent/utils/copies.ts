/**
 * @file Objects of another copy of this library in the same program.
 * @original In Python a process loads a module once.
 *
 * Note [Two copies of the library]
 * ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
 * JavaScript loads a library once for each place where it lies: for each version that npm has installed, and again for each bundle that holds
 * it. Every copy has its own classes, its own dispatcher and its own memory, so a tensor of one copy means nothing to another. Each copy
 * therefore puts its own mark on its base classes. The marks of all copies stand under one key, so every copy can read them:
 *
 *     copy A: A.Tensor[key] = mark of A             A.sum(b): b[key] is not the mark of A, so b is refused by its name,
 *     copy B: B.Tensor[key] = mark of B                       "Tensor of another copy of glasstorch"
 *
 * Two rules follow. A `__torch_function__` of another copy is never called: its guard would switch off overriding in its own copy only, and
 * the two copies would call each other without end. And `python_type` says whose an object is, because "must be torch.dtype, not
 * torch.dtype" would help nobody. Functions that would only call a method of their argument refuse it too (`refuse_other_copies`): the
 * method would work, and the next function, which needs a tensor of its own, would fail far from the cause.
 */

const COPY: unique symbol = Symbol.for("glasstorch.copy") as never;
const this_copy = Symbol("this copy of glasstorch");

const marked: object[] = [];

/** Marks classes, their subclasses and all their objects as this copy's. */
export function mark_as_of_this_copy(...classes: readonly { readonly prototype: object }[]): void {
  for (const cls of classes) {
    for (const holder of [cls, cls.prototype]) Object.defineProperty(holder, COPY, { value: this_copy });
    marked.push(cls.prototype);
  }
}

/** Whether objects of a marked class have an attribute of this name. */
export function is_attribute(name: string): boolean {
  return marked.some((prototype) => name in prototype && !(name in Object.prototype));
}

/** Whether this copy made the value, or the class that it is. */
export function is_of_this_copy(value: unknown): boolean {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return false;
  return (value as { readonly [COPY]?: symbol })[COPY] === this_copy;
}

/** Whether another copy of the library made the value, or the class that it is. */
export function is_of_another_copy(value: unknown): boolean {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return false;
  const copy = (value as { readonly [COPY]?: symbol })[COPY];
  return copy !== undefined && copy !== this_copy;
}
