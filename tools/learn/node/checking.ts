/**
 * @file Runs an exercise's checks in a separate process, and ends that process if it does not end by itself.
 * @original
 */
import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { WITH_LIBRARY } from "../../module_loader/with_library.ts";
import { changesTheTree, ExerciseError } from "../exercise.ts";
import { endless } from "../report.ts";
import type { Answer, Asked, AskedDevice, Begun, Job } from "./child.ts";
import type { Files, Folder } from "./folder.ts";
import type { Laid } from "./tree.ts";

const CHILD = fileURLToPath(new URL("child.ts", import.meta.url));
/** How long checks may take, in ms, counted from the first check: longer than any correct answer takes on a machine with little other work. */
const PATIENCE = 120_000;
/** The limit when many answers are verified beside other work: it only stops a process that never ends. */
export const LONG_PATIENCE = 600_000;
/** How long the process may prepare, in ms: it starts, runs codegen and loads the library. None of this is the learner's code. */
const PREPARATION = 600_000;

type Checked = Extract<Answer, { readonly reports: unknown }>;

/**
 * A process that runs checks until it is ended. If an answer has changed the library, the process cannot be used for the next.
 */
export class Checker {
  private readonly child: ChildProcess;
  private readonly patience: number;

  /**
   * @param preload whether the library is the tree's own
   * @param hear receives the text that learners' files print
   * @param patience how long an answer may take, in ms, counted from the first check
   */
  constructor(preload: boolean, hear: (text: Buffer) => void = () => {}, patience: number = PATIENCE) {
    this.patience = patience;
    this.child = fork(CHILD, [preload ? "preload" : ""], {
      execArgv: [...WITH_LIBRARY],
      // Its own streams: a process that shares the terminal resets the terminal's mode when it ends.
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    });
    this.child.stdout?.on("data", hear);
    this.child.stderr?.on("data", hear);
  }

  /** A checker for one exercise. */
  static of({ exercise }: Folder, hear?: (text: Buffer) => void, patience?: number): Checker {
    return new Checker(!changesTheTree(exercise), hear, patience);
  }

  /** Checks each folder in turn; all of them hold `files`. Also returns the paths of calls. */
  async check(
    folder: Folder,
    places: readonly string[],
    files: Files,
    ways: readonly Asked[] = [],
    laid?: Laid,
  ): Promise<Checked> {
    const answer = await this.ask({
      exercise: folder.exercise.id,
      folders: places,
      files: [...files.keys()],
      ways,
      ...(laid === undefined ? {} : { laid }),
    });
    if (answer === null) return { reports: places.map(() => endless(folder.exercise, this.patience / 1000)), ways: [] };
    return "reports" in answer ? answer : { reports: [], ways: [] };
  }

  /** The paths of calls, without the checks. */
  async ways(folder: Folder, place: string, files: Files, calls: readonly string[]): Promise<Checked["ways"]> {
    const ways = calls.map((call) => ({ call, folder: place }));
    const job = { exercise: folder.exercise.id, folders: [place], files: [...files.keys()], ways, unchecked: true };
    const answer = await this.ask(job);
    if (answer === null || !("ways" in answer)) throw new ExerciseError(`${folder.exercise.id}: its calls do not end`);
    return answer.ways;
  }

  async trace(folder: Folder, place: string, files: Files, trace: NonNullable<Job["trace"]>): Promise<string> {
    const job = { exercise: folder.exercise.id, folders: [place], files: [...files.keys()], trace };
    const answer = await this.ask(job);
    return answer !== null && "trace" in answer ? answer.trace : "the call does not end";
  }

  /** A line that says what kernels will run on. */
  async device(): Promise<string> {
    const answer = await this.ask({ device: true });
    return answer !== null && "device" in answer ? answer.device : "no answer";
  }

  /** The answer; null if it did not come in time. */
  private ask(job: Job | AskedDevice): Promise<Answer | null> {
    const { child } = this;
    child.removeAllListeners("message").removeAllListeners("exit");
    return new Promise((resolve, reject) => {
      const unprepared = (): void => {
        this.end();
        reject(new ExerciseError(`the checks did not begin within ${PREPARATION / 1000} s; is the machine busy?`));
      };
      let timer = setTimeout(unprepared, PREPARATION);
      child.on("message", (told: Answer | Begun) => {
        clearTimeout(timer);
        if ("begun" in told) {
          timer = setTimeout(() => {
            child.kill();
            resolve(null);
          }, this.patience);
        } else if ("error" in told) {
          this.end(); // nobody else would end it
          reject(new ExerciseError(told.error));
        } else resolve(told);
      });
      child.once("exit", (code) => {
        clearTimeout(timer);
        reject(new ExerciseError(`the checks ended without an answer (exit ${code})`));
      });
      child.send(job);
    });
  }

  end(): void {
    this.child.removeAllListeners();
    this.child.kill();
  }
}
