/**
 * @file `torch.ops`: every operator by name, for example `torch.ops.aten.add.Tensor(x, y)`. Calls are boxed, like those of TorchScript.
 * @mirrors torch/_ops.py
 * @differs Ours has a Proxy in place of `__getattr__`, keeps kernels given to `py_impl` for `decompose` and for modes only, and has no
 * higher-order operators; PyTorch's Python dispatcher has tables of such kernels.
 */

import { torch_function_mode_enabled } from "#aten/PythonTorchFunctionTLS";
import { DispatchKey, toString as keyToString } from "#c10/core/DispatchKey";
import type { DispatchKeySet } from "#c10/core/DispatchKeySet";
import { AttributeError, RuntimeError } from "#c10/util/Exception";
import {
  _C,
  _dispatch_find_schema_or_throw,
  _dispatch_has_kernel_for_dispatch_key,
  _get_operation_overload,
  _get_schema,
  _jit_get_operation,
  append_overloaded_arg,
  check_has_torch_function,
  type DispatchKeyLike,
  type DispatchOperatorHandle,
  handle_torch_function_no_python_arg_parser,
  is_sparse_list,
  isDict,
  NotImplemented,
  type OperationOverload,
  type PyFunctionSchema,
  type PythonFunction,
  setGetTorchApiFunction,
  type Tag,
} from "./_C.ts";

export { NotImplemented };

/** Operators defined by a `torch.library.Library` of the front end. */
export const _defs = new Set<string>();

/** Properties that tools read from any object; they are not overloads. */
const plainProperties = new Set<string | symbol>([
  "then",
  "toJSON",
  "constructor",
  "prototype",
  "$$typeof",
  "asymmetricMatch",
  "nodeType",
  "tagName",
  "length",
  "name",
  "call",
  "apply",
  "bind",
]);

/** The arguments whose class overrides functions; a list counts with its elements, and keywords with their values. */
function append_overloaded(overloaded_args: unknown[], args: readonly unknown[]): void {
  const last = args.at(-1);
  const keywords = isDict(last) && !check_has_torch_function(last, true) ? Object.values(last) : [];
  for (const value of [...args, ...keywords]) {
    if (!Array.isArray(value)) append_if_overloaded(overloaded_args, value);
    // The operator refuses a list of holes. A list of lists holds no tensors for it.
    else if (!is_sparse_list(value)) for (const element of value) append_if_overloaded(overloaded_args, element);
  }
}

function append_if_overloaded(overloaded_args: unknown[], value: unknown): void {
  if (typeof value !== "object" && typeof value !== "function") return;
  if (!Array.isArray(value) && check_has_torch_function(value, true)) append_overloaded_arg(overloaded_args, value);
}

/** Calls the operator, unless a class of an argument or a mode has a `__torch_function__`: that is given `func`. */
function call_operator(
  func: OpOverload | OpOverloadPacket,
  op: (...args: unknown[]) => unknown,
  args: readonly unknown[],
): unknown {
  const overloaded_args: unknown[] = [];
  append_overloaded(overloaded_args, args);
  if (overloaded_args.length === 0 && !torch_function_mode_enabled()) return op(...args);
  const last = args.at(-1);
  const [positional, kwargs] = isDict(last) ? [args.slice(0, -1), last] : [args, {}];
  const [namespace, name] = (func instanceof OpOverload ? func._schema.name : func._qualified_op_name).split("::");
  return handle_torch_function_no_python_arg_parser(
    overloaded_args,
    [...positional],
    kwargs as Record<string, unknown>,
    name,
    func,
    `torch.ops${namespace}`,
  );
}

/** One overload of an operator; calling it calls the operator. */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the constructor returns a callable object
export class OpOverload {
  declare readonly _op: (...args: unknown[]) => unknown;
  declare readonly _op_dk: OperationOverload["op_dk"];
  declare readonly _schema: PyFunctionSchema;
  declare readonly _overloadpacket: OpOverloadPacket;
  declare readonly _tags: readonly Tag[];
  declare readonly _overloadname: string;
  declare readonly _defined_in_python: boolean;
  declare readonly is_view: boolean;
  declare readonly py_kernels: Map<DispatchKey, PythonFunction>;
  declare private readonly name_: string;

  constructor(overloadpacket: OpOverloadPacket, overload: OperationOverload, schema: PyFunctionSchema) {
    const self = ((...args: unknown[]) => call_operator(self, overload.op, args)) as unknown as OpOverload;
    Reflect.deleteProperty(self, "name"); // the function's own property, which would hide the method
    Object.setPrototypeOf(self, new.target.prototype);
    const name = schema.overload_name === "" ? schema.name : `${schema.name}.${schema.overload_name}`;
    const aliases = schema.arguments.flatMap((arg) => arg.alias_info ?? []);
    Object.assign(self, {
      _op: overload.op,
      _op_dk: overload.op_dk,
      _schema: schema,
      _overloadpacket: overloadpacket,
      _tags: overload.tags,
      _overloadname: schema.overload_name === "" ? "default" : schema.overload_name,
      _defined_in_python: _defs.has(name),
      is_view: aliases.length > 0 && !aliases.some((info) => info.is_write),
      py_kernels: new Map<DispatchKey, PythonFunction>(),
      name_: name,
    });
    // biome-ignore lint/correctness/noConstructorReturn: a callable object
    return self;
  }

  /** The full name, for example `aten::add.Tensor`. */
  name(): string {
    return this.name_;
  }
  get namespace(): string {
    return this._namespace;
  }
  get _namespace(): string {
    return this._schema.name.split("::")[0];
  }
  get _opname(): string {
    return this._schema.name.split("::")[1];
  }
  get _handle(): DispatchOperatorHandle {
    return _dispatch_find_schema_or_throw(this._schema.name, this._schema.overload_name);
  }
  get __name__(): string {
    return `${this._opname}.${this._overloadname}`;
  }
  get __qualname__(): string {
    return this.name_;
  }
  get overloadpacket(): OpOverloadPacket {
    return this._overloadpacket;
  }
  get op(): (...args: unknown[]) => unknown {
    return this._op;
  }
  /** An operator is not copied. */
  __deepcopy__(_memo?: unknown): this {
    return this;
  }
  get tags(): readonly Tag[] {
    return this._tags;
  }

  /** Calls the kernel that `keyset` selects, without asking modes or arguments; a kernel uses it to pass a call on. */
  redispatch(keyset: DispatchKeySet, ...args: unknown[]): unknown {
    return this._handle.redispatch_boxed(keyset, ...args);
  }

  /** Registers a function for this key that only Python code calls. */
  py_impl(k: DispatchKey): (fn: PythonFunction) => PythonFunction {
    return (fn) => {
      if (this.py_kernels.has(k))
        throw new RuntimeError(`Trying to override a python impl for ${keyToString(k)} on operator ${this.name_}`);
      this.py_kernels.set(k, fn);
      return fn;
    };
  }
  has_kernel_for_dispatch_key(k: DispatchKeyLike): boolean {
    return (typeof k === "number" && this.py_kernels.has(k)) || _dispatch_has_kernel_for_dispatch_key(this.name_, k);
  }
  has_kernel_for_any_dispatch_key(ks: DispatchKeySet): boolean {
    return (
      _C._dispatch_has_kernel_for_any_dispatch_key(this.name_, ks) || [...this.py_kernels.keys()].some((k) => ks.has(k))
    );
  }

  _can_decompose(): boolean {
    const dk = DispatchKey.CompositeImplicitAutograd;
    return this.py_kernels.has(dk) || _dispatch_has_kernel_for_dispatch_key(this.name_, dk);
  }
  /** Runs the composite kernel, which consists of calls of other operators. */
  decompose(...args: unknown[]): unknown {
    const dk = DispatchKey.CompositeImplicitAutograd;
    const kernel = this.py_kernels.get(dk);
    if (kernel !== undefined) return kernel(...args);
    return _dispatch_has_kernel_for_dispatch_key(this.name_, dk) ? this._op_dk(dk, ...args) : NotImplemented;
  }

  toString(): string {
    return `${this._namespace}.${this._opname}.${this._overloadname}`;
  }
  __repr__(): string {
    return `<OpOverload(op='${this._namespace}.${this._opname}', overload='${this._overloadname}')>`;
  }
  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return this.__repr__();
  }
}

/** The call, and the members of a function. */
export interface OpOverload {
  // biome-ignore lint/style/useShorthandFunctionType: merged with the class
  // biome-ignore lint/suspicious/noExplicitAny: the operator's schema determines the types
  (...args: any[]): any;
}

/** All overloads of an operator; calling it selects the first overload whose schema fits the arguments. */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the constructor returns a callable object
export class OpOverloadPacket {
  declare readonly _qualified_op_name: string;
  declare readonly __name__: string;
  declare readonly __module__: string;
  declare _op: (...args: unknown[]) => unknown;
  declare _overload_names: readonly string[];
  declare readonly overload_cache: Map<string, OpOverload>;

  constructor(
    qualified_op_name: string,
    op_name: string,
    op: (...args: unknown[]) => unknown,
    overload_names: readonly string[],
  ) {
    const self = ((...args: unknown[]) => call_operator(packet, self._op, args)) as unknown as OpOverloadPacket;
    Object.setPrototypeOf(self, new.target.prototype);
    Object.assign(self, {
      _qualified_op_name: qualified_op_name,
      __name__: op_name,
      __module__: `torch._ops.${qualified_op_name.split("::")[0]}`,
      _op: op,
      _overload_names: overload_names,
      overload_cache: new Map<string, OpOverload>(),
    });
    const packet = new Proxy(self, packetHandler);
    // biome-ignore lint/correctness/noConstructorReturn: a callable object whose overloads are properties
    return packet;
  }

  get op(): (...args: unknown[]) => unknown {
    return this._op;
  }
  overloads(): string[] {
    return this._overload_names.map((name) => (name === "" ? "default" : name));
  }
  op_overloads(): OpOverload[] {
    return this.overloads().map((name) => this[name] as OpOverload);
  }
  toString(): string {
    return this._qualified_op_name.replace("::", ".");
  }
  /** An operator is not copied. */
  __deepcopy__(_memo?: unknown): this {
    return this;
  }
  __repr__(): string {
    return `<OpOverloadPacket(op='${this.toString()}')>`;
  }
  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return this.__repr__();
  }
}

export interface OpOverloadPacket {
  // biome-ignore lint/suspicious/noExplicitAny: the operator's schema determines the types
  (...args: any[]): any;
  // biome-ignore lint/suspicious/noExplicitAny: an overload by its name
  readonly [overload: string]: any;
}

const packetHandler: ProxyHandler<OpOverloadPacket> = {
  get(packet, key, receiver) {
    if (typeof key === "symbol" || key in packet || plainProperties.has(key)) return Reflect.get(packet, key, receiver);
    let overload = packet.overload_cache.get(key);
    if (overload === undefined) {
      overload = findOverload(receiver as OpOverloadPacket, key); // the packet in the form that callers see, not the bare function
      packet.overload_cache.set(key, overload);
    }
    return overload;
  },
  has: (packet, key) => Reflect.has(packet, key) || packet.overloads().includes(String(key)),
};

function findOverload(packet: OpOverloadPacket, key: string): OpOverload {
  if (key.startsWith("__")) {
    throw new AttributeError(
      `'${packet}' can't have an overload name beginning with '__' and the underlying op ${packet._op} has no attribute ${key} either.`,
    );
  }
  const name = key === "default" ? "" : key; // no operator may call an overload "default"
  const overload = _get_operation_overload(packet._qualified_op_name, name);
  if (overload === null) throw new AttributeError(`The underlying op of '${packet}' has no overload name '${key}'`);
  return new OpOverload(packet, overload, _get_schema(packet._qualified_op_name, name));
}

/** A namespace such as `torch.ops.aten`; it looks operators up on first use. */
export class _OpNamespace {
  readonly name: string;
  readonly cache = new Map<string, OpOverloadPacket>();

  constructor(name: string) {
    this.name = name;
    // biome-ignore lint/correctness/noConstructorReturn: operators are properties
    return new Proxy(this, namespaceHandler);
  }

  toString(): string {
    return `<module 'torch.ops.${this.name}' from 'torch.ops'>`;
  }
  __repr__(): string {
    return this.toString();
  }
}

function _get_packet(namespace: _OpNamespace, op_name: string): OpOverloadPacket | null {
  const qualified_op_name = `${namespace.name}::${op_name}`;
  const [op, overload_names] = _jit_get_operation(qualified_op_name);
  if (op === null || overload_names === null) return null;
  return new OpOverloadPacket(qualified_op_name, op_name, op, overload_names);
}

const namespaceHandler: ProxyHandler<_OpNamespace> = {
  get(namespace, key, receiver) {
    if (typeof key === "symbol" || key in namespace || plainProperties.has(key))
      return Reflect.get(namespace, key, receiver);
    const cached = namespace.cache.get(key);
    if (cached !== undefined) return cached;
    const packet = _get_packet(namespace, key);
    if (packet === null)
      throw new AttributeError(`'_OpNamespace' '${namespace.name}' object has no attribute '${key}'`);
    // Creating the packet may have put it into the cache already.
    if (!namespace.cache.has(key)) namespace.cache.set(key, packet);
    return namespace.cache.get(key);
  },
  has: (namespace, key) =>
    Reflect.has(namespace, key) ||
    (typeof key === "string" &&
      !plainProperties.has(key) &&
      (namespace.cache.has(key) || _jit_get_operation(`${namespace.name}::${key}`)[0] !== null)),
};

/** Updates a packet after a new overload was defined. */
export function _refresh_packet(packet: OpOverloadPacket): void {
  const [op, overload_names] = _jit_get_operation(packet._qualified_op_name);
  if (op === null || overload_names === null) throw new Error(`failed to get packet for ${packet._qualified_op_name}`);
  packet._op = op;
  packet._overload_names = overload_names;
}

/** `torch.ops`. */
export class _Ops {
  readonly loaded_libraries = new Set<string>();
  readonly namespaces = new Map<string, _OpNamespace>();

  constructor() {
    // biome-ignore lint/correctness/noConstructorReturn: namespaces are properties
    return new Proxy(this, opsHandler);
  }

  toString(): string {
    return "<module 'torch.ops' from '_ops.py'>";
  }
}

const opsHandler: ProxyHandler<_Ops> = {
  get(ops, key, receiver) {
    if (typeof key === "symbol" || key in ops || plainProperties.has(key)) return Reflect.get(ops, key, receiver);
    let namespace = ops.namespaces.get(key);
    if (namespace === undefined) {
      namespace = new _OpNamespace(key);
      ops.namespaces.set(key, namespace);
    }
    return namespace;
  },
  // Every name is a namespace, as in PyTorch.
  has: (ops, key) => Reflect.has(ops, key) || (typeof key === "string" && !plainProperties.has(key)),
};

const instance = new _Ops();

/**
 * Namespaces, operators and overloads are properties created on first use, so they have no types. An index signature would force users with
 * `noPropertyAccessFromIndexSignature` to write brackets.
 */
// biome-ignore lint/suspicious/noExplicitAny: see above
export const ops: any = instance;

/** The packet of an operator, if it was used before. */
export function cachedPacket(ns: string, op_name: string): OpOverloadPacket | null {
  return instance.namespaces.get(ns)?.cache.get(op_name) ?? null;
}

/** Removes the packet of an operator that no longer exists. */
export function uncachePacket(ns: string, op_name: string): void {
  instance.namespaces.get(ns)?.cache.delete(op_name);
}

setGetTorchApiFunction((qualname) => lookup_op(qualname));

/** The overload for a name such as `aten::add.Tensor`. @mirrors torch/_library/utils.py#lookup_op */
export function lookup_op(qualname: string): OpOverload {
  const [ns = "", name = ""] = qualname.split("::");
  const [base = "", ...overload] = name.split(".");
  return ops[ns][base][overload.length === 0 ? "default" : overload.join(".")] as OpOverload;
}
