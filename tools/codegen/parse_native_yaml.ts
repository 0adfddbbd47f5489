/**
 * @file native_functions.yaml into records: entries, the checks that need all of them, groups, and the variants that `autogen` asks for.
 * Every error names file, line, field and the way out.
 * @mirrors torchgen/gen.py#parse_native_yaml
 */
import { CodegenError } from "./errors.ts";
import {
  BackendIndex,
  BUILT_DISPATCH_KEYS,
  type NativeFunction,
  type NativeFunctionsGroup,
  type ParsedYaml,
} from "./model.ts";
import { type Indices, native_function_from_yaml } from "./native_function_from_yaml.ts";
import {
  generated_native_functions,
  pre_group_native_functions,
  type VariantsByKind,
} from "./native_function_generation.ts";
import { FieldReader, read_yaml_list } from "./yaml_reader.ts";

export interface NativeYamlSources {
  readonly native_functions: { readonly path: string; readonly text: string };
  readonly tags: { readonly path: string; readonly text: string };
}

export function parse_native_yaml(sources: NativeYamlSources): ParsedYaml {
  const valid_tags = parse_tags_yaml(sources.tags.path, sources.tags.text);
  const indices: Indices = new Map(BUILT_DISPATCH_KEYS.map((k) => [k, new Map()]));
  const written = read_yaml_list(sources.native_functions.path, sources.native_functions.text).map((entry) =>
    native_function_from_yaml(entry, valid_tags, indices),
  );
  error_check_native_functions(written);
  const groups = pre_group_native_functions(written);
  const generated = generated_native_functions(groups);
  for (const { f, kernel } of generated) indices.get("CompositeExplicitAutograd")?.set(String(f.func.name), kernel);
  return Object.freeze({
    native_functions: [...written, ...generated.map((g) => g.f)],
    grouped: groups.flatMap(group_from_variants),
    backend_indices: new Map(BUILT_DISPATCH_KEYS.map((k) => [k, new BackendIndex(k, indices.get(k) ?? new Map())])),
    valid_tags,
  });
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

/** Checks that need all entries. */
function error_check_native_functions(functions: readonly NativeFunction[]): void {
  const by_name = new Map<string, NativeFunction>();
  for (const f of functions) {
    const twin = by_name.get(String(f.func.name));
    if (twin !== undefined)
      throw new CodegenError(
        f.loc,
        "func",
        `'${f.func.name}' occurs twice (first in line ${twin.loc.line})`,
        "remove one, or give it another overload name",
      );
    by_name.set(String(f.func.name), f);
  }
  const bases = new Set(functions.flatMap((f) => [f.func.name, ...f.autogen].map((name) => String(name.name))));
  for (const f of functions) {
    if (f.structured_delegate !== null) {
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
    if (f.tags.has("inplace_view") && f.autogen.length === 0) {
      const base = f.func.name.name;
      if (!base.inplace || !bases.has(base.base))
        throw new CodegenError(
          f.loc,
          "tags",
          `'${f.func.name}' is tagged inplace_view but has no view operator '${base.base}'`,
          "add the view operator, or remove the tag",
        );
    }
  }
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
          "make them equal but for out",
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
