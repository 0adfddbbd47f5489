/**
 * @file Freezing: a copy of a module whose submodules are inlined and whose attributes are constants of its graphs.
 * @mirrors torch/csrc/jit/passes/freeze_module.cpp
 * @differs There is no autocast in scripts here, so its pass is not run. An attribute that a forked task sets stays an attribute; PyTorch makes
 * it a constant, and the frozen module then fails.
 *
 * The mechanism in miniature:
 *
 *     graph(%self, %x):                                        graph(%self, %x):
 *       %net = prim::GetAttr[name="net"](%self)          ->      %self.net.weight = prim::Constant[value=<Tensor>]()
 *       %w = prim::GetAttr[name="weight"](%net)                  %y = aten::mul(%x, %self.net.weight)
 *       %y = aten::mul(%x, %w)
 *
 * An attribute that some method sets, or writes to, keeps its place in the module. What nobody reads any more is removed from it.
 */
import { ClassType } from "#aten/core/class_type";
import { InterfaceType } from "#aten/core/interface_type";
import { IValue } from "#aten/core/ivalue";
import { print_ivalue, type_of } from "#aten/core/ivalue.impl";
import type { Object_ } from "#aten/core/ivalue_inl";
import { List } from "#aten/core/List";
import { RuntimeError, TORCH_CHECK } from "#c10/util/Exception";
import type { GraphFunction } from "../../api/function_impl.ts";
import { ModuleObject } from "../../api/module.ts";
import { clone_module } from "../../api/module_clone.ts";
import { AliasDb } from "../../ir/alias_analysis.ts";
import { tryInsertConstant } from "../../ir/constants.ts";
import { type Graph, type Node, type Value, withInsertPoint } from "../../ir/ir.ts";
import { clear_executor_of } from "../../runtime/graph_executor/index.ts";
import { allNodes } from "../../runtime/graph_iterator.ts";
import { runOptimization } from "../../runtime/run_optimization.ts";
import { ClearProfilingInformation } from "../clear_profiling.ts";
import { EliminateNoOps } from "../eliminate_no_ops.ts";
import { Inline, inlineCallTo } from "../inliner.ts";
import { LowerSimpleTuples } from "../lower_tuples.ts";
import { AliasedValues, getSubValues } from "./aliased_values.ts";
import { recordReferencedAttrs, removeExtraWaitCalls, UnusedAttributes } from "./clean_up.ts";
import { is_module_value, modulePath, PreservedAttributes } from "./preserved_attributes.ts";

export interface FreezeOptions {
  /** Attributes and methods that stay: `version`, `encoder.scale`. */
  readonly preserved_attrs?: readonly string[];
  /** Whether calls through interfaces are inlined; otherwise they are refused. */
  readonly freeze_interfaces?: boolean;
  /** Whether parameters and buffers stay attributes. */
  readonly preserve_parameters?: boolean;
}

/** The value without gradients. */
function overrideGradient(value: IValue): IValue {
  if (value.isTensor()) {
    const tensor = value.toTensor();
    return tensor.defined() && tensor.requires_grad() ? IValue.fromTensor(tensor.detach()) : value;
  }
  if (value.isTuple()) {
    const elements = value.toTuple();
    const changed = elements.map(overrideGradient);
    return elements.named_type === undefined
      ? IValue.fromTuple(changed)
      : IValue.fromNamedTuple(changed, elements.named_type);
  }
  if (value.isList()) {
    const list = value.toList();
    return IValue.fromList(new List(list.elementType(), list.vec().map(overrideGradient)));
  }
  return value;
}

/** The graph, and those of the tasks that it forks. */
function optimizeSubGraphs(graph: Graph, optimize: (graph: Graph) => void): void {
  optimize(graph);
  for (const node of allNodes(graph)) if (node.kind() === "prim::fork") optimizeSubGraphs(node.g("Subgraph"), optimize);
}

class AttributePropagator {
  private module_: ModuleObject;
  private readonly options: FreezeOptions;
  private readonly preserved = new PreservedAttributes();
  private readonly preserved_methods = new Set<GraphFunction>();
  private readonly preserved_modules = new Set<Object_>();
  /** Submodules that lead to what the caller wants to keep. */
  private readonly user_preserved: [module: ModuleObject, name: string][] = [];
  private readonly used_attrs = new AliasedValues();

  constructor(module: ModuleObject, options: FreezeOptions) {
    this.module_ = module;
    this.options = options;
    const forward = module.find_method("forward");
    if (forward !== null) this.preserved_methods.add(forward);
    for (const name of options.preserved_attrs ?? []) this.preserve(name);
  }

  /** Keeps what the caller names. */
  private preserve(full_name: string): void {
    const names = full_name.split(".");
    const last = names.pop() as string; // a split text has a part
    let module = this.module_;
    const path: [ModuleObject, string][] = [];
    for (const name of names) {
      const child = [...module.named_children()].find(([child_name]) => child_name === name);
      TORCH_CHECK(child !== undefined, `Unknown name: ${full_name}`);
      path.push([module, name]);
      [, module] = child;
    }
    this.user_preserved.push(...path);
    if (module.type().hasAttribute(last)) {
      const value = module.attr(last);
      if (value.isObject() && (value.toObject().type() as ClassType).is_module())
        this.preserved_modules.add(value.toObject()); // objects have classes
      this.preserved.add(last, value, module.object);
      return;
    }
    const method = module.find_method(last);
    TORCH_CHECK(method !== null, `Unknown name: ${full_name}`);
    this.preserved_methods.add(method);
  }

  run(): void {
    const graphs = [...this.preserved_methods].map((method) => method.graph());
    const retyped: [path: readonly string[], name: string][] = [];
    for (const graph of graphs) {
      optimizeSubGraphs(graph, (part) => {
        Inline(part);
        ClearProfilingInformation(part);
      });
      if (this.options.freeze_interfaces !== false) this.inlineInterfaceCalls(graph, retyped);
    }
    for (const [path, name] of retyped) {
      const module = this.preserved.module_at(this.module_, path);
      module?.type().unsafeChangeAttributeType(name, type_of(module.attr(name)));
    }
    for (const graph of graphs) this.recordMutableAttrs(graph);
    for (const graph of graphs) {
      this.propagateAttributes(graph);
      optimizeSubGraphs(graph, (part) => {
        runOptimization(part, false);
        EliminateNoOps(part);
        LowerSimpleTuples(part);
      });
    }
    this.cleanUp(graphs);
  }

  /** Inlines methods of modules behind interfaces: their classes are known here, because no interface attribute may be set. */
  private inlineInterfaceCalls(graph: Graph, retyped: [readonly string[], string][]): void {
    for (const node of allNodes(graph)) {
      if (node.kind() === "prim::fork")
        this.inForkSubgraph(node, graph, (part) => this.inlineInterfaceCalls(part, retyped));
      else if (node.kind() === "prim::GetAttr" && node.output().type() instanceof InterfaceType) {
        const name = node.s("name");
        const found = this.preserved.findConstantAttr(node.input(0), name, this.module_, graph);
        TORCH_CHECK(found !== null, `failed to freeze interface attribute '${name}'`);
        const type = type_of(found.module.attr(name)) as ClassType; // an interface's value is an object
        for (const { user } of node.output().uses()) {
          if (user.kind() !== "prim::CallMethod") continue;
          const method = type.getMethod(user.s("name")) as GraphFunction; // methods of modules are compiled
          inlineCallTo(user, method);
        }
        node.output().setType(type);
        retyped.push([found.path, name]);
      } else if (node.kind() === "prim::SetAttr" && is_module_value(node.input(0))) {
        const path = modulePath(node.input(0), graph);
        const module = path === null ? null : this.preserved.module_at(this.module_, path);
        const name = node.s("name");
        if (module?.type().getAttribute(name) instanceof InterfaceType) {
          throw new RuntimeError(
            `Freezing does not support SetAttr on an interface type. SetAttr is attempted on '${name}'`,
          );
        }
      }
    }
  }

  /** Finds attributes that a method sets or writes to: they cannot be constants. */
  private recordMutableAttrs(graph: Graph): void {
    const aliasDb = new AliasDb(graph, true);
    for (const node of allNodes(graph)) {
      TORCH_CHECK(
        node.kind() !== "prim::ModuleContainerIndex",
        "Freezing modules containing prim::ModuleContainerIndex is not supported",
      );
      if (node.kind() === "prim::fork") this.inForkSubgraph(node, graph, (part) => this.recordMutableAttrs(part));
      if (node.kind() !== "prim::SetAttr" && node.kind() !== "prim::GetAttr") continue;
      const reads = node.kind() === "prim::GetAttr";
      TORCH_CHECK(
        this.options.freeze_interfaces !== false || !(reads && node.output().type() instanceof InterfaceType),
        "attempted to freeze a module that uses interface attributes",
      );
      const name = node.s("name");
      const found = this.preserved.findConstantAttr(node.input(0), name, this.module_, graph);
      if (found === null) continue;
      const value = found.module.attr(name);
      if (reads) {
        // Attributes of submodules are looked at one by one.
        if (value.isObject() || !AliasDb.isMutableType(node.output().type())) continue;
        this.used_attrs.add(value);
      }
      if (!reads || aliasDb.hasOutputWriters(node)) this.preserved.add(name, value, found.module.object);
    }
    const seen = new AliasedValues();
    for (const value of this.used_attrs) {
      const inside = [...getSubValues(value)];
      TORCH_CHECK(
        inside.every((inner) => !seen.has(inner)),
        "module contains attributes values that overlaps ",
        print_ivalue(value),
      );
      for (const inner of inside) seen.add(inner);
    }
  }

  private propagateAttributes(graph: Graph): void {
    const [first] = graph.nodes();
    if (first === undefined) return;
    const constants = new Map<Object_, Map<string, Value>>();
    for (const node of allNodes(graph)) {
      if (node.kind() === "prim::fork") this.inForkSubgraph(node, graph, (part) => this.propagateAttributes(part));
      if (node.kind() !== "prim::GetAttr") continue;
      const name = node.s("name");
      const found = this.preserved.findConstantAttr(node.input(0), name, this.module_, graph);
      if (found === null) continue;
      const { object } = found.module;
      let of_module = constants.get(object);
      if (of_module === undefined) {
        of_module = new Map();
        constants.set(object, of_module);
      }
      const constant = of_module.get(name) ?? withInsertPoint(first, () => this.constantOf(graph, found, name));
      if (constant === null) continue;
      of_module.set(name, constant);
      node.outputs()[0].replaceAllUsesWith(constant);
      node.removeAllInputs();
    }
  }

  /** The value of an attribute as a constant named after its place; null if it stays an attribute. */
  private constantOf(
    graph: Graph,
    { module, path }: { readonly module: ModuleObject; readonly path: readonly string[] },
    name: string,
  ): Value | null {
    const value = module.attr(name);
    const training = this.module_.type().hasAttribute("training") && this.module_.attr("training").toBool();
    if (training || this.options.preserve_parameters === true) {
      const type = module.type();
      const slot = type.getAttributeSlot(name);
      const is_class = value.isObject() && !(value.toObject().type() as ClassType).is_module(); // objects have classes
      if (type.is_parameter(slot) || type.is_buffer(slot) || is_class) return null;
      if (training && name === "training") return null;
    }
    const constant = tryInsertConstant(graph, overrideGradient(value));
    constant?.setDebugName(["self", ...path, name].join("."));
    return constant;
  }

  /** A forked method reads the attributes of its own module. */
  private inForkSubgraph(fork: Node, graph: Graph, act: (part: Graph) => void): void {
    const outer = this.module_;
    const node = fork.inputs()[0]?.node();
    if (node?.kind() === "prim::GetAttr" && node.output().type() instanceof ClassType) {
      const name = node.s("name");
      const found = this.preserved.findConstantAttr(node.input(0), name, this.module_, graph);
      if (found === null) return;
      this.module_ = new ModuleObject(found.module.attr(name).toObject());
    }
    act(fork.g("Subgraph"));
    this.module_ = outer;
  }

  private cleanUp(graphs: readonly Graph[]): void {
    const unused = new UnusedAttributes(this.preserved, this.preserved_methods, this.preserved_modules);
    for (const graph of graphs) {
      recordReferencedAttrs(graph, this.module_, this.preserved);
      for (const [module, name] of this.user_preserved) this.preserved.add(name, module.attr(name), module.object);
      unused.collect(this.module_, graph);
      removeExtraWaitCalls(graph);
    }
    for (const method of this.preserved_methods) {
      method.clear_optimized_graphs();
      clear_executor_of(method);
    }
    unused.remove();
  }
}

export function freeze_module(module: ModuleObject, options: FreezeOptions = {}): ModuleObject {
  const forward = module.find_method("forward");
  for (const output of forward?.graph().outputs() ?? [])
    TORCH_CHECK(output.type() !== module.type(), "attempted to freeze a module that returns itself");
  const clone = clone_module(module);
  new AttributePropagator(clone, options).run();
  return clone;
}
