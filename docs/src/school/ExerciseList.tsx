/**
 * @file All exercises in their order, with what has passed; and where to go on.
 * @original
 */
import Link from "@docusaurus/Link";
import catalog from "@site/generated/exercises.json";
import type { ReactNode } from "react";
import { statusIn } from "../../../tools/learn/progress";
import { type Catalog, type Listed, pathOf } from "./data";
import styles from "./list.module.css";
import { roomOf } from "./rooms";
import { useKept } from "./useKept";

const { exercises } = catalog as Catalog;

const marks = { passed: "✓", reopened: "↻", open: "" } as const;

export function GoOn(): ReactNode {
  const { passed } = useKept();
  const next = exercises.find(({ id, hash }) => statusIn(passed, id, hash) !== "passed");
  return (
    <p className={styles.goOn}>
      {next === undefined ? (
        "You have passed all exercises."
      ) : (
        <Link to={pathOf(next.id)}>
          {passed.length === 0 ? "Begin" : "Go on"}: {next.title}
        </Link>
      )}
    </p>
  );
}

export function ExerciseList(): ReactNode {
  const { passed } = useKept();
  return (
    <ol className={styles.list}>
      {exercises.map((each) => (
        <Item key={each.id} listed={each} status={statusIn(passed, each.id, each.hash)} />
      ))}
    </ol>
  );
}

function Item({ listed, status }: { listed: Listed; status: keyof typeof marks }): ReactNode {
  const { id, number, title, goal, minutes, room, browser, asks } = listed;
  return (
    <li className={`lane-${roomOf(room).lane} ${styles[status]}`}>
      <span className={styles.number}>{marks[status] || number}</span>
      <span>
        <Link to={pathOf(id)}>{title}</Link>
        <span className={styles.goal}>
          {goal}
          {status === "reopened" && " (It has changed since you did it.)"}
        </span>
      </span>
      <small>
        {minutes} min{asks ? " · questions" : browser ? "" : " · in a clone"}
      </small>
    </li>
  );
}
