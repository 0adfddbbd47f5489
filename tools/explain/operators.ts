/**
 * @file All facts about an operator: schema, YAML entry, everything made from it, computed table, kernels down to the
 * loop, derivative. One collector serves `npm run explain` and the operator pages.
 * @original
 */
import type { SymbolEntry } from "#trace/symbol_entry";
import type { Files } from "../codegen/context.ts";
import { is_group, type NativeFunction, type NativeFunctionsGroup, type ParsedYaml } from "../codegen/model.ts";
import { parse_native_yaml } from "../codegen/parse_native_yaml.ts";
import { yaml_entry } from "../codegen/utils.ts";
import { type TableRow, tableOf } from "./dispatch_table.ts";
import { type KernelFact, Kernels } from "./kernels.ts";
import { kindOf, type OperatorKind, sentenceOf } from "./kinds.ts";
import { MadeFrom, type Piece } from "./made_from.ts";
import { type Place, Places } from "./places.ts";
import { type Registration, registrationsIn } from "./registrations.ts";
import { type Stop, wayOf } from "./way.ts";
import { YamlEntries, type YamlEntry } from "./yaml_entries.ts";

const YAML = "src/aten/native/native_functions.yaml";
const TAGS = "src/aten/native/tags.yaml";

export interface Derivative extends YamlEntry {
  /** The operator of the formula: for `add_.Tensor` it is `add.Tensor`. */
  readonly of: string;
}

export interface OperatorFacts {
  /** `add.Tensor` */
  readonly name: string;
  /** `add_Tensor`, the spelling of `at::_ops`. */
  readonly unambiguous: string;
  /** `add`: the name of its page. */
  readonly base: string;
  readonly schema: string;
  readonly yaml: Place;
  readonly yamlText: string;
  readonly kind: OperatorKind;
  readonly variant: "functional" | "inplace" | "out" | "mutable";
  readonly sentence: string;
  /**
   * All pieces made from its YAML entries, in the order in which a call reaches them; last, operators that `autogen` adds to it.
   */
  readonly pieces: readonly Piece[];
  readonly table: readonly TableRow[];
  /** Number of keys that have only their key's fallback, which is the same for every operator. */
  readonly fallbackKeys: number;
  readonly way: readonly Stop[];
  readonly kernels: readonly KernelFact[];
  /** The out operator whose structured kernel serves this one. */
  readonly delegate: string | null;
  readonly derivative: Derivative | null;
  readonly tags: readonly string[];
}

export interface OperatorSources {
  readonly files: Files;
  readonly symbols: readonly SymbolEntry[];
  /** `torch._C._dispatch_dump_table`. */
  readonly dumpTable: (op: string) => string;
}

export class Operators {
  readonly yaml: ParsedYaml;
  private readonly given: OperatorSources;
  private readonly places: Places;
  private readonly made: MadeFrom;
  private readonly kernels: Kernels;
  private readonly entries: YamlEntries;
  private readonly registered = new Map<string, Registration[]>();
  private readonly groups = new Map<string, NativeFunctionsGroup>();

  constructor(given: OperatorSources) {
    this.given = given;
    const { files, symbols } = given;
    const read = (path: string) => ({ path, text: files.get(path) as string });
    this.yaml = parse_native_yaml({ native_functions: read(YAML), tags: read(TAGS) });
    this.entries = new YamlEntries(files);
    this.places = new Places(symbols);
    this.made = new MadeFrom(files, symbols);
    this.kernels = new Kernels(files, this.yaml, this.places);
    for (const [file, text] of files) {
      if (!file.startsWith("src/")) continue;
      for (const r of registrationsIn(file, text))
        this.registered.set(r.operator, [...(this.registered.get(r.operator) ?? []), r]);
    }
    for (const g of this.yaml.grouped)
      if (is_group(g))
        for (const f of [g.functional, g.out, g.inplace, g.mutable])
          if (f !== null) this.groups.set(String(f.func.name), g);
  }

  all(): OperatorFacts[] {
    return this.yaml.native_functions.map((f) => this.facts(f));
  }

  named(name: string): NativeFunction | null {
    return this.yaml.native_functions.find((f) => String(f.func.name) === name) ?? null;
  }

  /** Facts about the operators that the kernels of `o` call through the dispatcher. */
  called_by(o: OperatorFacts): OperatorFacts[] {
    const names = new Set(o.kernels.flatMap((k) => k.calls));
    return this.yaml.native_functions
      .filter((f) => f.func.name.unambiguous_name() !== o.name && names.has(f.func.name.unambiguous_name()))
      .map((f) => this.facts(f));
  }

  facts(f: NativeFunction): OperatorFacts {
    const name = String(f.func.name);
    const kind = kindOf(f);
    const group = this.groups.get(name) ?? null;
    const registered = this.registered.get(name) ?? [];
    const { rows, fallbackKeys } = tableOf(this.given.dumpTable(`aten::${name}`), registered, this.places);
    const hasAutograd = rows.some((r) => r.origin === "autograd kernel");
    const own = this.made.ofOperator(name);
    const kernels = this.kernels.of(f, group, own, registered);
    const entry = this.entries.find(yaml_entry({ file: f.loc.file, entry: f.entry }));
    const derivative = this.derivativeOf(f, own);
    return {
      name,
      unambiguous: f.func.name.unambiguous_name(),
      base: baseOf(f),
      schema: String(f.func),
      yaml: { file: YAML, line: entry?.line ?? f.loc.line },
      yamlText: f.generated ? "" : (entry?.text ?? ""),
      kind,
      variant: f.func.kind() as OperatorFacts["variant"],
      sentence: sentenceOf(f, kind, group, kernels.length > 0, hasAutograd),
      pieces: this.piecesOf(f, own, derivative),
      table: rows,
      fallbackKeys,
      way: wayOf(f, own, rows, kernels),
      kernels,
      delegate: f.structured_delegate === null ? null : String(f.structured_delegate),
      derivative,
      tags: [...f.tags].filter((t) => t !== "generated"),
    };
  }

  /** Its own pieces, the node of its formula (perhaps that of another form), and pieces that `autogen` makes from its entry. */
  private piecesOf(f: NativeFunction, own: readonly Piece[], derivative: Derivative | null): Piece[] {
    const name = String(f.func.name);
    const formula = derivative === null ? [] : this.made.of(`derivatives.yaml#${derivative.of}`);
    const nodes = formula.filter((p) => p.operator !== name && p.role === "node of the backward graph");
    const autogen = f.generated ? [] : this.made.of(yaml_entry({ file: f.loc.file, entry: f.entry }));
    const behind = own.findLastIndex((p) => p.layer !== "native") + 1;
    return [
      ...own.slice(0, behind),
      ...nodes,
      ...own.slice(behind),
      ...autogen.filter((p) => p.operator !== name).sort((a, b) => compare(a.operator, b.operator)),
    ];
  }

  /** Its generated Autograd kernel cites the formula; a hand-written one cites none, but the formula has its name. */
  private derivativeOf(f: NativeFunction, own: readonly Piece[]): Derivative | null {
    if (f.func.kind() === "out") return null;
    const citation =
      own.find((p) => p.entry.startsWith("derivatives.yaml#"))?.entry ?? `derivatives.yaml#${f.func.name}`;
    const entry = this.entries.find(citation);
    return entry === null ? null : { ...entry, of: citation.slice(citation.indexOf("#") + 1) };
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The name of an operator's page: its base name without the in-place mark. */
function baseOf(f: NativeFunction): string {
  const { name } = f.func.name;
  return name.dunder_method ? String(name) : name.base;
}
