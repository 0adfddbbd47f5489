/**
 * @file `custom_op`: turns a function into an operator that autograd, meta tensors and tracing understand.
 * @mirrors torch/_library/custom_ops.py
 * @differs Ours requires `schema`, since JavaScript functions have no type annotations, and has no rules for vmap; PyTorch infers the
 * schema and has vmap.
 */
import { DispatchKeySet } from "#c10/core/DispatchKeySet";
import { NotImplementedError, RuntimeError, ValueError } from "#c10/util/Exception";
import {
  _after_ADInplaceOrView_keyset,
  _dispatch_key_for_device,
  _dispatch_key_parse,
  AbstractContextManager,
  type PyFunctionSchema,
  type PythonFunction,
  parse_schema,
  py_str,
  python_type,
  repr,
  Tag,
  type TensorBase,
} from "#torch/_C";
import type { OpOverload } from "#torch/_ops";
import { type Args, def, def_methods, Init, type InitArgs, type Signature, types } from "#torch/_signature";
import type { dtype } from "#torch/types";
import { take_bodies } from "#torch/utils/_contextlib";
import { autocast_key, make_autocast_kernel } from "./autocast.ts";
import { type Info, make_autograd_impl, type SetupContext } from "./autograd.ts";
import { Library } from "./Library.ts";
import * as utils from "./utils.ts";

export type DeviceTypes = string | readonly string[] | null;

export interface CustomOpOptions {
  /** Names of the arguments that the function changes in place. */
  mutates_args: readonly string[];
  /** Devices that the function supports; all devices if null. */
  device_types?: DeviceTypes;
  /** The schema without a name, for example `"(Tensor x, int y) -> Tensor"`. */
  schema?: string | null;
  tags?: readonly Tag[] | Tag | null;
}

const CustomOpDef_init = new Init(
  "CustomOpDef.__init__(self, namespace, name, schema, fn, tags=None)",
  types<[namespace: string, name: string, schema: string, fn: PythonFunction, tags: readonly Tag[] | Tag | null]>,
);

const methods = {
  register_kernel: "(self, device_types, fn=None, /)",
  register_fake: "(self, fn, /)",
  register_torch_dispatch: "(self, torch_dispatch_class, fn=None, /)",
  register_autocast: "(self, device_type, cast_inputs)",
  register_autograd: "(self, backward, /, *, setup_context=None)",
  set_kernel_enabled: "(self, device_type, enabled=True)",
} as const;
type Methods = typeof methods;

export interface CustomOpDef {
  // biome-ignore lint/style/useShorthandFunctionType: merged with the class
  // biome-ignore lint/suspicious/noExplicitAny: the schema determines the types
  (...args: any[]): any;
}

/** Enables or disables the kernel of a device inside the context, and restores the former state at its end. */
class KernelEnabled extends AbstractContextManager {
  private readonly disabled: Set<string | null>;
  private readonly device_type: string;
  private readonly enabled: boolean;
  private originally_disabled = false;

  constructor(disabled: Set<string | null>, device_type: string, enabled: boolean) {
    super();
    this.disabled = disabled;
    this.device_type = device_type;
    this.enabled = enabled;
  }

  private set(disabled: boolean): void {
    if (disabled) this.disabled.add(this.device_type);
    else this.disabled.delete(this.device_type);
  }

  override __enter__(): void {
    this.originally_disabled = this.disabled.has(this.device_type);
    this.set(!this.enabled);
  }

  override __exit__(): void {
    this.set(this.originally_disabled);
  }
}

/** An operator made by `custom_op`: it can be called, and more behaviour can be registered. */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the constructor returns a callable object
export class CustomOpDef implements Info {
  declare readonly _namespace: string;
  declare readonly _name: string;
  declare readonly _schema: string;
  declare readonly _opoverload: OpOverload;
  declare readonly _lib: Library;
  declare _backward_fn: PythonFunction | null;
  declare _setup_context_fn: SetupContext | null;
  declare private readonly init_fn: PythonFunction;
  declare private readonly backend_fns: Map<string | null, PythonFunction>;
  declare private readonly disabled: Set<string | null>;
  declare private abstract_fn: PythonFunction | null;
  declare private readonly torch_dispatch_fns: Map<object, PythonFunction>;
  declare private readonly autocast_dtype: Map<string, dtype>;

  static {
    def_methods(CustomOpDef, { __init__: CustomOpDef_init, ...methods });
    take_bodies(CustomOpDef, "set_kernel_enabled");
  }

  constructor(...args: InitArgs<typeof CustomOpDef_init>) {
    const [namespace, name, schema, fn, tags] = CustomOpDef_init.bind(args);
    const self = ((...args: unknown[]) => self._opoverload(...args)) as unknown as CustomOpDef;
    Object.setPrototypeOf(self, new.target.prototype);
    Object.assign(self, {
      _namespace: namespace,
      _name: name,
      _schema: schema,
      _lib: get_library_allowing_overwrite(namespace, name),
      _backward_fn: null,
      _setup_context_fn: null,
      init_fn: fn,
      backend_fns: new Map<string | null, PythonFunction>(),
      disabled: new Set<string | null>(),
      abstract_fn: null,
      torch_dispatch_fns: new Map<object, PythonFunction>(),
      autocast_dtype: new Map<string, dtype>(),
    });
    self.registerToDispatcher(normalize_tags(tags));
    OPDEFS.set(self._qualname, self);
    // biome-ignore lint/correctness/noConstructorReturn: a callable object
    return self;
  }

  get _qualname(): string {
    return `${this._namespace}::${this._name}`;
  }

  /** Registers an implementation for these devices; also usable as `def.register_kernel("cpu")(fn)`. */
  register_kernel(device_types: DeviceTypes): (fn: PythonFunction) => PythonFunction;
  register_kernel(device_types: DeviceTypes, fn: PythonFunction): PythonFunction;
  register_kernel(device_types: DeviceTypes, fn?: PythonFunction | null): unknown {
    const types = device_types === null || typeof device_types === "string" ? [device_types] : device_types;
    const schema = this._opoverload._schema;
    if (device_types !== null && !utils.has_tensor_arg(schema)) {
      const index = utils.get_device_arg_index(schema);
      if (index === null)
        throw new ValueError("Functions without tensor inputs are required to have a `device: torch.device` argument");
      this.registerBackendSelect(index);
    }
    const inner = (func: PythonFunction): PythonFunction => {
      for (const type of types) {
        if (!this.backend_fns.has(type)) {
          this._lib.impl(
            this._name,
            this.backendImpl(type),
            type === null ? "CompositeExplicitAutograd" : _dispatch_key_for_device(type),
          );
        }
        this.backend_fns.set(type, (...args) => (this.disabled.has(type) ? this.init_fn(...args) : func(...args)));
      }
      return func;
    };
    return fn === undefined || fn === null ? inner : inner(fn);
  }

  /** Registers an implementation for tensors without data. */
  register_fake(fn: PythonFunction): PythonFunction {
    this.abstract_fn = fn;
    return fn;
  }

  /**
   * Registers a rule that modes of a class use for the operator instead of their handler: `fn(mode, func, types, args, kwargs)`; also
   * usable as `def.register_torch_dispatch(Mode)(fn)`.
   */
  register_torch_dispatch(torch_dispatch_class: object): (fn: PythonFunction) => PythonFunction;
  register_torch_dispatch(torch_dispatch_class: object, fn: PythonFunction): PythonFunction;
  register_torch_dispatch(torch_dispatch_class: object, fn?: PythonFunction | null): unknown {
    const register = (func: PythonFunction): PythonFunction => {
      if (!this.torch_dispatch_fns.has(torch_dispatch_class)) {
        this._lib._register_torch_dispatch_rule(this._name, torch_dispatch_class, (...args) =>
          (this.torch_dispatch_fns.get(torch_dispatch_class) as PythonFunction)(...args),
        );
      }
      this.torch_dispatch_fns.set(torch_dispatch_class, func);
      return func;
    };
    return fn === undefined || fn === null ? register : register(fn);
  }

  /** Registers a cast: if autocast is enabled for `device_type`, the floating inputs are first cast to `cast_inputs`. */
  register_autocast(device_type: string, cast_inputs: dtype): PythonFunction {
    if (typeof device_type !== "string")
      throw new ValueError(`Expected \`device_type\` of type \`str\`, got: \`<class '${python_type(device_type)}'>\``);
    const kernel = make_autocast_kernel(() => this._opoverload, device_type, cast_inputs, "names");
    if (this.autocast_dtype.has(device_type)) return kernel;
    this.autocast_dtype.set(device_type, cast_inputs);
    this._lib.impl(this._name, kernel, autocast_key(device_type), { with_keyset: true });
    return kernel;
  }

  /**
   * Registers the derivative. `backward(ctx, ...grads)` returns a gradient for each input; `setup_context({ctx, inputs, output})` runs
   * after forward and saves the values that backward needs.
   */
  register_autograd(
    ...args: Args<Methods["register_autograd"], [backward: PythonFunction, setup_context: SetupContext | null]>
  ): void;
  register_autograd(...bound: unknown[]): void {
    const [backward, setup_context] = bound as [PythonFunction, SetupContext | null];
    const schema = this._opoverload._schema;
    if (this._opoverload.tags.includes(Tag.out)) {
      throw new RuntimeError(
        `Cannot register autograd formula for operator tagged with torch.Tag.out: ${this}. Out variants do not support autograd.`,
      );
    }
    if (!utils.is_functional_schema(schema, { allow_valid_view: true })) {
      throw new RuntimeError(
        `Cannot register autograd formula for non-functional operator ${this} with schema ${schema}. Please create ` +
          "a functional operator and register an autograd formula for that.",
      );
    }
    this._backward_fn = backward;
    this._setup_context_fn = setup_context;
  }

  /**
   * A context in which the kernel of a device is disabled (the original function runs instead), or enabled again.
   * @example op.set_kernel_enabled("cpu", false, () => op(x));
   */
  set_kernel_enabled(
    ...args: Args<Methods["set_kernel_enabled"], [device_type: string, enabled: boolean]>
  ): AbstractContextManager;
  set_kernel_enabled<R>(device_type: string, enabled: boolean | { enabled?: boolean }, body: () => R): R;
  set_kernel_enabled(...bound: unknown[]): unknown {
    const [device_type, enabled] = bound as [string, boolean];
    return new KernelEnabled(this.disabled, device_type, enabled);
  }

  private backendImpl(type: string | null): PythonFunction {
    return (...args) => {
      const result = (this.backend_fns.get(type) as PythonFunction)(...args);
      if (this._opoverload.tags.includes(Tag.inplace)) {
        if (result !== args[0]) {
          throw new RuntimeError(
            `${this._name} (with implementation in ???): An operator tagged with torch.Tag.inplace must return its first argument.`,
          );
        }
      } else if (!this._opoverload.is_view && !this._opoverload.tags.includes(Tag.out)) {
        utils.check_aliasing_constraint(this._name, args, result);
      }
      return result;
    };
  }

  private registerToDispatcher(tags: readonly Tag[]): void {
    const line = this._name + this._schema;
    if (utils.has_kwarg_only_tensors(parse_schema(line)) && !tags.includes(Tag.out)) {
      throw new NotImplementedError(
        `custom_op with kwarg-only Tensor args. Please make your tensors not kwarg-only. Got: ${line}`,
      );
    }
    this._lib.define(line, "", {
      tags: [Tag.pt2_compliant_tag, ...tags.filter((tag) => tag !== Tag.pt2_compliant_tag)],
    });
    Object.assign(this, { _opoverload: utils.lookup_op(this._qualname) });
    this._lib._register_fake(this._name, (...args) => this.fakeImpl(args));
    this._lib.impl(this._name, make_autograd_impl(this._opoverload, this), "Autograd", { with_keyset: true });
    this.registerADInplaceOrView(this._opoverload._schema);
  }

  private fakeImpl(args: readonly unknown[]): unknown {
    if (this.abstract_fn !== null) return this.abstract_fn(...args);
    if (utils.can_generate_trivial_fake_impl(this._opoverload)) return null;
    throw new RuntimeError(
      `There was no fake impl registered for ${this}. This is necessary for torch.compile/export/fx tracing to work. ` +
        `Please use \`${this.init_fn.name || "<lambda>"}.register_fake\` to add an fake impl.`,
    );
  }

  /** Increments the version of each argument that is changed in place, so that backward notices the change. */
  private registerADInplaceOrView(schema: PyFunctionSchema): void {
    if (!schema.is_mutable) return;
    const [idxs, keys] = utils.mutated_args_kwargs(schema);
    const impl = (keyset: DispatchKeySet, ...given: unknown[]): unknown => {
      const [args, kwargs] = utils.split_args(given);
      const [all_args, all_kwargs] = utils.fill_defaults(schema, args, kwargs);
      for (const tensor of utils.iter_tensors([...idxs.map((i) => all_args[i]), ...keys.map((key) => all_kwargs[key])]))
        increment_version(tensor);
      return this._opoverload.redispatch(keyset.and(_after_ADInplaceOrView_keyset), ...given);
    };
    this._lib.impl(this._name, impl, "ADInplaceOrView", { with_keyset: true });
  }

  /** Chooses the backend by the device argument, for operators without tensor arguments. */
  private registerBackendSelect(device_arg_index: number): void {
    const impl = (_keyset: DispatchKeySet, ...args: unknown[]): unknown => {
      const device = (args[device_arg_index] as { type: string }).type;
      if (!this.backend_fns.has(device)) {
        throw new RuntimeError(
          `${this._name} does not have a kernel registered for ${device}. Please use register_kernel to do so.`,
        );
      }
      return this._opoverload.redispatch(
        DispatchKeySet.of(_dispatch_key_parse(_dispatch_key_for_device(device))),
        ...args,
      );
    };
    this._lib.impl(this._name, impl, "BackendSelect", { with_keyset: true });
  }

  toString(): string {
    return `<CustomOpDef(${this._qualname})>`;
  }
  __repr__(): string {
    return this.toString();
  }
}

function increment_version(tensor: TensorBase): void {
  tensor.cdata.impl_.bump_version();
}

/** Every operator made by `custom_op`, by qualified name. */
export const OPDEFS = new Map<string, CustomOpDef>();
const OPDEF_TO_LIB = new Map<string, Library>();

/** A library in which defining an operator again replaces it, since a notebook cell may run twice. */
function get_library_allowing_overwrite(namespace: string, name: string): Library {
  const qualname = `${py_str(namespace)}::${py_str(name)}`;
  OPDEF_TO_LIB.get(qualname)?._destroy();
  const lib = new Library(namespace, "FRAGMENT");
  OPDEF_TO_LIB.set(qualname, lib);
  return lib;
}

export function _maybe_get_opdef(op: unknown): CustomOpDef | null {
  if (op instanceof CustomOpDef) return op;
  const name = typeof op === "string" ? op : (op as OpOverload).__qualname__;
  return OPDEFS.get(name) ?? null;
}

/**
 * Makes `fn` an operator with the name `name` (`"mylib::my_op"`).
 * @returns the operator; without `fn`, a decorator: `custom_op(name, {...})(fn)`
 */
export const custom_op = def(
  "custom_op(name, fn=None, /, *, mutates_args, device_types=None, schema=None, tags=None)",
  (
    name: string,
    fn: PythonFunction | null,
    mutates_args: readonly string[],
    device_types: DeviceTypes,
    schema: string | null,
    tags: readonly Tag[] | Tag | null,
  ): unknown => {
    const inner = (func: PythonFunction): CustomOpDef => make(name, func, { mutates_args, device_types, schema, tags });
    return fn === null ? inner : inner(fn);
  },
) as unknown as CustomOp;

interface CustomOp {
  (name: string, kwargs: CustomOpOptions): (fn: PythonFunction) => CustomOpDef;
  (name: string, fn: PythonFunction, kwargs: CustomOpOptions): CustomOpDef;
  readonly __signature__: Signature;
}

/** One tag, several or none as a list without repetition. */
function normalize_tags(tags: readonly Tag[] | Tag | null): readonly Tag[] {
  return tags instanceof Tag ? [tags] : [...new Set(tags ?? [])];
}

function make(name: string, fn: PythonFunction, options: Required<CustomOpOptions>): CustomOpDef {
  const { mutates_args, schema } = options;
  if (schema === null) {
    throw new ValueError(
      `infer_schema(func): JavaScript functions have no type annotations; please pass the schema of ${name}, for example schema: "(Tensor x) -> Tensor".`,
    );
  }
  const [namespace, opname] = utils.parse_namespace(name);
  const tags = normalize_tags(options.tags);
  const result = new CustomOpDef(namespace, opname, schema, fn, tags);
  const expected = result._opoverload._schema.arguments.filter((arg) => arg.is_write).map((arg) => arg.name);
  if ([...expected].sort().join() !== [...mutates_args].sort().join()) {
    throw new ValueError(
      `Attempted to create a custom op with \`mutates_args=${repr([...mutates_args])}\` and \`schema=${schema}. ` +
        `The schema suggests that the op mutates ${expected.length === 0 ? "set()" : `{${expected.map(repr).join(", ")}}`}which is different from what was provided to us in \`mutates_args\`. ` +
        "Please make these consistent.",
    );
  }
  result.register_kernel(options.device_types)(fn);
  return result;
}
