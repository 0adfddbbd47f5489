/**
 * @file References to a module's attributes: paths from the root become paths from the nearest `self`.
 * @mirrors torch/csrc/jit/passes/fixup_trace_scope_blocks.cpp#ConvertTracedAttrReferences
 *
 *     graph(%self, %x):                                     graph(%self.1, %x):
 *       %f = prim::TracedAttr[scope="__module.f"]()           %f = prim::GetAttr[name="f"](%self.1)
 *       %p = prim::TracedAttr[scope="__module.f.p"]()
 *        = prim::TracedModuleForward[scope="__module.f"]()     = prim::TracedModuleForward[scope="__module.f"](%f)
 *         block0():                                            block0(%self):
 *           %1 = aten::mm(%x, %p)                                 %p = prim::GetAttr[name="p"](%self)
 *                                                                 %1 = aten::mm(%x, %p)
 */
import { type Block, type Graph, type Node, type Value, withInsertPoint } from "../../ir/ir.ts";

export function convertTracedAttrReferences(graph: Graph): void {
  const attributes = new Map<string, Value>();
  for (const node of graph.nodes()) {
    if (node.kind() === "prim::TracedAttr") attributes.set(node.s("scope"), node.output());
  }
  addSelfArguments(graph.block(), attributes);
  convert(graph.block(), ["__module"], graph.inputs()[0]);
  for (const value of attributes.values()) value.node().destroy();
}

function addSelfArguments(block: Block, attributes: ReadonlyMap<string, Value>): void {
  for (const node of block.nodes()) {
    if (node.kind() === "prim::TracedModuleForward") {
      const self = attributes.get(node.s("scope")) as Value; // only submodules have scopes, and each is an attribute
      node.addInput(self);
      node.blocks()[0].addInput("self").setType(self.type());
    }
    if (node.kind() === "prim::TracedModuleForward" || node.kind() === "prim::TracedFork") {
      addSelfArguments(node.blocks()[0], attributes);
    }
  }
}

/** @returns the attributes that the block uses and that lie outside of the module `prefix` */
function convert(block: Block, prefix: readonly string[], self: Value): Value[] {
  const unresolved: Value[] = [];
  const local = new Map<Value, Value>();
  for (const node of block.nodes()) {
    for (const inner of node.blocks()) {
      const outside =
        node.kind() === "prim::TracedModuleForward"
          ? convert(inner, node.s("scope").split("."), inner.inputs()[0])
          : convert(inner, prefix, self);
      for (const value of outside) node.addInput(value);
    }
    for (let i = 0; i < node.inputs().length; i++) {
      const input = node.input(i);
      const known = local.get(input);
      if (known !== undefined) node.replaceInput(i, known);
      else if (input.node().kind() === "prim::TracedAttr") {
        const resolved = resolve(node, input, prefix, self);
        const value = resolved ?? block.addInput().copyMetadata(input);
        if (resolved === null) unresolved.push(input);
        node.replaceInput(i, value);
        local.set(input, value);
      }
    }
  }
  return unresolved;
}

/** The attribute, by a path from `self`; null if it is not below the module `prefix`. */
function resolve(user: Node, attribute: Value, prefix: readonly string[], self: Value): Value | null {
  const path = attribute.node().s("scope").split(".");
  if (path.length < prefix.length || prefix.some((atom, i) => path[i] !== atom)) return null;
  const block = user.owningBlock();
  return withInsertPoint(block.param_node().next(), () =>
    path.slice(prefix.length).reduce((object, name) => block.owningGraph().insertGetAttr(object, name), self),
  );
}
