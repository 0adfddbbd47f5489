/**
 * @file `<ByteMap />`: a file of torch.save, 64 bytes a row, each byte in the colour of what it is; walkthroughs/save-load.ts found the ranges by
 * reading the archive from its end.
 * @original
 */
import saved from "@site/generated/drawn/save-load/bytes.json";
import clsx from "clsx";
import { type ReactNode, useId, useState } from "react";
import styles from "./styles.module.css";

interface Range {
  readonly from: number;
  readonly to: number;
  readonly what: string;
  readonly writer: string;
  readonly entry: string;
}

interface Saved {
  readonly length: number;
  readonly ranges: readonly Range[];
  readonly bytes: readonly number[];
}

const { length, ranges, bytes } = saved as Saved;

const perRow = 64;
const cell = 12;
const rowHeight = 17;
const left = 46;
const width = left + perRow * cell;
const height = Math.ceil(length / perRow) * rowHeight;

/** A kind of range: its class in the style sheet, its words in the legend. */
const kinds = [
  ["pickle", "the pickle"],
  ["storage", "a storage’s bytes"],
  ["small", "small records"],
  ["header", "headers of entries"],
  ["padding", "padding, up to a multiple of 64"],
  ["directory", "the directory"],
] as const;

type Kind = (typeof kinds)[number][0];

function kindOf({ what, entry }: Range): Kind {
  if (what === "padding") return "padding";
  if (what === "local header" || what === "data descriptor") return "header";
  if (what !== "data") return "directory";
  if (entry === "data.pkl") return "pickle";
  return entry.startsWith("data/") ? "storage" : "small";
}

/** The parts of a range, one for each row it stands in. */
function piecesOf({ from, to }: Range): { row: number; begin: number; count: number }[] {
  const pieces: { row: number; begin: number; count: number }[] = [];
  for (let at = from; at < to; ) {
    const row = Math.floor(at / perRow);
    const until = Math.min(to, (row + 1) * perRow);
    pieces.push({ row, begin: at - row * perRow, count: until - at });
    at = until;
  }
  return pieces;
}

export function ByteMap(): ReactNode {
  const id = useId();
  const [at, setAt] = useState<number | null>(null);
  return (
    <figure className={styles.figure}>
      <ul className={styles.legend}>
        {kinds.map(([kind, words]) => (
          <li key={kind}>
            <span className={clsx(styles.swatch, styles[kind])} /> {words}
          </li>
        ))}
      </ul>
      <div className={styles.scroll} tabIndex={0} role="region" aria-label="Map of the file">
        <svg viewBox={`0 0 ${width} ${height}`} style={{ minWidth: 560 }} role="img" aria-labelledby={id}>
          <title id={id}>{`${length} bytes in ${ranges.length} ranges, 64 bytes a row`}</title>
          {Array.from({ length: Math.ceil(length / perRow) }, (_, row) => (
            <text key={row} className={styles.address} x={left - 8} y={row * rowHeight + 12} textAnchor="end">
              {row * perRow}
            </text>
          ))}
          {ranges.map((range, i) => (
            // biome-ignore lint/a11y/noStaticElementInteractions: a light for the eye; the table below says the same
            <g
              key={range.from}
              className={clsx(styles.range, styles[kindOf(range)], at !== null && at !== i && styles.faint)}
              onMouseEnter={() => setAt(i)}
            >
              {piecesOf(range).map(({ row, begin, count }) => (
                <rect
                  key={row}
                  x={left + begin * cell}
                  y={row * rowHeight + 1}
                  width={count * cell - 1}
                  height={rowHeight - 3}
                  rx={2}
                />
              ))}
            </g>
          ))}
        </svg>
      </div>
      <p className={styles.words} aria-live="polite">
        {at === null ? (
          "Point at a range to see its content and the function that wrote it."
        ) : (
          <Told range={ranges[at] as Range} />
        )}
      </p>
      <figcaption>
        One row is 64 bytes, so the data of every entry begins at the left edge.
        <details>
          <summary>The map as a table</summary>
          <Table />
        </details>
      </figcaption>
    </figure>
  );
}

function Told({ range: { from, to, what, writer, entry } }: { readonly range: Range }): ReactNode {
  const shown = bytes.slice(from, Math.min(to, from + 24));
  return (
    <>
      <b>{what}</b> {entry !== "" && <>of {entry}</>}: bytes {from} to {to - 1}, written by {writer}.
      <br />
      <code>
        {shown.map((byte) => byte.toString(16).padStart(2, "0")).join(" ")}
        {to - from > shown.length && " …"}
      </code>{" "}
      <code>{shown.map((byte) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : "·")).join("")}</code>
    </>
  );
}

function Table(): ReactNode {
  return (
    <table>
      <thead>
        <tr>
          <th>bytes</th>
          <th>what</th>
          <th>entry</th>
          <th>written by</th>
        </tr>
      </thead>
      <tbody>
        {ranges.map(({ from, to, what, writer, entry }) => (
          <tr key={from}>
            <td>
              {from} … {to}
            </td>
            <td>{what}</td>
            <td>{entry}</td>
            <td>{writer}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
