/**
 * @file Modules of `torch.nn`: objects whose parameters are inputs of the graph and whose `forward` is followed.
 * @mirrors torch/_dynamo/variables/nn_module.py#UnspecializedNNModuleVariable
 * @differs `_call_impl` is not followed: a module without hooks calls its `forward`, and one with hooks breaks the graph.
 */
import { AttributeError } from "#c10/util/Exception";
import { is_function, type PyFunction } from "#python/Objects/funcobject";
import { getattr, getattr_or_undefined } from "#python/Objects/object";
import { type TypeObject, type_of } from "#python/Objects/typeobject";
import { as_python_exception } from "#python/vm/errors";
import { body_of_class } from "#torch/_bodies/index";
import type { Module } from "#torch/nn/modules/module/index";
import { unimplemented } from "../graph_break.ts";
import * as graph_break_hints from "../graph_break_hints.ts";
import { EMPTY_NN_MODULE_HOOKS_DICT, NOT_PRESENT_IN_GENERIC_DICT, TYPE_MATCH } from "../guards.ts";
import { ObservedException } from "../observed.ts";
import { AttrSource, DictGetItemSource, type Source } from "../source.ts";
import type { Kwargs, Translator, VariableTracker } from "./base.ts";
import { build } from "./build.ts";
import { ConstantVariable } from "./constant.ts";
import type { ConstDictVariable } from "./dicts.ts";
import { UserFunctionVariable, UserMethodVariable } from "./functions.ts";
import { ListVariable, TupleVariable } from "./lists.ts";
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
    const property = this.type.lookup(name);
    const is_property = property !== undefined && type_of(property).name === "property";
    if (!is_property) {
      const own = this.own(name);
      if (own !== undefined && !name.startsWith("_forward_"))
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
    this.check_hooks(tx);
    return new UserFunctionVariable(method, this.function_source("forward")).call_function(tx, [this, ...args], kwargs);
  }
  private check_hooks(tx: Translator): void {
    for (const name of HOOK_DICTS) {
      const hooks = getattr_or_undefined(this.value, name) as ReadonlyMap<unknown, unknown> | undefined;
      if ((hooks?.size ?? 0) > 0) this.refuse(name);
      if (this.source !== null) tx.output.install_guard(EMPTY_NN_MODULE_HOOKS_DICT(new AttrSource(this.source, name)));
    }
    if (this.source !== null) tx.output.install_guard(NOT_PRESENT_IN_GENERIC_DICT(this.source, "forward"));
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
    if (names.has("Sequential") || names.has("ModuleList")) return "list";
    return names.has("ModuleDict") ? "dict" : null;
  }
  override unpack_var_sequence(tx: Translator): VariableTracker[] {
    const entries = this.entries(tx);
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
      const entries = this.entries(tx);
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
    if (name === "children" || name === "named_children") {
      const entries = this.entries(tx);
      return new ListVariable(
        name === "children"
          ? entries.map(([, it]) => it)
          : entries.map(([key, it]) => new TupleVariable([new ConstantVariable(key), it])),
      );
    }
    if ((name === "parameters" || name === "named_parameters") && args.length === 0 && kwargs.size === 0) {
      const found = this.all_parameters(tx, "");
      return new ListVariable(
        name === "parameters"
          ? found.map(([, it]) => it)
          : found.map(([key, it]) => new TupleVariable([new ConstantVariable(key), it])),
      );
    }
    if (method_of(this.type, name) === undefined && this.type.lookup(name) !== undefined && name !== "__setattr__")
      return this.refuse(name);
    return super.call_method(tx, name, args, kwargs);
  }
  private all_parameters(tx: Translator, prefix: string): [string, VariableTracker][] {
    const own = [...this.dict(tx, "_parameters").keys()].map((name): [string, VariableTracker] => [
      prefix + name,
      this.part(tx, "_parameters", name) as VariableTracker,
    ]);
    const of_children = this.entries(tx).flatMap(([name, it]) => {
      const child = it.realize();
      return child instanceof UnspecializedNNModuleVariable ? child.all_parameters(tx, `${prefix}${name}.`) : [];
    });
    return [...own.filter(([, it]) => it.realize().is_tensor()), ...of_children];
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
