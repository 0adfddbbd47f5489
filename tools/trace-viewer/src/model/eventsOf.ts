/**
 * @file Validation of a recording that somebody else may have written: each event must have the fields of `event.ts`
 * with their types. An entry without the required fields is an error; an optional field of another form, or a place
 * that is no file in a repository, is dropped.
 * @original
 */
import type { GraphRecord, TraceEvent } from "../../../../src/trace/event.ts";

type Fields = { readonly [field: string]: unknown };
type Form = (value: unknown) => boolean;

const kinds: { readonly [kind in TraceEvent["kind"]]: true } = {
  frame: true,
  line: true,
  instruction: true,
  python: true,
  capture: true,
  pass: true,
  runtime: true,
  binding: true,
  op: true,
  kernel: true,
  native: true,
  iterator: true,
  stub: true,
  loop: true,
  autograd: true,
  engine: true,
  memory: true,
  device: true,
  init: true,
  function: true,
};

/**
 * @param sources texts that the recording contains; their names need not be paths in a repository
 * @throws {Error} that names the first invalid entry
 */
export function eventsOf(list: readonly unknown[], sources: ReadonlyMap<string, string> = new Map()): TraceEvent[] {
  const isKnown = (value: unknown): boolean => isPosition(value) && sources.has((value as { file: string }).file);
  return list.map((entry, i) => {
    if (!isFields(entry) || !isStep(entry)) throw new Error(`Entry ${i} of the list of events is no step.`);
    const fits = (field: string): boolean =>
      (forms.get(field) ?? isData)(entry[field]) || (field === "source" && isKnown(entry[field]));
    const fields = Object.keys(entry);
    const kept = fields.every(fits) ? entry : Object.fromEntries(fields.filter(fits).map((f) => [f, entry[f]]));
    return kept as unknown as TraceEvent;
  });
}

/**
 * Whether a path stays inside its folder. A recording names files, and the page makes addresses from them.
 */
export function isPlainPath(path: unknown): path is string {
  return typeof path === "string" && path.length < 1000 && !/^[/.]|[\\?#%:]|(^|\/)\.{0,2}(\/|$)/.test(path);
}

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isText: Form = (value) => typeof value === "string";
const isNumber: Form = (value) => typeof value === "number";
const isNumberOrNull: Form = (value) => value === null || isNumber(value);
const isTexts: Form = (value) => Array.isArray(value) && value.every(isText);
const isListOf =
  (isItem: Form): Form =>
  (value) =>
    Array.isArray(value) && value.every(isItem);

const isPosition: Form = (value) => isFields(value) && isText(value["file"]) && isNumber(value["line"]);

/** The texts of a recording, by their names. */
export function sourcesOf(value: unknown): ReadonlyMap<string, string> {
  return new Map(isFields(value) ? Object.entries(value).filter((e): e is [string, string] => isText(e[1])) : []);
}

const isOptionalNumber: Form = (value) => value === undefined || isNumber(value);

const isGraphNode: Form = (value) =>
  isFields(value) &&
  isText(value["id"]) &&
  isText(value["op"]) &&
  isNumber(value["line"]) &&
  isOptionalNumber(value["code_line"]) &&
  (value["source"] === null || isPosition(value["source"]));

const isTreeLine: Form = (value) =>
  Array.isArray(value) && value.length === 2 && isText(value[0]) && isNumber(value[1]);

const isGraph: Form = (value) =>
  isFields(value) &&
  isNumber(value["id"]) &&
  isText(value["ir"]) &&
  isText(value["text"]) &&
  (value["code"] === undefined || isText(value["code"])) &&
  (value["code_places"] === undefined || isListOf(isNumber)(value["code_places"])) &&
  (value["tree"] === undefined || isListOf(isTreeLine)(value["tree"])) &&
  isListOf(isGraphNode)(value["nodes"]);

/**
 * The captured graphs of a recording; events name them by their places.
 * @throws {Error} if an entry is no graph
 */
export function graphsOf(value: unknown): readonly GraphRecord[] {
  if (value === undefined) return [];
  if (!isListOf(isGraph)(value)) throw new Error("An entry of the list of graphs is no graph.");
  return value as readonly GraphRecord[];
}

const isSaved: Form = (value) =>
  isFields(value) &&
  isText(value["name"]) &&
  isText(value["dtype"]) &&
  isListOf(isNumber)(value["shape"]) &&
  isNumber(value["nbytes"]);

const isStep = (e: Fields): boolean =>
  isNumber(e["id"]) &&
  isNumberOrNull(e["parent"]) &&
  isText(e["kind"]) &&
  Object.hasOwn(kinds, e["kind"] as string) &&
  isText(e["name"]) &&
  isNumber(e["start"]) &&
  isNumber(e["end"]);

const isValue: Form = (value) => isTensorRecord(value) || (isData(value) && !holdsFields(value));

/** Whether it is a tensor record: `describe` and the pictures of memory rely on its fields. */
const isTensorRecord: Form = (value) =>
  isFields(value) &&
  isText(value["dtype"]) &&
  isListOf(isNumber)(value["shape"]) &&
  isListOf(isNumber)(value["strides"]) &&
  isNumberOrNull(value["storage"]) &&
  isNumber(value["offset"]) &&
  isNumberOrNull(value["version"]) &&
  isText(value["device"]) &&
  (value["checksum"] === undefined || isText(value["checksum"])) &&
  (value["min"] === undefined || isNumberOrNull(value["min"])) &&
  (value["max"] === undefined || isNumberOrNull(value["max"]));

/** An object that is no tensor, at any depth. */
function holdsFields(value: unknown): boolean {
  return Array.isArray(value) ? value.some((item) => !isTensorRecord(item) && holdsFields(item)) : isFields(value);
}

const DEPTH = 12;

/** Whether it is JSON data of limited depth: a recording from a program in the page has not been through JSON. */
function isData(value: unknown, depth: unknown = 0): boolean {
  if (value === null || ["string", "number", "boolean"].includes(typeof value)) return true;
  if (typeof value !== "object" || Number(depth) >= DEPTH) return false;
  return Object.values(value as object).every((item) => isData(item, Number(depth) + 1));
}

/** The fields of `TraceEvent` that are checked separately. */
const forms: ReadonlyMap<string, Form> = new Map(
  Object.entries<Form>({
    source: (value) => isPosition(value) && isPlainPath((value as { file: unknown }).file),
    mirrors: (value) =>
      isFields(value) &&
      (value["symbol"] === null || isText(value["symbol"])) && // null: ours, without a name in PyTorch
      typeof value["path"] === "string" &&
      (value["path"] === "" || isPlainPath(value["path"].replace(/#.*$/, ""))),
    from: isText,
    argrepr: isText,
    offset: isNumber,
    inputs: isValue,
    outputs: isValue,
    error: isText,
    op: isText,
    operator: isText,
    how: isText,
    args: isListOf((arg) => isFields(arg) && isText(arg["name"]) && isTexts(arg["keys"])),
    tls: (value) => isFields(value) && isTexts(value["included"]) && isTexts(value["excluded"]),
    keyset: isTexts,
    key: isText,
    kernel: isText,
    origin: isText,
    node: isNumber,
    graph: isNumber,
    graph_node: isText,
    graphs: (value) => isFields(value) && Object.values(value).every(isNumber),
    saved: isListOf(isSaved),
    title: isText,
    plan: isText,
    pc: isNumber,
    depth: isNumber,
    stack: isValue,
    registers: (value) => isFields(value) && Object.values(value).every(isValue),
    sequence_nr: isNumber,
    next_edges: isListOf((name) => name === null || isText(name)),
    edges: isListOf(
      (edge) => edge === null || (isFields(edge) && isNumber(edge["node"]) && isNumber(edge["input_nr"])),
    ),
  }),
);
