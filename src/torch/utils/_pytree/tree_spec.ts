/**
 * @file The structure of a tree: a leaf, or a container with its children.
 * @mirrors torch/utils/_pytree.py#TreeSpec
 */
import { ValueError } from "#c10/util/Exception";
import { TAKES_VALUES } from "#python/Objects/allocated";
import { hash_of } from "#python/Objects/hashing";
import { list_from } from "#python/Objects/iterobject";
import { equal, repr, str } from "#python/Objects/object";
import { tuple } from "#python/Objects/tupleobject";
import { def_methods } from "#torch/_signature";
import { type Context, class_name, definition_of, node_of } from "./registry.ts";

export class TreeSpec {
  static readonly [TAKES_VALUES] = true;
  static readonly __module__: string = "torch.utils._pytree";
  /** The container's class; `collections.namedtuple` for all named tuples; null for a leaf. */
  readonly type: unknown;
  readonly _context: Context;
  readonly _children: readonly TreeSpec[];
  readonly num_nodes: number;
  readonly num_leaves: number;
  readonly num_children: number;

  static {
    def_methods(TreeSpec, {
      unflatten: "(self, leaves)",
      flatten_up_to: "(self, tree: object)",
      child: "(self, index)",
    });
  }

  constructor(type: unknown, context: Context, children: readonly TreeSpec[]) {
    this.type = type;
    this._context = context;
    this._children = children;
    this.num_children = children.length;
    this.num_nodes = children.reduce((n, child) => n + child.num_nodes, 1);
    this.num_leaves = type === null ? 1 : children.reduce((n, child) => n + child.num_leaves, 0);
  }

  get context(): Context {
    return this._context;
  }

  get children_specs(): readonly TreeSpec[] {
    return this._children;
  }

  is_leaf(): boolean {
    return this.num_nodes === 1 && this.num_leaves === 1;
  }

  children(): TreeSpec[] {
    return [...this._children];
  }

  child(index: number): TreeSpec {
    return this._children.at(index) as TreeSpec;
  }

  /** The tree of this structure with these leaves. @throws {ValueError} if their number differs */
  unflatten(leaves: unknown): unknown {
    const values = list_from(leaves);
    if (values.length !== this.num_leaves)
      throw new ValueError(
        `treespec.unflatten(leaves): \`leaves\` has length ${values.length} but the spec refers to a pytree that holds ${this.num_leaves} items (${str(this)}).`,
      );
    let next = 0;
    const made = (spec: TreeSpec): unknown =>
      spec.is_leaf()
        ? values[next++]
        : definition_of(spec.type).unflatten(
            spec._children.map((child) => made(child)),
            spec._context,
          );
    return made(this);
  }

  /** The subtrees of `tree` that stand where this structure has leaves. @throws {ValueError} if the structures differ */
  flatten_up_to(tree: unknown): unknown[] {
    const subtrees: unknown[] = [];
    const visit = (spec: TreeSpec, node: unknown): void => {
      if (spec.is_leaf()) {
        subtrees.push(node);
        return;
      }
      const found = node_of(node);
      if (found === null || found[0] !== spec.type)
        throw new ValueError(
          `Node type mismatch; expected ${repr(spec.type)}, but got ${found === null ? "a leaf" : repr(found[0])}.`,
        );
      const [children, context] = found[1].flatten(node as never);
      if (children.length !== spec.num_children)
        throw new ValueError(`Node arity mismatch; expected ${spec.num_children}, but got ${children.length}.`);
      if (!equal(context, spec._context))
        throw new ValueError(
          `Node context mismatch for node type ${repr(spec.type)}; expected ${repr(spec._context)}, but got ${repr(context)}.`,
        );
      for (const [i, child] of children.entries()) visit(spec._children[i] as TreeSpec, child);
    };
    visit(this, tree);
    return subtrees;
  }

  equals(other: unknown): boolean {
    return (
      other instanceof TreeSpec &&
      this.num_children === other.num_children &&
      (this.type === other.type || (this.type !== null && other.type !== null && str(this.type) === str(other.type))) &&
      equal(this._context, other._context) &&
      this._children.every((child, i) => child.equals(other._children[i]))
    );
  }

  __eq__(other: unknown): boolean {
    return this.equals(other);
  }

  __hash__(): unknown {
    return hash_of(tuple([this.num_nodes, this.num_leaves, this.type === null ? "" : class_name(this.type)]));
  }

  toString(): string {
    return this.text(0);
  }

  private text(indent: number): string {
    if (this.type === null) return "*";
    const inner = indent + 2;
    const children = this._children.map((child) => child.text(inner));
    return `TreeSpec(${class_name(this.type)}, ${str(this._context)}, [${children.join(`,\n${" ".repeat(inner)}`)}])`;
  }
}

/** The structure of a value that is no container. */
export class LeafSpec extends TreeSpec {
  static override readonly __module__ = "torch.utils._pytree";
  constructor() {
    super(null, null, []);
  }
}

export const LEAF: TreeSpec = new LeafSpec();
