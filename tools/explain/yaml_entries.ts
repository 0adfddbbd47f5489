/**
 * @file Entries of the three lists from which operators are made, found by the name in a citation.
 * @original
 */
import type { Files } from "../codegen/context.ts";

export interface YamlEntry {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

/** Path from the root, and the key that begins an entry, of each file name in citations. */
export const LISTS: Readonly<Record<string, { readonly file: string; readonly head: string }>> = {
  "native_functions.yaml": { file: "src/aten/native/native_functions.yaml", head: "func" },
  "derivatives.yaml": { file: "tools/codegen/autograd/derivatives.yaml", head: "name" },
  "deprecated.yaml": { file: "tools/codegen/autograd/deprecated.yaml", head: "name" },
};

export class YamlEntries {
  private readonly files: Files;
  private readonly lists = new Map<string, ReadonlyMap<string, YamlEntry>>();

  constructor(files: Files) {
    this.files = files;
  }

  /**
   * The present place and lines of `native_functions.yaml#exp.out`. If several entries have one name
   * (`deprecated.yaml#add`), the first.
   */
  find(citation: string): YamlEntry | null {
    const [list, name] = citation.split("#");
    return this.all(list).get(name) ?? null;
  }

  /** The entries of a list such as `native_functions.yaml`, by name. */
  all(list: string): ReadonlyMap<string, YamlEntry> {
    let entries = this.lists.get(list);
    if (entries === undefined) {
      const known = LISTS[list];
      entries = known === undefined ? new Map() : read(known.file, this.files.get(known.file) ?? "", known.head);
      this.lists.set(list, entries);
    }
    return entries;
  }
}

function read(file: string, yaml: string, head: string): Map<string, YamlEntry> {
  const lines = yaml.split("\n");
  const entries = new Map<string, YamlEntry>();
  const begins = new RegExp(`^- ${head}: ([^(\\s]+)\\(`);
  lines.forEach((line, i) => {
    const name = begins.exec(line)?.[1];
    if (name === undefined || entries.has(name)) return;
    let end = i + 1;
    while (end < lines.length && lines[end].startsWith("  ")) end++;
    entries.set(name, { file, line: i + 1, text: lines.slice(i, end).join("\n").trimEnd() });
  });
  return entries;
}
