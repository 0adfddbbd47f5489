/**
 * @file `TracerBase`: makes nodes of calls, and turns the arguments of a call into what a node can hold.
 * @mirrors torch/fx/proxy.py#TracerBase
 */
import { AssertionError, NotImplementedError, RuntimeError, ValueError } from "#c10/util/Exception";
import { Allocated, TAKES_VALUES } from "#python/Objects/allocated";
import { PyComplex } from "#python/Objects/complexobject";
import { PyDict } from "#python/Objects/dictobject";
import { FloatValue } from "#python/Objects/floatobject";
import { getattr, getattr_or_undefined, str, truth } from "#python/Objects/object";
import { PyRange } from "#python/Objects/rangeobject";
import { Ellipsis, PySlice } from "#python/Objects/sliceobject";
import { PyTuple, tuple } from "#python/Objects/tupleobject";
import { type_of } from "#python/Objects/typeobject";
import { type Frame, frame_above } from "#python/vm/frame";
import { source_line } from "#python/vm/traceback";
import { OpOverload, OpOverloadPacket } from "#torch/_ops";
import { def_methods } from "#torch/_signature";
import { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { call_function } from "../callables.ts";
import type { Graph } from "../graph/index.ts";
import { map_aggregate_, Node, type Target } from "../node.ts";
import { check_for_mutable_operation } from "../operator_schemas.ts";
import { node_recorded } from "../recording.ts";
import * as fx_traceback from "../traceback.ts";
import type { Proxy } from "./index.ts";
import { proxies } from "./proxies.ts";

/** Where in the module hierarchy the program that is traced runs. */
export class Scope {
  static readonly __module__ = "torch.fx.proxy";
  module_path: string;
  module_type: unknown;

  constructor(module_path: string, module_type: unknown) {
    this.module_path = module_path;
    this.module_type = module_type;
  }
}

/** A value of a program that a tracer cannot record. */
export class TraceError extends ValueError {
  static readonly __module__ = "torch.fx.proxy";
}
Object.defineProperty(TraceError.prototype, "name", { value: "TraceError", configurable: true, writable: true });

const is_plain_object = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/** Whether a node can hold the value as it is. */
function is_base_value(a: unknown): boolean {
  if (a === null || a === Ellipsis) return true;
  if (typeof a === "string" || typeof a === "number" || typeof a === "boolean" || typeof a === "bigint") return true;
  if (a instanceof FloatValue || a instanceof PyComplex || a instanceof Tensor) return true;
  if (a instanceof OpOverload || a instanceof OpOverloadPacket) return true;
  const { dtype, layout, memory_format } = torch;
  if (a instanceof dtype || a instanceof layout || a instanceof memory_format) return true;
  const type = type_of(a);
  return type.name === "device" || type.mro.some((base) => base.name === "Enum");
}

export class TracerBase extends Allocated {
  static readonly [TAKES_VALUES]: boolean = true;
  static readonly __module__: string = "torch.fx.proxy";
  declare graph: Graph;
  declare scope: Scope;
  declare module_stack: PyDict;
  declare node_name_to_scope: PyDict;
  /** Settings, which a subclass may give as attributes of the class. */
  declare record_stack_traces: boolean;
  declare check_mutable_operations: boolean;
  declare trace_asserts: boolean;
  declare proxy_buffer_attributes: boolean;
  declare traced_func_name: string;

  static {
    Object.assign(TracerBase.prototype, {
      record_stack_traces: false,
      _record_forward_stack_traces_only: false,
      check_mutable_operations: false,
      trace_asserts: false,
      proxy_buffer_attributes: false,
      traced_func_name: "forward",
    });
    def_methods(TracerBase, {
      create_node: "(self, kind, target, args: object, kwargs: dict, name=None, type_expr=None)",
      proxy: "(self, node)",
      create_proxy:
        "(self, kind, target, args: object, kwargs: dict, name=None, type_expr=None, proxy_factory_fn=None)",
      create_arg: "(self, a: object)",
      to_bool: "(self, obj)",
      iter: "(self, obj)",
      keys: "(self, obj)",
    });
  }

  /** A setting of the object or its class. */
  setting(name: string): unknown {
    return getattr(this, name);
  }

  /** Adds a node to the graph; every call that is traced comes here. */
  create_node(kind: string, target: Target, args: unknown, kwargs: unknown, name: unknown, type_expr: unknown): Node {
    if (kind === "call_function" && truth(this.setting("check_mutable_operations")))
      check_for_mutable_operation(target, args as unknown[], kwargs as Map<unknown, unknown>);
    const node = this.graph.create_node(kind, target, args, kwargs, name ?? null, type_expr ?? null);
    this.node_name_to_scope.set(node.name, tuple([this.scope.module_path, this.scope.module_type]));
    if (fx_traceback.has_preserved_node_meta()) fx_traceback.copy_current_meta(node);
    else if (this.module_stack.size > 0) {
      const stack = new PyDict();
      for (const [key, value] of this.module_stack) stack.set(key, value);
      node.meta.set("nn_module_stack", stack);
    }
    if (truth(this.setting("record_stack_traces")) && (node.stack_trace ?? null) === null) {
      const trace = this.user_stack();
      if (trace !== "") node.stack_trace = trace;
    }
    node_recorded(this.graph, node);
    return node;
  }

  /** The frames of the program from the first `forward` on, as a traceback writes them. */
  private user_stack(): string {
    const frames: Frame[] = [];
    for (let frame = frame_above(0); frame !== null; frame = frame.f_back) frames.unshift(frame);
    const only_forward = truth(this.setting("_record_forward_stack_traces_only"));
    const first = frames.findIndex((frame) => frame.f_code.co_name === "forward");
    const shown = only_forward
      ? frames.filter((frame) => frame.f_code.co_name === "forward")
      : first < 0
        ? []
        : frames.slice(first);
    const texts = shown.map((frame) => {
      const { co_filename, co_name } = frame.f_code;
      const line = (source_line(co_filename, frame.f_lineno) ?? "").trim();
      return `  File "${co_filename}", line ${frame.f_lineno}, in ${co_name}\n${line === "" ? "" : `    ${line}\n`}`;
    });
    return texts.join("").trim();
  }

  proxy(node: Node): Proxy {
    return proxies.make(node, this);
  }

  /** Adds a node for a call with any arguments, and gives the value that stands for its result. */
  create_proxy(
    kind: string,
    target: Target,
    args: unknown,
    kwargs: unknown,
    name: unknown,
    type_expr: unknown,
    proxy_factory_fn: unknown,
  ): Proxy {
    const args_ = this.create_arg(args);
    const kwargs_ = this.create_arg(kwargs);
    if (!Array.isArray(args_)) throw new AssertionError(`Expected args_ to be tuple, got ${type_of(args_).toString()}`);
    if (!(kwargs_ instanceof Map))
      throw new AssertionError(`Expected kwargs_ to be dict, got ${type_of(kwargs_).toString()}`);
    const node = this.create_node(kind, target, args_, kwargs_, name ?? null, type_expr ?? null);
    if ((proxy_factory_fn ?? null) === null) return this.proxy(node);
    return call_function(proxy_factory_fn, [node]) as Proxy;
  }

  /**
   * The value as an argument of a node: proxies become nodes, containers are made anew.
   * @throws {NotImplementedError} "argument of type: ..." if no node can hold it
   */
  create_arg(a: unknown): unknown {
    if (proxies.is(a)) return a.node;
    if (a === undefined) return null;
    if (is_base_value(a)) return a;
    if (a instanceof Node) return a;
    const own = getattr_or_undefined(a, "__fx_create_arg__");
    if (own !== undefined) return call_function(own, [this]);
    if (a instanceof PyTuple) {
      const elems = a.map((elem) => this.create_arg(elem));
      if (Object.getPrototypeOf(a) === PyTuple.prototype) return tuple(elems);
      const type = type_of(a);
      // A named tuple has one parameter for each field; a size takes the list.
      return getattr_or_undefined(a, "_fields") === undefined
        ? type.name === "Size"
          ? torch.Size(elems as never)
          : tuple(elems)
        : call_function(type.cls, elems);
    }
    if (Array.isArray(a)) return a.map((elem) => this.create_arg(elem));
    if (a instanceof Map) return this.create_arg_dict(a);
    if (is_plain_object(a)) {
      if ("start" in a && "stop" in a && "step" in a)
        return new PySlice(this.create_arg(a["start"]), this.create_arg(a["stop"]), this.create_arg(a["step"]));
      return this.create_arg_dict(new Map<unknown, unknown>(Object.entries(a)));
    }
    if (a instanceof PySlice)
      return new PySlice(this.create_arg(a.start), this.create_arg(a.stop), this.create_arg(a.step));
    if (a instanceof PyRange) return a;
    const fields = getattr_or_undefined(a, "__dataclass_fields__");
    if (fields instanceof Map && typeof a !== "function") {
      const kwargs = new PyDict();
      for (const name of fields.keys()) kwargs.set(name, this.create_arg(getattr(a, name as string)));
      return this.create_node("call_function", type_of(a).cls, tuple([]), kwargs, null, null);
    }
    throw new NotImplementedError(`argument of type: ${type_of(a).toString()}`);
  }

  private create_arg_dict(a: ReadonlyMap<unknown, unknown>): PyDict {
    const result = new PyDict();
    for (const [k, v] of a) {
      let key = k;
      if (typeof k !== "string") {
        key = this.create_arg(k);
        map_aggregate_(key, (leaf) => {
          if (leaf instanceof Node)
            throw new RuntimeError(
              `Keys for dictionaries used as an argument cannot contain a Node. Got key: ${str(leaf)}`,
            );
          return leaf;
        });
      }
      result.set(key, this.create_arg(v));
    }
    return result;
  }

  /** Called for the truth of a value that is not known. */
  to_bool(_obj: Proxy): boolean {
    throw new TraceError("symbolically traced variables cannot be used as inputs to control flow");
  }

  /** Called when a program iterates over a value that is not known. */
  iter(_obj: Proxy): unknown {
    throw new TraceError(
      "Proxy object cannot be iterated. This can be attempted when the Proxy is used in a loop or as a *args or **kwargs function argument. See the torch.fx docs on pytorch.org for a more detailed explanation of what types of control flow can be traced, and check out the Proxy docstring for help troubleshooting Proxy iteration errors",
    );
  }

  /** Called for `**value`. */
  keys(obj: Proxy): unknown {
    return call_function(proxies.attribute(obj, "keys"), []);
  }
}

/** A tracer that adds its nodes to a graph that is there. */
export class GraphAppendingTracer extends TracerBase {
  constructor(graph: Graph) {
    super();
    this.graph = graph;
    this.scope = new Scope("", null);
    this.module_stack = new PyDict();
    this.node_name_to_scope = new PyDict();
  }
}
