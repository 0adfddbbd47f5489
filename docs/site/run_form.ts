/**
 * @file Makes the run form of the library (src/playground/engine/run_form.ts): which bodies of functions come first is measured, by loading
 * the library and running the site's programs; the others are families by the operator that their function's name has in it, or else by file.
 * @original
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Zstd } from "@hpcc-js/wasm-zstd";
import { symbolFile } from "../../src/trace/sources.ts";
import { OURS, type SymbolRow } from "../../src/trace/symbol_entry.ts";
import { isModule, isOfDevice } from "../src/playground/engine/library.ts";
import { type FromRunner, languageOf } from "../src/playground/engine/protocol.ts";
import {
  type Core,
  fromBefore,
  type Names,
  namesIn,
  type Pack,
  type Item as SentItem,
  shortOf,
  type Where,
  type WholePack,
} from "../src/playground/engine/run_form.ts";
import { Runtime } from "../src/playground/engine/runtime.ts";
import { PYTHON_PACK } from "../src/playground/engine/sent.ts";
import { shorten } from "../src/playground/engine/shorthand.ts";
import { type Module, transpile } from "../src/playground/engine/transpile.ts";
import { FIRST_PACK, FIRST_PROGRAMS, PLAYGROUND } from "../src/playground/first_program.ts";
import { FIRST_PYTHON_PROGRAMS, PYTHON_PLAYGROUND } from "../src/playground/first_python.ts";
import type { Context } from "./context.ts";
import type { LibraryTexts } from "./library_archive.ts";
import { loadedModules } from "./loaded_modules.ts";
import { type Body, gap, type Item, type Parts, partsOf } from "./module_parts.ts";

/** Walkthroughs that a reader may run first. */
const PROGRAMS = ["walkthroughs/prelu.ts", "walkthroughs/add.ts", "walkthroughs/tensor.ts", "walkthroughs/backward.ts"];

/** Parts where a browser differs from Node, in which they are measured: memory, threads, features of WebAssembly. */
const ELSEWHERE =
  /^src\/(?:c10\/core\/(?:CPUHeap\w*|CPUAllocator|Allocator)|aten\/cpu\/vec\/\w+|aten\/native\/cpu\/Loops\/VecLoops)\.ts$/;

/** Texts of which codegen makes vector loops. Those that no module loads are not sent to be run. */
export const OF_VECTORS = /^src\/aten\/(?:cpu|native\/cpu)\/vec\//;

/** Levels of compression: for what many readers are sent, and for the rest, which becomes 1 to 4 percent larger and is made five times as fast. */
const SMALLEST = 22;
const QUICK = 15;

/** A part that is sent or left out. */
type Part = Body | Item;

interface Used {
  readonly bodies: Set<Body>;
  readonly items: Set<Item>;
  /** Items that were needed to make an item. */
  readonly forItem: Map<Item, Set<Item>>;
}

/** Something to do with the library once it is loaded. */
export type Task = (runtime: Runtime) => Promise<void>;

/** Measures which bodies run, and which items other modules need, when the library is loaded and when the tasks are done. */
type Measure = (tasks: readonly Task[]) => Promise<Used>;

/** @param others modules that a task may load and of which nothing is measured */
function measuring(modules: readonly Parts[], others: readonly Module[]): Measure {
  let used: Used = { bodies: new Set(), items: new Set(), forItem: new Map() };
  /** The item that is being made. */
  let making: Item | null = null;
  const ask = (item: Item): void => {
    if (making === null) used.items.add(item);
    else used.forItem.set(making, (used.forItem.get(making) ?? new Set()).add(item));
  };
  const counted: (() => unknown)[] = [];
  const count = (what: () => unknown): string => `__used(${counted.push(what) - 1});`;
  const compiled = modules.map(({ path, text }) => ({
    path,
    js: text({
      omits: () => false,
      body: (body) => count(() => used.bodies.add(body)) + body.text,
      exported: (item, name, value) => {
        const open = "enumerable:true,configurable:true";
        const set = `set(value){Object.defineProperty(exports,"${name}",{${open},writable:true,value})}`;
        const get = `get(){${count(() => ask(item))}return ${value}}`;
        return `Object.defineProperty(exports,"${name}",{${open},${get},${set}});`;
      },
      around: (item) => [
        count(() => {
          making = item;
        }),
        count(() => {
          making = null;
        }),
      ],
    }),
  }));
  const global = globalThis as { __used?: (index: number) => void };
  return async (tasks) => {
    used = { bodies: new Set(), items: new Set(), forItem: new Map() };
    global.__used = (index) => counted[index]?.();
    // Nothing reads a source map here, and looking for one in each of 2,000 modules takes time.
    process.setSourceMapsEnabled(false);
    for (const task of tasks) {
      const told: FromRunner[] = [];
      const runtime = new Runtime((message) => told.push(message));
      runtime.load([...compiled, ...others], "typescript");
      await task(runtime);
      const failure = told.find((message) => message.type === "failure");
      if (failure?.type === "failure") throw new Error(failure.failure.message);
    }
    delete global.__used;
    process.setSourceMapsEnabled(true);
    return used;
  };
}

/** Runs programs, one after the other: what the second one needs in addition is what counts. */
function running(
  programs: readonly (readonly [path: string, text: string])[],
  files: ReadonlyMap<string, string>,
): Task {
  const options = { detail: "layers", values: false } as const;
  const requests = programs.map(([path, text]) => {
    const js = languageOf(path) === "python" ? "" : transpile(path, text, true).js;
    return { program: { path, text, js }, options, files: [...files], complete: true, symbols: symbolFile() };
  });
  return async (runtime) => {
    for (const request of requests) await runtime.run(request);
  };
}

/** Adds the items that what is used names in its module, and those that these need to be made. */
function addNeeded(modules: readonly Parts[], used: Used): void {
  for (let before = -1; before !== used.items.size; ) {
    before = used.items.size;
    for (const module of modules) addNamed(module, used);
    for (const item of used.items) for (const needed of used.forItem.get(item) ?? []) used.items.add(needed);
  }
}

function addNamed({ items, bodies, refers }: Parts, used: Used): void {
  const named = new Set(refers);
  const add = (names: ReadonlySet<string>): void => names.forEach((name) => void named.add(name));
  for (const body of bodies) if (used.bodies.has(body)) add(body.refers);
  for (const item of items) if (used.items.has(item)) add(item.refers);
  const waiting = new Set(items.filter((item) => !used.items.has(item)));
  for (let before = -1; before !== waiting.size; ) {
    before = waiting.size;
    for (const item of waiting)
      if (named.has(item.name) || item.bodies.some((body) => used.bodies.has(body))) {
        waiting.delete(item);
        used.items.add(item);
        add(item.refers);
      }
  }
}

/** `AddmmBackward0` -> `addmm_backward0` */
const snake = (name: string): string => name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, "_").toLowerCase();

/** The family of a body: the longest name of an operator in its own, `wrapper_CPU_add_Tensor` -> `add`; without one, its file. */
function familyOf({ name, module }: Part, operators: ReadonlySet<string>): string {
  const words = snake(name.replace(".", "_")).split("_").filter(Boolean);
  for (let length = words.length; length > 0; length--)
    for (let from = 0; from + length <= words.length; from++) {
      const part = words.slice(from, from + length).join("_");
      if (operators.has(part)) return part;
    }
  return module;
}

/** Names of the operators of native_functions.yaml, without overloads and underscores at the ends. */
function operatorNames(yaml: string): ReadonlySet<string> {
  return new Set([...yaml.matchAll(/^- func: (\w+)/gm)].map(([, name = ""]) => name.replace(/^_+|_+$/g, "")));
}

const textOf = (part: Part): string => ("texts" in part ? part.texts.map(([, text]) => text).join("\n") : part.text);

const namedIn = (part: Part): string[] =>
  "texts" in part ? [...part.refers, ...part.bodies.flatMap(({ refers }) => [...refers])] : [...part.refers];

const identifiers = (text: string): Set<string> => new Set(text.match(/[A-Za-z_]\w*/g) ?? []);

export interface Made {
  readonly words: string;
  readonly compile: string;
  readonly core: string;
  readonly names: string;
  readonly graphs: string;
  readonly python: string;
  readonly rest: string;
  readonly webgpu: string;
}

/** Beside the packs, what `madeFrom` said of them. */
export const MADE_FROM = "run/made_from.txt";

/** Files that decide how the run form is made, besides the library's own. */
const MAKERS = [
  ...[
    "docs/site/run_form.ts",
    "docs/site/library_archive.ts",
    "docs/site/loaded_modules.ts",
    "docs/site/module_parts.ts",
    "docs/src/playground/first_program.ts",
    "docs/src/playground/first_python.ts",
  ],
  ...PROGRAMS,
];

/**
 * Says from what a run form is made: the same text, the same packs.
 */
export function madeFrom(root: string, { core, apart }: LibraryTexts): string {
  const hash = createHash("sha256");
  const engine = readdirSync(join(root, "docs/src/playground/engine")).map(
    (file) => `docs/src/playground/engine/${file}`,
  );
  for (const file of [...MAKERS, ...engine.sort()]) hash.update(readFileSync(join(root, file)));
  for (const texts of [core, ...Object.values(apart)])
    for (const [path, text] of texts) hash.update(`${path}\n${text}`);
  return hash.digest("hex");
}

/**
 * @param exercises what is done with the library in each: what that needs comes in a pack of its own
 * @param apart the texts of parts that are sent whole, which are not among `texts`
 */
export async function runForm(
  context: Context,
  texts: ReadonlyMap<string, string>,
  exercises: ReadonlyMap<string, readonly Task[]>,
  apart: LibraryTexts["apart"],
): Promise<Made> {
  const loaded = loadedModules(texts);
  const all = [...texts]
    .filter(([path]) => isModule(path) && (loaded.has(path) || !OF_VECTORS.test(path)))
    .map(([path, text]) => partsOf(transpile(path, text)));
  const [ofDevice, modules] = [true, false].map((device) => all.filter(({ path }) => isOfDevice(path) === device)) as [
    Parts[],
    Parts[],
  ];
  const read = (path: string): [string, string] => [path, readFileSync(join(context.root, path), "utf8")];
  const wholeOf = (of: ReadonlyMap<string, string>): WholePack =>
    wholePack([...of].map(([path, text]) => partsOf(transpile(path, text))));
  const machine = wholeOf(apart.python);
  const graphsWhole = wholeOf(apart.graphs);
  const compileWhole = wholeOf(apart.compile);
  const measure = measuring(modules, [...machine.modules, ...graphsWhole.modules, ...compileWhole.modules]);
  const used = await measure([running(PROGRAMS.map(read), texts)]);
  for (const { path, bodies } of modules) if (ELSEWHERE.test(path)) for (const body of bodies) used.bodies.add(body);
  addNeeded(modules, used);
  const omits = (item: Item): boolean => !used.items.has(item);
  const itemsApart = modules.flatMap(({ items }) => items.filter(omits));
  const inItems = new Set(itemsApart.flatMap(({ bodies }) => bodies));
  const bodies: Body[] = [];
  const sent = modules.map(({ path, text }): [string, string] => [
    path,
    shorten(text({ omits, body: (body) => (inItems.has(body) ? "" : gap(bodies[bodies.push(body) - 1] as Body)) })),
  ]);

  const operators = operatorNames(texts.get("src/aten/native/native_functions.yaml") ?? "");
  const families = new Map<string, Part[]>();
  for (const part of [...bodies.filter((body) => !used.bodies.has(body)), ...itemsApart]) {
    const family = familyOf(part, operators);
    families.set(family, [...(families.get(family) ?? []), part]);
  }
  const known = new Set([...used.bodies].map((body) => familyOf(body, operators)));
  const numbers = new Map([...families.keys()].map((family, i) => [family, i]));
  const packOf = packer(modules, bodies, itemsApart);
  const byName = new Map(itemsApart.map((item) => [`${item.module} ${item.name}`, item]));
  const packs = [...families.values()].map((each) => packOf(withNeeded(each, byName, used)));

  const core: Core = {
    modules: sent,
    apart: itemsApart.length,
    ...packOf(
      bodies.filter((body) => used.bodies.has(body)),
      true,
    ),
    groups: sent.map(([path]) => {
      const group = symbolFile()[path];
      return group === undefined ? null : [shortOf(path, group.mirrors), group.prefix];
    }),
    familiar: [...new Set(PROGRAMS.flatMap((path) => [...namesIn(read(path)[1])]))].sort(),
  };
  // A run on an edited file needs all rows of that file, also of parts that have not been sent.
  rmSync(join(context.out, "symbols"), { recursive: true, force: true });
  for (const [file, group] of Object.entries(symbolFile()))
    if (isModule(file)) context.write(join(context.out, `symbols/${file}.json`), JSON.stringify(group));
  rmSync(join(context.out, "run"), { recursive: true, force: true });
  const zstd = await Zstd.load();
  const write = (name: string, value: unknown, level = SMALLEST): Uint8Array => {
    const packed = zstd.compress(new TextEncoder().encode(JSON.stringify(value)), level);
    context.write(join(context.out, `run/${name}.pack`), packed);
    return packed;
  };
  packs.forEach((pack, i) => void write(`${i}`, pack, QUICK));
  // The page of the playground has a pack of its own, as each exercise: its program with every choice, and lines as one types them first.
  const named = (path: string, programs: readonly string[]) => programs.map((text) => [path, text] as const);
  const firsts = running(named(PLAYGROUND, FIRST_PROGRAMS), texts);
  const firstPython = running(named(PYTHON_PLAYGROUND, FIRST_PYTHON_PROGRAMS), new Map());
  for (const [id, tasks] of [...exercises, [FIRST_PACK, [firsts]] as const, [PYTHON_PACK, [firstPython]] as const]) {
    const more = await measure(tasks);
    for (const body of used.bodies) more.bodies.add(body);
    addNeeded(modules, more);
    const wanted = [
      ...bodies.filter((body) => more.bodies.has(body) && !used.bodies.has(body)),
      ...itemsApart.filter((item) => more.items.has(item)),
    ];
    write(`for-${id}`, packOf(wanted));
  }
  const first = write("core", core);
  const names = write("names", namesOf(families, numbers, operators, known));
  write("where", whereOf(families, numbers, bodies));
  const device = write("webgpu", inShorthand(wholePack(ofDevice)));
  const pythonPack = write("python", inShorthand(machine));
  const graphs = write("graphs", inShorthand(graphsWhole));
  const compile = write("compile", inShorthand(compileWhole));
  const rest = write("rest", packOf([...families.values()].flat()), QUICK);
  context.write(join(context.out, MADE_FROM), madeFrom(context.root, { core: texts, apart }));
  const integrity = (bytes: Uint8Array): string => `sha256-${createHash("sha256").update(bytes).digest("base64")}`;
  const kb = (bytes: Uint8Array): number => Math.round(bytes.length / 1024);
  return {
    words: `first ${kb(first)} KB (${used.bodies.size} bodies of ${bodies.length + inItems.size}), ${families.size} families ${kb(rest)} KB, device ${kb(device)} KB, Python ${kb(pythonPack)} KB, graphs ${kb(graphs)} KB, compile ${kb(compile)} KB`,
    core: integrity(first),
    names: integrity(names),
    compile: integrity(compile),
    graphs: integrity(graphs),
    python: integrity(pythonPack),
    rest: integrity(rest),
    webgpu: integrity(device),
  };
}

/** Where the parts lie that a run may ask for. */
function whereOf(
  families: ReadonlyMap<string, readonly Part[]>,
  numbers: ReadonlyMap<string, number>,
  bodies: readonly Body[],
): Where {
  const ofBody = new Map<Part, number>();
  const items: Record<string, Record<string, number>> = {};
  for (const [family, parts] of families)
    for (const part of parts)
      if ("texts" in part) (items[part.module] ??= {})[part.name] = numbers.get(family) as number;
      else ofBody.set(part, numbers.get(family) as number);
  return { bodies: bodies.map((body) => ofBody.get(body) ?? -1), items };
}

function wholePack(modules: readonly Parts[]): WholePack {
  const index = symbolFile();
  const whole = { omits: () => false, body: ({ text }: Body) => text };
  return {
    modules: modules.map(({ path, text }) => ({ path, js: text(whole) })),
    symbols: Object.fromEntries(modules.flatMap(({ path }) => (path in index ? [[path, index[path]]] : []))),
  };
}

const inShorthand = ({ modules, symbols }: WholePack): WholePack => ({
  modules: modules.map(({ path, js }) => ({ path, js: shorten(js) })),
  symbols,
});

/** With the items that these need, directly or not: what they name in their module, and what they are made of. */
function withNeeded(parts: readonly Part[], byName: ReadonlyMap<string, Item>, { items, forItem }: Used): Part[] {
  const all = new Set(parts);
  for (const part of all) {
    for (const name of namedIn(part)) {
      const item = byName.get(`${part.module} ${name}`);
      if (item !== undefined) all.add(item);
    }
    for (const item of "texts" in part ? (forItem.get(part) ?? []) : []) if (!items.has(item)) all.add(item);
  }
  return [...all];
}

/** Packs of parts with the rows of the index that stand in them; what stands in none is the core's. */
function packer(modules: readonly Parts[], bodies: readonly Body[], apart: readonly Item[]) {
  const bodyNumber = new Map(bodies.map((body, i) => [body, i]));
  const itemNumber = new Map(apart.map((item, i) => [item, i]));
  const moduleNumber = new Map(modules.map(({ path }, i) => [path, i]));
  const index = symbolFile();
  const owned = new Map<Part, [file: string, row: SymbolRow][]>();
  const owners = new Set<SymbolRow>();
  const own = (part: Part, file: string, row: SymbolRow): void => {
    owned.set(part, [...(owned.get(part) ?? []), [file, row]]);
    owners.add(row);
  };
  // A loop's place in a recording is the scalar function it was made from, which itself never runs: its row comes with the loops.
  const loops = new Set<string>();
  for (const { path, items } of modules.filter(({ path }) => /^src\/aten\/native\/.*generated\//.test(path)))
    for (const item of items.filter(({ name }) => name.endsWith("_loops"))) {
      const [file, scalar] = [path.replace("generated/", ""), item.name.replace(/_loops$/, "")];
      loops.add(`${file} ${scalar}`);
      if (!itemNumber.has(item)) continue;
      for (const row of index[file]?.symbols ?? []) if (row[0] === scalar) own(item, file, row);
    }
  for (const item of apart)
    for (const row of index[item.module]?.symbols ?? [])
      if (item.from <= row[1] && row[1] <= item.to && !loops.has(`${item.module} ${row[0]}`))
        own(item, item.module, row);
  for (const body of bodies) {
    // A function's row names the line of its head, the nearest one above its body.
    let nearest: SymbolRow | undefined;
    for (const row of index[body.module]?.symbols ?? [])
      if (row[1] <= body.from && row[1] >= (nearest?.[1] ?? 0) && lastName(row[0]) === lastName(body.name))
        nearest = row;
    if (nearest !== undefined && !loops.has(`${body.module} ${nearest[0]}`)) own(body, body.module, nearest);
  }
  return (parts: readonly Part[], others = false): Pack => {
    const pack = {
      bodies: [] as [number, string][],
      items: [] as SentItem[],
      symbols: {} as Record<string, SymbolRow[]>,
    };
    const rows = new Set<SymbolRow>();
    const add = (file: string, row: SymbolRow): void => {
      if (!rows.has(row)) (pack.symbols[file] ??= []).push(row);
      rows.add(row);
    };
    for (const part of parts) {
      if ("texts" in part)
        pack.items.push([itemNumber.get(part) as number, moduleNumber.get(part.module) as number, part.texts]);
      else pack.bodies.push([bodyNumber.get(part) as number, part.text]);
      for (const [file, row] of owned.get(part) ?? []) add(file, row);
    }
    if (others)
      for (const [file, group] of Object.entries(index).filter(([file]) => moduleNumber.has(file)))
        for (const row of group.symbols) if (!owners.has(row) && !isConstant(row)) add(file, row);
    const symbols = Object.entries(pack.symbols).map(([file, rows]) => [file, fromBefore(rows, 1)] as const);
    return { ...pack, bodies: fromBefore(pack.bodies, 0), symbols: Object.fromEntries(symbols) };
  };
}

/** A constant of ours, which no recording names. */
const isConstant = ([name, , , symbol]: SymbolRow): boolean => symbol === OURS && /^[A-Z][A-Z0-9_]*$/.test(name);

const lastName = (name: string): string => name.replace(/^.*[.:]/, "");

/** Whether a program may use it: generated functions and the insides of kernels have names of other forms. */
const isPublic = (name: string): boolean =>
  /^[A-Za-z][A-Za-z0-9_]+$/.test(name) &&
  !/^(wrapper|structured|THP)_?|_loops?$|_(out|kernel|stub|cpu|meta|impl)\b/.test(name);

/** From every name that leads to one family to that family, and from a family to those that its parts name. */
function namesOf(
  families: ReadonlyMap<string, readonly Part[]>,
  numbers: ReadonlyMap<string, number>,
  operators: ReadonlySet<string>,
  known: ReadonlySet<string>,
): Names {
  // A name of several families tells nothing.
  const definers = new Map<string, Set<number>>();
  const unknown = new Map([...numbers].filter(([family]) => !known.has(family)));
  for (const [family, list] of families)
    for (const { name } of known.has(family) ? [] : list)
      for (const part of name.split("."))
        definers.set(part, (definers.get(part) ?? new Set()).add(unknown.get(family) as number));
  const direct = (name: string): number | undefined => {
    const operator = snake(name).replace(/^_+|_+$/g, "");
    if (operators.has(operator)) return unknown.get(operator);
    const of = definers.get(name);
    return of?.size === 1 ? [...of][0] : undefined;
  };
  const mentions = [...families.values()].map((list) => {
    const named = new Set<number>();
    for (const part of list)
      for (const name of identifiers(textOf(part))) {
        const family = direct(name);
        if (family !== undefined) named.add(family);
      }
    return [...named];
  });
  const names: Record<string, number> = {};
  for (const name of new Set([...definers.keys(), ...operators])) {
    const family = direct(name);
    if (family !== undefined && isPublic(name)) names[name] = family;
  }
  return { names, mentions };
}
