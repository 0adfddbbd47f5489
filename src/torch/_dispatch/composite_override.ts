/**
 * @file Composite operators that a program's decomposition keeps, or replaces in another way than the dispatcher does.
 * @mirrors torch/_export/utils.py#_collect_all_valid_cia_ops_for_aten_namespace
 * @see torch/_decomp/core_aten.ts, whose table lists these operators; python.ts, which asks `is_overridden` before autograd's turn
 *
 *     table with linear     ->  linear becomes permute, addmm
 *     table without linear  ->  linear goes past autograd as one operator, and becomes one node
 */

import type { OperatorHandle } from "#aten/core/dispatch/Dispatcher";
import { AutoDispatchBelowAutograd } from "#aten/core/LegacyTypeDispatch";
import type { Stack } from "#aten/core/stack";
import { _C, Tag } from "#torch/_C";
import { type OpOverload, ops } from "#torch/_ops";

/** Questions about a tensor, which never become nodes. */
const METADATA = new Set(
  `is_contiguous is_contiguous.memory_format is_strides_like_format is_non_overlapping_and_dense size sym_size stride sym_stride storage_offset
  sym_storage_offset numel sym_numel dim`
    .split(/\s+/)
    .map((name) => `aten::${name}`),
);

const overload_named = (name: string): OpOverload => {
  const [base = "", overload = "default"] = name.slice("aten::".length).split(".");
  return (ops.aten as unknown as Record<string, Record<string, OpOverload>>)[base][overload];
};

/** Whether a program can hold the operator as one node: its schema tells all that it does. */
function is_preservable(op: OpOverload): boolean {
  const { _schema: schema, tags } = op;
  if (tags.includes(Tag.maybe_aliasing_or_mutating) || METADATA.has(op.name())) return false;
  return op.name() !== "aten::native_batch_norm" && !schema.arguments.some(({ alias_info }) => alias_info != null);
}

let all: readonly OpOverload[] | null = null;

/** The composite operators of `aten` that a program can hold as one node. */
export function preservable_composites(): readonly OpOverload[] {
  all ??= (_C._dispatch_get_registrations_for_dispatch_key("CompositeImplicitAutograd") as string[])
    .filter((name) => name.startsWith("aten::"))
    .map(overload_named)
    .filter(is_preservable);
  return all;
}

const composite_bodies = new Map<OpOverload, (...args: unknown[]) => unknown>();
const known_bodies = new WeakSet<object>();

/** The composite kernel that the dispatcher has for the operator, as an entry of a table. */
export function composite_body(op: OpOverload): (...args: unknown[]) => unknown {
  const known = composite_bodies.get(op);
  if (known !== undefined) return known;
  const body = (...args: unknown[]): unknown => op.decompose(...args);
  composite_bodies.set(op, body);
  known_bodies.add(body);
  return body;
}

/** By name: `aten::linear`. */
let overridden: ReadonlySet<string> = new Set();

export const is_overridden = (name: string): boolean => overridden.has(name);

/** Runs `fn` while the composite operators that `table` does not decompose as the dispatcher does go past autograd whole. */
export function with_table_of_composites<R>(table: ReadonlyMap<unknown, unknown>, fn: () => R): R {
  const before = overridden;
  const kept = preservable_composites().filter((op) => !known_bodies.has((table.get(op) ?? op) as object));
  overridden = new Set(kept.map((op) => op.name()));
  try {
    return fn();
  } finally {
    overridden = before;
  }
}

/** Calls an operator where no composite body is chosen for it. */
export function call_past_autograd(op: OperatorHandle, stack: Stack): void {
  const guard = new AutoDispatchBelowAutograd();
  try {
    op.callBoxed(stack);
  } finally {
    guard.restore();
  }
}
