/**
 * @file `torch.library.Library`: a group of registrations from the front end, which can be undone together.
 * @mirrors torch/library.py#Library
 * @differs Ours has a file of its own, because `custom_op` needs the class and library.ts exports both, and a library lives until
 * `_destroy()`;
 * PyTorch also undoes it when the object is garbage-collected.
 */
import { callerOf } from "#aten/core/library";
import { AssertionError, AttributeError, RuntimeError, TypeError_, ValueError } from "#c10/util/Exception";
import {
  _C,
  _dispatch_has_kernel_for_dispatch_key,
  type DispatchModule,
  PySequence_Tuple,
  type PythonFunction,
  py_str,
  python_type,
  Tag,
} from "#torch/_C";
import { _defs, _refresh_packet, cachedPacket, OpOverload, uncachePacket } from "#torch/_ops";
import { type Args, def_methods, Init, type InitArgs, types } from "#torch/_signature";
import { singleton } from "./simple_registry.ts";
import type { RegistrationHandle } from "./utils.ts";
import { validate_inplace_schema, validate_out_schema } from "./validate_schema.ts";

/** `ns/op/key` of every kernel registered through a Library. */
const _impls = new Set<string>();

const _reserved_namespaces = ["prim"];

export type OpName = string | OpOverload;

const Library_init = new Init(
  "Library.__init__(self, ns, kind, dispatch_key='')",
  types<[ns: string, kind: string, dispatch_key: string]>,
);

const methods = {
  define: "(self, schema, alias_analysis='', *, tags=())",
  impl: "(self, op_name, fn, dispatch_key='', *, with_keyset=False, allow_override=True)",
  fallback: "(self, fn, dispatch_key='', *, with_keyset=False)",
} as const;
type Methods = typeof methods;

/** Registrations under one namespace; `_destroy()` removes them. */
export class Library {
  /** Null after `_destroy()`. */
  m: DispatchModule | null;
  readonly ns: string;
  readonly kind: string;
  readonly dispatch_key: string;
  private readonly _op_defs = new Set<string>();
  private readonly _op_impls = new Set<string>();
  private readonly _registration_handles: RegistrationHandle[] = [];

  static {
    def_methods(Library, { __init__: Library_init, ...methods });
  }

  /**
   * `kind` "DEF" creates a namespace, "FRAGMENT" adds definitions to one, "IMPL" adds kernels. `dispatch_key` is the default key of the
   * kernels of this library.
   */
  constructor(...args: InitArgs<typeof Library_init>) {
    const [ns, kind, dispatch_key] = Library_init.bind(args);
    if (kind !== "IMPL" && kind !== "DEF" && kind !== "FRAGMENT")
      throw new ValueError(`Unsupported kind: ${py_str(kind)}`);
    if (_reserved_namespaces.includes(ns) && kind !== "IMPL") {
      throw new ValueError(`${ns} is a reserved namespace. Please try creating a library with another name.`);
    }
    const caller = callerOf(Library as unknown as (...args: never[]) => unknown);
    const [, file, line] = /^(.*):(\d+)$/.exec(caller) ?? ["", caller, "0"];
    this.m = _C._dispatch_library(kind, ns, dispatch_key, file, Number(line));
    this.ns = ns;
    this.kind = kind;
    this.dispatch_key = dispatch_key;
  }

  /**
   * Declares an operator; `impl` then gives it a kernel.
   * @param schema for example `"sum(Tensor self) -> Tensor"`
   * @param alias_analysis "" (the schema declares aliases) or "CONSERVATIVE"
   * @returns the operator's name with its namespace
   */
  define(
    ...args: Args<Methods["define"], [schema: string, alias_analysis: string, tags: readonly Tag[] | Tag]>
  ): string;
  define(...bound: unknown[]): string {
    const [schema, alias_analysis, given_tags] = bound as [string, string, readonly Tag[] | Tag];
    if (!["", "FROM_SCHEMA", "CONSERVATIVE"].includes(alias_analysis))
      throw new RuntimeError(`Invalid alias_analysis type ${py_str(alias_analysis)}`);
    const m = this.alive();
    if (typeof schema !== "string")
      throw new AttributeError(`'${python_type(schema)}' object has no attribute 'split'`);
    if (typeof given_tags === "string")
      throw new TypeError_("'in <string>' requires string as left operand, not torch._C.Tag"); // of `Tag.out in tags`
    const tags = given_tags instanceof Tag ? [given_tags] : PySequence_Tuple(given_tags);
    const name = schema.split("(")[0].replace(new RegExp(`^${this.ns}::`), "");
    if (tags.includes(Tag.out)) validate_out_schema(schema);
    if (tags.includes(Tag.inplace)) validate_inplace_schema(schema);
    const result = m.define(schema, alias_analysis, tags);
    const packet = cachedPacket(this.ns, name.split(".")[0]);
    if (packet !== null) _refresh_packet(packet);
    this._op_defs.add(`${this.ns}::${name}`);
    _defs.add(`${this.ns}::${name}`);
    return result;
  }

  /**
   * Registers a kernel for an operator: `fn`, or `fallthrough_kernel` to skip the key. The function receives the positional arguments as
   * written, without those equal to their defaults, and keyword-only ones in a last object; with `with_keyset`, the key set comes first.
   */
  impl(
    ...args: Args<
      Methods["impl"],
      [op_name: OpName, fn: PythonFunction, dispatch_key: string, with_keyset: boolean, allow_override: boolean]
    >
  ): void;
  impl(...bound: unknown[]): void {
    const [op_name, fn, given_key, with_keyset, allow_override] = bound as [
      OpName,
      PythonFunction,
      string,
      boolean,
      boolean,
    ];
    if (typeof fn !== "function")
      throw new TypeError_(`Input function is required to be a callable but found type <class '${python_type(fn)}'>`);
    const key = given_key === "" ? this.dispatch_key : given_key;
    const name = this._resolve_op_name(op_name, "impl");
    const registration = `${this.ns}/${name.split("::").at(-1)}/${key}`;
    if (!allow_override && _impls.has(registration)) {
      throw new RuntimeError(
        "This is not allowed since there's already a kernel registered from python overriding " +
          `${name.split("::").at(-1)}'s behavior for ${key} dispatch key and ${this.ns} namespace.`,
      );
    }
    if (key === "Meta") this.refuseMetaOfComposite(name);
    this.alive().impl(name, key === "" ? "CompositeImplicitAutograd" : key, fn, with_keyset);
    _impls.add(registration);
    this._op_impls.add(registration);
  }

  private refuseMetaOfComposite(name: string): void {
    const qualname = name.includes("::") ? name : `${this.ns}::${name}`;
    if (_dispatch_has_kernel_for_dispatch_key(qualname, "CompositeImplicitAutograd")) {
      throw new RuntimeError(
        `We should not register a meta kernel directly to the operator '${name}', because it has a CompositeImplicitAutograd kernel in core. ` +
          "Instead we should let the operator decompose, and ensure that we have meta kernels for the base ops that it decomposes into.",
      );
    }
  }

  /**
   * Registers a kernel for every operator that has no kernel of its own for the key. `fn` receives the operator first. Allowed only in
   * namespace `_`.
   */
  fallback(...args: Args<Methods["fallback"], [fn: PythonFunction, dispatch_key: string, with_keyset: boolean]>): void;
  fallback(...bound: unknown[]): void {
    const [fn, dispatch_key, with_keyset] = bound as [PythonFunction, string, boolean];
    const key = dispatch_key === "" ? this.dispatch_key : dispatch_key;
    if (this.ns !== "_") {
      throw new RuntimeError(
        `Fallback can only be registered using library fragment on the global namespace "_" but it is ${this.ns}`,
      );
    }
    if (key === "") throw new AssertionError("dispatch_key must not be empty for fallback");
    this.alive().fallback(key, fn, with_keyset);
  }

  _register_fake(
    op_name: string,
    fn: PythonFunction,
    options: { allow_override?: boolean; source?: string } = {},
  ): void {
    const entry = singleton.find(op_name.includes("::") ? op_name : `${this.ns}::${op_name}`);
    this._registration_handles.push(
      entry.fake_impl.register(fn, options.source ?? callerOf(this._register_fake), this, options),
    );
  }

  /** Registers a rule that modes of a class use for the operator instead of their handler: `fn(mode, func, types, args, kwargs)`. */
  _register_torch_dispatch_rule(op_name: string, torch_dispatch_class: object, fn: PythonFunction): void {
    const entry = singleton.find(`${this.ns}::${op_name}`);
    this._registration_handles.push(entry.torch_dispatch_rules.register(torch_dispatch_class, fn));
  }

  private _resolve_op_name(op_name: OpName, api_name: string): string {
    if (typeof op_name === "string") return op_name;
    if (op_name instanceof OpOverload) return op_name.__qualname__;
    throw new RuntimeError(
      `${api_name} should be passed either a name or an OpOverload object as the first argument, got <class '${python_type(op_name)}'>`,
    );
  }

  private alive(): DispatchModule {
    if (this.m === null) throw new AssertionError("Library object has been destroyed");
    return this.m;
  }

  /** Undoes every registration of this library. */
  _destroy(): void {
    this.m?.reset();
    this.m = null;
    for (const handle of this._registration_handles) handle.destroy();
    this._registration_handles.length = 0;
    for (const key of this._op_impls) _impls.delete(key);
    for (const qualname of this._op_defs) {
      _defs.delete(qualname);
      const [ns = "", name = ""] = qualname.split("::");
      uncachePacket(ns, name.split(".")[0]);
    }
  }

  [Symbol.dispose](): void {
    this._destroy();
  }
  toString(): string {
    return `Library(kind=${this.kind}, ns=${this.ns}, dispatch_key=${this.dispatch_key})>`;
  }
  __repr__(): string {
    return this.toString();
  }
}
