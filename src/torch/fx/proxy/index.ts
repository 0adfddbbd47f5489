/**
 * @file `Proxy`: the value that a program gets while it is traced; every operation on it becomes a node.
 * @mirrors torch/fx/proxy.py
 *
 * Note [A proxy in two languages]
 * ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
 * A Python program asks special methods (`__add__`, `__bool__`, `__iter__`, `__getattr__`), which stand on the class here. A program in TypeScript
 * has no such hooks. For it the object that the constructor returns is a proxy of JavaScript around the object: a property that the object does not have
 * is an `Attribute`, which can be called.
 *
 *     x + y          Python      __add__           -> call_function operator.add
 *     x.relu()       both        Attribute, called -> call_method relu
 *     torch.relu(x)  both        __torch_function__-> call_function torch.relu
 *
 * `__torch_function__` stands on the class, so that the library does not take an attribute of that name for it.
 */
import { AssertionError, RuntimeError, TypeError_ } from "#c10/util/Exception";
import { foreign_type } from "#python/bridge/foreign_types";
import { opname } from "#python/compiler/opcode";
import { ALLOCATE, Allocated, TAKES_VALUES } from "#python/Objects/allocated";
import { builtins } from "#python/Objects/builtins_of";
import { PyDict } from "#python/Objects/dictobject";
import { getattr } from "#python/Objects/object";
import { Ellipsis, PySlice } from "#python/Objects/sliceobject";
import { tuple } from "#python/Objects/tupleobject";
import { type Frame, frame_above } from "#python/vm/frame";
import { import_module } from "#python/vm/import";
import { having } from "#torch/_C";
import { Parameter } from "#torch/nn/parameter/index";
import { is_tensor_method_or_property } from "#torch/overrides";
import { magic_methods, reflectable_magic_methods } from "../graph/magic_methods.ts";
import { map_aggregate_, type Node } from "../node.ts";
import { has_name, name_of } from "../qualified_names.ts";
import { by_hook } from "../recording.ts";
import { proxies } from "./proxies.ts";
import { GraphAppendingTracer, type TracerBase } from "./tracer_base.ts";

const JavaScriptProxy = globalThis.Proxy;

/** A function of the module `operator`. */
export const operator = (name: string): unknown => getattr(import_module("_operator"), name);

/** JavaScript asks any object for these names, for instance when it is awaited or printed. */
const ASKED_BY_JAVASCRIPT = new Set(["then", "toJSON", "$$typeof", "asymmetricMatch", "nodeType", "tagName"]);

const for_javascript: ProxyHandler<Proxy> = {
  get(target, name, receiver: Proxy) {
    if (typeof name === "symbol" || name in target) return Reflect.get(target, name, receiver) as unknown;
    if (ASKED_BY_JAVASCRIPT.has(name) || /^__\w+__$/.test(name)) return undefined;
    return name === "at" ? (...indices: unknown[]) => receiver.at_indices(indices) : new Attribute(receiver, name);
  },
};

/** The name of the instruction that a frame runs. */
const instruction_of = (frame: Frame): string => opname[frame.prepared.ops[frame.instruction] as number] as string;

/** Splits arguments of JavaScript: keywords come as one plain object behind the others. */
function split(args: readonly unknown[]): [args: unknown[], kwargs: PyDict] {
  const last = args.at(-1);
  if (typeof last !== "object" || last === null || Object.getPrototypeOf(last) !== Object.prototype)
    return [[...args], new PyDict()];
  const kwargs = new PyDict();
  for (const [key, value] of Object.entries(last)) kwargs.set(key, value);
  return [args.slice(0, -1), kwargs];
}

/** A value that is not known while a program is recorded: what is done with it becomes nodes. */
export class Proxy extends Allocated {
  static readonly [TAKES_VALUES] = true;
  static readonly __module__: string = "torch.fx.proxy";
  declare tracer: TracerBase;
  declare _node: Node | null;

  constructor(node: Node | null, tracer: TracerBase | null = null) {
    super();
    this._node = node;
    this.tracer = tracer ?? new GraphAppendingTracer(having(node as Node, "graph").graph);
    // biome-ignore lint/correctness/noConstructorReturn: see Note [A proxy in two languages]
    return new JavaScriptProxy(this, for_javascript);
  }

  /** The node whose value this is. */
  get node(): Node {
    return this._node as Node;
  }

  set node(node: Node) {
    this._node = node;
  }

  override toString(): string {
    return `Proxy(${this.node.name})`;
  }

  __repr__(): string {
    return this.toString();
  }

  __getattr__(k: string): unknown {
    return new Attribute(this, k);
  }

  __call__(...given: unknown[]): Proxy {
    const [args, kwargs] = split(given);
    return this.tracer.create_proxy(...call("call_method", "__call__", [this, ...args], kwargs));
  }

  __getitem__(key: unknown): Proxy {
    return this.operate("getitem", this, key);
  }

  /** `x.at(0, torch.slice(1))` of TypeScript: `x[0, :1]`. */
  at_indices(indices: readonly unknown[]): Proxy {
    const index = (key: unknown): unknown => {
      if (key === "...") return Ellipsis;
      if (typeof key !== "object" || key === null || !("step" in key)) return key;
      const { start, stop, step } = key as { start: unknown; stop: unknown; step: unknown };
      return new PySlice(start, stop, step);
    };
    const keys = indices.map(index);
    return this.__getitem__(keys.length === 1 ? keys[0] : tuple(keys));
  }

  /** If the program takes the value apart into a known number of names, these are the elements; otherwise the tracer decides. */
  __iter__(): unknown {
    const frame = frame_above(0);
    if (frame !== null && instruction_of(frame) === "UNPACK_SEQUENCE") {
      const count = frame.prepared.args[frame.instruction] as number;
      return Array.from({ length: count }, (_, i) => this.__getitem__(i))[Symbol.iterator]();
    }
    return this.tracer.iter(this);
  }

  [Symbol.iterator](): Iterator<unknown> {
    return this.tracer.iter(this) as Iterator<unknown>;
  }

  [Symbol.toPrimitive](hint: string): unknown {
    if (hint === "string") return this.toString();
    if (hint === "number") throw new TypeError_("'Proxy' object cannot be interpreted as an integer");
    return this.tracer.to_bool(this);
  }

  __abs__(): Proxy {
    return this.operate("abs", this);
  }

  __bool__(): unknown {
    if (this.tracer.setting("trace_asserts") === true) {
      const frame = frame_above(0);
      if (frame !== null && asserts(frame)) {
        this.tracer.create_proxy(...call("call_function", assert_fn, [this], new PyDict()));
        return true;
      }
    }
    return this.tracer.to_bool(this);
  }

  keys(): unknown {
    return this.tracer.keys(this);
  }

  __len__(): never {
    throw new RuntimeError(
      "'len' is not supported in symbolic tracing by default. If you want this call to be recorded, please call torch.fx.wrap('len') at module scope",
    );
  }

  /** A function of `operator` on these values. */
  operate(name: string, ...args: unknown[]): Proxy {
    const record = (): Proxy => this.tracer.create_proxy(...call("call_function", operator(name), args, new PyDict()));
    return by_hook(`torch.fx.proxy.Proxy.__${name.replace(/_$/, "")}__`, record, []);
  }

  static __torch_function__(
    orig_method: unknown,
    _types: unknown,
    given: readonly unknown[] | null = null,
    given_kwargs: Readonly<Record<string, unknown>> | null = null,
  ): Proxy {
    const args = given ?? [];
    const kwargs = new PyDict();
    const entries = given_kwargs instanceof Map ? given_kwargs : Object.entries(given_kwargs ?? {});
    for (const [key, value] of entries as Iterable<[unknown, unknown]>) kwargs.set(key, value);
    return by_hook("torch.fx.proxy.Proxy.__torch_function__", record_call, [orig_method, args, kwargs]);
  }
}

/** The node of a call of the library that has a proxy among its arguments. */
function record_call(orig_method: unknown, args: readonly unknown[], kwargs: PyDict): Proxy {
  const tracers = new Set<TracerBase>();
  const find = (leaf: unknown): unknown => {
    if (leaf instanceof Proxy) tracers.add(leaf.tracer);
    return leaf;
  };
  map_aggregate_(tuple(args), find);
  map_aggregate_(kwargs, find);
  if (tracers.size > 1)
    throw new RuntimeError(
      `Found multiple different tracers ${[...tracers].map(String).join(", ")} while trying to trace operations ${String(orig_method)}`,
    );
  const [tracer] = tracers as unknown as [TracerBase];
  if (is_tensor_method_or_property(orig_method))
    return tracer.create_proxy(...call("call_method", method_name(orig_method), args, kwargs));
  const name = tracer.graph._target_to_str(name_of(orig_method) ?? "");
  return tracer.create_proxy("call_function", orig_method, tuple(args), kwargs, name, null, null);
}

/** The first arguments of `create_proxy`; the others are left out, so that an override need not know them. */
function call(
  kind: string,
  target: unknown,
  args: readonly unknown[],
  kwargs: PyDict,
): Parameters<TracerBase["create_proxy"]> {
  return [kind, target, tuple(args), kwargs] as unknown as Parameters<TracerBase["create_proxy"]>;
}

const method_name = (method: unknown): string => (method as { readonly name: string }).name;

/** Whether the truth is asked for an `assert` statement. */
function asserts(frame: Frame): boolean {
  const { ops } = frame.prepared;
  const at = (i: number): string => opname[ops[i] as number] as string;
  const here = frame.instruction;
  return /^POP_JUMP_(?:FORWARD_)?IF_TRUE$/.test(at(here)) && at(here + 1) === "LOAD_ASSERTION_ERROR";
}

export const assert_fn = has_name("torch.fx.proxy.assert_fn", (x: unknown): void => {
  if (!x) throw new AssertionError("Assertion failed");
});

for (const name of Object.keys(magic_methods)) {
  if (name === "div" || name === "getitem") continue;
  Object.defineProperty(Proxy.prototype, `__${name.replace(/_$/, "")}__`, {
    value(this: Proxy, ...args: unknown[]) {
      return this.operate(name, this, ...args);
    },
    writable: true,
    configurable: true,
  });
}
for (const name of Object.keys(reflectable_magic_methods)) {
  if (name === "div" || name === "getitem") continue;
  Object.defineProperty(Proxy.prototype, `__r${name.replace(/_$/, "")}__`, {
    value(this: Proxy, rhs: unknown) {
      return this.operate(name, rhs, this);
    },
    writable: true,
    configurable: true,
  });
}

/** `x.name`: called, it is a method of the value; used, it becomes a node that reads the attribute. */
export class Attribute extends Proxy {
  declare root: Proxy;
  declare attr: string;

  static override [ALLOCATE](prototype: object): object {
    const self = (...args: unknown[]): unknown => (self as unknown as Attribute).__call__(...args);
    delete (self as { name?: string }).name; // attributes of these names are the program's
    delete (self as { length?: number }).length;
    return Object.setPrototypeOf(self, prototype) as object;
  }

  constructor(root: Proxy, attr: string) {
    super(null, root.tracer);
    const self = Attribute[ALLOCATE](new.target.prototype) as Attribute;
    Object.assign(self, { root, attr, tracer: root.tracer, _node: null });
    // biome-ignore lint/correctness/noConstructorReturn: a function, so that TypeScript can call it
    return new JavaScriptProxy<Proxy>(self, for_javascript) as this;
  }

  override get node(): Node {
    this._node ??= this.tracer.create_proxy(
      ...call("call_function", builtins.get("getattr"), [this.root, this.attr], new PyDict()),
    ).node;
    return this._node;
  }

  override set node(node: Node) {
    this._node = node;
  }

  override __call__(...given: unknown[]): Proxy {
    const [args, kwargs] = split(given);
    const record = (): Proxy =>
      this.tracer.create_proxy(...call("call_method", this.attr, [this.root, ...args], kwargs));
    return by_hook("torch.fx.proxy.Attribute.__call__", record, []);
  }
}

/** A parameter whose shape is known while tracing. */
export class ParameterProxy extends Proxy {
  declare param: Parameter;
  declare name: string;

  constructor(tracer: TracerBase, node: Node, name: string, param: Parameter) {
    if (!(param instanceof Parameter)) throw new AssertionError("Expected Parameter");
    super(node, tracer);
    this.param = param;
    this.name = name;
  }

  override toString(): string {
    return `ParameterProxy(${this.name})`;
  }
  get shape(): unknown {
    return this.param.shape;
  }
  size(...args: []): unknown {
    return this.param.size(...args);
  }
  dim(): number {
    return this.param.dim();
  }
  get ndim(): number {
    return this.param.dim();
  }
  numel(): number {
    return this.param.numel();
  }
  nelement(): number {
    return this.param.numel();
  }
}

export { GraphAppendingTracer, Scope, TraceError, TracerBase } from "./tracer_base.ts";

Object.assign(proxies, {
  make: (node: Node, tracer: TracerBase): Proxy => new Proxy(node, tracer),
  is: (value: unknown): value is Proxy => value instanceof Proxy,
  attribute: (root: Proxy, attr: string): Proxy => new Attribute(root, attr),
});

// The machine must know the types before it looks at an object, because every property that it would ask for exists.
for (const cls of [Proxy, Attribute, ParameterProxy]) foreign_type(cls as never);
