/**
 * @file The rows of the tree: steps in order, without those below a folded one, each with its position among its siblings.
 * @original
 */
import type { Projection } from "./projection.ts";

export interface TreeRow {
  readonly step: number;
  readonly depth: number;
  /** null for a leaf. */
  readonly open: boolean | null;
  /** Counted from 1, as `aria-posinset` is. */
  readonly position: number;
  readonly siblings: number;
}

export function treeRows(p: Projection, folded: ReadonlySet<number>): TreeRow[] {
  const { position, siblings } = places(p);
  const rows: TreeRow[] = [];
  for (let s = 0; s < p.steps.length; ) {
    const leaf = p.end[s] === s + 1;
    const open = leaf ? null : !folded.has(p.steps[s] as number);
    rows.push({
      step: s,
      depth: p.depth[s] as number,
      open,
      position: position[s] as number,
      siblings: siblings[(p.parent[s] as number) + 1] as number,
    });
    s = open === false ? (p.end[s] as number) : s + 1;
  }
  return rows;
}

/** Position of each step among its siblings, and the number of children by parent (shifted by one: -1 is the root). */
function places(p: Projection): { position: Int32Array; siblings: Int32Array } {
  const position = new Int32Array(p.steps.length);
  const siblings = new Int32Array(p.steps.length + 1);
  for (let s = 0; s < p.steps.length; s++) {
    const parent = (p.parent[s] as number) + 1;
    siblings[parent] = (siblings[parent] as number) + 1;
    position[s] = siblings[parent] as number;
  }
  return { position, siblings };
}

/** Events to fold initially: none in a short trace; in a long one, everything below the second level. */
export function foldedAtFirst(p: Projection): Set<number> {
  const folded = new Set<number>();
  if (p.steps.length <= 2000) return folded;
  for (let s = 0; s < p.steps.length; s++)
    if ((p.depth[s] as number) >= 2 && p.end[s] !== s + 1) folded.add(p.steps[s] as number);
  return folded;
}

/** `folded` without the ancestors of a step, so that its row is shown. */
export function unfoldTo(p: Projection, folded: ReadonlySet<number>, step: number): ReadonlySet<number> {
  let next: Set<number> | null = null;
  for (let at = p.parent[step] ?? -1; at !== -1; at = p.parent[at] as number) {
    const event = p.steps[at] as number;
    if (!folded.has(event)) continue;
    next ??= new Set(folded);
    next.delete(event);
  }
  return next ?? folded;
}
