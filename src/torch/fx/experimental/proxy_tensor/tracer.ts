/**
 * @file The tracers of `make_fx`: which proxy stands for which tensor.
 * @mirrors torch/fx/experimental/proxy_tensor.py#PythonKeyTracer
 */

import { settled } from "#c10/core/SymbolicShapeMeta";
import { PyDict } from "#python/Objects/dictobject";
import { getattr, setattr, str } from "#python/Objects/object";
import { PyTuple, tuple } from "#python/Objects/tupleobject";
import { FakeTensor, FakeTensorMode } from "#torch/_subclasses/fake_tensor/index";
import { copy_symbols, is_symbol } from "#torch/_subclasses/fake_tensor/symbolic_sizes";
import { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { Module } from "#torch/nn/modules/module/index";
import { Parameter } from "#torch/nn/parameter/index";
import { _disable_current_modes } from "#torch/utils/_python_dispatch";
import { Tracer } from "../../_symbolic_trace/index.ts";
import type { RootFunction } from "../../_symbolic_trace/root_function.ts";
import { call_function } from "../../callables.ts";
import { Graph } from "../../graph/index.ts";
import { GraphModule } from "../../graph_module.ts";
import type { Node, Target } from "../../node.ts";
import { _extract_tensor_metadata } from "../../passes/shape_prop.ts";
import { Proxy } from "../../proxy/index.ts";
import { dedupe_symints, is_impure, SymNodeTracker } from "./symnode_tracker.ts";

/** The proxy of a tensor, and its value if that does not depend on the inputs. */
export interface Tracked {
  readonly proxy: Proxy;
  readonly constant: Tensor | null;
}

/** Runs `fn` without any mode. */
export const without_modes = <R>(fn: () => R): R => {
  const context = new (_disable_current_modes as unknown as new () => { __enter__(): unknown; __exit__(): void })();
  context.__enter__();
  try {
    return fn();
  } finally {
    context.__exit__();
  }
};

/** Makes the nodes of a graph of operators. */
export class PythonKeyTracer extends Tracer {
  static override readonly __module__ = "torch.fx.experimental.proxy_tensor";
  /** By the object behind the tensor, which all its wrappers share. */
  readonly tensor_tracker = new WeakMap<object, Tracked>();
  /** Whether the program is a joint graph, whose arguments are `primals` and `tangents`. */
  has_gradients = false;
  /** Which node computes a symbol, by the text of its expression. */
  readonly symnode_tracker = new SymNodeTracker(this);

  constructor() {
    super({ autowrap_modules: tuple([]) });
  }

  override call_module(_m: Module, forward: unknown, args: unknown, kwargs: unknown): unknown {
    return call_function(forward, args as unknown[], kwargs as Map<unknown, unknown>);
  }

  override getattr(_attr: string, attr_val: unknown): unknown {
    return attr_val;
  }

  override create_arg(a: unknown): unknown {
    if (!(a instanceof Parameter)) return (super.create_arg as (a: unknown) => unknown).call(this, a);
    const get_attr = (name: string): Node => this.create_node("get_attr", name, tuple([]), new PyDict(), null, null);
    for (const [name, parameter] of this.root.named_parameters()) if (parameter === a) return get_attr(name);
    const name = this.get_fresh_qualname("_param_constant");
    setattr(this.root, name, a);
    return get_attr(name);
  }

  tracked(tensor: Tensor): Tracked | undefined {
    return this.tensor_tracker.get(tensor.cdata.unsafeGetTensorImpl());
  }

  /** Remembers which proxy stands for each tensor in a result; elements of a tuple or list are nodes of their own. */
  track(value: unknown, proxy: unknown, constant: Tensor | null): void {
    if (value instanceof Tensor) {
      this.tensor_tracker.set(value.cdata.unsafeGetTensorImpl(), { proxy: proxy as Proxy, constant });
      set_meta((proxy as Proxy).node, value);
      if (!this.is_gradient((proxy as Proxy).node)) this.symnode_tracker.track_sizes(value, proxy as Proxy);
    } else if (is_symbol(value)) {
      this.symnode_tracker.track(value, proxy as Proxy);
    } else if (Array.isArray(value)) {
      const elements = proxy instanceof Proxy ? value.map((_, i) => proxy.__getitem__(i)) : (proxy as unknown[]);
      for (const [i, element] of value.entries()) this.track(element, elements[i], null);
      if (!(proxy instanceof Proxy)) return;
      const vals = elements.map((element) => (element as Proxy).node.meta.get("val") ?? null);
      proxy.node.meta.set("val", value instanceof PyTuple ? tuple(vals) : vals);
    }
  }

  /** Whether a node is a gradient that backward will be given: its strides are another's choice, so no size is read from it. */
  private is_gradient(node: Node): boolean {
    return this.has_gradients && node.op === "placeholder" && String(node.target).startsWith("tangents");
  }

  /** Runs `fn`, whose nodes come after the placeholders. */
  before_operations<R>(fn: () => R): R {
    const first = [...this.graph.nodes].find(({ op }) => op !== "placeholder");
    if (first === undefined) return fn();
    const place = this.graph.inserting_before(first);
    place.__enter__();
    try {
      return fn();
    } finally {
      place.__exit__();
    }
  }

  /** The graph of `run`, whose parameters are named as those of `traced`. */
  trace_operators(traced: RootFunction, concrete_args: PyTuple): Graph {
    this.root = new (Module as unknown as new () => Module)();
    this.graph = new Graph();
    this.trace_root(traced, false, concrete_args);
    this.graph.eliminate_dead_code(is_impure);
    dedupe_symints(this.graph);
    return this.graph;
  }
}

/** A fake tensor that lies in its memory as `value` does. */
function fake_like(value: Tensor): Tensor {
  const { shape, dtype, device } = value;
  const stride = value.stride() as number[];
  const offset = value.storage_offset();
  const mode = value instanceof FakeTensor ? value.fake_mode : new FakeTensorMode();
  return mode.with(() => {
    if (offset === 0) return torch.empty_strided([...shape], stride, { dtype, device });
    const extent = shape.reduce((n, size, dim) => n + (size - 1) * stride[dim], 1);
    return torch.empty([offset + Math.max(extent, 0)], { dtype, device }).as_strided([...shape], stride, offset);
  });
}

/** Describes the value of a node. */
function set_meta(node: Node, value: Tensor): void {
  without_modes(() =>
    settled(() => {
      const val = fake_like(value);
      copy_symbols(val, value);
      node.meta.set("val", val);
      node.meta.set("tensor_meta", _extract_tensor_metadata(value));
    }),
  );
}

/** A tracer whose nodes remember which submodules of `scope_root` ran them, and which lines. */
export class ModuleStackTracer extends PythonKeyTracer {
  private readonly scope_root: Module;

  constructor(scope_root: Module) {
    super();
    this.scope_root = scope_root;
    this.submodule_paths = new Map();
    for (const [name, module] of scope_root.named_modules({ remove_duplicate: false }))
      if (!this.submodule_paths.has(module)) this.submodule_paths.set(module, name);
    Object.assign(this, { record_stack_traces: true, _record_forward_stack_traces_only: true });
  }

  override is_leaf_module(): boolean {
    return false;
  }

  override path_of_module(mod: Module): string {
    return mod === this.scope_root ? "" : super.path_of_module(mod);
  }

  /** A module that is not in the root is traced like a function. */
  override call_module(m: Module, forward: unknown, args: unknown, kwargs: unknown): unknown {
    const installed = m === this.scope_root || this.submodule_paths?.has(m) === true;
    if (m instanceof GraphModule || !installed) return super.call_module(m, forward, args, kwargs);
    return Tracer.prototype.call_module.call(this, m, forward, args, kwargs);
  }

  override create_node(
    kind: string,
    target: Target,
    args: unknown,
    kwargs: unknown,
    name: unknown,
    type_expr: unknown,
  ): Node {
    const node = super.create_node(kind, target, args, kwargs, name, type_expr);
    if (kind === "placeholder" || kind === "output") return node;
    const stack = new PyDict();
    for (const [key, [path, cls]] of (node.meta.get("nn_module_stack") ?? this.module_stack) as Map<string, unknown[]>)
      stack.set(key, tuple([path, typeof cls === "string" ? cls : class_name(cls)]));
    node.meta.set("nn_module_stack", stack);
    return node;
  }
}

const class_name = (cls: unknown): string => `${str(getattr(cls, "__module__"))}.${str(getattr(cls, "__qualname__"))}`;
