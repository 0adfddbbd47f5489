/**
 * @file The explanation of a dispatcher's choice: key sets as rows of dots, highest key left; below, the operator's row
 * of the dispatch table.
 * @original
 */
import type { ReactNode } from "react";
import type { TraceEvent } from "../../../../src/trace/event.ts";
import { type Choice, choiceOf, explainOrigin, type KeyRow } from "../model/dispatch.ts";
import { type Cell, type DispatchTables, readTable } from "../model/dispatchTable.ts";
import { TableRow } from "./TableRow.tsx";

interface DispatchProps {
  readonly event: TraceEvent;
  readonly tables: DispatchTables | undefined;
  /** Operators of the recording, whose rows are shown around this one's. */
  readonly seen: readonly string[];
}

export function Dispatch({ event, tables, seen }: DispatchProps): ReactNode {
  const text = tables?.tables[event.op ?? ""];
  const row = text === undefined ? [] : readTable(text);
  const choice = choiceOf(event, row);
  const meaning = explainOrigin(choice.origin);
  return (
    <div className="gtv-dispatch">
      <h4>Why this key won</h4>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <div className="gtv-keys gtv-scroll" tabIndex={0} role="group" aria-label="Key sets of this call">
        <table>
          <thead>
            <tr>
              <td />
              {choice.columns.map((key) => (
                <th key={key} scope="col" className={key === choice.key ? "gtv-win" : undefined}>
                  <Breakable name={key} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {choice.rows.map((keys) => (
              <Row key={keys.label} row={keys} choice={choice} />
            ))}
          </tbody>
        </table>
      </div>
      <p className="gtv-answer">
        {choice.how.startsWith("redispatch")
          ? "A redispatch takes the set it is handed; the highest in it is "
          : choice.rows.length > 0
            ? "Highest that is left: "
            : ""}
        <code>{choice.key}</code>. Its cell holds <code>{choice.kernel}</code>{" "}
        {choice.origin !== "" && (
          <span>
            [{choice.origin}
            {meaning === "" ? "" : `: ${meaning}`}]
          </span>
        )}
        {choice.otherwise !== null && <Otherwise cell={choice.otherwise} />}
        {choice.idle.length > 0 && (
          <span className="gtv-more">{choice.idle.length} more keys are excluded that nothing here carries.</span>
        )}
      </p>
      {row.length > 0 && (
        <TableRow operator={event.op as string} chosen={choice.key} tables={tables as DispatchTables} seen={seen} />
      )}
    </div>
  );
}

function Otherwise({ cell }: { readonly cell: Cell }): ReactNode {
  return (
    <span className="gtv-more">
      Without the exclusions <code>{cell.key}</code> would have won: {cell.registered} [{cell.origin}].
    </span>
  );
}

function Row({ row, choice }: { readonly row: KeyRow; readonly choice: Choice }): ReactNode {
  const total = row.kind === "left" || row.kind === "handed";
  const minus = row.kind === "excluded" || row.kind === "fallthrough";
  return (
    <tr className={total ? "gtv-sum" : undefined}>
      <th scope="row">{row.label}</th>
      {choice.columns.map((key) => {
        const has = row.keys.has(key);
        return (
          <td key={key} className={key === choice.key ? "gtv-win" : undefined}>
            <i className={`gtv-dot${has ? (minus ? " gtv-minus" : " gtv-plus") : ""}`} aria-hidden="true" />
            <span className="gtv-hide">{has ? "yes" : "no"}</span>
          </td>
        );
      })}
    </tr>
  );
}

/** Allows `ADInplaceOrView` to break between its words. */
function Breakable({ name }: { readonly name: string }): ReactNode {
  const words = name.split(/(?<=[a-z])(?=[A-Z])|(?<=AD)(?=Inplace)/);
  return words.map((word, k) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: words of one name never change places
    <span key={k}>
      {k > 0 && <wbr />}
      {word}
    </span>
  ));
}
