/**
 * @file The parts of the library's run form that have been fetched, and the parts that a program needs in addition. The page fetches; the worker gets everything from it.
 * @original
 */
import { decompress } from "fzstd";
import type { SymbolFile } from "../../../../src/trace/symbol_entry.ts";
import { namesCompile, namesDevice, namesGraphs, namesPython } from "./program_text.ts";
import type { MissingPart } from "./protocol.ts";
import {
  assemble,
  type Core,
  familiesIn,
  familyOf,
  type Names,
  namesIn,
  namesInPython,
  type Pack,
  symbolsOf,
  WHOLE_PACK_OF_ENTRY,
  type Where,
  type WholeName,
  type WholePack,
} from "./run_form.ts";
import { lengthen } from "./shorthand.ts";
import type { Module } from "./transpile.ts";

/** Where the site keeps it. What it says of itself has to fit to the page: neither a cache nor a host can put another in its place. */
export interface RunAddresses {
  /**
   * Folder of the packs: Zstandard, a fifth less than gzip, which looks no further back than 32 KB. Under a name of their own: hosts unpack on
   * the way what they know, and it would not fit to its integrity.
   */
  readonly run: string;
  readonly runner: string;
  /** Integrity of what is fetched, by name; also part of the addresses. */
  readonly integrity: Readonly<Record<"core" | "names" | "rest" | "runner" | WholeName, string>>;
}

/** Runs of one program that may end because a part is missing, before everything is fetched: each one begins anew. */
const MOST_ASKED = 4;

/** The pack `for-python` has what the first Python programs need and the core has not. */
export const PYTHON_PACK = "python";

/** All at once, for whoever asks about names. */
const ASKS_FOR_NAMES = /\b(?:allSymbols|findSymbol|symbolFile)\b/;

export class Sent {
  /** The script of the worker in which programs run. */
  readonly script: string;
  private readonly addresses: RunAddresses;
  private readonly core: Core;
  private readonly familiar: ReadonlySet<string>;
  private names: Promise<Names> | null = null;
  private where: Promise<Where> | null = null;
  private readonly packs = new Map<number | string, Pack>();
  private readonly wholes = new Map<WholeName, WholePack>();
  private made: { readonly modules: readonly Module[]; readonly symbols: SymbolFile; readonly version: string } | null =
    null;

  private constructor(addresses: RunAddresses, core: Core, script: string) {
    this.addresses = addresses;
    this.core = core;
    this.familiar = new Set(core.familiar);
    this.script = script;
  }

  /** Fetches the parts that every run needs. */
  static async fetch(addresses: RunAddresses): Promise<Sent> {
    const [core, runner] = await Promise.all(firstOf(addresses).map(answered));
    return new Sent(addresses, await unpacked(core as Response), await (runner as Response).text());
  }

  /** Fetches the families that a program names. What `measured` names comes with what was measured for it. */
  async fetchFor(program: string, measured = ""): Promise<void> {
    if (namesDevice(program)) await Promise.all([this.fetchWhole("webgpu"), this.fetchRest()]);
    else if (ASKS_FOR_NAMES.test(program)) await this.fetchRest();
    if (namesCompile(program)) await this.fetchCompile();
    else if (namesGraphs(program)) await this.fetchGraphs();
    else if (namesPython(program)) await this.fetchMachine();
    const known = namesIn(measured);
    await this.fetchNamed([...namesIn(program)].filter((name) => !known.has(name)));
  }

  /** Fetches the families of names that not every program has. */
  private async fetchNamed(names: readonly string[]): Promise<void> {
    const unknown = names.filter((name) => !this.familiar.has(name));
    if (this.whole || unknown.length === 0) return;
    await this.fetchFamilies(familiesIn(await this.fetchNames(), unknown.join(" ")));
  }

  private async fetchFamilies(families: readonly number[]): Promise<void> {
    const wanted = families.filter((family) => !this.packs.has(family));
    await Promise.all(wanted.map(async (family) => this.packs.set(family, await this.fetchPack(`${family}`))));
  }

  /** A pack without an integrity of its own: its address has the core's. */
  private async fetchPack<T>(name: string): Promise<T> {
    const version = encodeURIComponent(this.addresses.integrity.core);
    return unpacked(await answered({ address: `${this.addresses.run}${name}.pack?${version}` }));
  }

  /**
   * Fetches a part that a run has asked for, with the family in which it lies and those that this one names.
   * @param times how often runs of this program have asked before: whoever asks again and again gets everything
   */
  async fetchMissing(part: MissingPart, times: number): Promise<void> {
    if (part === null || times >= MOST_ASKED) return this.fetchRest();
    const whole = typeof part === "number" ? undefined : WHOLE_PACK_OF_ENTRY.get(part.module);
    if (whole === "compile") return this.fetchCompile();
    if (whole !== undefined) return whole === "graphs" ? this.fetchGraphs() : this.fetchMachine();
    this.where ??= this.fetchPack<Where>("where");
    this.where.catch(() => {
      this.where = null;
    });
    const [where, { mentions }] = await Promise.all([this.where, this.fetchNames()]);
    const family = familyOf(where, part);
    if (family === null || this.packs.has(family)) return this.fetchRest();
    await this.fetchFamilies([family, ...(mentions[family] ?? [])]);
  }

  /** Whether everything has come: then nothing can be missing. */
  get whole(): boolean {
    return this.packs.has("rest");
  }

  private async fetchWhole(name: WholeName): Promise<void> {
    if (this.wholes.has(name)) return;
    const { run, integrity } = this.addresses;
    const pack: WholePack = await unpacked(await answered(named(run, `${name}.pack`, integrity[name])));
    this.wholes.set(name, { ...pack, modules: pack.modules.map(({ path, js }) => ({ path, js: lengthen(js) })) });
  }

  /** The Python machine, with what was measured for it. */
  private async fetchMachine(): Promise<void> {
    await Promise.all([this.fetchWhole("python"), this.fetchKnown(`for-${PYTHON_PACK}`)]);
  }

  /** `torch.fx` and `torch.jit`, which stand on the Python machine. */
  private async fetchGraphs(): Promise<void> {
    await Promise.all([this.fetchWhole("graphs"), this.fetchMachine()]);
  }

  /** `torch.compile`, which stands on `torch.fx`. */
  private async fetchCompile(): Promise<void> {
    await Promise.all([this.fetchWhole("compile"), this.fetchGraphs()]);
  }

  /** Fetches the Python machine, and what a Python program names. */
  async fetchForPython(program: string, measured: string): Promise<void> {
    const fetched = namesCompile(program)
      ? this.fetchCompile()
      : namesGraphs(program)
        ? this.fetchGraphs()
        : this.fetchMachine();
    const known = namesInPython(measured);
    await this.fetchNamed([...namesInPython(program)].filter((name) => !known.has(name)));
    await fetched;
  }

  /** Where names lead: asked for once, when a program names what not every reader needs. */
  private fetchNames(): Promise<Names> {
    const { run, integrity } = this.addresses;
    this.names ??= answered(named(run, "names.pack", integrity.names)).then(unpacked<Names>);
    this.names.catch(() => {
      this.names = null; // the next program asks again
    });
    return this.names;
  }

  /** Fetches what was measured to be needed for something that the page knows by name. */
  async fetchKnown(name: string): Promise<void> {
    if (this.whole || this.packs.has(name)) return;
    this.packs.set(name, await this.fetchPack(name));
  }

  /** Fetches all that has not come. */
  async fetchRest(): Promise<void> {
    if (this.whole) return;
    const { run, integrity } = this.addresses;
    const rest: Pack = await unpacked(await answered(named(run, "rest.pack", integrity.rest)));
    this.packs.clear(); // the rest has what they have
    this.packs.set("rest", rest);
  }

  /** Tells states apart: more has come. */
  get version(): string {
    const packs = this.whole ? "all" : `${this.packs.size} families`;
    return [packs, ...this.wholes.keys()].join(" and ");
  }

  /** The modules of parts that are sent whole, once a program has asked for them. */
  get wholeModules(): readonly Module[] {
    return [...this.wholes.values()].flatMap(({ modules }) => modules);
  }

  get modules(): readonly Module[] {
    return this.assembled().modules;
  }

  get symbols(): SymbolFile {
    return this.assembled().symbols;
  }

  private assembled(): NonNullable<typeof this.made> {
    const packs = [...this.packs.values()];
    const { version } = this;
    if (this.made?.version !== version)
      this.made = {
        modules: [...assemble(this.core, packs), ...this.wholeModules],
        symbols: Object.assign(symbolsOf(this.core, packs), ...[...this.wholes.values()].map(({ symbols }) => symbols)),
        version,
      };
    return this.made;
  }
}

interface Asked {
  readonly address: string;
  readonly integrity?: string;
}

const named = (folder: string, name: string, integrity: string): Asked => ({
  address: `${folder}${name}?${encodeURIComponent(integrity)}`,
  integrity,
});

const firstOf = ({ run, runner, integrity }: RunAddresses): Asked[] => [
  named(run, "core.pack", integrity.core),
  named(runner, "", integrity.runner),
];

/** Has the browser fetch what a run will need; nothing of it runs. */
export function fetchAhead(addresses: RunAddresses): void {
  for (const asked of firstOf(addresses))
    void answered(asked).then(
      (answer) => answer.arrayBuffer(),
      () => {},
    );
}

async function answered({ address, integrity }: Asked): Promise<Response> {
  const answer = await fetch(address, integrity === undefined ? {} : { integrity });
  if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`);
  return answer;
}

async function unpacked<T>(answer: Response): Promise<T> {
  return JSON.parse(new TextDecoder().decode(decompress(new Uint8Array(await answer.arrayBuffer())))) as T;
}
