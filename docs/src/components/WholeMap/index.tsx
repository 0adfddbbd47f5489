/**
 * @file The drawing of the whole: rows from the front ends to the hardware, the graphs beside them; each box leads to its page.
 * @original
 */
import Link from "@docusaurus/Link";
import boxes from "@site/generated/whole.json";
import clsx from "clsx";
import type { CSSProperties, ReactNode } from "react";
import type { Box } from "../../../site/whole_map";
import styles from "./styles.module.css";

const all = boxes as readonly Box[];

/** From the top down; the words stand between a row and the next one. */
const rows: readonly (readonly [row: Box["row"], below: string])[] = [
  ["front ends", "call"],
  ["binding", "calls at::_ops"],
  ["autograd", "records, then calls again without its key"],
  ["dispatch", "enters the backend's kernel"],
  ["backends", "work on"],
  ["c10", "stands in the memory of"],
  ["hardware", ""],
];

export function WholeMap(): ReactNode {
  return (
    <figure className={styles.map} aria-label="PyTorch as a whole, from the front ends to the hardware">
      <div className={styles.rows}>
        {rows.map(([row, below]) => (
          <div key={row} className={styles.floor}>
            <div className={styles.row}>{inRow(row)}</div>
            {below === "" ? null : <p className={styles.below}>↓ {below}</p>}
          </div>
        ))}
      </div>
      <div className={styles.side}>
        <p className={styles.aside}>Graphs: collect calls first, then run them through the same dispatcher</p>
        {inRow("graphs")}
        <p className={styles.aside}>When the library is built</p>
        {inRow("generator")}
      </div>
    </figure>
  );
}

/** A line may break behind each slash of a path. */
const breakable = (path: string): string => path.replaceAll("/", "/\u200b");

function inRow(row: Box["row"]): ReactNode {
  return all
    .filter((box) => box.row === row)
    .map((box) => (
      <Link
        key={box.id}
        to={box.page}
        className={clsx(styles.box, box.folder === null && styles.absent)}
        style={{ "--lane": `var(--${box.lane})` } as CSSProperties}
      >
        <strong>{box.title}</strong>
        <span>{box.words}</span>
        <small>
          {box.folder === null ? "not built here" : `${box.folder}, ${box.files} files`}
          <br />
          PyTorch: {breakable(box.theirs)}
        </small>
      </Link>
    ));
}
