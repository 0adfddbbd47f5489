/**
 * @file The result of the checks: everything passed, or the first check that fails, with expected and found side by side, and the hints so far.
 * @original
 */
import Link from "@docusaurus/Link";
import type { ReactNode } from "react";
import type { Compared, Failure } from "../../../tools/learn/report.ts";
import type { Checked } from "../playground/engine/checking.ts";
import type { ExerciseData } from "./data.ts";

interface VerdictProps {
  readonly data: ExerciseData;
  readonly checked: Checked;
  /** Files have changed since. */
  readonly stale: boolean;
  readonly hints: readonly string[];
}

export function Verdict({ data, checked: { report }, stale, hints }: VerdictProps): ReactNode {
  const { failure, passed } = report;
  if (failure === null)
    return (
      <>
        <p className="school-good" data-verdict="good">
          ✓ {passed.length === 1 ? "Its check passes." : `All ${passed.length} checks pass.`}
        </p>
        <RanOn where={report.ran} />
      </>
    );
  const awaited = failure.seen === "(no answer)";
  const { ours, pytorch } = data.places[failure.check] ?? { ours: null, pytorch: null };
  return (
    <div className={stale ? "school-verdict stale" : "school-verdict"} data-verdict={failure.check}>
      {awaited ? (
        <p className="school-awaited">
          {passed.length > 0 && <b>Right so far. </b>}
          Next: {failure.because}
        </p>
      ) : (
        <>
          <p className="school-bad">
            <b>✗ {failure.headline}</b>
          </p>
          <Hints texts={hints} />
          <Rows rows={failure.rows} first={failure.first} />
          <dl className="school-why">
            <dt>because</dt>
            <dd>{failure.because}</dd>
            {ours !== null && (
              <>
                <dt>look at</dt>
                <dd>
                  <Link to={ours.to}>{ours.text}</Link>
                </dd>
                <dt>PyTorch</dt>
                <dd>
                  <a href={pytorch.to} target="_blank" rel="noreferrer">
                    {pytorch.text} ↗
                  </a>
                </dd>
              </>
            )}
          </dl>
        </>
      )}
      {awaited && <Hints texts={hints} />}
      <RanOn where={report.ran} />
    </div>
  );
}

function RanOn({ where }: { readonly where: string | undefined }): ReactNode {
  return where === undefined ? null : <p className="school-ran">ran on {where}</p>;
}

/** Rows before the first difference that are shown, and rows in all. */
const BEFORE = 2;
const SHOWN = 12;

function Rows({ rows, first }: Pick<Failure, "rows" | "first">): ReactNode {
  const from = Math.max(0, Math.min(first - BEFORE, rows.length - SHOWN));
  const shown = rows.slice(from, from + SHOWN);
  const after = rows.length - from - shown.length;
  return (
    <div className="school-rows">
      <table>
        <thead>
          <tr>
            <th scope="col">
              <span className="school-said">row</span>
            </th>
            <th scope="col">expected</th>
            <th scope="col">yours</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((row, i) => (
            <Row key={from + i} row={row} n={from + i + 1} first={from + i === first} />
          ))}
        </tbody>
      </table>
      {after > 0 && <p>and {after} more rows</p>}
    </div>
  );
}

function Row({ row: { expected, yours }, n, first }: { row: Compared; n: number; first: boolean }): ReactNode {
  return (
    <tr className={first ? "first" : ""}>
      <td>{n}</td>
      <td>{expected}</td>
      <td>{yours}</td>
    </tr>
  );
}

function Hints({ texts }: { readonly texts: readonly string[] }): ReactNode {
  if (texts.length === 0) return null;
  return (
    <ol className="school-hints" aria-label="Hints">
      {texts.map((text, i) => (
        <li key={text}>
          <b>Hint {i + 1}</b> {text}
        </li>
      ))}
    </ol>
  );
}
