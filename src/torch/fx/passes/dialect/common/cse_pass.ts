/**
 * @file `CSEPass`: computes equal expressions once.
 * @mirrors torch/fx/passes/dialect/common/cse_pass.py
 */
import { equal } from "#python/Objects/object";
import { type_of } from "#python/Objects/typeobject";
import { OpOverload, type OpOverloadPacket, ops } from "#torch/_ops";
import { Init, type InitArgs, types } from "#torch/_signature";
import { flatten, type TreeSpec } from "#torch/utils/_pytree/index";
import { Graph } from "../../../graph/index.ts";
import { GraphModule } from "../../../graph_module.ts";
import { Node, type Target } from "../../../node.ts";
import { has_name } from "../../../qualified_names.ts";
import { PassBase, pass_result } from "../../infra/pass_base.ts";
import { copy_node } from "../../tools_common.ts";

const RANDOM =
  "dropout _fused_dropout _standard_gamma bernoulli multinomial native_dropout normal poisson binomial rrelu rand_like rand randint randn randperm";
const IN_PLACE = "add_ sub_ mul_ div_ pow_ lerp_ relu_ sigmoid_ tanh_";

/** Operators whose calls must stay apart: they draw numbers, or write. */
export const get_CSE_banned_ops = has_name(
  "torch.fx.passes.dialect.common.cse_pass.get_CSE_banned_ops",
  (): Set<unknown> => {
    const names = `${RANDOM} ${IN_PLACE}`.split(" ");
    return new Set(names.flatMap((name) => existing(name) ?? []));
  },
);

function existing(name: string): OpOverloadPacket[] | null {
  try {
    return [ops.aten[name] as OpOverloadPacket];
  } catch {
    return null;
  }
}

/** The parts by which two nodes are compared. */
interface Token {
  readonly target: Target;
  readonly leaves: readonly unknown[];
  readonly specs: readonly [TreeSpec, TreeSpec];
}

const same_leaf = (a: unknown, b: unknown): boolean =>
  a === b || (!(a instanceof Node) && !(b instanceof Node) && type_of(a ?? null) === type_of(b ?? null) && equal(a, b));

const same_token = (a: Token, b: Token): boolean =>
  a.target === b.target &&
  a.leaves.length === b.leaves.length &&
  a.specs.every((spec, i) => spec.equals(b.specs[i])) &&
  a.leaves.every((leaf, i) => same_leaf(leaf, b.leaves[i]));

const CSEPass_init = new Init("CSEPass.__init__(self, banned_ops=None)", types<[banned_ops: Iterable<unknown> | null]>);

export class CSEPass extends PassBase {
  static override readonly __module__ = "torch.fx.passes.dialect.common.cse_pass";
  readonly banned_ops: ReadonlySet<unknown>;

  /** `CSEPass(banned_ops=None)`: nodes of the banned operators are never merged. */
  constructor(...given: InitArgs<typeof CSEPass_init>) {
    super();
    const [banned_ops] = CSEPass_init.bind(given);
    this.banned_ops = new Set(banned_ops ?? []);
  }

  override call(graph_module: GraphModule): unknown {
    const new_graph = new Graph();
    const env = new Map<Node, Node>();
    const seen = new Map<Target, { readonly token: Token; readonly node: Node }[]>();
    let modified = false;
    for (const n of graph_module.graph.nodes) {
      const token = this.token_of(n, env);
      const earlier = token === null ? undefined : seen.get(n.target)?.find((it) => same_token(it.token, token));
      if (earlier !== undefined) {
        modified = true;
        env.set(n, earlier.node);
        continue;
      }
      const node = copy_node(new_graph, n, (x) => env.get(x));
      env.set(n, node);
      if (token === null) continue;
      const others = seen.get(n.target);
      if (others === undefined) seen.set(n.target, [{ token, node }]);
      else others.push({ token, node });
    }
    return modified ? pass_result(new GraphModule(graph_module, new_graph), true) : pass_result(graph_module, false);
  }

  private token_of(n: Node, env: ReadonlyMap<Node, Node>): Token | null {
    if (n.op === "placeholder" || n.op === "output" || n.op === "get_attr") return null;
    const target = n.target instanceof OpOverload ? n.target.overloadpacket : n.target;
    if (this.banned_ops.has(target)) return null;
    const [args, args_spec] = flatten(n.args);
    const [kwargs, kwargs_spec] = flatten(n.kwargs);
    const leaves = [...args, ...kwargs].map((leaf) => (leaf instanceof Node ? (env.get(leaf) ?? leaf) : leaf));
    return { target: n.target, leaves, specs: [args_spec, kwargs_spec] };
  }
}
