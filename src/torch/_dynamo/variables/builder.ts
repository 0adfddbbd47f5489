/**
 * @file From a value to its variable: what the frame's locals and globals hold, with the guards that make the variable right in other calls.
 * @mirrors torch/_dynamo/variables/builder.py
 */

import { dict_type, PyDict } from "#python/Objects/dictobject";
import { is_function, is_method, METHOD } from "#python/Objects/funcobject";
import { is_builtin } from "#python/Objects/methodobject";
import { getattr } from "#python/Objects/object";
import { PyRange } from "#python/Objects/rangeobject";
import { PySet } from "#python/Objects/setobject";
import { PySlice } from "#python/Objects/sliceobject";
import { PyTuple } from "#python/Objects/tupleobject";
import { full_name, info_of, type TypeObject, type_of } from "#python/Objects/typeobject";
import { module_kinds } from "#python/vm/import";
import { body_of_function } from "#torch/_bodies/index";
import { Tensor } from "#torch/_tensor/index";
import { SymBool, SymFloat, SymInt } from "#torch/fx/experimental/sym_node";
import { library_name } from "#torch/fx/qualified_names";
import { Module } from "#torch/nn/modules/module/index";
import { graph_break } from "../decorators.ts";
import { CLOSURE_MATCH, CONSTANT_MATCH, EQUALS_MATCH, ID_MATCH, SEQUENCE_LENGTH, TYPE_MATCH } from "../guards.ts";
import { polyfill_of } from "../polyfills/index.ts";
import { AttrSource, DictGetItemSource, GetItemSource, type Source, UnspecializedNNModuleSource } from "../source.ts";
import { disabled, lookup } from "../trace_rules.ts";
import type { Translator, VariableTracker } from "./base.ts";
import { build, building } from "./build.ts";
import { BuiltinVariable, is_known_builtin } from "./builtin.ts";
import { ConstantVariable, EnumVariable } from "./constant.ts";
import { ContextClassVariable } from "./ctx_manager.ts";
import { ConstDictVariable, SetVariable } from "./dicts.ts";
import {
  DisabledFunctionVariable,
  FunctoolsPartialVariable,
  GraphBreakVariable,
  SkipFunctionVariable,
  UserFunctionVariable,
  UserMethodVariable,
} from "./functions.ts";
import { AutogradFunctionVariable, is_autograd_function } from "./higher_order_ops/autograd_function.ts";
import { higher_order_variable } from "./higher_order_ops/index.ts";
import {
  ListVariable,
  NamedTupleVariable,
  RangeVariable,
  SizeVariable,
  SliceVariable,
  TupleVariable,
} from "./lists.ts";
import { ExceptionClassVariable, ListClassVariable, PythonModuleVariable } from "./misc.ts";
import { UnspecializedNNModuleVariable } from "./nn_module.ts";
import { TorchInGraphFunctionVariable } from "./torch.ts";
import { UserDefinedClassVariable, UserDefinedDictVariable, UserDefinedObjectVariable } from "./user_defined.ts";

building.make = (tx, value, source) => new VariableBuilder(tx, source).wrap(value);

const is_type = (value: unknown, name: string): boolean => type_of(value).mro.some((base) => base.name === name);

class VariableBuilder {
  private readonly tx: Translator;
  private readonly source: Source | null;

  constructor(tx: Translator, source: Source | null) {
    this.tx = tx;
    this.source = source;
  }

  /** An object that was seen by another way is the same variable. */
  wrap(value: unknown): VariableTracker {
    if (typeof value === "object" && value !== null && this.source !== null) {
      const known = this.tx.output.side_effects.variable_of(value);
      if (known !== null) return known;
    }
    const made = this.make(value);
    if (typeof value === "object" && value !== null && this.source !== null && made.mutation === "existing")
      this.tx.output.side_effects.track_existing(value, made);
    return made;
  }

  private guard(make: (source: Source) => Parameters<Translator["output"]["install_guard"]>[0]): void {
    if (this.source !== null) this.tx.output.install_guard(make(this.source));
  }

  private item(index: unknown, value: unknown): VariableTracker {
    return build(this.tx, value, this.source === null ? null : new GetItemSource(this.source, index));
  }

  private make(value: unknown): VariableTracker {
    const { tx, source } = this;
    if (value instanceof Tensor) return tx.output.wrap_tensor(tx, value, source);
    if (value instanceof SymInt || value instanceof SymFloat || value instanceof SymBool)
      return new ConstantVariable(value, source);
    if (typeof value === "number" && Number.isInteger(value)) return this.wrap_int(value);
    if (source !== null && type_of(value).name === "float" && this.is_dynamic_float(source, value))
      return tx.output.wrap_float(tx, value, source);
    if (this.is_constant(value)) {
      this.guard((it) => CONSTANT_MATCH(it, value));
      return new ConstantVariable(value, source);
    }
    if (typeof value === "function") return this.wrap_callable(value);
    if (Array.isArray(value)) return this.wrap_sequence(value);
    if (value instanceof PyRange) return this.wrap_range(value);
    if (value instanceof PySlice) {
      this.guard((it) => TYPE_MATCH(it, value));
      return new SliceVariable(
        (["start", "stop", "step"] as const).map((name) =>
          build(tx, value[name] ?? null, source === null ? null : new AttrSource(source, name)),
        ),
        source,
      );
    }
    if (value instanceof PySet) {
      this.guard((it) => EQUALS_MATCH(it, value));
      return new SetVariable(value, source, source === null ? "new" : "existing");
    }
    if (value instanceof Map) return this.wrap_dict(value as PyDict);
    if (is_type(value, "Enum")) {
      this.guard((it) => ID_MATCH(it, value));
      return new EnumVariable(value, source);
    }
    if (is_type(value, "partial")) return this.wrap_partial(value as object);
    if (module_kinds.is_foreign_module(value) || type_of(value).name === "module") {
      this.guard((it) => ID_MATCH(it, value, "MODULE_MATCH"));
      return new PythonModuleVariable(value, source);
    }
    return this.wrap_object(value as object);
  }

  private is_constant(value: unknown): boolean {
    if (value === null || ["number", "boolean", "string", "bigint"].includes(typeof value)) return true;
    const { name } = type_of(value);
    return [
      "float",
      "complex",
      "bytes",
      "ellipsis",
      "NotImplementedType",
      "dtype",
      "device",
      "layout",
      "memory_format",
      "code",
    ].includes(name);
  }

  private is_dynamic_float(source: Source, value: unknown): boolean {
    const is_fixed = source.is_of_module || !source.is_local || !Number.isFinite(Number(value));
    return !is_fixed && this.tx.output.is_dynamic_float(source, Number(value));
  }

  /** A whole number becomes a symbol when another call had another one. */
  private wrap_int(value: number): VariableTracker {
    const { tx, source } = this;
    if (source === null) return new ConstantVariable(value);
    const is_fixed = source.is_of_module || !source.is_local;
    if (is_fixed || !tx.output.is_dynamic_int(source, value)) {
      this.guard((it) => CONSTANT_MATCH(it, value));
      if (is_fixed) this.guard((it) => EQUALS_MATCH(it, value));
      return new ConstantVariable(value, source);
    }
    this.guard((it) => TYPE_MATCH(it, value));
    return tx.output.wrap_symint(value, source);
  }

  private wrap_sequence(value: readonly unknown[]): VariableTracker {
    const { source, tx } = this;
    this.guard((it) => SEQUENCE_LENGTH(it, value));
    const type = type_of(value);
    if (type.name === "list")
      return new ListVariable(
        value.map((it, i) => this.item(i, it)),
        source,
        source === null ? "new" : "existing",
      );
    if (type.name === "Size")
      return new SizeVariable(
        value.map((it, i) => this.item(i, it)),
        source,
      );
    if (type.name === "tuple")
      return new TupleVariable(
        value.map((it, i) => this.item(i, it)),
        source,
      );
    const fields = type.lookup("_fields");
    if (value instanceof PyTuple && fields !== undefined) {
      const names = [...(fields as Iterable<string>)];
      const items = value.map((it, i) =>
        build(tx, it, source === null ? null : new AttrSource(source, names[i] as string)),
      );
      return new NamedTupleVariable([...items], type, source);
    }
    return new UserDefinedObjectVariable(value as unknown as object, type, source, null);
  }

  private wrap_range(value: PyRange): VariableTracker {
    const { source, tx } = this;
    this.guard((it) => TYPE_MATCH(it, value));
    const parts = (["start", "stop", "step"] as const).map((name) =>
      build(tx, getattr(value, name), source === null ? null : new AttrSource(source, name)),
    );
    return new RangeVariable(tx, parts, source);
  }

  private wrap_dict(value: PyDict): VariableTracker {
    const { source, tx } = this;
    this.guard((it) => TYPE_MATCH(it, value));
    const items = new PyDict();
    for (const [key, it] of value)
      items.set(key, build(tx, it, source === null ? null : new DictGetItemSource(source, key)));
    const type = type_of(value);
    const of_program = type.mro.some((base) => base.heap && !full_name(base).startsWith("collections."));
    const made = of_program ? UserDefinedDictVariable : ConstDictVariable;
    return new made(
      items,
      source === null && !of_program ? dict_type : type,
      source,
      source === null ? "new" : "existing",
      source === null ? null : value,
    );
  }

  private wrap_callable(value: object): VariableTracker {
    const { source, tx } = this;
    if (value instanceof Module) return this.wrap_module(value);
    if (value === graph_break) return new GraphBreakVariable();
    if (is_type(value, "partial")) return this.wrap_partial(value);
    if (ContextClassVariable.holds(value)) {
      this.guard((it) => ID_MATCH(it, value, "CLASS_MATCH"));
      return new ContextClassVariable(value);
    }
    if (info_of(value) === undefined && type_of(value).heap) return this.wrap_object(value);
    if (is_method(value)) {
      const { func, self } = value[METHOD];
      const owner = build(tx, self, source === null ? null : new AttrSource(source, "__self__")).realize();
      return new UserMethodVariable(
        build(tx, func, source === null ? null : new AttrSource(source, "__func__")).realize(),
        owner,
        source,
      );
    }
    const original = tx.compiled_original(value);
    if (original !== null) {
      this.guard((it) => ID_MATCH(it, value));
      return new UserFunctionVariable(
        original,
        source === null ? null : new AttrSource(source, "_torchdynamo_orig_callable"),
      );
    }
    if (is_function(value)) {
      this.guard((it) => CLOSURE_MATCH(it, value));
      return new UserFunctionVariable(value, source);
    }
    const operator = higher_order_variable(value, source);
    if (operator !== null) {
      this.guard((it) => ID_MATCH(it, value));
      return operator;
    }
    const kind = lookup(value);
    if (kind === "graph" || kind === "constant") {
      const is_python = /^torch\.(?:nn\.)?functional\./.test(library_name(value as object) ?? "");
      this.guard((it) => ID_MATCH(it, value, is_python ? "CLOSURE_MATCH" : "BUILTIN_MATCH"));
      return new TorchInGraphFunctionVariable(value, kind === "constant", source);
    }
    if (type_of(value).name === "_lru_cache_wrapper")
      return build(
        tx,
        getattr(value, "__wrapped__"),
        source === null ? null : new AttrSource(source, "__wrapped__"),
      ).realize();
    const polyfill = polyfill_of(value);
    if (polyfill !== undefined) return new UserFunctionVariable(polyfill);
    const type = info_of(value);
    if (type?.mro.some((base) => base.name === "BaseException") === true)
      return new ExceptionClassVariable(value, source);
    if (is_known_builtin(value)) {
      this.guard((it) => ID_MATCH(it, value, "BUILTIN_MATCH"));
      return new BuiltinVariable(value, source);
    }
    if (type?.heap) {
      this.guard((it) => ID_MATCH(it, value, "CLASS_MATCH"));
      return is_autograd_function(type)
        ? new AutogradFunctionVariable(value, source)
        : new UserDefinedClassVariable(value, source);
    }
    if (ListClassVariable.holds(value)) {
      this.guard((it) => ID_MATCH(it, value));
      return new ListClassVariable(value, source);
    }
    if (tx.disabled_reason(value) === null && is_builtin(value)) return new BuiltinVariable(value, source);
    this.guard((it) => ID_MATCH(it, value));
    const body = body_of_function(value);
    if (is_function(body)) return new UserFunctionVariable(body);
    if (disabled.has(value)) return new DisabledFunctionVariable(value, source);
    return new SkipFunctionVariable(value, source);
  }

  private wrap_partial(value: object): VariableTracker {
    const { tx, source } = this;
    this.guard((it) => TYPE_MATCH(it, value));
    const of = (name: string): VariableTracker =>
      build(tx, getattr(value, name), source === null ? null : new AttrSource(source, name)).realize();
    const keywords = (of("keywords") as ConstDictVariable).entries() as [string, VariableTracker][];
    return new FunctoolsPartialVariable(of("func"), tx.sequence(of("args")), new Map(keywords), source);
  }

  private wrap_module(value: Module): VariableTracker {
    const { source } = this;
    this.guard((it) => TYPE_MATCH(it, value));
    return new UnspecializedNNModuleVariable(
      value as unknown as object,
      type_of(value),
      source === null ? null : new UnspecializedNNModuleSource(source),
      source === null ? null : "existing",
    );
  }

  private wrap_object(value: object): VariableTracker {
    const type: TypeObject = type_of(value);
    this.guard((it) => TYPE_MATCH(it, value));
    return new UserDefinedObjectVariable(value, type, this.source, type.heap ? "existing" : null);
  }
}
