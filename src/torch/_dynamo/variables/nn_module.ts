/**
 * @file Modules of `torch.nn`: objects whose parameters are inputs of the graph and whose `forward` is followed.
 * @mirrors torch/_dynamo/variables/nn_module.py#UnspecializedNNModuleVariable
 * @differs `_call_impl` is TypeScript here: `call_function` calls the hooks and `forward` in its order. Backward hooks break the graph.
 */
import { AttributeError } from "#c10/util/Exception";
import { PyDict } from "#python/Objects/dictobject";
import { is_function, type PyFunction } from "#python/Objects/funcobject";
import { getattr, getattr_or_undefined } from "#python/Objects/object";
import { type TypeObject, type_of } from "#python/Objects/typeobject";
import { as_python_exception } from "#python/vm/errors";
import { body_of_class } from "#torch/_bodies/index";
import { Tensor } from "#torch/_tensor/index";
import type { Module } from "#torch/nn/modules/module/index";
import { unimplemented } from "../graph_break.ts";
import * as graph_break_hints from "../graph_break_hints.ts";
import { DICT_KEYS_MATCH, EMPTY_NN_MODULE_HOOKS_DICT, NOT_PRESENT_IN_GENERIC_DICT, TYPE_MATCH } from "../guards.ts";
import { ObservedException } from "../observed.ts";
import { AttrSource, DictGetItemSource, type Source } from "../source.ts";
import { type Kwargs, MethodVariable, NO_KWARGS, type Translator, type VariableTracker } from "./base.ts";
import { build } from "./build.ts";
import { ConstantVariable } from "./constant.ts";
import { ConstDictVariable, dict_items } from "./dicts.ts";
import { UserFunctionVariable, UserMethodVariable } from "./functions.ts";
import { ListIteratorVariable } from "./iter.ts";
import { ListVariable, TupleVariable } from "./lists.ts";
import { NodeVariable } from "./tensor.ts";
import { UserDefinedObjectVariable } from "./user_defined.ts";

const HOOK_DICTS = [
  "_backward_hooks",
  "_backward_pre_hooks",
  "_forward_hooks",
  "_forward_hooks_with_kwargs",
  "_forward_pre_hooks",
  "_forward_pre_hooks_with_kwargs",
] as const;

/** The Python function of a class for this name: the program's own, or the body of the library's; undefined if there is none. */
export function method_of(type: TypeObject, name: string): PyFunction | undefined {
  for (const base of type.mro) {
    const own = base.heap ? base.dict.get(name) : body_of_class(base)?.dict.get(name);
    if (is_function(own)) return own;
    if (own !== undefined) return undefined;
  }
  return undefined;
}

/** Hooks of the forward pass, in order, with the keys of those that take keyword arguments. */
interface Hooks {
  readonly pre: readonly [key: unknown, hook: VariableTracker][];
  readonly pre_with_kwargs: ReadonlySet<unknown>;
  readonly post: readonly [key: unknown, hook: VariableTracker][];
  readonly post_with_kwargs: ReadonlySet<unknown>;
}

export class UnspecializedNNModuleVariable extends UserDefinedObjectVariable {
  get module(): Module {
    return this.value as unknown as Module;
  }
  override toString(): string {
    return `UnspecializedNNModuleVariable(${this.type.name})`;
  }
  override truth(tx: Translator): boolean | null {
    const length = method_of(this.type, "__len__");
    return length === undefined ? true : this.entries(tx).length > 0;
  }

  /** One of the dicts in which a module keeps its parts; asking for it makes its guard. */
  private dict(tx: Translator, name: "_parameters" | "_buffers" | "_modules"): ReadonlyMap<string, unknown> {
    const dict = getattr(this.value, name) as ReadonlyMap<string, unknown>;
    if (this.source !== null) tx.output.install_guard(TYPE_MATCH(new AttrSource(this.source, name), dict));
    return dict;
  }
  private part(tx: Translator, name: "_parameters" | "_buffers" | "_modules", key: string): VariableTracker | null {
    const dict = this.dict(tx, name);
    if (!dict.has(key)) return null;
    const source = this.source === null ? null : new DictGetItemSource(new AttrSource(this.source, name), key);
    const made = build(tx, dict.get(key) ?? null, source);
    return name === "_modules" ? made : made.realize();
  }
  /** Names and variables of the children. */
  entries(tx: Translator): [string, VariableTracker][] {
    const found = tx.output.side_effects.load_attr(this, "_modules") ?? this.modules_dict(tx);
    return (found as ConstDictVariable).entries() as [string, VariableTracker][];
  }
  private modules_dict(tx: Translator): ConstDictVariable {
    const made = build(
      tx,
      getattr(this.value, "_modules"),
      this.source === null ? null : new AttrSource(this.source, "_modules"),
    );
    const dict = made.realize() as ConstDictVariable;
    dict.install_dict_keys_match_guard(tx);
    return dict;
  }

  override var_getattr(tx: Translator, name: string): VariableTracker {
    const stored = tx.output.side_effects.load_attr(this, name);
    if (stored !== null) return stored;
    if (name === "__class__" || name === "_modules" || name === "_parameters" || name === "_buffers")
      return super.var_getattr(tx, name);
    if ((HOOK_DICTS as readonly string[]).includes(name)) {
      const source = this.source === null ? null : new AttrSource(this.source, name);
      return build(tx, getattr(this.value, name), source);
    }
    const property = this.type.lookup(name);
    const is_property = property !== undefined && type_of(property).name === "property";
    if (!is_property) {
      const own = this.own(name);
      const is_tensor =
        own instanceof Tensor &&
        ["_parameters", "_buffers"].some((it) => (getattr(this.value, it) as ReadonlyMap<string, unknown>).has(name));
      if (own !== undefined && !is_tensor && !name.startsWith("_forward_"))
        return build(tx, own, this.source === null ? null : new AttrSource(this.source, name));
      for (const dict of ["_parameters", "_buffers", "_modules"] as const) {
        const found = (getattr(this.value, dict) as ReadonlyMap<string, unknown>).has(name);
        if (!found) continue;
        this.dict(tx, "_parameters");
        return this.part(tx, dict, name) as VariableTracker;
      }
      const method = method_of(this.type, name);
      if (method !== undefined) this.guard_absent(tx, name);
      if (method !== undefined)
        return new UserMethodVariable(new UserFunctionVariable(method, this.function_source(name)), this);
    }
    // Methods of the library's TypeScript are answered by `call_method`.
    if (property !== undefined && !is_property && !is_function(property) && type_of(property).tp_descr_get !== null)
      return new MethodVariable(this, name);
    if (property === undefined)
      throw new ObservedException(
        as_python_exception(new AttributeError(`'${this.type.name}' object has no attribute '${name}'`)),
      );
    return super.var_getattr(tx, name);
  }

  protected override function_source(name: string): Source | null {
    const holder = this.type.mro.find((base) =>
      base.heap ? base.dict.has(name) : body_of_class(base)?.dict.has(name) === true,
    );
    return holder?.heap === true ? super.function_source(name) : null;
  }

  override call_function(tx: Translator, args: readonly VariableTracker[], kwargs: Kwargs): VariableTracker {
    const forward = this.source === null ? undefined : this.own("forward");
    const method = method_of(this.type, "forward");
    if (forward !== undefined || method === undefined || this.value === null) return this.refuse("forward");
    const hooks = this.hooks(tx);
    const call = (given: readonly VariableTracker[], named: Kwargs): VariableTracker =>
      new UserFunctionVariable(method, this.function_source("forward")).call_function(tx, [this, ...given], named);
    return hooks === null ? call(args, kwargs) : this.call_with_hooks(tx, hooks, call, args, kwargs);
  }

  /** Guards that there are no hooks, or gives the hooks. Hooks of the backward pass are refused. */
  private hooks(tx: Translator): Hooks | null {
    const of = (name: string): ReadonlyMap<unknown, unknown> | undefined =>
      getattr_or_undefined(this.value, name) as ReadonlyMap<unknown, unknown> | undefined;
    for (const name of ["_backward_hooks", "_backward_pre_hooks"]) if ((of(name)?.size ?? 0) > 0) this.refuse(name);
    const has_hooks = HOOK_DICTS.some((name) => (of(name)?.size ?? 0) > 0);
    if (!has_hooks) {
      if (this.source === null) return null;
      for (const name of HOOK_DICTS)
        tx.output.install_guard(EMPTY_NN_MODULE_HOOKS_DICT(new AttrSource(this.source, name)));
      tx.output.install_guard(NOT_PRESENT_IN_GENERIC_DICT(this.source, "forward"));
      return null;
    }
    const variables = (name: string): [key: unknown, hook: VariableTracker][] => {
      const dict = of(name) ?? new Map<unknown, unknown>();
      const source = this.source === null ? null : new AttrSource(this.source, name);
      if (source !== null) tx.output.install_guard(DICT_KEYS_MATCH(source, dict));
      return [...dict].map(([key, entry]) => {
        const of_hook = source === null ? null : new AttrSource(new DictGetItemSource(source, key), "hook");
        return [key, build(tx, (entry as { hook: unknown }).hook, of_hook)];
      });
    };
    const with_kwargs = (name: string): ReadonlySet<unknown> => new Set(of(name)?.keys() ?? []);
    return {
      pre: variables("_forward_pre_hooks"),
      pre_with_kwargs: with_kwargs("_forward_pre_hooks_with_kwargs"),
      post: variables("_forward_hooks"),
      post_with_kwargs: with_kwargs("_forward_hooks_with_kwargs"),
    };
  }
  private call_with_hooks(
    tx: Translator,
    hooks: Hooks,
    forward: (args: readonly VariableTracker[], kwargs: Kwargs) => VariableTracker,
    args: readonly VariableTracker[],
    kwargs: Kwargs,
  ): VariableTracker {
    let given = args;
    let named = kwargs;
    const is_none = (of: VariableTracker): boolean => of.is_python_constant() && of.as_python_constant() === null;
    const dict = (): VariableTracker => {
      const items = new PyDict();
      for (const [name, it] of named) items.set(name, it);
      return new ConstDictVariable(items);
    };
    for (const [key, hook] of hooks.pre) {
      if (hooks.pre_with_kwargs.has(key)) {
        const result = hook
          .realize()
          .call_function(tx, [this, new TupleVariable([...given]), dict()], NO_KWARGS)
          .realize();
        if (is_none(result)) continue;
        const [changed, changed_named] = tx.sequence(result);
        given = tx.sequence(changed as VariableTracker);
        named = new Map([...dict_items(tx, changed_named as VariableTracker)] as [string, VariableTracker][]);
      } else {
        const result = hook
          .realize()
          .call_function(tx, [this, new TupleVariable([...given])], NO_KWARGS)
          .realize();
        if (!is_none(result)) given = result instanceof TupleVariable ? result.items : [result];
      }
    }
    let result = forward(given, named);
    for (const [key, hook] of hooks.post) {
      const before = hooks.post_with_kwargs.has(key)
        ? [new TupleVariable([...given]), dict()]
        : [new TupleVariable([...given])];
      const changed = hook
        .realize()
        .call_function(tx, [this, ...before, result], NO_KWARGS)
        .realize();
      if (is_none(changed)) continue;
      if (changed instanceof NodeVariable) changed.set_name_hint("hook_result");
      result = changed;
    }
    return result;
  }
  private refuse(what: string): never {
    return unimplemented({
      gb_type: "Unsupported nn.Module call",
      context: `${this.toString()} ${what}`,
      explanation: `Dynamo does not know how to trace a call of a module of class \`${this.type.name}\` (${what}).`,
      hints: [...graph_break_hints.SUPPORTABLE],
    });
  }

  private get is_container(): "list" | "dict" | null {
    const names = new Set(this.type.mro.map((base) => base.name));
    if (names.has("Sequential") || names.has("ModuleList") || names.has("ParameterList")) return "list";
    return names.has("ModuleDict") ? "dict" : null;
  }
  /** The parts that a container holds: its modules, or its parameters. */
  private contents(tx: Translator): [string, VariableTracker][] {
    return this.type.mro.some((base) => base.name === "ParameterList")
      ? this.own_tensors(tx, "_parameters", "")
      : this.entries(tx);
  }
  override unpack_var_sequence(tx: Translator): VariableTracker[] {
    const entries = this.contents(tx);
    if (this.is_container !== null) this.guard_absent(tx, "__iter__");
    if (this.is_container === "list") return entries.map(([, module]) => module);
    if (this.is_container === "dict") return entries.map(([name]) => new ConstantVariable(name));
    return super.unpack_var_sequence(tx);
  }

  override call_method(
    tx: Translator,
    name: string,
    args: readonly VariableTracker[],
    kwargs: Kwargs,
  ): VariableTracker {
    const kind = this.is_container;
    if (kind !== null && method_of_program(this.type, name) === undefined) {
      const entries = this.contents(tx);
      if (name === "__len__") return new ConstantVariable(entries.length);
      if (name === "__getitem__" && kind === "list")
        return new ListVariable(
          entries.map(([, it]) => it),
          null,
          "new",
        ).getitem(tx, args[0] as VariableTracker);
      if (name === "__getitem__" || name === "__contains__") {
        const key = tx.constant_of(args[0] as VariableTracker);
        const found = entries.find(([it]) => it === key);
        if (name === "__contains__") return new ConstantVariable(found !== undefined);
        if (found !== undefined) return found[1];
      }
      if (name === "items")
        return new ListVariable(entries.map(([key, it]) => new TupleVariable([new ConstantVariable(key), it])));
      if (name === "values") return new ListVariable(entries.map(([, it]) => it));
      if (name === "keys") return new ListVariable(entries.map(([key]) => new ConstantVariable(key)));
    }
    const listed = method_of_program(this.type, name) === undefined ? this.listed(tx, name, args, kwargs) : null;
    if (listed !== null) return listed;
    if (method_of(this.type, name) === undefined && this.type.lookup(name) !== undefined && name !== "__setattr__")
      return this.refuse(name);
    return super.call_method(tx, name, args, kwargs);
  }
  /** Methods of every module that go through its parts; null for another method. */
  private listed(
    tx: Translator,
    name: string,
    args: readonly VariableTracker[],
    kwargs: Kwargs,
  ): VariableTracker | null {
    if (name === "train" || name === "eval") {
      const given = args[0] ?? kwargs.get("mode");
      const mode = name === "train" && (given === undefined || tx.is_true(given));
      for (const [, it] of this.all_modules(tx, ""))
        tx.output.side_effects.store_attr(it, "training", new ConstantVariable(mode));
      return this;
    }
    if (args.length > 0 || kwargs.size > 0) return null;
    const found = ((): [string, VariableTracker][] | null => {
      switch (name.replace(/^named_/, "")) {
        case "children":
          return this.entries(tx);
        case "modules":
          return this.all_modules(tx, "");
        case "parameters":
          return this.all_tensors(tx, "_parameters");
        case "buffers":
          return this.all_tensors(tx, "_buffers");
        default:
          return null;
      }
    })();
    if (found === null) return null;
    const items = found.map(([key, it]) =>
      name.startsWith("named_") ? new TupleVariable([new ConstantVariable(key), it]) : it,
    );
    return new ListIteratorVariable(items);
  }
  private all_modules(tx: Translator, prefix: string): [string, UnspecializedNNModuleVariable][] {
    const found: [string, UnspecializedNNModuleVariable][] = [[prefix, this]];
    for (const [name, it] of this.entries(tx)) {
      const child = it.realize();
      if (child instanceof UnspecializedNNModuleVariable && !found.some(([, known]) => known === child))
        found.push(...child.all_modules(tx, prefix === "" ? name : `${prefix}.${name}`));
    }
    return found;
  }
  private own_tensors(tx: Translator, dict: "_parameters" | "_buffers", prefix: string): [string, VariableTracker][] {
    return [...this.dict(tx, dict).keys()]
      .map((name): [string, VariableTracker] => [
        prefix === "" ? name : `${prefix}.${name}`,
        (this.part(tx, dict, name) as VariableTracker).realize(),
      ])
      .filter(([, it]) => it.is_tensor());
  }
  /** Each tensor once, as PyTorch lists them. */
  private all_tensors(tx: Translator, dict: "_parameters" | "_buffers"): [string, VariableTracker][] {
    const seen = new Set<VariableTracker>();
    return this.all_modules(tx, "")
      .flatMap(([prefix, it]) => it.own_tensors(tx, dict, prefix))
      .filter(([, it]) => !seen.has(it) && seen.add(it));
  }

  override set_attribute(tx: Translator, name: string, value: VariableTracker): void {
    const holds = (dict: string): boolean => (getattr(this.value, dict) as ReadonlyMap<string, unknown>).has(name);
    if (holds("_parameters") || holds("_modules")) this.refuse(`setting ${name}`);
    tx.output.side_effects.store_attr(this, name, value);
  }
}

function method_of_program(type: TypeObject, name: string): PyFunction | undefined {
  for (const base of type.mro) {
    const own = base.heap ? base.dict.get(name) : undefined;
    if (is_function(own)) return own;
  }
  return undefined;
}
