/**
 * @file Where an exercise is done: its files or questions, the check, and what came of it.
 * @original
 */
import Link from "@docusaurus/Link";
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { name_of } from "../../../tools/codegen/module_path.ts";
import type { Predict } from "../../../tools/learn/exercise.ts";
import { Boundary } from "../playground/Boundary.tsx";
import { type ExerciseData, type Listed, pathOf } from "./data.ts";
import { NotKept } from "./ProgressFile.tsx";
import { Questions } from "./Questions.tsx";
import { Solution } from "./Solution.tsx";
import { type Addresses, Session, type State } from "./session.ts";
import { Verdict } from "./Verdict.tsx";
import { Ways } from "./Ways.tsx";
import "../playground/playground.css";

const Editor = lazy(async () => ({ default: (await import("../playground/Editor.tsx")).Editor }));

export interface WorkbenchProps {
  readonly data: ExerciseData;
  readonly addresses: Addresses;
  /** Folder of the library's texts, for the viewer. */
  readonly sources: string;
  readonly solution: string;
  readonly next: Listed | null;
}

const NONE = [] as const;

export default function Workbench({ data, addresses, sources, solution, next }: WorkbenchProps): ReactNode {
  const [session] = useState(() => new Session(data, addresses));
  const state = useSyncExternalStore(session.subscribe, session.read, session.read);
  const { exercise } = data;
  const [file, setFile] = useState(exercise.edits[0]?.file as string);
  const [undo, setUndo] = useState(false);
  const result = useRef<HTMLDivElement>(null);
  const asks = questionsOf(data, file);
  const check = (): void => void session.check();

  useEffect(() => {
    void session.warm();
    return () => session.dispose();
  }, [session]);

  // On a narrow page the verdict is below all questions: it comes into view. On a wide one it has its place.
  useEffect(() => {
    if (state.checked !== null && matchMedia("(max-width: 996px)").matches)
      result.current?.scrollIntoView({ block: "nearest" });
  }, [state.checked]);

  return (
    <>
      <header className="pg-bar">
        {state.phase === "idle" ? (
          <button type="button" className="pg-run" onClick={check} title="Control+Enter in the editor">
            Check
          </button>
        ) : (
          <button type="button" className="pg-run pg-stop" onClick={() => session.stop()}>
            Stop
          </button>
        )}
        <button
          type="button"
          className="pg-button"
          disabled={(state.checked?.report.failure ?? null) === null || state.hints >= 3}
          onClick={() => session.hint()}
        >
          {state.hints === 0 ? "Hint" : `Hint ${Math.min(state.hints + 1, 3)} of 3`}
        </button>
        <button
          type="button"
          className="pg-button"
          disabled={!session.changed}
          onClick={() => {
            session.reset();
            setUndo(true);
          }}
        >
          Reset
        </button>
        {undo && !session.changed && (
          <button
            type="button"
            className="pg-button"
            onClick={() => {
              session.undoReset();
              setUndo(false);
            }}
          >
            Undo the reset
          </button>
        )}
        <span className="pg-status" role="status">
          {statusOf(state, exercise.checks.length)}
        </span>
      </header>
      <NotKept />
      <Checks data={data} state={state} />
      {data.stub.length > 1 && (
        <div className="pg-tabs school-tabs" role="group" aria-label="Files">
          {data.stub.map(([each]) => (
            <button key={each} type="button" aria-pressed={each === file} onClick={() => setFile(each)}>
              {nameOf(data, each)}
            </button>
          ))}
        </div>
      )}
      <div className="school-answer">
        {asks !== null ? (
          <Questions
            stub={data.stub.find(([each]) => each === file)?.[1] ?? ""}
            text={state.files[file] ?? ""}
            checks={asks}
            checked={state.checked}
            onChange={(text) => session.edit(file, text)}
          />
        ) : (
          <Suspense fallback={<pre className="school-stub">{state.files[file]}</pre>}>
            {noteOf(data, file) !== null && <p className="school-note">{noteOf(data, file)}</p>}
            <Editor
              file={file}
              text={state.files[file] ?? ""}
              marks={NONE}
              goTo={null}
              onChange={(text) => session.edit(file, text)}
              onRun={check}
            />
          </Suspense>
        )}
      </div>
      <div ref={result} className="school-result" aria-live="polite">
        {state.problem !== null && <p className="school-problem">{state.problem}</p>}
        {state.checked !== null && (
          <>
            <Verdict data={data} checked={state.checked} stale={state.stale} hints={session.hints} />
            {state.printed.length > 0 && <pre className="school-printed">{state.printed.join("\n")}</pre>}
            {state.checked.report.failure === null && (
              <p className="school-next">
                {next === null ? (
                  <span>
                    The last exercise is done in a clone: <Link to="/contribute">an operator of your own</Link>.
                  </span>
                ) : (
                  <Link to={pathOf(next.id)}>Next: {next.title}</Link>
                )}
                <Link to="/learn/">the house</Link>
              </p>
            )}
            <Boundary what="the path of the call" key={`${state.checked.report.failure?.check}`}>
              <Ways data={data} checked={state.checked} sources={sources} />
            </Boundary>
          </>
        )}
        <Solution data={data} address={solution} />
      </div>
    </>
  );
}

/** One mark for each check: what has passed, what fails, what has not been reached. */
function Checks({ data, state: { checked, stale } }: { data: ExerciseData; state: State }): ReactNode {
  const { passed = [], failure = null } = checked?.report ?? {};
  return (
    <ol className={stale ? "school-checks stale" : "school-checks"} aria-label="Checks">
      {data.exercise.checks.map(({ id, kind, says }, i) => {
        const fails = failure?.check === id && failure.seen !== "(no answer)";
        const mark = passed.includes(id) ? "good" : fails ? "bad" : "open";
        // What a question's check says is the answer to it.
        const what = kind === "predict" && mark !== "good" ? `question ${i + 1}` : says;
        return (
          <li key={id} className={mark} data-check={id} title={what}>
            <span className="school-said">
              {mark === "good" ? "passes: " : mark === "bad" ? "fails: " : "not reached: "}
              {what}
            </span>
          </li>
        );
      })}
    </ol>
  );
}

/** The questions that are answered in this file; null if it is none of answers. */
function questionsOf({ exercise }: ExerciseData, file: string): readonly { id: string; spec: Predict }[] | null {
  if (!file.endsWith("answers.yaml")) return null;
  return exercise.checks.flatMap(({ id, kind, spec }) => (kind === "predict" ? [{ id, spec: spec as Predict }] : []));
}

function nameOf({ exercise }: ExerciseData, file: string): string {
  if (file.endsWith("answers.yaml")) return "questions";
  const name = name_of(file);
  return exercise.given.some((each) => each.file === file) ? `${name} (given)` : name;
}

/** A note about the place of a file that its reader must know. */
function noteOf({ exercise }: ExerciseData, file: string): string | null {
  const edit = [...exercise.edits, ...exercise.given].find((each) => each.file === file);
  if (edit?.appended === true) return `This text is added after the last line of ${file}`;
  return /^(?:src|tools)\//.test(file) ? `A file of the library: ${file}` : null;
}

function statusOf({ phase, checked, stale }: State, total: number): string {
  if (phase === "loading") return "Loading the library…";
  if (phase === "codegen") return "Running codegen on the library with your files…";
  if (phase === "checking") return "Checking…";
  if (checked === null) return "";
  const { passed, failure } = checked.report;
  if (stale) return "Changed since the last check";
  return failure === null ? "Passed" : `${passed.length} of ${total} checks pass`;
}
