/**
 * @file `<Exercise id="04-cpu-kernel" stub="…">` around an exercise's text: the text on one side, on the other the place where it is done.
 * @original
 */
import Link from "@docusaurus/Link";
import useBaseUrl from "@docusaurus/useBaseUrl";
import catalog from "@site/generated/exercises.json";
import library from "@site/generated/library.json";
import { type ComponentType, type ReactNode, useEffect, useState } from "react";
import { type Catalog, type ExerciseData, type Listed, pathOf } from "./data";
import { roomOf } from "./rooms";
import type { Addresses } from "./session";
import type { WorkbenchProps } from "./Workbench";
import "./school.css";

const { exercises, version } = catalog as Catalog;

interface ExerciseProps {
  readonly id: string;
  /** The file to begin with, as it is printed and shown before anything has come. */
  readonly stub: string;
  readonly children: ReactNode;
}

export function Exercise({ id, stub, children }: ExerciseProps): ReactNode {
  const at = exercises.findIndex((each) => each.id === id);
  const listed = exercises[at] as Listed;
  return (
    <div className="school">
      <div className={listed.browser ? "school-sides" : ""}>
        <div className="school-text">
          <Head listed={listed} />
          {children}
        </div>
        {listed.browser ? (
          <Bench id={id} stub={stub} next={exercises[at + 1] ?? null} />
        ) : (
          <p className="school-clone">
            This exercise cannot be done in a page. Do it in a clone of the repository:{" "}
            <code>npm run ex -- start {listed.number}</code>
          </p>
        )}
      </div>
      <Neighbours before={exercises[at - 1] ?? null} next={exercises[at + 1] ?? null} />
    </div>
  );
}

function Head({ listed }: { readonly listed: Listed }): ReactNode {
  const { goal, minutes, room, needs, pages } = listed;
  const { title, page } = roomOf(room);
  return (
    <header className="school-head">
      <p className="school-goal">{goal}</p>
      <p className="school-facts">
        <span>about {minutes} minutes</span>
        <span>
          room: <Link to={page}>{title}</Link>
        </span>
        {pages.length > 0 && (
          <span>
            to read:{" "}
            {pages.map((to, i) => (
              <span key={to}>
                {i > 0 && ", "}
                <Link to={`/${to}/`}>{titleOf(to)}</Link>
              </span>
            ))}
          </span>
        )}
        {needs.length > 0 && (
          <span>
            builds on{" "}
            {needs.map((need, i) => (
              <span key={need}>
                {i > 0 && ", "}
                <Link to={pathOf(need)}>{exercises.find((each) => each.id === need)?.title ?? need}</Link>
              </span>
            ))}
          </span>
        )}
      </p>
    </header>
  );
}

/** `walkthroughs/prelu-backward` -> `prelu backward`. */
const titleOf = (page: string): string => page.replace(/^.*\//, "").replaceAll("-", " ");

function Bench({ id, stub, next }: { id: string; stub: string; next: Listed | null }): ReactNode {
  const [made, setMade] = useState<{ Workbench: ComponentType<WorkbenchProps>; data: ExerciseData } | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const data = `${useBaseUrl(`/generated/learn/${id}.json`)}?${version}`;
  const addresses: Addresses = {
    archive: `${useBaseUrl("/generated/library.gz")}?${library.hash}`,
    run: useBaseUrl("/generated/run/"),
    runner: useBaseUrl("/generated/runner.js"),
    integrity: library.integrity,
    checks: `${useBaseUrl(`/generated/learn/${id}.checks.json`)}?${version}`,
  };
  const solution = `${useBaseUrl(`/generated/learn/${id}.solution.json`)}?${version}`;
  const sources = useBaseUrl("/generated/source/");
  useEffect(() => {
    let current = true;
    Promise.all([import("./Workbench"), fetch(data).then((answer) => answer.json() as Promise<ExerciseData>)]).then(
      ([{ default: Workbench }, data]) => current && setMade({ Workbench, data }),
      (error: Error) => current && setProblem(`The exercise could not be loaded: ${error.message}`),
    );
    return () => {
      current = false;
    };
  }, [data]);
  useEffect(() => {
    if (made !== null && location.search === "?print") print();
  }, [made]);
  return (
    <section className="pg school-bench" aria-label="Your answer">
      {made === null ? (
        <>
          <header className="pg-bar">
            <button type="button" className="pg-run" disabled>
              Check
            </button>
            <span className="pg-status" role="status">
              {problem ?? "Loading the exercise…"}
            </span>
          </header>
          <pre className="school-stub">{stub}</pre>
        </>
      ) : (
        <made.Workbench
          key={id}
          data={made.data}
          addresses={addresses}
          sources={sources}
          solution={solution}
          next={next}
        />
      )}
      {made !== null && <Printed data={made.data} />}
    </section>
  );
}

/** On paper: the files to complete, and what is checked. Questions stand there as they do on the screen. */
function Printed({ data: { exercise, stub } }: { readonly data: ExerciseData }): ReactNode {
  const checked = exercise.checks.filter(({ kind }) => kind !== "predict");
  return (
    <div className="school-paper" aria-hidden="true">
      {stub
        .filter(([file]) => exercise.edits.some((edit) => edit.file === file) && !file.endsWith("answers.yaml"))
        .map(([file, text]) => (
          <figure key={file}>
            <figcaption>{file}</figcaption>
            <pre>{text}</pre>
          </figure>
        ))}
      {checked.length > 0 && (
        <>
          <b>What is checked</b>
          <ul>
            {checked.map(({ id, says }) => (
              <li key={id}>{says}</li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

function Neighbours({ before, next }: { before: Listed | null; next: Listed | null }): ReactNode {
  return (
    <nav className="school-neighbours" aria-label="Exercises">
      {before === null ? <span /> : <Link to={pathOf(before.id)}>← {before.title}</Link>}
      <Link to="/learn/">All exercises</Link>
      {next === null ? <span /> : <Link to={pathOf(next.id)}>{next.title} →</Link>}
    </nav>
  );
}
