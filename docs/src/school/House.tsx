/**
 * @file The house: a floor for each layer, a window for each exercise. A window is lit when its exercise has passed.
 * @original
 */
import Link from "@docusaurus/Link";
import catalog from "@site/generated/exercises.json";
import type { ReactNode } from "react";
import { statusIn } from "../../../tools/learn/progress";
import { type Catalog, type Listed, pathOf } from "./data";
import styles from "./house.module.css";
import { type Room, roomOf, rooms } from "./rooms";
import { useKept } from "./useKept";

const { exercises } = catalog as Catalog;

/** Rooms that exercises name and the list does not know come below. */
const floors: readonly Room[] = [
  ...rooms,
  ...[...new Set(exercises.map(({ room }) => room))]
    .filter((room) => !rooms.some((each) => each.room === room))
    .map(roomOf),
];

export function House(): ReactNode {
  const { passed } = useKept();
  const lit = exercises.filter(({ id, hash }) => statusIn(passed, id, hash) === "passed");
  return (
    <figure className={styles.house}>
      <div className={styles.roof} aria-hidden="true" />
      <ol>
        {floors.map((floor) => (
          <Floor
            key={floor.room}
            floor={floor}
            windows={exercises.filter(({ room }) => room === floor.room)}
            lit={lit}
          />
        ))}
      </ol>
      <figcaption>
        {lit.length === 0
          ? `There are ${exercises.length} exercises, and the house is dark. Each exercise that you pass lights its window.`
          : `${lit.length} of ${exercises.length} windows are lit.`}
      </figcaption>
    </figure>
  );
}

interface FloorProps {
  readonly floor: Room;
  readonly windows: readonly Listed[];
  readonly lit: readonly Listed[];
}

function Floor({ floor: { title, page, lane, words }, windows, lit }: FloorProps): ReactNode {
  return (
    <li className={`lane-${lane}`}>
      <p>
        <Link to={page}>{title}</Link>
        <small>{words}</small>
      </p>
      {windows.length === 0 && (
        <p className={styles.none}>
          No exercise yet: <Link to={page}>read about it</Link>
        </p>
      )}
      <ul hidden={windows.length === 0}>
        {windows.map((each) => (
          <li key={each.id}>
            <Link
              to={pathOf(each.id)}
              className={lit.includes(each) ? styles.lit : styles.dark}
              title={each.title}
              aria-label={`${each.number}, ${each.title}: ${lit.includes(each) ? "passed" : "open"}`}
            >
              {each.number}
            </Link>
          </li>
        ))}
      </ul>
    </li>
  );
}
