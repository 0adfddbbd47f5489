/**
 * @file Tensors that a graph reads become inputs of it.
 * @mirrors torch/_export/passes/lift_constants_pass.py
 */

import { getattr } from "#python/Objects/object";
import { ops } from "#torch/_ops";
import type { FakeTensorMode } from "#torch/_subclasses/fake_tensor/index";
import { without_fake_mode } from "#torch/_subclasses/fake_tensor/index";
import { Tensor } from "#torch/_tensor/index";
import { type ExportGraphSignature, InputKind, InputSpec, TensorArgument } from "#torch/export/graph_signature";
import { placeholders_of } from "#torch/fx/graph/index";
import type { GraphModule } from "#torch/fx/graph_module";
import type { Node } from "#torch/fx/node";
import type { Module } from "#torch/nn/modules/module/index";
import { Parameter } from "#torch/nn/parameter/index";
import { inserting_before, replace_uses } from "../utils.ts";

/** Names of tensors that are plain attributes of modules; a tensor may have several. */
export type ConstantAttrMap = ReadonlyMap<Tensor, readonly string[]>;

/** The plain attributes of a module and its submodules that are tensors. */
export function gather_constant_attrs(m: Module): Map<Tensor, string[]> {
  const known = new Set<unknown>([...m.parameters(), ...m.buffers()]);
  const found = new Map<Tensor, string[]>();
  for (const [path, module] of m.named_modules())
    for (const [name, value] of Object.entries(Object.getOwnPropertyDescriptors(module))) {
      const tensor: unknown = value.value;
      if (!(tensor instanceof Tensor) || known.has(tensor)) continue;
      found.set(tensor, [...(found.get(tensor) ?? []), path === "" ? name : `${path}.${name}`]);
    }
  return found;
}

/** The module in which a constant was made gives the prefix of its name. */
function constant_fqn(node: Node, name: string): string {
  const stack = node.meta.get("nn_module_stack") as ReadonlyMap<string, readonly [string, string]> | undefined;
  const path = [...(stack?.values() ?? [])].at(-1)?.[0] ?? "";
  return path === "" ? name : `${path}.${name}`;
}

/** The nodes that only copy a constant nobody uses, last first; null if it is used. */
function unused_constant(node: Node): Node[] | null {
  const [lift, ...others] = [...node.users.keys()] as Node[];
  if (lift === undefined || others.length > 0) return null;
  const { lift_fresh, lift_fresh_copy, detach, detach_ } = ops.aten;
  if (lift.target !== lift_fresh.default && lift.target !== lift_fresh_copy.default) return null;
  const [last, ...more] = [...lift.users.keys()] as Node[];
  if (last === undefined) return [lift, node];
  const detaches = last.target === detach_.default || last.target === detach.default;
  return more.length > 0 || !detaches || last.users.size > 0 ? null : [last, lift, node];
}

const attribute_at = (gm: GraphModule, path: string): unknown =>
  path.split(".").reduce<unknown>((at, name) => getattr(at, name), gm);

/** Changes the graph and its signature; returns the constants by name. */
export function lift_constants_pass(
  gm: GraphModule,
  signature: ExportGraphSignature,
  constant_attrs: ConstantAttrMap,
  fake_mode: FakeTensorMode,
): Map<string, Tensor> {
  const constants = new Map<string, Tensor>();
  const { input_specs } = signature;
  const placeholders = placeholders_of(gm.graph);
  let location = input_specs.findIndex(({ kind }) => kind === InputKind.USER_INPUT);
  if (location < 0) location = input_specs.length;
  const first_user_input = placeholders[location] ?? [...gm.graph.nodes].find(({ op }) => op !== "placeholder");
  const used = new Set(input_specs.map(({ target }) => target));
  const lifted = new Map<unknown, Node>();
  const renamed = new Map<string, string>();
  let count = input_specs.filter(({ kind }) => kind === InputKind.CONSTANT_TENSOR).length;
  const place = (node: Node): string => {
    let fqn = constant_fqn(node, `lifted_tensor_${count}`);
    while (used.has(fqn)) fqn = constant_fqn(node, `lifted_tensor_${++count}`);
    count++;
    return fqn;
  };
  for (const node of [...gm.graph.nodes]) {
    if (node.op !== "get_attr") continue;
    const unused = unused_constant(node);
    for (const each of unused ?? []) gm.graph.erase_node(each);
    if (unused !== null) continue;
    const given = attribute_at(gm, node.target as string);
    if (!(given instanceof Tensor)) continue;
    const known = lifted.get(given);
    if (known !== undefined) {
      replace_uses(node, known);
      gm.graph.erase_node(node);
      renamed.set(node.name, known.name);
      continue;
    }
    const value = given instanceof Parameter ? without_fake_mode(() => given.data) : given;
    const names = constant_attrs.get(value);
    const fqn = names?.[0] ?? place(node);
    const placeholder = inserting_before(first_user_input as Node, () =>
      gm.graph.placeholder(
        fqn.split(".").length > 1 && names === undefined ? (fqn.split(".").at(-1) as string) : fqn.replaceAll(".", "_"),
      ),
    );
    placeholder.target = placeholder.name;
    for (const [key, entry] of node.meta)
      if (key !== "nn_module_stack" && key !== "stack_trace") placeholder.meta.set(key, entry);
    const val = fake_mode.from_tensor(value);
    val.constant = value;
    placeholder.meta.set("val", val);
    lifted.set(given, placeholder);
    replace_uses(node, placeholder);
    gm.graph.erase_node(node);
    renamed.set(node.name, placeholder.name);
    input_specs.splice(
      location++,
      0,
      new InputSpec(InputKind.CONSTANT_TENSOR, new TensorArgument(placeholder.name), fqn),
    );
    for (const name of names ?? [fqn]) constants.set(name, value);
  }
  for (const { arg } of signature.output_specs) arg.name = renamed.get(arg.name) ?? arg.name;
  return constants;
}
