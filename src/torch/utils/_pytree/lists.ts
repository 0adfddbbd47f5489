/**
 * @file Nested lists as a flat list and a description of their structure.
 * @mirrors torch/utils/_pytree.py
 * @differs Only tuples and lists are containers here, and a tuple stands at the top only; index.ts beside it has all containers.
 */

/** Structure of a tree: a leaf, or a container with its children. */
export class TreeSpec {
  readonly type: "tuple" | "list" | null;
  private readonly _children: readonly TreeSpec[];

  constructor(type: "tuple" | "list" | null, children: readonly TreeSpec[]) {
    this.type = type;
    this._children = children;
  }

  is_leaf(): boolean {
    return this.type === null;
  }

  children(): readonly TreeSpec[] {
    return this._children;
  }

  equals(other: TreeSpec): boolean {
    return (
      this.type === other.type &&
      this._children.length === other._children.length &&
      this._children.every((child, i) => child.equals(other._children[i]))
    );
  }

  toString(indent = 0): string {
    if (this.type === null) return "*";
    const inner = indent + 2;
    const children = this._children.map((child) => child.toString(inner));
    return `TreeSpec(${this.type}, None, [${children.join(`,\n${" ".repeat(inner)}`)}])`;
  }
}

const LEAF = new TreeSpec(null, []);

/** Leaves of a tuple in order, and its structure. `is_leaf` decides about lists; everything else is a leaf. */
export function tree_flatten(
  tuple: readonly unknown[],
  is_leaf: (list: readonly unknown[]) => boolean,
): [leaves: unknown[], spec: TreeSpec] {
  const leaves: unknown[] = [];
  const spec_of = (value: unknown): TreeSpec => {
    if (Array.isArray(value) && !is_leaf(value)) return new TreeSpec("list", value.map(spec_of));
    leaves.push(value);
    return LEAF;
  };
  return [leaves, new TreeSpec("tuple", tuple.map(spec_of))];
}

/** The tuple of this structure whose leaves are `leaves`. */
export function tree_unflatten(leaves: readonly unknown[], spec: TreeSpec): unknown[] {
  let next = 0;
  const value_of = (node: TreeSpec): unknown => (node.is_leaf() ? leaves[next++] : node.children().map(value_of));
  return spec.children().map(value_of);
}
