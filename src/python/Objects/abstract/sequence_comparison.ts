/**
 * @file Comparison of two lists or two tuples, element by element.
 * @mirrors Objects/listobject.c#list_richcompare, Objects/tupleobject.c#tuplerichcompare (CPython 3.11)
 */
import { RecursionError } from "../exceptions.ts";
import { type Comparison, equal, richcompare } from "../object.ts";

/** How many comparisons stand within each other; a list that holds itself would never end. */
let depth = 0;
const DEEPEST = 500;

/** The first elements that differ decide; if none does, the lengths decide. */
export function compare_sequences(a: readonly unknown[], b: readonly unknown[], how: Comparison): unknown {
  if (a.length !== b.length && (how === "==" || how === "!=")) return how === "!=";
  if (++depth > DEEPEST) {
    depth--;
    throw new RecursionError("maximum recursion depth exceeded in comparison");
  }
  try {
    // A method of an element may change a list, so the lengths are asked each time.
    for (let i = 0; i < a.length && i < b.length; i++) {
      if (equal(a[i], b[i])) continue;
      if (how === "==") return false;
      if (how === "!=") return true;
      return richcompare(a[i], b[i], how);
    }
  } finally {
    depth--;
  }
  return richcompare(a.length, b.length, how);
}
