/**
 * @file The parser of native_functions.yaml: entries, checks that need all entries, groups, and variants made by
 * `autogen`. Every error states file, line, field and a hint.
 * @mirrors torchgen/gen.py#parse_native_yaml
 */
import { CodegenError, type ErrorList, with_errors } from "./errors.ts";
import { MadeBefore } from "./made_before.ts";
import {
  BackendIndex,
  BUILT_DISPATCH_KEYS,
  is_group,
  type NativeFunction,
  type NativeFunctionsGroup,
  type ParsedYaml,
} from "./model.ts";
import { type Indices, native_function_from_yaml } from "./native_function_from_yaml.ts";
import {
  base_of,
  generated_native_functions,
  pre_group_native_functions,
  type VariantsByKind,
} from "./native_function_generation.ts";
import { FieldReader, read_yaml_list, type YamlEntry } from "./yaml_reader.ts";

export interface NativeYamlSources {
  readonly native_functions: { readonly path: string; readonly text: string };
  readonly tags: { readonly path: string; readonly text: string };
}

/** Errors are added to `errors`, and the operators concerned are omitted; without a list the error is thrown. */
export function parse_native_yaml(sources: NativeYamlSources, errors?: ErrorList): ParsedYaml {
  return with_errors(errors, (errors) => {
    const valid_tags = parse_tags_yaml(sources.tags.path, sources.tags.text);
    const indices: Indices = new Map(BUILT_DISPATCH_KEYS.map((k) => [k, new Map()]));
    const written = parse_entries(sources.native_functions, valid_tags, indices, errors);
    error_check_native_functions(written, errors);
    const sound = (f: NativeFunction): boolean => !errors.is_broken(f.func.name.name.base);
    const groups = pre_group_native_functions(written.filter(sound), errors);
    const generated = generated_native_functions(groups, errors);
    for (const { f, kernel } of generated) indices.get("CompositeExplicitAutograd")?.set(String(f.func.name), kernel);
    const grouped = groups.flatMap(
      (variants) => errors.attempt(() => group_from_variants(variants), base_of(variants)) ?? [],
    );
    return Object.freeze({
      native_functions: [...written, ...generated.map((g) => g.f)].filter(sound),
      grouped: grouped.filter((g) => sound(is_group(g) ? g.functional : g)),
      backend_indices: new Map(BUILT_DISPATCH_KEYS.map((k) => [k, new BackendIndex(k, indices.get(k) ?? new Map())])),
      valid_tags,
    });
  });
}

const read_before = new MadeBefore<readonly YamlEntry[]>();

function parse_entries(
  source: { readonly path: string; readonly text: string },
  valid_tags: ReadonlySet<string>,
  indices: Indices,
  errors: ErrorList,
): NativeFunction[] {
  const written: NativeFunction[] = [];
  const read = () => read_yaml_list(source.path, source.text);
  for (const entry of read_before.of(source.path, [source.text], read)) {
    const name = /^(?:\w+::)?(\w+)/.exec(String(entry.fields.get("func")?.value ?? ""))?.[1] ?? null;
    const f = errors.attempt(() => native_function_from_yaml(entry, valid_tags, indices), name);
    if (f !== null) written.push(f);
  }
  return written;
}

export function parse_tags_yaml(path: string, text: string): Set<string> {
  const tags = new Set<string>();
  for (const entry of read_yaml_list(path, text)) {
    const fields = new FieldReader(entry);
    const tag = fields.required_string("tag");
    fields.required_string("desc");
    fields.done();
    if (tags.has(tag)) throw new CodegenError(entry.place, "tag", `'${tag}' occurs twice`, "remove one of them");
    tags.add(tag);
  }
  return tags;
}

/** The checks that need all entries. */
function error_check_native_functions(functions: readonly NativeFunction[], errors: ErrorList): void {
  const by_name = new Map<string, NativeFunction>();
  const check = (f: NativeFunction, work: () => void): unknown => errors.attempt(work, f.func.name.name.base);
  for (const f of functions) {
    check(f, () => check_only_one(f, by_name.get(String(f.func.name))));
    by_name.set(String(f.func.name), f);
  }
  const bases = new Set(functions.flatMap((f) => [f.func.name, ...f.autogen].map((name) => String(name.name))));
  for (const f of functions) {
    if (errors.is_broken(f.func.name.name.base)) continue;
    check(f, () => check_delegate(f, by_name));
    check(f, () => check_inplace_view(f, bases));
  }
}

function check_only_one(f: NativeFunction, twin: NativeFunction | undefined): void {
  if (twin !== undefined)
    throw new CodegenError(
      f.loc,
      "func",
      `'${f.func.name}' occurs twice (first in line ${twin.loc.line})`,
      "remove one, or give it another overload name",
    );
}

function check_delegate(f: NativeFunction, by_name: ReadonlyMap<string, NativeFunction>): void {
  if (f.structured_delegate === null) return;
  const out = by_name.get(String(f.structured_delegate));
  if (out === undefined)
    throw new CodegenError(
      f.loc,
      "structured_delegate",
      `'${f.structured_delegate}' does not exist`,
      "add the out= entry, or remove the field",
    );
  if (!out.structured)
    throw new CodegenError(
      f.loc,
      "structured_delegate",
      `'${f.structured_delegate}' is not structured`,
      `add structured: True to line ${out.loc.line}`,
    );
}

function check_inplace_view(f: NativeFunction, bases: ReadonlySet<string>): void {
  if (!f.tags.has("inplace_view") || f.autogen.length > 0) return;
  const base = f.func.name.name;
  if (!base.inplace || !bases.has(base.base))
    throw new CodegenError(
      f.loc,
      "tags",
      `'${f.func.name}' is tagged inplace_view but has no view operator '${base.base}'`,
      "add the view operator, or remove the tag",
    );
}

/** A group if there is a functional and an out= variant; otherwise the functions one by one. */
function group_from_variants(variants: VariantsByKind): (NativeFunction | NativeFunctionsGroup)[] {
  const functional = variants.get("functional");
  const out = variants.get("out");
  const members = [...variants.values()];
  if (functional === undefined || out === undefined) {
    for (const f of members) {
      if (f.structured)
        throw new CodegenError(
          f.loc,
          "structured",
          `no functional variant of '${f.func.name}' found`,
          "add the entry with the same arguments and without out",
        );
      if (f.structured_delegate !== null)
        throw new CodegenError(
          f.loc,
          "structured_delegate",
          `'${f.func.name}' and '${f.structured_delegate}' do not have the same arguments`,
          "make them equal except for out",
        );
    }
    return members;
  }
  for (const f of members) {
    if (f.part_of_structured_group !== out.structured)
      throw new CodegenError(
        f.loc,
        "structured_delegate",
        `'${f.func.name}' ${out.structured ? "lacks" : "has"} it, but its out variant '${out.func.name}' is ${out.structured ? "" : "not "}structured`,
        out.structured ? `add structured_delegate: ${out.func.name}` : "remove it",
      );
    if (f.structured_delegate !== null && String(f.structured_delegate) !== String(out.func.name))
      throw new CodegenError(
        f.loc,
        "structured_delegate",
        `'${f.structured_delegate}' is not the out variant of '${f.func.name}'`,
        `write ${out.func.name}`,
      );
  }
  if (out.structured && out.has_composite_implicit_autograd_kernel)
    throw new CodegenError(
      out.loc,
      "dispatch",
      "a structured operator cannot be CompositeImplicitAutograd",
      "name a backend",
    );
  return [
    {
      functional,
      inplace: variants.get("inplace") ?? null,
      mutable: variants.get("mutable") ?? null,
      out,
      structured: out.structured,
    },
  ];
}
