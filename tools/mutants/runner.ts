/**
 * @file Runs each test as vitest does, and then once more for every mutant that the test reaches. One import serves all runs.
 * @original
 */
import { appendFileSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { type RunnerTestSuite as Suite, type RunnerTestCase as Test, TestRunner } from "vitest";

/** A request of run.ts for one file of tests. */
export interface Order {
  /** The file for the answers, one line each. */
  readonly answers: string;
  /** Mutants that need not be tried any more. */
  readonly settled: readonly string[];
  /** The mutants still to be tried on each test. A test that is missing here has not been run yet. */
  readonly todo: Readonly<Record<string, readonly string[]>>;
  /** Only this mutant, switched on from a test's first run on: for state that a program makes once and keeps. */
  readonly alone: string | null;
}

/**
 * One line of the answers. `again`: reached on a second run too; `kept`: reached less often on the second run, because
 * state from the first is kept; `imported`: reached when modules are imported.
 */
export type Answer =
  | { kind: "comes_by"; test: string; again: string[]; kept: string[]; imported: string[] }
  | { kind: "tries"; test: string; mutant: string }
  | { kind: "survived"; test: string; mutant: string }
  | { kind: "killed"; test: string; mutant: string }
  | { kind: "in_doubt"; test: string; mutant: string }
  | { kind: "spoilt" };

type Hits = Record<string, number>;
/** The state that instrumented code reads and counts. */
interface Instrumented {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  hitCount?: number | undefined;
  hitLimit?: number | undefined;
  mutantCoverage?: { static: Hits; perTest: Record<string, Hits> };
}
process.removeAllListeners("warning");
fc.configureGlobal({ endOnFailure: true }); // nobody reads the smallest example
const instrumented: Instrumented = ((globalThis as { __stryker__?: Instrumented }).__stryker__ ??= {});

export default class MutantRunner extends TestRunner {
  private readonly order: Order = JSON.parse(readFileSync(process.env["MUTANT_ORDER"] as string, "utf8"));
  private readonly settled = new Set(this.order.settled);
  private spoilt = false;

  private say(answer: Answer): void {
    appendFileSync(this.order.answers, `${JSON.stringify(answer)}\n`);
  }

  async runTask(test: Test): Promise<void> {
    const { todo, alone } = this.order;
    const wanted = todo[test.id];
    if (this.spoilt) return;
    if (alone !== null) {
      if (wanted !== undefined && !this.settled.has(alone)) await this.tries(test, alone, undefined);
      return;
    }
    if (wanted?.length === 0) return;
    const once = await this.counted(test, `${test.id} once`, false);
    let again: Hits = {};
    try {
      again = await this.counted(test, `${test.id} again`, true);
    } catch {
      // This test can run only once, so its mutants are tried alone.
    }
    if (wanted === undefined) {
      const kept = Object.keys(once).filter((id) => (again[id] ?? 0) < (once[id] ?? 0));
      const imported = Object.keys(instrumented.mutantCoverage?.static ?? {});
      this.say({ kind: "comes_by", test: test.id, again: Object.keys(again), kept, imported });
    }
    let first = true;
    for (const mutant of wanted ?? Object.keys(again)) {
      if (this.settled.has(mutant)) continue;
      await this.tries(test, mutant, 1000 + 100 * (again[mutant] ?? 0), first);
      if (this.spoilt) return this.say({ kind: "spoilt" });
      first = false;
    }
  }

  /** Counts how often each mutant's place is reached. */
  private async counted(test: Test, key: string, hooks: boolean): Promise<Hits> {
    instrumented.currentTestId = key;
    try {
      await this.once(test, hooks);
    } finally {
      instrumented.currentTestId = "between";
    }
    return instrumented.mutantCoverage?.perTest[key] ?? {};
  }

  private async tries(test: Test, mutant: string, hitLimit: number | undefined, fresh = true): Promise<void> {
    this.say({ kind: "tries", test: test.id, mutant });
    const alone = hitLimit === undefined;
    Object.assign(instrumented, { activeMutant: mutant, hitCount: 0, hitLimit: hitLimit ?? 1e7 });
    let failed = false;
    try {
      await this.once(test, !alone);
    } catch {
      failed = true;
    }
    Object.assign(instrumented, { activeMutant: undefined, hitCount: undefined });
    if (!failed) return this.say({ kind: "survived", test: test.id, mutant });
    // The test must pass again; otherwise the failure may come from state left by an earlier mutant.
    if (!alone) {
      try {
        await this.once(test, true);
      } catch {
        this.spoilt = true;
        if (!fresh) return this.say({ kind: "in_doubt", test: test.id, mutant });
      }
    }
    this.settled.add(mutant);
    this.say({ kind: "killed", test: test.id, mutant });
  }

  /** Runs the test's function once; between two runs it calls the hooks. */
  private async once(test: Test, hooks: boolean): Promise<void> {
    if (hooks) {
      await this.hooks(test, "afterEach");
      await this.hooks(test, "beforeEach");
    }
    await (TestRunner.getTestFn(test) as () => Promise<void>)();
  }

  private async hooks(test: Test, name: "beforeEach" | "afterEach"): Promise<void> {
    const suites: Suite[] = [];
    for (let suite: Suite | undefined = test.suite ?? test.file; suite !== undefined; suite = suite.suite)
      suites.push(suite);
    if (!suites.includes(test.file)) suites.push(test.file);
    if (name === "beforeEach") suites.reverse();
    for (const suite of suites)
      for (const hook of TestRunner.getSuiteHooks(suite)[name]) await hook(test.context, suite);
  }
}
