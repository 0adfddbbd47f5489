/**
 * @file One playground: its program, what runs and what came of it. Components read it through `useSyncExternalStore`.
 * @original
 */
import type { SymbolGroup } from "../../../src/trace/symbol_entry.ts";
import { compare } from "../../../tools/trace-viewer/src/model/compare.ts";
import { isPlainPath } from "../../../tools/trace-viewer/src/model/eventsOf.ts";
import { shortName } from "../../../tools/trace-viewer/src/model/label.ts";
import { openValue } from "../../../tools/trace-viewer/src/model/open.ts";
import type { TraceModel } from "../../../tools/trace-viewer/src/model/TraceModel.ts";
import { diagnose } from "./engine/diagnose.ts";
import { isEditable, type Library } from "./engine/library.ts";
import { movedRows } from "./engine/moved_rows.ts";
import { calledName, notBuilt } from "./engine/not_built.ts";
import { readsFiles } from "./engine/program_text.ts";
import {
  type Defect,
  type Failure,
  type FromRunner,
  type Language,
  languageOf,
  type Program,
  type Recorded,
  type RunOptions,
} from "./engine/protocol.ts";
import type { Steps } from "./engine/python_steps.ts";
import { wayOutOfSyntax } from "./engine/python_words.ts";
import type { Sent } from "./engine/sent.ts";
import { type Change, openEdits, type Shared, shareEdits } from "./engine/share.ts";
import { type Module, SyntaxProblem } from "./engine/transpile.ts";
import { CodegenProblem, type Ending, Runner } from "./engine/workers.ts";
import { FIRST_PACK, FIRST_PROGRAMS, PLAYGROUND } from "./first_program.ts";
import { type Addresses, compilers, emptyLibrary, libraryOnce, sentOnce } from "./loading.ts";
import type { Switch } from "./switches.ts";

export type Line =
  | Extract<FromRunner, { type: "console" }>
  | Extract<FromRunner, { type: "claim" }>
  | { readonly type: "failure"; readonly failure: Failure }
  | { readonly type: "note"; readonly text: string };

/** A recording as it is shown. */
export interface Shown {
  readonly name: string;
  readonly title: string;
  readonly note: string;
  readonly quiet: boolean;
  readonly model: TraceModel;
  /** The unchanged program's recording of the same name, where this run differs from it. */
  readonly other: { readonly title: string; readonly model: TraceModel } | null;
  /** The first step that is not as in `other`: its id, null past the end, and what differs, in words. */
  readonly change: { readonly step: number | null; readonly what: string } | null;
}

export interface State {
  readonly phase: "idle" | "loading" | "preparing" | "running";
  readonly lines: readonly Line[];
  readonly recordings: readonly Shown[];
  /** The steps of a Python program, if they were asked for. */
  readonly steps: Steps | null;
  /** The program that ran last. */
  readonly ranText: string;
  /** Sentences about recordings that cannot be shown. */
  readonly remarks: readonly string[];
  readonly ending: Ending | null;
  /** Code that could not be compiled or generated. */
  readonly defect: Defect | null;
  readonly seconds: number;
  /** Counts changes of the library's texts. */
  readonly edits: number;
  /** Whether what is shown came from a changed program or library. */
  readonly changed: boolean;
  /** Whether it has values. */
  readonly valued: boolean;
  /** Whether it came from an edited library. */
  readonly edited: boolean;
  readonly options: RunOptions;
  readonly code: string;
  readonly choices: Readonly<Record<string, number>>;
  /** Where program and library came from, as long as the reader has not run them. */
  readonly from: Origin;
}

/** `kept`: the reader's own text of an earlier visit. */
export type Origin = "page" | "address" | "kept";

export interface SessionOptions {
  readonly path: string;
  readonly code: string;
  readonly switches: readonly Switch[];
  readonly addresses: Addresses;
  /** Folder of the recordings made with the page, if it shows a walkthrough. */
  readonly recordings: string | null;
}

/** The program with which a changed run is compared, on the unchanged library: the page's program or, if the library was edited, the reader's own. */
interface Baseline {
  readonly options: RunOptions;
  readonly text: string;
}

const keyOf = ({ options, text }: Baseline, name: string): string =>
  JSON.stringify([options.detail, options.values, options.capability, text]).concat(name);

const PATIENCE = 5;

export class Session {
  readonly path: string;
  readonly language: Language;
  /** The program as the page has it. */
  readonly original: string;
  readonly switches: readonly Switch[];
  state: State;
  private readonly addresses: Addresses;
  private readonly recordingsAddress: string | null;
  private readonly runner = new Runner();
  /** Runs what a changed run is compared with. */
  private measuring: Runner | null = null;
  private readonly listeners = new Set<() => void>();
  /** Recordings of the unchanged program, by options and name. */
  private readonly baselines = new Map<string, TraceModel>();
  private runs = 0;
  /** The fetched parts of the library. */
  private sent: Sent | null = null;
  /** The library's texts that have been asked for, with the reader's edits. */
  readonly texts: Library = emptyLibrary();
  /** Settled when the program and the edits with which the page begins are here: a run waits for it. */
  private opening: Promise<void> = Promise.resolve();
  /** Why the edits with which the page begins could not be made. */
  private notOpened: string | null = null;

  constructor({ path, code, switches, addresses, recordings }: SessionOptions) {
    this.path = path;
    this.language = languageOf(path);
    this.original = code;
    this.switches = switches;
    this.addresses = addresses;
    this.recordingsAddress = recordings;
    this.state = {
      phase: "idle",
      lines: [],
      recordings: [],
      steps: null,
      ranText: "",
      remarks: [],
      ending: null,
      defect: null,
      seconds: 0,
      edits: 0,
      changed: false,
      valued: false,
      edited: false,
      options: { detail: "layers", values: false },
      code,
      choices: {},
      from: "page",
    };
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };
  readonly read = (): State => this.state;

  private set(change: Partial<State>): void {
    this.state = { ...this.state, ...change };
    for (const listener of this.listeners) listener();
  }

  /** All texts of the library, for what needs them together. */
  private async library(): Promise<Library> {
    this.texts.take(await libraryOnce(this.addresses));
    return this.texts;
  }

  /** Makes sure that a file can be shown and edited. */
  async openFile(path: string): Promise<void> {
    await this.texts.read(path, this.readText);
  }

  /** The files that a reader may open. */
  async paths(): Promise<string[]> {
    const answer = await fetch(`${this.addresses.sources}index.json`);
    if (!answer.ok) throw new Error(`The list of the library's files could not be loaded: ${answer.status}.`);
    return Object.keys((await answer.json()) as object).filter(isEditable);
  }

  private readonly readText = async (path: string): Promise<string> => {
    const answer = isPlainPath(path) ? await fetch(`${this.addresses.sources}${path}.txt`) : null;
    if (answer?.ok !== true) throw new Error(`${path} is not a file of the library`);
    return answer.text();
  };

  /** The rows of the symbol index for a changed file. */
  private async rowsOf(path: string): Promise<readonly [string, SymbolGroup]> {
    const answer = await fetch(`${this.addresses.symbols}${path}.json`).catch(() => null);
    const group = answer?.ok === true ? ((await answer.json()) as SymbolGroup) : null;
    return [path, movedRows(group, path, this.texts.text(path) ?? "")];
  }

  /** Whether a run can begin at once. */
  get ready(): boolean {
    return this.sent !== null;
  }

  private get edited(): boolean {
    return this.texts.edited().length > 0;
  }

  /** Loads what a run will need. */
  async warm(): Promise<void> {
    this.sent = await sentOnce(this.addresses);
    await this.fetchFor(this.sent, this.state.code);
    this.set({ edits: this.state.edits + 1 });
    this.prepare();
  }

  /**
   * Fetches what a program names; on the page of the playground also what its first programs need.
   * @param edits the texts of the library that the reader has changed
   */
  private async fetchFor(sent: Sent, text: string, edits = ""): Promise<void> {
    if (this.language === "python") {
      const { FIRST_PYTHON_PROGRAMS } = await import("./first_python.ts");
      await Promise.all([sent.fetchForPython(text, FIRST_PYTHON_PROGRAMS.join("\n")), sent.fetchFor(edits)]);
    } else await this.fetchForTypeScript(sent, `${text}\n${edits}`);
  }

  private async fetchForTypeScript(sent: Sent, text: string): Promise<void> {
    if (this.path !== PLAYGROUND) return sent.fetchFor(text);
    await Promise.all([sent.fetchKnown(`for-${FIRST_PACK}`), sent.fetchFor(text, FIRST_PROGRAMS.join("\n"))]);
  }

  /** Lets the library's own modules run before they are asked for. An edited library waits for the reader: an address may have brought it. */
  private prepare(): void {
    const { sent } = this;
    const { capability } = this.state.options;
    if (sent === null || this.edited) return;
    this.runner.prepare(sent.script, {
      modules: sent.modules,
      version: sent.version,
      preload: this.language,
      capability,
    });
  }

  /** The text of a file as it is now, of itself alone if the library's texts are not here. */
  async source(path: string): Promise<string> {
    if (path === this.path) return this.state.code;
    return this.texts.text(path) ?? this.readText(path);
  }

  setCode(code: string): void {
    if (code !== this.state.code) this.set({ code });
  }

  setOptions(options: Partial<RunOptions>): void {
    this.set({ options: { ...this.state.options, ...options } });
  }

  /** Puts the other choice's text in the place of the one that stands in the program. */
  choose(of: Switch, choice: number): void {
    const before = of.choices[this.state.choices[of.label] ?? 0]?.code;
    const after = of.choices[choice]?.code;
    this.set({
      code: this.state.code.replace(before, () => after),
      choices: { ...this.state.choices, [of.label]: choice },
    });
  }

  /** Whether the program still has the text that a switch would change. */
  has(of: Switch): boolean {
    return this.state.code.includes(of.choices[this.state.choices[of.label] ?? 0]?.code ?? "\0");
  }

  /** `null` takes the edit of a library file back. */
  edit(path: string, text: string | null): void {
    this.texts.edit(path, text);
    this.set({ edits: this.state.edits + 1 });
  }

  reset(): void {
    for (const path of this.texts.edited()) this.texts.edit(path, null);
    this.notOpened = null;
    this.set({ code: this.original, choices: {}, defect: null, edits: this.state.edits + 1, from: "page" });
  }

  get changed(): boolean {
    return this.state.code !== this.original || this.edited;
  }

  stop(): void {
    this.runner.stop();
    if (this.measuring === null) return;
    this.runs++; // what waits for it does not begin
    this.measuring.stop();
    this.set({ phase: "idle", ending: { kind: "stopped" } });
  }

  dispose(): void {
    this.runner.dispose();
  }

  /**
   * Runs the program as it stands.
   * @param seconds how long it may say nothing
   * @param stepsFrom the line at which the steps of a Python program begin, 0 for the first; null: none are kept
   */
  async run(seconds = PATIENCE, stepsFrom: number | null = null): Promise<void> {
    const run = ++this.runs;
    this.runner.stop();
    this.set({ phase: "loading", defect: null, ending: null });
    await this.opening; // an edit that an address brings is part of what runs
    if (run !== this.runs) return;
    const { code } = this.state;
    const lines: Line[] = [];
    if (this.notOpened !== null) lines.push({ type: "note", text: this.notOpened });
    const told = lines.length;
    const recorded: Recorded[] = [];
    let steps: Steps | null = null;
    let shownSoFar = -1;
    const show = (): void => {
      if (run !== this.runs || shownSoFar === lines.length) return;
      shownSoFar = lines.length;
      this.set({ lines: [...lines] });
    };
    const begin = performance.now();
    this.set({
      phase: this.sent === null ? "loading" : "preparing",
      defect: null,
      ending: null,
      from: "page", // the reader has seen it, and said so
    });
    try {
      this.sent = await sentOnce(this.addresses);
      const { changed, edited } = this;
      // Who edits a kernel wants to see the numbers change.
      const options = edited ? { ...this.state.options, values: true } : this.state.options;
      const before: Baseline = { options, text: edited ? code : this.original };
      const program = await this.program(code);
      // What cannot be compiled is told before anything runs.
      if (edited && (await this.texts.changedModules(this.readText)) === null) await (await this.library()).modules();
      if (run !== this.runs) return;
      this.set({ phase: "running", lines: [], edits: this.state.edits + 1 });
      // Another Python program is a program of its own; it is compared with itself, on the unchanged library.
      const compared = edited || (changed && this.language === "typescript");
      if (compared) await this.measureBaseline(before);
      if (run !== this.runs) return;
      const timer = setInterval(show, 60);
      let ending: Ending;
      try {
        ending = await this.runOn(this.runner, edited, program, options, seconds, stepsFrom, (message) => {
          if (message === null) {
            lines.length = told;
            recorded.length = 0;
            steps = null;
          } else if (message.type === "stepped") steps = message.steps;
          else if (message.type === "recorded") recorded.push(message.recording);
          else if (message.type === "console" || message.type === "claim" || message.type === "failure")
            lines.push(message);
        });
      } finally {
        clearInterval(timer);
      }
      if (run !== this.runs) return;
      for (const [i, line] of lines.entries())
        if (line.type === "failure")
          lines[i] = {
            ...line,
            failure: await this.withName(
              await diagnose(line.failure, (file) => (file === this.path ? code : this.texts.text(file))),
            ),
          };
      const { recordings, remarks } = await this.shown(recorded, compared ? before : null, edited);
      if (!changed && ending.kind === "done" && !lines.some((line) => line.type === "failure"))
        for (const { name, model } of recordings) this.baselines.set(keyOf({ options, text: code }, name), model);
      this.set({
        phase: "idle",
        lines,
        ending,
        changed,
        valued: options.values,
        edited,
        seconds: (performance.now() - begin) / 1000,
        steps,
        ranText: code,
        recordings,
        remarks,
      });
      this.prepare();
    } catch (error) {
      if (run !== this.runs) return;
      this.set({ phase: "idle", lines, recordings: [], steps: null, remarks: [] });
      if (error instanceof SyntaxProblem || error instanceof CodegenProblem)
        this.set({ defect: this.withWayOut(error.problem, code) });
      else this.set({ lines: [...lines, { type: "note", text: (error as Error).message }] });
    }
  }

  /** Where the program is not TypeScript, it may be Python. */
  private withWayOut(problem: Defect, code: string): Defect {
    const wayOut = problem.file === this.path ? wayOutOfSyntax(code, problem.line) : null;
    return wayOut === null ? problem : { ...problem, wayOut };
  }

  /** If what failed is an operator that only PyTorch has, the way out says so. */
  private async withName(failure: Failure): Promise<Failure> {
    const called = failure.wayOut === null ? calledName(failure) : null;
    if (called === null) return failure;
    const answer = await fetch(this.addresses.notBuilt).catch(() => null);
    const names = answer?.ok === true ? ((await answer.json()) as string[]) : [];
    return { ...failure, wayOut: notBuilt(called, names) };
  }

  private async program(text: string): Promise<Program> {
    if (this.language === "python") return { path: this.path, text, js: "" };
    return { path: this.path, text, js: await compilers.compileProgram(this.path, text) };
  }

  /**
   * Runs a program on the library, as it came or as the reader has edited it. If the run asks for a part that has not been sent, the part is
   * fetched and the run begins anew, and `hear` is told null: nothing that it has heard counts.
   */
  private async runOn(
    runner: Runner,
    edited: boolean,
    program: Program,
    options: RunOptions,
    seconds: number,
    stepsFrom: number | null,
    hear: (message: FromRunner | null) => void,
  ): Promise<Ending> {
    const { sent, texts } = this;
    if (sent === null) throw new Error("the library has not been loaded");
    const changed = edited ? await texts.changedModules(this.readText) : [];
    if (changed === null) return this.runOnAll(runner, program, options, seconds, stepsFrom, hear);
    const replaced = new Map(changed.map((module) => [module.path, module]));
    const rows = Object.fromEntries(await Promise.all([...replaced.keys()].map((path) => this.rowsOf(path))));
    const mark = edited ? ` with edit ${texts.version}` : "";
    await this.fetchFor(sent, program.text, changed.map(({ path }) => texts.text(path) ?? "").join("\n"));
    const everything = sent.whole && readsFiles(program.text);
    let files = everything ? textsOf(await this.library(), edited) : await this.filesNamedIn(program, edited);
    for (let times = 0; ; times++) {
      const modules = edited ? withModules(sent.modules, replaced) : sent.modules;
      const symbols = { ...sent.symbols, ...rows };
      const request = { program, options, files, complete: sent.whole, symbols, stepsFrom };
      const ending = await runner.run(sent.script, modules, sent.version + mark, request, hear, seconds);
      if (ending.kind !== "missing" || sent.whole) return ending;
      hear(null);
      await sent.fetchMissing(ending.part, times);
      if (sent.whole && readsFiles(program.text)) files = textsOf(await this.library(), edited);
    }
  }

  /** Runs a program on the whole library: codegen has read all of it for the reader's edits. */
  private async runOnAll(
    runner: Runner,
    program: Program,
    options: RunOptions,
    seconds: number,
    stepsFrom: number | null,
    hear: (message: FromRunner | null) => void,
  ): Promise<Ending> {
    const library = await this.library();
    const edited = await library.modules();
    await this.fetchFor(this.sent as Sent, program.text);
    const apart = (this.sent as Sent).wholeModules;
    const modules = withModules(apart, new Map(edited.map((module) => [module.path, module])));
    const request = { program, options, files: textsOf(library, true), complete: true, symbols: null, stepsFrom };
    const { script } = this.sent as Sent;
    return runner.run(script, modules, `edited ${library.version}`, request, hear, seconds);
  }

  /** The texts of the repository that a program names, if it reads any. */
  private async filesNamedIn({ path, text }: Program, edited: boolean): Promise<[string, string][]> {
    if (!readsFiles(text)) return [];
    const named = [...text.matchAll(/["'`]([\w./-]+\.(?:ts|yaml|tmpl))["'`]/g)].map(([, name]) =>
      new URL(name as string, `file:///${path}`).pathname.slice(1),
    );
    const read = (file: string): Promise<[string, string][]> =>
      (edited ? this.source(file) : this.readText(file)).then(
        (found) => [[file, found]],
        () => [],
      );
    return (await Promise.all([...new Set(named)].map(read))).flat();
  }

  /** If that has not run, it runs now, unseen. */
  private async measureBaseline(of: Baseline): Promise<void> {
    const { options, text } = of;
    const prefix = keyOf(of, "");
    if ([...this.baselines.keys()].some((key) => key.startsWith(prefix))) return;
    if (this.pageHas(of)) return;
    const recorded: Recorded[] = [];
    const program = await this.program(text);
    const runner = new Runner();
    this.measuring = runner;
    const ending = await this.runOn(runner, false, program, options, PATIENCE, null, (message) => {
      if (message === null) recorded.length = 0;
      else if (message.type === "recorded") recorded.push(message.recording);
    }).finally(() => {
      this.measuring = null;
      runner.dispose();
    });
    if (ending.kind === "stopped") return;
    for (const { name, model } of (await this.shown(recorded, null, false)).recordings)
      this.baselines.set(keyOf(of, name), model);
  }

  /** Whether it was recorded when the page was made. */
  private pageHas({ options, text }: Baseline): boolean {
    return (
      this.recordingsAddress !== null &&
      text === this.original &&
      options.detail === "layers" &&
      !options.values &&
      options.capability === undefined
    );
  }

  private async baseline(of: Baseline, name: string): Promise<TraceModel | null> {
    const known = this.baselines.get(keyOf(of, name));
    if (known !== undefined) return known;
    if (!this.pageHas(of)) return null;
    const answer = await fetch(`${this.recordingsAddress}${name}.json`).catch(() => null);
    if (answer?.ok !== true) return null;
    const model = modelOf(await answer.json());
    this.baselines.set(keyOf(of, name), model);
    return model;
  }

  /** A recording is made where the program runs, so it is read as one from elsewhere: what is none is said to be none. */
  private async shown(
    recorded: readonly Recorded[],
    baseline: Baseline | null,
    edited: boolean,
  ): Promise<Pick<State, "recordings" | "remarks">> {
    const recordings: Shown[] = [];
    const remarks: string[] = [];
    for (const { name, title, note, quiet, trace } of recorded) {
      try {
        // What an edited library does is not what PyTorch does.
        const model = modelOf(edited ? { ...trace, torch: null } : trace);
        if (model.events.length === 0) {
          remarks.push(`${title}: no function of the library was called, so there are no steps to show.`);
          continue;
        }
        const before = baseline === null ? null : await this.baseline(baseline, name);
        const other = before === null ? null : { title: "unchanged", model: before };
        const change = before === null ? null : firstChange(model, before);
        recordings.push({ name, title, note, quiet, model, other, change });
      } catch (error) {
        remarks.push(`${title}: this recording cannot be read. ${(error as Error).message}`);
      }
    }
    return { recordings, remarks };
  }

  /** The state that an address must hold to restore all this. */
  share(): Shared {
    const { code, choices, options } = this.state;
    const library = this.texts;
    const edits = new Map(library.edited().map((path) => [path, library.text(path) as string]));
    return {
      ...(code === this.original ? {} : { code }),
      ...(edits.size === 0 ? {} : { edits: shareEdits(edits, (path) => library.pristine.get(path)) }),
      ...(Object.values(choices).every((choice) => choice === 0) ? {} : { switches: choices }),
      ...(options.detail === "full" ? { detail: "full" as const } : {}),
      ...(options.values ? { values: true as const } : {}),
      ...(options.capability === undefined ? {} : { capability: options.capability }),
    };
  }

  /**
   * Begins with what `begin` opens: a run that the reader asks for meanwhile waits until it is there.
   * @throws what `begin` throws; a run then says that it is without these changes
   */
  begin(begin: () => Promise<void>): Promise<void> {
    const opened = begin();
    this.opening = opened.catch((error: Error) => {
      this.notOpened = `${error.message} This run is without the change.`;
    });
    return opened;
  }

  async open(state: Shared, from: Origin): Promise<void> {
    this.set({
      code: state.code ?? this.original,
      choices: state.switches ?? {},
      options: {
        detail: state.detail ?? "layers",
        values: state.values ?? false,
        capability: state.capability,
      },
      from: state.code !== undefined || state.edits !== undefined || state.changes !== undefined ? from : "page",
    });
    if (state.edits === undefined && state.changes === undefined) return;
    await this.readEdited(Object.keys(state.edits ?? {}));
    for (const [path, text] of openEdits(state.edits ?? {}, (p) => this.texts.pristine.get(p)))
      this.texts.edit(path, text);
    await this.change(state.changes ?? []);
  }

  /** Fetches the files that are to be edited; one that is gone is told by whoever edits it. */
  private async readEdited(paths: readonly string[]): Promise<void> {
    await Promise.all(paths.filter(isEditable).map((path) => this.openFile(path).catch(() => {})));
  }

  /** Makes changes of the library that a page suggests. */
  async change(changes: readonly Change[]): Promise<void> {
    const library = this.texts;
    await this.readEdited(changes.map(({ file }) => file));
    for (const { file, find, replace } of changes) {
      const text = library.text(file);
      if (text?.includes(find) !== true) throw new Error(`${file} no longer has the text that this change replaces.`);
      library.edit(
        file,
        text.replace(find, () => replace),
      );
    }
    this.set({ edits: this.state.edits + 1 });
  }
}

/** All texts, as the reader has edited them or as the archive has them. */
function textsOf(library: Library, edited: boolean): [string, string][] {
  const text = (path: string): string | undefined => (edited ? library.text(path) : library.pristine.get(path));
  return library.paths().flatMap((path): [string, string][] => {
    const found = text(path);
    return found === undefined ? [] : [[path, found]];
  });
}

/** The modules, some of them replaced, and those that are new. */
function withModules(modules: readonly Module[], replaced: ReadonlyMap<string, Module>): Module[] {
  const known = new Set(modules.map(({ path }) => path));
  const added = [...replaced.values()].filter(({ path }) => !known.has(path));
  return [...modules.map((module) => replaced.get(module.path) ?? module), ...added];
}

function modelOf(trace: unknown): TraceModel {
  const opened = openValue(trace);
  if (opened.kind !== "trace") throw new Error("not a recording");
  return opened.model;
}

/** Where the two part, told as before and now. */
function firstChange(now: TraceModel, before: TraceModel): Shown["change"] {
  const { pairs, first } = compare(before, now);
  const pair = pairs[first];
  if (pair === undefined) return null;
  if (pair.b === null) {
    const next = pairs.slice(first).find((each) => each.b !== null)?.b ?? null;
    const what = `${shortName(before.event(pair.a as number))} is no longer called`;
    return { step: next === null ? null : now.event(next).id, what };
  }
  if (pair.a === null) return { step: now.event(pair.b).id, what: `${shortName(now.event(pair.b))} is new` };
  const [said = ""] = pair.differences;
  if (!said.startsWith("values: ")) return { step: now.event(pair.b).id, what: said.replace(" ↔ ", " → ") };
  // Whoever returns other values got them from a call below: the innermost is where they came to be.
  let at = pair.b;
  let told = said;
  for (const { b, differences } of pairs.slice(first + 1)) {
    if (b === null) continue;
    if (b > now.last[at]) break;
    if (differences.length === 0) continue;
    at = b;
    told = differences[0] ?? told;
  }
  const [was = "", is = ""] = told.replace(/^\w+: /, "").split(" ↔ ");
  // A sum over the bytes tells that they differ and means nothing to a reader.
  const what = /^[0-9a-f]{8}\b/.test(is) ? "returns other values" : `returns ${is}; it was ${was}`;
  return { step: now.event(at).id, what: `${shortName(now.event(at))} ${what}` };
}
