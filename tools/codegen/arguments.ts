/**
 * @file The arguments and returns of a schema, with their alias annotations.
 * @mirrors torchgen/model.py#Arguments
 */
import { SchemaError } from "./errors.ts";
import { is_base_ty_like, is_symint_like, is_tensor_like, parse_type, type Type } from "./types.ts";

/** `(a)`, `(a!)`, `(a -> *)`: which arguments and returns share storage, and which are written. */
export class Annotation {
  readonly alias_set: readonly string[];
  readonly is_write: boolean;
  readonly alias_set_after: readonly string[];

  constructor(alias_set: readonly string[], is_write: boolean, alias_set_after: readonly string[]) {
    this.alias_set = alias_set;
    this.is_write = is_write;
    this.alias_set_after = alias_set_after;
    Object.freeze(this);
  }

  static parse(text: string): Annotation {
    const m = /^([a-z](?:\|[a-z])*)(!?)(?: -> (\*|[a-z](?:\|[a-z])*))?$/.exec(text);
    if (m === null) throw new SchemaError(`bad alias annotation '(${text})'`, "write (a), (a!), (a|b) or (a -> *)");
    const after = m[3] === undefined ? [] : m[3].split("|");
    return new Annotation(m[1].split("|"), m[2] === "!", after);
  }

  toString(): string {
    const after = this.alias_set_after.length > 0 ? ` -> ${this.alias_set_after.join("|")}` : "";
    return this.alias_set.join("|") + (this.is_write ? "!" : "") + after;
  }
}

export function same_annotation(a: Annotation | null, b: Annotation | null): boolean {
  return String(a) === String(b);
}

/** `Tensor(a!)[]` -> type `Tensor[]` with annotation `a!`. */
function parse_annotated_type(text: string): { type: Type; annotation: Annotation | null } {
  const m = /^([^()]+)\(([^)]*)\)(.*)$/.exec(text);
  if (m === null) return { type: parse_type(text), annotation: null };
  return { type: parse_type(`${m[1]}${m[3]}`), annotation: Annotation.parse(m[2]) };
}

function print_annotated_type(type: Type, annotation: Annotation | null): string {
  if (annotation === null) return String(type);
  const text = String(type);
  if (!text.startsWith("Tensor"))
    throw new SchemaError(`only tensors are annotated, not '${text}'`, "remove the annotation");
  return `Tensor(${annotation})${text.slice("Tensor".length)}`;
}

export class Argument {
  readonly name: string;
  readonly type: Type;
  /** The default as it is written, or null. */
  readonly default: string | null;
  readonly annotation: Annotation | null;

  constructor(name: string, type: Type, default_: string | null, annotation: Annotation | null) {
    this.name = name;
    this.type = type;
    this.default = default_;
    this.annotation = annotation;
    Object.freeze(this);
  }

  static parse(text: string): Argument {
    const m = /^(.+) ([A-Za-z_]\w*)(?:=(.*))?$/.exec(text);
    if (m === null) throw new SchemaError(`bad argument '${text}'`, "write 'Type name' or 'Type name=default'");
    const { type, annotation } = parse_annotated_type(m[1]);
    return new Argument(m[2], type, m[3] ?? null, annotation);
  }

  get is_write(): boolean {
    return this.annotation?.is_write ?? false;
  }

  with(change: { name?: string; default?: string | null; annotation?: Annotation | null }): Argument {
    return new Argument(
      change.name ?? this.name,
      this.type,
      change.default === undefined ? this.default : change.default,
      change.annotation === undefined ? this.annotation : change.annotation,
    );
  }

  toString(): string {
    const default_ = this.default === null ? "" : `=${this.default}`;
    return `${print_annotated_type(this.type, this.annotation)} ${this.name}${default_}`;
  }
}

export class Return {
  readonly name: string | null;
  readonly type: Type;
  readonly annotation: Annotation | null;

  constructor(name: string | null, type: Type, annotation: Annotation | null) {
    this.name = name;
    this.type = type;
    this.annotation = annotation;
    Object.freeze(this);
  }

  static parse(text: string): Return {
    const m = /^(.+?)(?: ([A-Za-z_]\w*))?$/.exec(text);
    if (m === null) throw new SchemaError(`bad return '${text}'`, "write 'Type' or 'Type name'");
    const { type, annotation } = parse_annotated_type(m[1]);
    return new Return(m[2] ?? null, type, annotation);
  }

  get is_write(): boolean {
    return this.annotation?.is_write ?? false;
  }

  toString(): string {
    return print_annotated_type(this.type, this.annotation) + (this.name === null ? "" : ` ${this.name}`);
  }
}

/** dtype, layout, device and pin_memory in sequence: C++ gathers them into one `TensorOptions`. */
export class TensorOptionsArguments {
  readonly dtype: Argument;
  readonly layout: Argument;
  readonly device: Argument;
  readonly pin_memory: Argument;

  constructor(dtype: Argument, layout: Argument, device: Argument, pin_memory: Argument) {
    this.dtype = dtype;
    this.layout = layout;
    this.device = device;
    this.pin_memory = pin_memory;
    Object.freeze(this);
  }

  all(): readonly Argument[] {
    return [this.dtype, this.layout, this.device, this.pin_memory];
  }
}

interface ArgumentGroups {
  readonly pre_self_positional: readonly Argument[];
  readonly self_arg: Argument | null;
  readonly post_self_positional: readonly Argument[];
  readonly pre_tensor_options_kwarg_only: readonly Argument[];
  readonly tensor_options: TensorOptionsArguments | null;
  readonly post_tensor_options_kwarg_only: readonly Argument[];
  readonly out: readonly Argument[];
}

/** The argument list, divided where the calling conventions differ. */
export class Arguments implements ArgumentGroups {
  readonly pre_self_positional: readonly Argument[];
  readonly self_arg: Argument | null;
  readonly post_self_positional: readonly Argument[];
  readonly pre_tensor_options_kwarg_only: readonly Argument[];
  readonly tensor_options: TensorOptionsArguments | null;
  readonly post_tensor_options_kwarg_only: readonly Argument[];
  /** Keyword-only arguments that are written. */
  readonly out: readonly Argument[];
  readonly flat_positional: readonly Argument[];
  readonly flat_kwarg_only: readonly Argument[];
  readonly flat_non_out: readonly Argument[];
  /** Schema order: positional, keyword-only, out. */
  readonly flat_all: readonly Argument[];

  constructor(groups: ArgumentGroups) {
    this.pre_self_positional = groups.pre_self_positional;
    this.self_arg = groups.self_arg;
    this.post_self_positional = groups.post_self_positional;
    this.pre_tensor_options_kwarg_only = groups.pre_tensor_options_kwarg_only;
    this.tensor_options = groups.tensor_options;
    this.post_tensor_options_kwarg_only = groups.post_tensor_options_kwarg_only;
    this.out = groups.out;
    const self = groups.self_arg === null ? [] : [groups.self_arg];
    this.flat_positional = [...groups.pre_self_positional, ...self, ...groups.post_self_positional];
    this.flat_kwarg_only = [
      ...groups.pre_tensor_options_kwarg_only,
      ...(groups.tensor_options?.all() ?? []),
      ...groups.post_tensor_options_kwarg_only,
    ];
    this.flat_non_out = [...this.flat_positional, ...this.flat_kwarg_only];
    this.flat_all = [...this.flat_non_out, ...groups.out];
    Object.freeze(this);
  }

  static parse(text: string): Arguments {
    const { positional, kwarg_only, out } = split_arguments(text);
    const self_index = positional.findIndex((a) => a.name === "self");
    const options_index = find_tensor_options(kwarg_only);
    const options =
      options_index < 0 ? null : (kwarg_only.slice(options_index, options_index + 4) as TensorOptionsQuad);
    return new Arguments({
      pre_self_positional: self_index < 0 ? [] : positional.slice(0, self_index),
      self_arg: positional[self_index] ?? null,
      post_self_positional: positional.slice(self_index + 1),
      pre_tensor_options_kwarg_only: options_index < 0 ? kwarg_only : kwarg_only.slice(0, options_index),
      tensor_options: options === null ? null : new TensorOptionsArguments(...options),
      post_tensor_options_kwarg_only: options_index < 0 ? [] : kwarg_only.slice(options_index + 4),
      out,
    });
  }

  get has_tensor_arg(): boolean {
    return this.flat_non_out.some((a) => is_tensor_like(a.type));
  }

  get has_generator_arg(): boolean {
    return this.flat_non_out.some((a) => is_base_ty_like(a.type, "Generator"));
  }

  get has_symint_arg(): boolean {
    return this.flat_non_out.some((a) => is_symint_like(a.type));
  }

  /** The part that functional, in-place and out variants have in common: no aliasing, no out, no tensor options. */
  signature(strip_default = false): Arguments {
    const strip = (a: Argument) => a.with({ annotation: null, ...(strip_default ? { default: null } : {}) });
    return new Arguments({
      pre_self_positional: this.pre_self_positional.map(strip),
      self_arg: this.self_arg === null ? null : strip(this.self_arg),
      post_self_positional: this.post_self_positional.map(strip),
      pre_tensor_options_kwarg_only: [
        ...this.pre_tensor_options_kwarg_only,
        ...this.post_tensor_options_kwarg_only,
      ].map(strip),
      tensor_options: null,
      post_tensor_options_kwarg_only: [],
      out: [],
    });
  }

  remove_self_annotation(): Arguments {
    return new Arguments({ ...this, self_arg: this.self_arg?.with({ annotation: null }) ?? null });
  }

  with_out_args(out: readonly Argument[]): Arguments {
    return new Arguments({ ...this, out });
  }

  toString(): string {
    const kwargs = [...this.flat_kwarg_only, ...this.out];
    return [...this.flat_positional, ...(kwargs.length > 0 ? ["*", ...kwargs] : [])].map(String).join(", ");
  }
}

/** Splits at ", " outside brackets, so that a default such as `[0, 1]` stays whole. */
export function split_top_level(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (c === "[" || c === "(") depth++;
    else if (c === "]" || c === ")") depth--;
    else if (c === "," && depth === 0) {
      if (text[i + 1] !== " ") throw new SchemaError(`missing space after ',' in '${text}'`, "separate with ', '");
      parts.push(text.slice(start, i));
      start = i + 2;
    }
  }
  if (text.length > 0) parts.push(text.slice(start));
  return parts;
}

function split_arguments(text: string): { positional: Argument[]; kwarg_only: Argument[]; out: Argument[] } {
  const positional: Argument[] = [];
  const kwarg_only: Argument[] = [];
  const out: Argument[] = [];
  let into = positional;
  for (const part of split_top_level(text)) {
    if (part === "*") {
      if (into !== positional)
        throw new SchemaError("'*' occurs twice", "keep one '*' before the keyword-only arguments");
      into = kwarg_only;
      continue;
    }
    const argument = Argument.parse(part);
    if (argument.is_write && into === kwarg_only) into = out;
    else if (!argument.is_write && into === out)
      throw new SchemaError(`'${argument.name}' follows an out argument`, "put the out arguments last");
    into.push(argument);
  }
  return { positional, kwarg_only, out };
}

type TensorOptionsQuad = [Argument, Argument, Argument, Argument];
const TENSOR_OPTIONS: readonly (readonly [string, string])[] = [
  ["dtype", "ScalarType"],
  ["layout", "Layout"],
  ["device", "Device"],
  ["pin_memory", "bool"],
];

function find_tensor_options(kwarg_only: readonly Argument[]): number {
  return kwarg_only.findIndex((_, i) =>
    TENSOR_OPTIONS.every(([name, type], j) => {
      const a = kwarg_only[i + j];
      return a !== undefined && a.name === name && (String(a.type) === type || String(a.type) === `${type}?`);
    }),
  );
}
