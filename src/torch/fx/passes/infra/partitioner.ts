/**
 * @file `CapabilityBasedPartitioner`: groups the nodes that a backend supports, as large as no cycle arises, and makes each group a module.
 * @mirrors torch/fx/passes/infra/partitioner.py
 *
 * Nodes are visited from the last to the first. Each supported node begins as a group of its own; then it is merged with every group that is there, unless
 * a value would leave the merged group and come back to it.
 */
import { Allocated, TAKES_VALUES } from "#python/Objects/allocated";
import { PyDict } from "#python/Objects/dictobject";
import { repr, truth } from "#python/Objects/object";
import { def_methods, Init, types } from "#torch/_signature";
import type { GraphModule } from "../../graph_module.ts";
import type { Node } from "../../node.ts";
import { _get_qualified_name } from "../../qualified_names.ts";
import type { OperatorSupportBase } from "../operator_support.ts";
import { fuse_groups } from "../utils/fuser_utils.ts";

export class Partition {
  static readonly [TAKES_VALUES] = true;
  static readonly __module__ = "torch.fx.passes.infra.partitioner";
  id: number | null;
  /** The nodes, with the order in which they were visited. */
  nodes: PyDict = new PyDict();

  constructor(id: number | null = null, nodes: Iterable<unknown> = []) {
    this.id = id;
    for (const node of nodes) this.nodes.set(node, null);
  }

  add_node(node: Node, node_order: number | null = null): void {
    this.nodes.set(node, node_order);
  }

  remove_node(node: Node): void {
    this.nodes.delete(node);
  }

  size(): number {
    return this.nodes.size;
  }

  toString(): string {
    return repr(this.nodes);
  }
}

const Partitioner_init = new Init(
  "CapabilityBasedPartitioner.__init__(self, graph_module, operator_support, allows_single_node_partition=False, non_compute_ops=None, allowed_single_node_partition_ops=None, skip_horizontal_fusion=False)",
  types<
    [
      graph_module: GraphModule,
      operator_support: OperatorSupportBase,
      allows_single_node_partition: boolean,
      non_compute_ops: string[] | null,
      allowed_single_node_partition_ops: string[] | null,
      skip_horizontal_fusion: boolean,
    ]
  >,
);

export class CapabilityBasedPartitioner extends Allocated {
  static readonly [TAKES_VALUES] = true;
  static readonly __module__ = "torch.fx.passes.infra.partitioner";
  readonly graph_module: GraphModule;
  readonly operator_support: OperatorSupportBase;
  readonly allows_single_node_partition: boolean;
  readonly non_compute_ops: string[];
  readonly allowed_single_node_partition_ops: string[];
  readonly skip_horizontal_fusion: boolean;

  static {
    def_methods(CapabilityBasedPartitioner, {
      __init__: Partitioner_init,
      propose_partitions: "(self)",
      fuse_partitions: "(self, partitions, prefix='fused_')",
      partition_and_fuse: "(self, prefix='fused_')",
      remove_bookend_non_compute_ops: "(self, partitions)",
    });
  }

  constructor(...given: unknown[]) {
    super();
    const [graph_module, operator_support, single, non_compute, allowed, skip] = Partitioner_init.bind(given);
    this.graph_module = graph_module;
    this.operator_support = operator_support;
    this.allows_single_node_partition = single;
    this.non_compute_ops = non_compute ?? [];
    this.allowed_single_node_partition_ops = allowed ?? [];
    this.skip_horizontal_fusion = skip;
  }

  private is_supported(node: Node): boolean {
    const modules = new PyDict();
    for (const [name, module] of this.graph_module.named_modules()) modules.set(name, module);
    return truth(this.operator_support.is_node_supported(modules, node));
  }

  /** The groups, each a set of nodes. */
  propose_partitions(): Partition[] {
    const groups = new Groups([...this.graph_module.graph.nodes]);
    groups.propose((node) => this.is_supported(node), this.skip_horizontal_fusion);
    groups.keep_getitem_with_producer();
    if (!this.allows_single_node_partition) groups.drop_if((partition) => this.is_too_small(partition));
    return groups.partitions().filter((partition) => partition.size() > 0);
  }

  /** Whether a group computes at most one thing. */
  private is_too_small({ nodes }: Partition): boolean {
    const no_compute = new Set(["torch.ops.aten.view", "_operator.getitem", ...this.non_compute_ops]);
    let count = 0;
    for (const node of nodes.keys() as Iterable<Node>) {
      if (node.op !== "call_function") continue;
      const name = _get_qualified_name(node.target);
      if (!no_compute.has(name)) count++;
      if (this.allowed_single_node_partition_ops.includes(name)) count++;
    }
    return count <= 1;
  }

  /** Makes each group a module, whose name is the prefix with a number. */
  fuse_partitions(partitions: readonly Partition[], prefix: string): GraphModule {
    const groups = partitions.map(({ nodes }) => [...nodes.keys()] as Node[]);
    return fuse_groups(this.graph_module, groups, prefix);
  }

  partition_and_fuse(prefix: string): GraphModule {
    const propose = this.propose_partitions as () => Partition[];
    const fuse = this.fuse_partitions as (partitions: readonly Partition[], prefix: string) => GraphModule;
    return fuse.call(this, propose.call(this), prefix);
  }

  /** Takes nodes that compute nothing out of the beginning and the end of each group. */
  remove_bookend_non_compute_ops(partitions: readonly Partition[]): void {
    const names = new Set(this.non_compute_ops);
    const computes = (node: Node): boolean =>
      !(node.op === "call_function" && names.has(_get_qualified_name(node.target)));
    for (const { nodes } of partitions) {
      const removed = new Set<Node>();
      const transparent = (node: Node, next: (node: Node) => Iterable<Node>): boolean => {
        if (node.op === "placeholder" || !nodes.has(node) || removed.has(node)) return true;
        return !computes(node) && [...next(node)].every((other) => transparent(other, next));
      };
      const inputs = (node: Node): Iterable<Node> => node.all_input_nodes;
      const users = (node: Node): Iterable<Node> => node.users.keys() as Iterable<Node>;
      for (const node of nodes.keys() as Iterable<Node>)
        if (!computes(node) && (transparent(node, inputs) || transparent(node, users))) removed.add(node);
      for (const node of removed) nodes.delete(node);
    }
  }
}

/** The groups while they grow. */
class Groups {
  private readonly nodes: readonly Node[];
  /** All nodes behind a node. */
  private readonly downstream = new Map<Node, Set<Node>>();
  private readonly group_of = new Map<Node, number>();
  private readonly groups = new Map<number, Partition>();
  /** The groups behind a group. */
  private readonly behind = new Map<number, Set<number>>();
  /** The nodes outside a group that use its values. */
  private readonly users = new Map<number, Set<Node>>();
  /** The groups in the order of their first nodes. */
  private readonly order = new Map<number, number>();
  private next_id = 0;

  constructor(nodes: readonly Node[]) {
    this.nodes = nodes;
    for (const node of nodes.toReversed()) {
      const all = new Set<Node>();
      for (const user of node.users.keys() as Iterable<Node>) {
        all.add(user);
        for (const further of this.downstream.get(user) ?? []) all.add(further);
      }
      this.downstream.set(node, all);
    }
  }

  partitions(): Partition[] {
    return [...this.groups.values()];
  }

  drop_if(test: (partition: Partition) => boolean): void {
    for (const [id, partition] of [...this.groups]) if (test(partition)) this.groups.delete(id);
  }

  propose(is_supported: (node: Node) => boolean, only_users: boolean): void {
    this.nodes.toReversed().forEach((node, place) => {
      const candidates = new Set<number>();
      if (is_supported(node) && !this.group_of.has(node)) {
        const id = this.next_id++;
        this.order.set(id, id);
        this.begin(node, place, id);
        candidates.add(id);
        if (only_users)
          for (const user of node.users.keys() as Iterable<Node>) {
            const other = this.group_of.get(user);
            if (other !== undefined) candidates.add(other);
          }
      }
      if (!only_users) for (const [id] of [...this.order].sort(([, a], [, b]) => a - b)) candidates.add(id);
      const [first, ...others] = candidates;
      others.reduce((id, other) => this.merge(id, other), first as number);
    });
    for (const partition of this.groups.values()) {
      const sorted = new PyDict();
      const by_order = [...partition.nodes].sort(([, a], [, b]) => (b as number) - (a as number));
      for (const [node, place] of by_order) sorted.set(node, place);
      partition.nodes = sorted;
    }
  }

  private begin(node: Node, place: number, id: number): void {
    this.group_of.set(node, id);
    const partition = new Partition(id);
    partition.add_node(node, place);
    this.groups.set(id, partition);
    const users = new Set(node.users.keys() as Iterable<Node>);
    this.users.set(id, users);
    this.behind.set(id, this.groups_behind(users, [id]));
  }

  /** The groups that are reached from these nodes. */
  private groups_behind(nodes: Iterable<Node>, but: readonly number[]): Set<number> {
    const found = new Set<number>();
    for (const node of nodes)
      for (const reached of [node, ...(this.downstream.get(node) ?? [])]) {
        const id = this.group_of.get(reached);
        if (id === undefined) continue;
        found.add(id);
        for (const further of this.behind.get(id) ?? []) found.add(further);
      }
    for (const id of but) found.delete(id);
    return found;
  }

  /** Whether a path from one of the users comes back to the two groups. */
  private closes_cycle(users: Iterable<Node>, a: number, b: number): boolean {
    const [nodes_a, nodes_b] = [this.groups.get(a)?.nodes, this.groups.get(b)?.nodes];
    for (const user of users)
      for (const reached of [user, ...(this.downstream.get(user) ?? [])]) {
        if (nodes_a?.has(reached) || nodes_b?.has(reached)) return true;
        const id = this.group_of.get(reached);
        const further = id === undefined ? undefined : this.behind.get(id);
        if (further?.has(a) || further?.has(b)) return true;
      }
    return false;
  }

  /** Merges two groups if no cycle arises; gives the group of the first. */
  private merge(a: number, b: number): number {
    const [group_a, group_b] = [this.groups.get(a) as Partition, this.groups.get(b) as Partition];
    const users = new Set([...(this.users.get(a) as Set<Node>), ...(this.users.get(b) as Set<Node>)]);
    for (const { nodes } of [group_a, group_b]) for (const node of nodes.keys()) users.delete(node as Node);
    if (this.closes_cycle(users, a, b)) return a;
    const [kept, removed] = group_a.size() < group_b.size() ? [b, a] : [a, b];
    const into = this.groups.get(kept) as Partition;
    for (const [node, place] of (this.groups.get(removed) as Partition).nodes) {
      into.nodes.set(node, place);
      this.group_of.set(node as Node, kept);
    }
    this.groups.delete(removed);
    this.order.set(kept, Math.min(this.order.get(kept) as number, this.order.get(removed) as number));
    this.order.delete(removed);
    this.users.set(kept, users);
    this.users.delete(removed);
    const further = new Set([
      ...(this.behind.get(kept) ?? []),
      ...(this.behind.get(removed) ?? []),
      ...this.groups_behind(users, [kept, removed]),
    ]);
    further.delete(kept);
    further.delete(removed);
    this.behind.set(kept, further);
    this.behind.delete(removed);
    return kept;
  }

  /** A node that only `getitem` uses, and its users, stay together. */
  keep_getitem_with_producer(): void {
    for (;;) {
      const moves = new Map<Node, number | undefined>();
      for (const node of this.nodes) {
        const users = [...node.users.keys()] as Node[];
        const only_getitem = users.every(
          (user) => user.op === "call_function" && _get_qualified_name(user.target) === "_operator.getitem",
        );
        if (!only_getitem) continue;
        const id = this.group_of.get(node);
        for (const user of users) if (this.group_of.get(user) !== id) moves.set(user, id);
      }
      if (moves.size === 0) return;
      for (const [node, id] of moves) {
        const old = this.group_of.get(node);
        if (old !== undefined) this.groups.get(old)?.remove_node(node);
        if (id === undefined) this.group_of.delete(node);
        else {
          this.group_of.set(node, id);
          this.groups.get(id)?.add_node(node);
        }
      }
    }
  }
}
