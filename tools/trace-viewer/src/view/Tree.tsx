/**
 * @file The tree of calls, virtualized: only the rows on screen exist. Keys follow the pattern for `role="tree"`,
 * including type-ahead.
 * @original
 */
import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, type ReactNode, useEffect, useId, useMemo, useRef, useState } from "react";
import type { TraceEvent } from "../../../../src/trace/event.ts";
import { describe, duration, shortName, tensorsOf } from "../model/label.ts";
import { find } from "../model/projection.ts";
import { foldedAtFirst, type TreeRow, treeRows, unfoldTo } from "../model/tree.ts";
import type { StageProps } from "./Elevator.tsx";
import { laneClass } from "./Layers.tsx";

const rowHeight = 28;
const page = 12;

export function Tree({ projection, step, onStep }: StageProps): ReactNode {
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const typed = useRef({ text: "", at: 0 });
  const [chosenFolds, setFolded] = useState<ReadonlySet<number>>(() =>
    unfoldTo(projection, foldedAtFirst(projection), step),
  );
  const folded = useMemo(() => unfoldTo(projection, chosenFolds, step), [projection, chosenFolds, step]);
  const rows = useMemo(() => treeRows(projection, folded), [projection, folded]);
  const at = useMemo(() => rows.findIndex((row) => row.step === step), [rows, step]);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  });

  useEffect(() => {
    if (at !== -1) virtual.scrollToIndex(at, { align: "auto" });
  }, [at, virtual]);

  const setOpen = (row: TreeRow, open: boolean): void => {
    const event = projection.steps[row.step] as number;
    const next = new Set(folded);
    if (open) next.delete(event);
    else next.add(event);
    setFolded(next);
    // Folding around the current step would be undone at once, so the folded row becomes current.
    if (!open && step > row.step && step < (projection.end[row.step] as number)) onStep(row.step);
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    const row = rows[at];
    if (row === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const to = (index: number): void => onStep((rows[Math.min(Math.max(index, 0), rows.length - 1)] as TreeRow).step);
    switch (event.key) {
      case "ArrowDown":
        to(at + 1);
        break;
      case "ArrowUp":
        to(at - 1);
        break;
      case "PageDown":
        to(at + page);
        break;
      case "PageUp":
        to(at - page);
        break;
      case "Home":
        to(0);
        break;
      case "End":
        to(rows.length - 1);
        break;
      case "ArrowRight":
        if (row.open === false) setOpen(row, true);
        else if (row.open === true) to(at + 1);
        break;
      case "ArrowLeft":
        if (row.open === true) setOpen(row, false);
        else if (projection.parent[row.step] !== -1) onStep(projection.parent[row.step] as number);
        break;
      case "Enter":
      case " ":
        if (row.open !== null) setOpen(row, !row.open);
        break;
      case "*":
        openSiblings(row);
        break;
      default:
        if (event.key.length !== 1) return;
        typeAhead(event.key, event.timeStamp);
    }
    event.preventDefault();
  };

  const openSiblings = (row: TreeRow): void => {
    const next = new Set(folded);
    for (const other of rows)
      if (projection.parent[other.step] === projection.parent[row.step])
        next.delete(projection.steps[other.step] as number);
    setFolded(next);
  };

  const typeAhead = (key: string, now: number): void => {
    const { text, at: last } = typed.current;
    typed.current = { text: now - last > 700 ? key : text + key, at: now };
    const found = find(projection, typed.current.text.length === 1 ? step : step - 1, typed.current.text);
    if (found !== -1) onStep(found);
  };

  return (
    <div
      ref={scroller}
      role="tree"
      aria-label="Calls"
      tabIndex={0}
      className="gtv-tree"
      aria-activedescendant={at === -1 ? undefined : `${id}-${at}`}
      onKeyDown={onKeyDown}
    >
      <div role="presentation" style={{ height: virtual.getTotalSize(), position: "relative" }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const row = rows[index] as TreeRow;
          const i = projection.steps[row.step] as number;
          const event = projection.model.event(i);
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the tree itself takes the keys
            <div
              key={i}
              id={`${id}-${index}`}
              role="treeitem"
              tabIndex={-1}
              aria-level={row.depth + 1}
              aria-posinset={row.position}
              aria-setsize={row.siblings}
              aria-expanded={row.open ?? undefined}
              aria-selected={row.step === step}
              className={`gtv-row ${laneClass(projection.model.laneAt(i))}`}
              style={{ transform: `translateY(${start}px)`, paddingLeft: 10 + Math.min(row.depth, 40) * 14 }}
              onClick={() => onStep(row.step)}
            >
              <span
                className="gtv-fold"
                aria-hidden="true"
                onClick={(click) => {
                  click.stopPropagation();
                  if (row.open !== null) setOpen(row, !row.open);
                  else onStep(row.step);
                }}
              >
                {row.open === null ? "" : row.open ? "▾" : "▸"}
              </span>
              <i className="gtv-mark" aria-hidden="true" />
              <span className="gtv-name">{shortName(event)}</span>
              <span className="gtv-aside">{aside(event)}</span>
              <span className="gtv-time">{duration(Math.max(event.end - event.start, 0))}</span>
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** The text to the right of the name: for a dispatcher hop the choice, otherwise the inputs. */
function aside(event: TraceEvent): string {
  if (event.error !== undefined) return `✗ ${event.error}`;
  if (event.kind === "op" && event.key !== undefined)
    return `${event.how} {${(event.keyset ?? []).join(", ")}} → ${event.key}`;
  if (event.kind === "autograd")
    return `→ ${((event["next_edges"] as readonly (string | null)[] | undefined) ?? []).map((name) => name?.replace(/^.*::/, "") ?? "none").join(", ")}`;
  const tensors = tensorsOf(event.inputs);
  return tensors.slice(0, 4).map(describe).join(", ");
}
