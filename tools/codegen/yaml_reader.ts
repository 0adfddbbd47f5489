/**
 * @file Reads a YAML list of maps, or one map, and keeps the line of every entry and field, so that errors can name it.
 * @mirrors torchgen/yaml_utils.py
 */
import { isMap, isScalar, isSeq, LineCounter, type Node, type ParsedNode, parseDocument, type YAMLMap } from "yaml";
import { CodegenError, type Place } from "./errors.ts";

export interface YamlField {
  readonly name: string;
  readonly value: unknown;
  readonly place: Place;
  /** The pairs of a map-valued field in order, each with its line; empty for other values. */
  readonly pairs: readonly { readonly key: string; readonly value: unknown; readonly place: Place }[];
  /** The place of each item in a list-valued field; empty for other values. */
  readonly items: readonly Place[];
}

export interface YamlEntry {
  readonly place: Place;
  readonly fields: ReadonlyMap<string, YamlField>;
}

interface Parsed {
  readonly contents: ParsedNode | null;
  place_of(node: unknown): Place;
  entry_of(map: YAMLMap): YamlEntry;
}

/** @param file the path that error messages should show */
function parse(file: string, text: string): Parsed {
  const lines = new LineCounter();
  const doc = parseDocument(text, { lineCounter: lines });
  const place_of = (node: unknown): Place => ({
    file,
    line: lines.linePos((node as Node | null)?.range?.[0] ?? 0).line,
  });
  const broken = doc.errors[0];
  if (broken !== undefined) {
    const where = { file, line: broken.linePos?.[0].line ?? 0 };
    const what = broken.message.split("\n")[0].replace(/ at line \d+, column \d+:?$/, "");
    throw new CodegenError(
      where,
      "yaml",
      what,
      "fix the YAML; quote a value that contains ': ' or starts with a special character",
    );
  }
  const key_of = (key: unknown): string => (isScalar(key) ? String(key.value) : String(key));
  const entry_of = (map: YAMLMap): YamlEntry => {
    const fields = new Map<string, YamlField>();
    for (const pair of map.items) {
      const name = key_of(pair.key);
      const value = pair.value as Node | null;
      const pairs = isMap(value)
        ? value.items.map((p) => ({
            key: key_of(p.key),
            value: p.value === null ? null : (p.value as Node).toJS(doc),
            place: place_of(p.key),
          }))
        : [];
      const items = isSeq(value) ? value.items.map(place_of) : [];
      fields.set(name, {
        name,
        value: value === null ? null : value.toJS(doc),
        place: place_of(pair.key),
        pairs,
        items,
      });
    }
    return { place: place_of(map), fields };
  };
  return { contents: doc.contents, place_of, entry_of };
}

export function read_yaml_list(file: string, text: string): YamlEntry[] {
  const { contents, place_of, entry_of } = parse(file, text);
  if (contents === null) return [];
  if (!isSeq(contents)) throw new CodegenError({ file, line: 1 }, "yaml", "not a list", "start each entry with '- '");
  return contents.items.map((item): YamlEntry => {
    if (!isMap(item))
      throw new CodegenError(place_of(item), "yaml", "entry is not a map", "write 'field: value' lines under '- '");
    return entry_of(item);
  });
}

/** Reads a file that is one map. */
export function read_yaml_map(file: string, text: string): YamlEntry {
  const { contents, entry_of } = parse(file, text);
  if (!isMap(contents)) throw new CodegenError({ file, line: 1 }, "yaml", "not a map", "write 'field: value' lines");
  return entry_of(contents);
}

/** Takes fields one by one and reports the rest: a misspelt field must not be ignored. */
export class FieldReader {
  private readonly entry: YamlEntry;
  private readonly left: Map<string, YamlField>;
  private readonly asked = new Set<string>();

  constructor(entry: YamlEntry) {
    this.entry = entry;
    this.left = new Map(entry.fields);
  }

  take(name: string): YamlField | null {
    this.asked.add(name);
    const field = this.left.get(name) ?? null;
    this.left.delete(name);
    return field;
  }

  string(name: string): string | null {
    const field = this.take(name);
    if (field === null) return null;
    if (typeof field.value !== "string")
      throw new CodegenError(
        field.place,
        name,
        `not text: ${JSON.stringify(field.value)}`,
        "write one value on the line",
      );
    return field.value;
  }

  required_string(name: string): string {
    const value = this.string(name);
    if (value === null) throw new CodegenError(this.entry.place, name, "missing", `every entry needs '${name}:'`);
    return value;
  }

  boolean(name: string, default_: boolean): boolean {
    const field = this.take(name);
    if (field === null) return default_;
    if (typeof field.value !== "boolean")
      throw new CodegenError(field.place, name, `not a bool: ${JSON.stringify(field.value)}`, "write True or False");
    return field.value;
  }

  /** A list of strings: the value may be a list, a single value, or `a, b`. */
  strings(name: string): string[] {
    const field = this.take(name);
    if (field === null) return [];
    const values = Array.isArray(field.value) ? field.value : String(field.value).split(", ");
    if (values.some((v) => typeof v !== "string"))
      throw new CodegenError(field.place, name, "not a list of strings", `write ${name}: a, b`);
    return values as string[];
  }

  place_of(name: string): Place {
    return this.entry.fields.get(name)?.place ?? this.entry.place;
  }

  /** An error about the field, at its line. */
  error(name: string, message: string, way_out: string): CodegenError {
    return new CodegenError(this.place_of(name), name, message, way_out);
  }

  /** Called after the last field: remaining fields are misspelt. */
  done(): void {
    for (const field of this.left.values())
      throw new CodegenError(field.place, field.name, "unknown field", `known fields: ${[...this.asked].join(", ")}`);
  }
}
