/**
 * @file Names of the inputs of an exported graph: `x`, `d_a` for `d["a"]`, `p_l_weight` for the parameter `l.weight`.
 * @mirrors torch/_export/utils.py#placeholder_naming_pass
 */
import { str } from "#python/Objects/object";
import { type ExportGraphSignature, InputKind, OutputKind } from "#torch/export/graph_signature";
import type { GraphModule } from "#torch/fx/graph_module";
import type { Node } from "#torch/fx/node";
import { name_of } from "#torch/fx/qualified_names";
import { type GetAttrKey, MappingKey, SequenceKey, with_paths } from "#torch/utils/_pytree/index";

const PREFIXES = new Map([
  [InputKind.USER_INPUT, ""],
  [InputKind.PARAMETER, "p_"],
  [InputKind.BUFFER, "b_"],
  [InputKind.CONSTANT_TENSOR, "c_"],
]);

const as_name = (text: string): string => text.replace(/[^a-zA-Z0-9]/g, "_");

function key_text(key: unknown): string {
  if (key instanceof MappingKey) return as_name(str(key.key));
  if (key instanceof SequenceKey) return String(key.idx);
  return (key as GetAttrKey).name;
}

/** Gives names that are free: `mul`, `mul_1`, ... */
class Names {
  /** New names by old ones. */
  readonly new_names = new Map<string, string>();
  private readonly last_number = new Map<string, number>();
  private readonly used = new Set<string>();

  /** `_rename_without_collisions` @param is_placeholder whether a number at the name's end belongs to it */
  rename(old: string, wanted: string, is_placeholder = false): string {
    const numbered = /^(.*)_(\d+)/.exec(wanted);
    const key = numbered !== null && !is_placeholder ? numbered[1] : wanted;
    const name = this.used.has(wanted) ? `${key}_${(this.last_number.get(key) ?? 0) + 1}` : wanted;
    const [, prefix, number] = /^(.*)_(\d+)/.exec(name) ?? [];
    if (prefix !== undefined && Number(number) > (this.last_number.get(prefix) ?? 0))
      this.last_number.set(prefix, Number(number));
    this.new_names.set(old, name);
    this.used.add(name);
    return name;
  }
}

/** The graphs that a node calls whose placeholders take the names of its arguments, and these arguments. */
function named_subgraphs({ op, target, args }: Node): [graphs: Node[], inputs: Node[]] {
  const given = args as unknown as Node[];
  const name = op === "call_function" ? name_of(target) : null;
  if (name === "cond") return [given.slice(1, 3), given[3] as unknown as Node[]];
  if (name === "wrap_with_set_grad_enabled") return [given.slice(1, 2), given.slice(2)];
  if (name === "map_impl") return [given.slice(0, 1), given.slice(1).flatMap((list) => list as unknown as Node[])];
  return [[], []];
}

/** Names of the parts of a graph that a node calls follow those of its arguments. */
function name_subgraphs(gm: GraphModule): void {
  for (const node of gm.graph.nodes) {
    const [graphs, inputs] = named_subgraphs(node);
    for (const graph of graphs) rename_subgraph(Reflect.get(gm, graph.target as string) as GraphModule, inputs);
  }
}

function rename_subgraph(subgraph: GraphModule, inputs: readonly Node[]): void {
  const names = new Names();
  const renamed: [Node, string][] = [];
  for (const [i, node] of [...subgraph.graph.nodes].entries())
    renamed.push([
      node,
      i < inputs.length ? names.rename(node.name, inputs[i].name, true) : names.rename(node.name, node.name),
    ]);
  assign_names(renamed);
  name_subgraphs(subgraph);
  subgraph.recompile();
}

function assign_names(names: readonly (readonly [Node, string])[]): void {
  for (const [node, name] of names) {
    if (node.op === "output") continue;
    node.name = name;
    if (node.op === "placeholder") node.target = name;
  }
}

/**
 * Renames the placeholders and whatever has their names.
 * @param inputs what the caller gave, by the names of the parameters
 */
export function placeholder_naming_pass(
  gm: GraphModule,
  signature: ExportGraphSignature,
  inputs: ReadonlyMap<string, unknown>,
): void {
  const names = new Names();
  const user_specs = signature.input_specs.filter(({ kind }) => kind === InputKind.USER_INPUT);
  for (const [i, [path]] of with_paths(inputs).entries()) {
    const name = user_specs[i]?.arg.name;
    if (name) names.rename(name, path.map((key) => key_text(key).toLowerCase()).join("_"), true);
  }
  for (const { kind, arg, target } of signature.input_specs) {
    if (kind === InputKind.USER_INPUT) continue;
    const stripped = (target as string).replace(/^(?:L__self___|self_)/, "");
    names.rename(arg.name, `${PREFIXES.get(kind)}${as_name(stripped).toLowerCase()}`, true);
  }
  const nodes = [...gm.graph.nodes];
  for (const { op, name } of nodes) if (op !== "placeholder") names.rename(name, name);
  assign_names(nodes.map((node) => [node, names.new_names.get(node.name) ?? node.name]));
  name_subgraphs(gm);
  gm.recompile();
  for (const { arg } of signature.input_specs) arg.name = names.new_names.get(arg.name) ?? arg.name;
  for (const spec of signature.output_specs) {
    spec.arg.name = names.new_names.get(spec.arg.name) ?? spec.arg.name;
    if (spec.kind === OutputKind.USER_INPUT_MUTATION)
      spec.target = names.new_names.get(spec.target as string) ?? spec.target;
  }
}
