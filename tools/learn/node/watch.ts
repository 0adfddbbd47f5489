/**
 * @file `npm run learn`: checks the current exercise each time its files are saved, and answers to single keys.
 * @original
 */
import { existsSync, type FSWatcher, watch } from "node:fs";
import { emitKeypressEvents } from "node:readline";
import { allRows, number } from "../feedback.ts";
import type { Report } from "../report.ts";
import { Checker } from "./checking.ts";
import { chosen, hintLines, listLines, note, reportLines, solutionLines, traceLines } from "./commands.ts";
import { exerciseIds, Folder, findExercise } from "./folder.ts";
import { columns, heading, hear, readme, say, styles } from "./screen.ts";
import * as workspace from "./workspace.ts";

/** An editor may write a file more than once per save. */
const SETTLED = 150;

const KEYS = "[n]ext  [h]int  [t]race  [d]iff  [l]ist  [r]eset  [s]olution  [q]uit";

export class Watch {
  private folder: Folder;
  private report: Report | null = null;
  private hints = 0;
  private watcher: FSWatcher | null = null;
  private timer: NodeJS.Timeout | null = null;
  private running = false;
  private again = false;
  /** Waits with the library loaded, so that a check begins at once. */
  private spare: Checker | null = null;
  /** A reset must be requested twice. */
  private resetting = false;

  constructor(asked: string | undefined) {
    this.folder = chosen(asked);
  }

  begin(): void {
    this.open(this.folder);
    process.stdin.on("keypress", (_, { name, ctrl }: { name?: string; ctrl?: boolean }) => {
      if (ctrl === true && name === "c") this.quit();
      else void this.key(name ?? "");
    });
    emitKeypressEvents(process.stdin);
    if (process.stdin.isTTY) process.stdin.setRawMode(true);
    process.stdin.resume();
  }

  private open(folder: Folder): void {
    this.folder = folder;
    this.report = null;
    this.hints = 0;
    workspace.start(folder);
    this.spare?.end();
    this.spare = Checker.of(folder, hear);
    this.watcher?.close();
    this.watcher = watch(workspace.folderOf(folder.exercise.id), { recursive: true }, () => this.soon());
    this.clear();
    say(...heading(`${folder.exercise.id}   about ${folder.exercise.minutes} minutes`), ...readme(folder));
    void this.check();
  }

  private soon(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.clear();
      void this.check();
    }, SETTLED);
  }

  private async check(): Promise<void> {
    this.again = this.running;
    if (this.running) return;
    this.running = true;
    const { folder } = this;
    const { id } = folder.exercise;
    say(styles.dim(`checking ${id} ...`));
    try {
      const checker = this.take(folder);
      const files = workspace.folderOf(id);
      if ([...folder.stub.keys()].some((file) => !existsSync(`${files}/${file}`))) workspace.start(folder);
      const {
        reports: [report],
      } = await checker.check(folder, [files], folder.stub);
      checker.end();
      if (folder === this.folder) this.tell(report);
    } catch (error) {
      say(styles.bad((error as Error).message));
    }
    this.running = false;
    this.spare ??= Checker.of(this.folder, hear);
    if (this.again || folder !== this.folder) void this.check();
  }

  private take(folder: Folder): Checker {
    const checker = this.spare ?? Checker.of(folder, hear);
    this.spare = null;
    return checker;
  }

  private async trace(folder: Folder, report: Report): Promise<void> {
    say("", ...(await traceLines(folder, report, () => this.take(folder))));
    this.spare ??= Checker.of(this.folder, hear);
  }

  private tell(report: Report): void {
    if (report.failure?.seen !== this.report?.failure?.seen || report.failure?.check !== this.report?.failure?.check)
      this.hints = 0;
    this.report = report;
    note(this.folder, report);
    say("", ...reportLines(this.folder, report), "");
    this.footer();
  }

  private footer(): void {
    const { exercise } = this.folder;
    const done = this.report?.passed.length ?? 0;
    const bar = `${"#".repeat(done)}${".".repeat(exercise.checks.length - done)}`;
    const files = exercise.edits.map(({ file }) => workspace.shownPath(exercise.id, file));
    say(styles.dim(`edit ${files.join(", ")}`));
    say(
      `${styles.strong(exercise.id)} [${bar}]${this.report?.failure === null ? "   n: to the next one" : ""}`,
      styles.dim(KEYS),
    );
  }

  private async key(name: string): Promise<void> {
    const { folder, report } = this;
    const resetting = this.resetting;
    this.resetting = false;
    if (name === "q") this.quit();
    else if (name === "l") say("", ...listLines());
    else if (name === "n") this.next();
    else if (name === "r") this.reset(resetting);
    else if (name === "s") this.solution();
    else if (report === null) return;
    else if (name === "t") await this.trace(folder, report);
    else if (report.failure === null) return;
    else if (name === "h") say("", ...hintLines(folder, report.failure, ++this.hints));
    else if (name === "d") say("", ...allRows(report.failure, columns(), styles));
  }

  private next(): void {
    const ids = exerciseIds();
    const at = ids.indexOf(this.folder.exercise.id);
    if (workspace.statusOf(this.folder) !== "passed")
      say("", "This one is not done yet. l lists all; npm run learn 07 opens another.");
    else if (at === ids.length - 1) say("", "That was the last one.");
    else this.open(new Folder(ids[at + 1]));
  }

  private reset(sure: boolean): void {
    if (!sure) {
      this.resetting = true;
      say("", `press r once more to begin this exercise again; your files are kept in ${workspace.BACKUPS}.`);
      return;
    }
    say("", `your files are kept in "${workspace.reset(this.folder)}"`);
    this.open(findExercise(number(this.folder.exercise)));
  }

  private solution(): void {
    if (workspace.statusOf(this.folder) === "open")
      say("", "The solution is shown once the exercise has passed; h gives hints.");
    else say(...solutionLines(this.folder));
  }

  /** Clears the screen if possible; a log keeps everything. */
  private clear(): void {
    if (process.stdout.isTTY) process.stdout.write("\x1b[2J\x1b[3J\x1b[H");
  }

  private quit(): void {
    this.spare?.end();
    this.watcher?.close();
    if (process.stdin.isTTY) process.stdin.setRawMode(false);
    process.exit(0);
  }
}
