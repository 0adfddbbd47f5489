/**
 * @file One exercise in a page: the learner's files, what a check found, the hints that were asked for. Components read it through
 * `useSyncExternalStore`.
 * @original
 */
import { changesTheTree } from "../../../tools/learn/exercise.ts";
import { checkOf, hintOf } from "../../../tools/learn/feedback.ts";
import { endless } from "../../../tools/learn/report.ts";
import type { Checked, CheckRequest } from "../playground/engine/checking.ts";
import type { FromRunner } from "../playground/engine/protocol.ts";
import type { RunAddresses, Sent } from "../playground/engine/sent.ts";
import type { Module } from "../playground/engine/transpile.ts";
import { type Ending, Runner } from "../playground/engine/workers.ts";
import { type ArchiveAddress, compilers, libraryOnce, sentOnce } from "../playground/loading.ts";
import type { ExerciseData, Texts } from "./data.ts";
import { backUp, type Files, keepEdits, kept, notePassed, takeBackup } from "./kept.ts";
import { libraryOf, modulesOf } from "./request.ts";

/** Where the site keeps what an exercise needs. */
export interface Addresses extends RunAddresses, ArchiveAddress {
  /** The runner, and the checks of the exercise. */
  readonly checks: string;
}

export interface State {
  readonly phase: "idle" | "loading" | "codegen" | "checking";
  readonly files: Files;
  /** Null before the first check. */
  readonly checked: Checked | null;
  /** Whether files have changed since. */
  readonly stale: boolean;
  /** The output of the learner's files. */
  readonly printed: readonly string[];
  /** Hints that were asked for. */
  readonly hints: number;
  /** The reason why a check did not end. */
  readonly problem: string | null;
}

/** A check says nothing until it ends; longer than any honest answer takes. */
const PATIENCE = 60;

export class Session {
  readonly data: ExerciseData;
  state: State;
  private readonly addresses: Addresses;
  private readonly runner = new Runner();
  private readonly listeners = new Set<() => void>();
  private checks: Promise<readonly Module[]> | null = null;

  constructor(data: ExerciseData, addresses: Addresses) {
    this.data = data;
    this.addresses = addresses;
    this.state = {
      phase: "idle",
      files: { ...Object.fromEntries(data.stub), ...kept().edits[data.exercise.id] },
      checked: null,
      stale: false,
      printed: [],
      hints: 0,
      problem: null,
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

  edit(file: string, text: string): void {
    if (this.state.files[file] === text) return;
    this.setFiles({ ...this.state.files, [file]: text });
  }

  /** Takes over files from elsewhere; nothing runs. */
  setFiles(files: Files): void {
    const changed = this.data.stub.filter(([file, text]) => (files[file] ?? text) !== text);
    this.set({ files, stale: true });
    keepEdits(
      this.data.exercise.id,
      Object.fromEntries(changed.map(([file]): [string, string] => [file, files[file] as string])),
    );
  }

  get changed(): boolean {
    return this.data.stub.some(([file, text]) => this.state.files[file] !== text);
  }

  /** Back to the beginning; what was there is put aside. */
  reset(): void {
    backUp(this.data.exercise.id);
    this.setFiles(Object.fromEntries(this.data.stub));
    this.set({ checked: null, hints: 0, printed: [], problem: null });
  }

  /** Brings back the files that the last reset put aside. */
  undoReset(): void {
    const files = takeBackup(this.data.exercise.id);
    if (files !== null) this.setFiles({ ...Object.fromEntries(this.data.stub), ...files });
  }

  hint(): void {
    this.set({ hints: this.state.hints + 1 });
  }

  /** The texts of the hints that were asked for. */
  get hints(): readonly string[] {
    const failure = this.state.checked?.report.failure ?? null;
    if (failure === null) return [];
    return hintOf(checkOf(this.data.exercise, failure), failure).texts.slice(0, this.state.hints);
  }

  /** Loads what a check will need; nothing of the learner's runs. */
  async warm(): Promise<void> {
    try {
      const [sent] = await Promise.all([sentOnce(this.addresses), this.loadChecks()]);
      if (changesTheTree(this.data.exercise)) return;
      await sent.fetchKnown(this.pack);
      this.runner.prepare(sent.script, { modules: sent.modules, version: sent.version, preload: "typescript" });
    } catch {
      // Told when a check needs it.
    }
  }

  private loadChecks(): Promise<readonly Module[]> {
    this.checks ??= fetch(this.addresses.checks)
      .then(async (answer) => {
        if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`);
        return (await answer.json()) as Module[];
      })
      .catch((error: Error) => {
        this.checks = null;
        throw error;
      });
    return this.checks;
  }

  /** The pack of the library that the checks were measured to need. */
  private get pack(): string {
    return `for-${this.data.exercise.id}`;
  }

  stop(): void {
    this.runner.stop();
  }

  dispose(): void {
    this.runner.dispose();
  }

  async check(): Promise<void> {
    if (this.state.phase !== "idle") return;
    const { data } = this;
    const { id, hash } = { id: data.exercise.id, hash: data.hash };
    this.set({ phase: "loading", problem: null });
    try {
      const files: Texts = data.stub.map(([file]) => [file, this.state.files[file] as string]);
      const told: FromRunner[] = [];
      const ending = await this.runChecks(files, told);
      const checked = checkedIn(data, told, ending);
      const { failure } = checked.report;
      const before = this.state.checked?.report.failure ?? null;
      const same = failure !== null && before?.check === failure.check && before.seen === failure.seen;
      const printed = told.flatMap((message) => (message.type === "console" ? [message.text] : []));
      const now = data.stub.every(([file], i) => this.state.files[file] === files[i]?.[1]);
      this.set({ phase: "idle", checked, printed, stale: !now, hints: same ? this.state.hints : 0 });
      if (failure === null) notePassed(id, hash);
    } catch (error) {
      this.set({ phase: "idle", problem: (error as Error).message });
    }
    void this.warm();
  }

  private async runChecks(files: Texts, told: FromRunner[]): Promise<Ending> {
    const { data, addresses, runner } = this;
    const [sent, checks] = await Promise.all([sentOnce(addresses), this.loadChecks()]);
    const own = await libraryOf(data, files, () => {
      this.set({ phase: "codegen" });
      return libraryOnce(addresses);
    });
    const base = {
      exercise: data.exercise,
      files,
      modules: [...checks, ...data.calls, ...(await modulesOf(data.exercise, files, compilers.compile))],
      goldens: data.goldens,
    };
    this.set({ phase: "checking" });
    const begin = (request: CheckRequest): Promise<Ending> => {
      told.length = 0;
      return runner.begin({ type: "check", request }, (message) => told.push(message), PATIENCE);
    };
    if (own !== null) {
      runner.prepare(sent.script, { modules: own.modules, version: `own ${Date.now()}`, preload: null });
      return begin({ ...base, generated: own.generated, symbols: null, texts: own.texts });
    }
    const text = (of: Texts): string => of.map(([, each]) => each).join("\n");
    await Promise.all([sent.fetchKnown(this.pack), sent.fetchFor(text(files), text(data.stub))]);
    const onSent = (sent: Sent): Promise<Ending> => {
      runner.prepare(sent.script, { modules: sent.modules, version: sent.version, preload: "typescript" });
      return begin({ ...base, generated: null, symbols: sent.symbols, texts: [] });
    };
    for (let times = 0; ; times++) {
      const ending = await onSent(sent);
      if (ending.kind !== "missing" || sent.whole) return ending;
      await sent.fetchMissing(ending.part, times);
    }
  }
}

/** @throws {Error} if the checks have come to no end of their own */
function checkedIn({ exercise }: ExerciseData, told: readonly FromRunner[], ending: Ending): Checked {
  for (const message of told) {
    if (message.type === "checked") return message.checked;
    if (message.type === "failure") throw new Error(`${message.failure.name}: ${message.failure.message}`);
  }
  const why = "The check did not come to its end.";
  if (ending.kind === "silent") return { report: endless(exercise, ending.seconds), way: { why } };
  throw new Error(ending.kind === "stopped" ? "Stopped." : why);
}
