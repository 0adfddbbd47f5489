/**
 * @file Small simplifications: what a tensor's type already tells, views that undo each other, lists and dicts taken apart, `x * 1`.
 * @mirrors torch/csrc/jit/passes/peephole.cpp
 */
import { IValue } from "#aten/core/ivalue";
import { IntType, ListType } from "#aten/core/jit_type";
import { List } from "#aten/core/List";
import { concrete_sizes, type TensorFacts, tensor_facts } from "#aten/core/tensor_type";
import { Device } from "#c10/core/Device";
import { DeviceType } from "#c10/core/DeviceType";
import { isComplexType, isFloatingType } from "#c10/core/ScalarType";
import { toIValue } from "../ir/constants.ts";
import { type Block, type Graph, type Node, OperatorMap, withInsertPoint } from "../ir/ir.ts";
import { CombineConcats } from "./concat_opt.ts";
import { EliminateDeadCodeOfBlock } from "./dead_code_elimination.ts";
import { PeepholeOptimizeAliasSensitive } from "./peephole_alias_sensitive.ts";
import { PeepholeOptimizeDictIdioms } from "./peephole_dict_idioms.ts";
import { PeepholeOptimizeListIdioms } from "./peephole_list_idioms.ts";
import { PeepholeOptimizeNonTensor } from "./peephole_non_tensor.ts";

const GRAD_SUM_TO_SIZE = "aten::_grad_sum_to_size(Tensor(a) self, int[]? size) -> Tensor(a)";
const SIZE = "aten::size(Tensor self) -> int[]";

/** Puts a constant in the place of a node's only output. */
export function replaceWithConstant(node: Node, value: IValue): true {
  withInsertPoint(node, () => node.output().replaceAllUsesWith(node.owningGraph().insertConstant(value)));
  return true;
}

function eliminateGradSumToSize(node: Node): boolean {
  if (node.input(1).mustBeNone()) {
    node.output().replaceAllUsesWith(node.input(0));
    return true;
  }
  let changed = false;
  for (const { user } of [...node.output().uses()]) {
    if (!user.matches(GRAD_SUM_TO_SIZE) || !user.input(1).type().isSubtypeOf(ListType.create(IntType))) continue;
    user.replaceInput(0, node.input(0));
    changed = true;
  }
  return changed;
}

const factsOf = (node: Node, i = 0): TensorFacts => tensor_facts(node.input(i).type());

/** A rule looks at a node that its schema fits, and returns whether it changed something. */
type Rule = (node: Node) => boolean;

/** Rules that need no shapes. */
const rules = new OperatorMap<Rule>([
  [GRAD_SUM_TO_SIZE, eliminateGradSumToSize],
  [
    "aten::t(Tensor self) -> Tensor",
    (node) => {
      const inner = node.input().node();
      if (!inner.matches("aten::t(Tensor self) -> Tensor")) return false;
      node.output().replaceAllUsesWith(inner.input());
      return true;
    },
  ],
]);

/** Rules that read dtype, device or sizes off a type. They are off while shapes are only those of one profiled run. */
const shape_rules = new OperatorMap<Rule>([
  [
    "aten::expand(Tensor self, int[] size, *, bool implicit) -> Tensor",
    (node) => {
      const size = toIValue(node.input(1));
      const own = concrete_sizes(factsOf(node).sizes);
      if (size === null || own === null || size.toIntList().join() !== own.join()) return false;
      node.output().replaceAllUsesWith(node.input(0));
      return true;
    },
  ],
  [
    "aten::type_as(Tensor self, Tensor other) -> Tensor",
    (node) => {
      const a = factsOf(node);
      const b = factsOf(node, 1);
      if (a.scalarType === null || a.device === null) return false;
      if (a.scalarType !== b.scalarType || String(a.device) !== String(b.device)) return false;
      node.output().replaceAllUsesWith(node.input(0));
      return true;
    },
  ],
  [
    SIZE,
    (node) => {
      const sizes = concrete_sizes(factsOf(node).sizes);
      if (sizes === null) return false;
      const list = new List(
        IntType,
        sizes.map((size) => IValue.fromInt(size)),
      );
      return replaceWithConstant(node, IValue.fromList(list));
    },
  ],
  [
    "aten::len.t(t[] a) -> int",
    (node) => {
      const sized = node.input().node();
      if (!sized.matches(SIZE)) return false;
      const { sizes } = factsOf(sized);
      // With a second use the list may be written to.
      if (sizes === null || node.input().uses().length !== 1) return false;
      return replaceWithConstant(node, IValue.fromInt(sizes.length));
    },
  ],
  [
    "aten::size.int(Tensor self, int dim) -> int",
    (node) => {
      const { sizes } = factsOf(node);
      const index = toIValue(node.input(1))?.toInt();
      if (sizes === null || index === undefined) return false;
      const size = sizes[index < 0 ? sizes.length + index : index] ?? null;
      return size !== null && replaceWithConstant(node, IValue.fromInt(size));
    },
  ],
  [
    "aten::is_floating_point(Tensor self) -> bool",
    (node) => {
      const { scalarType } = factsOf(node);
      return scalarType !== null && replaceWithConstant(node, IValue.fromBool(isFloatingType(scalarType)));
    },
  ],
  [
    "aten::is_complex(Tensor self) -> bool",
    (node) => {
      const { scalarType } = factsOf(node);
      return scalarType !== null && replaceWithConstant(node, IValue.fromBool(isComplexType(scalarType)));
    },
  ],
  [
    "prim::dtype(Tensor a) -> int",
    (node) => {
      const { scalarType } = factsOf(node);
      return scalarType !== null && replaceWithConstant(node, IValue.fromInt(scalarType));
    },
  ],
  [
    "prim::device(Tensor a) -> Device",
    (node) => {
      const { device } = factsOf(node);
      return device !== null && replaceWithConstant(node, IValue.opaque("Device", device));
    },
  ],
  [
    "aten::device(str a) -> Device",
    (node) => {
      const name = toIValue(node.input());
      return name !== null && replaceWithConstant(node, IValue.opaque("Device", Device.parse(name.toStringRef())));
    },
  ],
  [
    "aten::dim(Tensor self) -> int",
    (node) => {
      const { sizes } = factsOf(node);
      return sizes !== null && replaceWithConstant(node, IValue.fromInt(sizes.length));
    },
  ],
  [
    "prim::is_cuda(Tensor a) -> bool",
    (node) => {
      const { device } = factsOf(node);
      return device !== null && replaceWithConstant(node, IValue.fromBool(device.type() === DeviceType.CUDA));
    },
  ],
]);

const conversions: ReadonlySet<string> = new Set(
  ["Float", "Int", "FloatImplicit", "IntImplicit", "ScalarImplicit"].map((name) => `aten::${name}`),
);

function optimizeBlock(block: Block, shape_peepholes: boolean): boolean {
  let changed = false;
  for (const node of block.nodes()) {
    for (const inner of node.blocks()) changed = optimizeBlock(inner, shape_peepholes) || changed;
    if (conversions.has(node.kind())) {
      // A number that became a tensor becomes a number again.
      const made = node.input(0).node();
      if (made.kind() !== "prim::NumToTensor") continue;
      node.output().replaceAllUsesWith(made.input());
      changed = true;
      continue;
    }
    const rule = rules.find(node) ?? (shape_peepholes ? shape_rules.find(node) : null);
    if (rule !== null) changed = rule(node) || changed;
  }
  return changed;
}

/**
 * All peephole passes. Returns whether the graph changed.
 * @param disable_shape_peepholes Whether the types' shapes may not be used.
 */
export function PeepholeOptimize(graph: Graph, disable_shape_peepholes = false): boolean {
  const shape_peepholes = !disable_shape_peepholes;
  let changed = optimizeBlock(graph.block(), shape_peepholes);
  changed = PeepholeOptimizeListIdioms(graph) || changed;
  changed = PeepholeOptimizeDictIdioms(graph) || changed;
  changed = PeepholeOptimizeAliasSensitive(graph, shape_peepholes) || changed;
  changed = PeepholeOptimizeNonTensor(graph) || changed;
  changed = CombineConcats(graph) || changed;
  if (changed) EliminateDeadCodeOfBlock(graph.block());
  return changed;
}

const ADD = "aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor";
const MM = "aten::mm(Tensor self, Tensor mat2) -> Tensor";

/** `z + x.mm(y)` becomes `torch.addmm(z, x, y)`, if the number of z's dimensions and the dtype are known. */
export function FuseAddMM(graph: Graph): boolean {
  return fuseAddMM(graph.block());
}

function fuseAddMM(block: Block): boolean {
  let changed = false;
  for (const node of block.nodes()) {
    for (const inner of node.blocks()) changed = fuseAddMM(inner) || changed;
    if (!node.matches(ADD, ["alpha"]) || node.get("alpha")?.toScalar().toDouble() !== 1) continue;
    for (const side of [0, 1]) {
      const added = node.input(1 - side);
      const mm = node.input(side).node();
      const facts = tensor_facts(added.type());
      if (facts.sizes === null || !mm.matches(MM)) continue;
      const [mat1, mat2] = mm.inputs();
      const typed = tensor_facts(mat1.type()).scalarType === null ? mat2 : mat1;
      const { scalarType } = tensor_facts(typed.type());
      if (scalarType === null) continue;
      withInsertPoint(node, () => {
        const graph = node.owningGraph();
        let bias = added;
        // add takes a 0-dim tensor of another dtype, addmm does not.
        if (facts.sizes?.length === 0 && facts.scalarType !== scalarType)
          bias = graph.insertNode(graph.create("aten::type_as", [bias, typed])).output();
        const one = graph.insertConstant(IValue.fromInt(1));
        const fused = graph.insertNode(graph.create("aten::addmm", [bias, mat1, mat2, one, one])).output();
        fused.copyMetadata(node.output());
        node.output().replaceAllUsesWith(fused);
      });
      changed = true;
      break;
    }
  }
  return changed;
}
