/**
 * @file The user's words about a tensor's sizes: `mark_dynamic`, `mark_static`.
 * @mirrors torch/_dynamo/decorators.py#mark_dynamic
 */
import { def } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";

export interface DimMarks {
  readonly dynamic: Set<number>;
  readonly weak: Set<number>;
  readonly static: Set<number>;
}

const marks = new WeakMap<Tensor, DimMarks>();

export const marks_of = (t: Tensor): DimMarks | null => marks.get(t) ?? null;

function mark(t: Tensor, index: unknown, kind: keyof DimMarks): void {
  const known = marks.get(t) ?? { dynamic: new Set(), weak: new Set(), static: new Set() };
  const all =
    index === null ? t.cdata.sizes().map((_, i) => i) : Array.isArray(index) ? (index as number[]) : [index as number];
  for (const i of all) known[kind].add(i < 0 ? i + t.dim() : i);
  marks.set(t, known);
}

/** The size is a symbol in every compiled form. */
export const mark_dynamic = def("mark_dynamic(t: Tensor, index: object)", (t: Tensor, index: unknown): void =>
  mark(t, index, "dynamic"),
);
/** The size is a symbol, unless the program fixes it. */
export const maybe_mark_dynamic = def(
  "maybe_mark_dynamic(t: Tensor, index: object)",
  (t: Tensor, index: unknown): void => mark(t, index, "weak"),
);
/** The size is never a symbol. */
export const mark_static = def("mark_static(t: Tensor, index: object=None)", (t: Tensor, index: unknown): void =>
  mark(t, index, "static"),
);
