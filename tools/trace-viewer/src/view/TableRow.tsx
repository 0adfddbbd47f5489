/**
 * @file The dispatch table, operators down and dispatch keys across: the rows of the recording's operators, this one's
 * emphasized, with the chosen cell. A cell under the pointer or selected by arrows shows its content.
 * @original
 */
import { type KeyboardEvent, type ReactNode, useMemo, useState } from "react";
import { type Cell, type DispatchTables, highToLow, readTable } from "../model/dispatchTable.ts";

interface TableRowProps {
  readonly operator: string;
  readonly chosen: string;
  readonly tables: DispatchTables;
  readonly seen: readonly string[];
}

const neighbours = 7;

export function TableRow({ operator, chosen, tables, seen }: TableRowProps): ReactNode {
  const [asked, setAsked] = useState<string | null>(null);
  const rows = useMemo(() => rowsAround(operator, tables, seen), [operator, tables, seen]);
  const keys = useMemo(() => highToLow(rows.flatMap(({ cells }) => [...cells.keys()])), [rows]);
  const own = rows.find((row) => row.operator === operator)?.cells ?? new Map<string, Cell>();
  const shown = asked !== null && keys.includes(asked) ? asked : chosen;
  const cell = own.get(shown);
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    setAsked(keys[Math.min(Math.max(keys.indexOf(shown) + by, 0), keys.length - 1)] as string);
  };
  return (
    <div className="gtv-table">
      <h4>
        The row of <code>{operator}</code> <span>{own.size} cells, highest key left</span>
      </h4>
      <div
        className="gtv-grid gtv-scroll"
        role="slider"
        tabIndex={0}
        aria-label={`Cells of ${operator}`}
        aria-valuemin={0}
        aria-valuemax={keys.length - 1}
        aria-valuenow={keys.indexOf(shown)}
        aria-valuetext={`${shown}: ${words(cell)}`}
        onKeyDown={onKeyDown}
        onPointerLeave={() => setAsked(null)}
      >
        {rows.map((row) => (
          <div
            key={row.operator}
            className={row.operator === operator ? "gtv-grid-row gtv-own" : "gtv-grid-row"}
            title={row.operator}
          >
            {keys.map((key) => (
              <i
                key={key}
                className={`gtv-cell ${className(row.cells.get(key))}${row.operator === operator && key === chosen ? " gtv-chosen" : ""}${row.operator === operator && key === shown ? " gtv-asked" : ""}`}
                onPointerEnter={() => setAsked(key)}
              />
            ))}
          </div>
        ))}
      </div>
      <p className="gtv-cell-words">
        <b>{shown}</b> {words(cell)}
      </p>
      <ul className="gtv-legend">
        {["kernel", "autograd kernel", "math kernel", "default backend kernel", "backend fallback"].map((origin) => (
          <li key={origin}>
            <i className={`gtv-cell ${className({ key: "", registered: "", origin, fallthrough: false })}`} /> {origin}
          </li>
        ))}
        <li>
          <i className="gtv-cell gtv-falls" /> falls through
        </li>
      </ul>
    </div>
  );
}

function words(cell: Cell | undefined): string {
  if (cell === undefined) return "no kernel: a call here fails";
  return `${cell.fallthrough ? "falls through, " : ""}registered at ${cell.registered} [${cell.origin}]`;
}

function className(cell: Cell | undefined): string {
  if (cell === undefined) return "gtv-missing";
  return cell.fallthrough ? "gtv-falls" : `gtv-origin-${cell.origin.replaceAll(" ", "-")}`;
}

interface OperatorRow {
  readonly operator: string;
  readonly cells: ReadonlyMap<string, Cell>;
}

/** The operator's row, with those of the operators called before and after it in the recording. */
function rowsAround(operator: string, tables: DispatchTables, seen: readonly string[]): OperatorRow[] {
  const known = seen.filter((name) => tables.tables[name] !== undefined);
  const at = known.indexOf(operator);
  const from = Math.max(Math.min(at - (neighbours >> 1), known.length - neighbours), 0);
  return known.slice(from, from + neighbours).map((name) => ({
    operator: name,
    cells: new Map(readTable(tables.tables[name] as string).map((cell) => [cell.key, cell])),
  }));
}
