/**
 * @file The path that a call has just taken, beside the expected path if the exercise has one; the first hop that differs is marked.
 * @original
 */
import { lazy, type ReactNode, Suspense, useState } from "react";
import type { Row } from "../../../tools/learn/picture.ts";
import { laneClass } from "../components/trace/lane.ts";
import type { Checked } from "../playground/engine/checking.ts";
import type { ExerciseData } from "./data.ts";

const Whole = lazy(() => import("./Whole.tsx"));

interface WaysProps {
  readonly data: ExerciseData;
  readonly checked: Checked;
  readonly sources: string;
}

export function Ways({ data, checked: { way }, sources }: WaysProps): ReactNode {
  const [whole, setWhole] = useState(false);
  if ("why" in way) return <p className="school-no-way">{way.why}</p>;
  const expected = data.ways[way.call] ?? null;
  const first = expected === null ? -1 : differs(expected, way.rows);
  return (
    <section className="school-ways" aria-label={`The path of ${way.call}`}>
      <header>
        <h3>
          The path of <code>{way.call}</code>
        </h3>
        <button type="button" className="pg-button" aria-pressed={whole} onClick={() => setWhole(!whole)}>
          Step through it
        </button>
      </header>
      {whole ? (
        <Suspense fallback={<p className="pg-soft">Loading the viewer…</p>}>
          <Whole trace={way.trace} call={way.call} sources={sources} />
        </Suspense>
      ) : (
        <div className={expected === null || first === -1 ? "school-one-way" : "school-two-ways"}>
          {expected !== null && first !== -1 && <Column title="expected" rows={expected} first={first} />}
          <Column title={first === -1 ? "" : "yours"} rows={way.rows} first={first} />
        </div>
      )}
      {expected !== null && first === -1 && <p className="pg-soft">Every hop is right.</p>}
    </section>
  );
}

/** The first row that is not the same on both sides; -1 if there is none. */
function differs(expected: readonly Row[], yours: readonly Row[]): number {
  const text = (row: Row | undefined): string => (row === undefined ? "" : `${row.lane} ${row.depth} ${row.name}`);
  for (let i = 0; i < Math.max(expected.length, yours.length); i++) if (text(expected[i]) !== text(yours[i])) return i;
  return -1;
}

/** Longer ways are for the viewer. */
const SHOWN = 60;

function Column({ title, rows, first }: { title: string; rows: readonly Row[]; first: number }): ReactNode {
  const from = Math.max(0, Math.min(first - 8, rows.length - SHOWN));
  const shown = rows.slice(from, from + SHOWN);
  const after = rows.length - from - shown.length;
  return (
    <div>
      {title !== "" && <h4>{title}</h4>}
      {from > 0 && <p className="pg-soft">{from} earlier hops are the same</p>}
      <ol className="school-way">
        {shown.map((row, i) => (
          <li
            key={from + i}
            className={`${laneClass(row.lane)} ${from + i === first ? "first" : ""} ${first !== -1 && from + i > first ? "after" : ""}`}
            style={{ "--depth": Math.min(row.depth, 14) } as never}
          >
            <span>{row.lane}</span>
            <code>{row.name}</code>
          </li>
        ))}
        {first === rows.length && <li className="first">nothing more</li>}
      </ol>
      {after > 0 && <p className="pg-soft">and {after} more</p>}
    </div>
  );
}
