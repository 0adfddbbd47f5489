/**
 * @file The line between program and result: dragged, or moved with the arrow keys.
 * @original
 */
import { type KeyboardEvent, type PointerEvent, type ReactNode, useCallback } from "react";

interface DividerProps {
  /** Part of the width that is the left one's, in percent. */
  readonly at: number;
  readonly onMove: (at: number) => void;
}

const LEAST = 20;
const MOST = 80;
const STEP = 4;

export function Divider({ at, onMove }: DividerProps): ReactNode {
  const move = useCallback((to: number) => onMove(Math.round(Math.min(Math.max(to, LEAST), MOST))), [onMove]);
  const drag = (event: PointerEvent<HTMLElement>): void => {
    const box = event.currentTarget.parentElement?.getBoundingClientRect();
    if (box === undefined || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
    move(((event.clientX - box.left) / box.width) * 100);
  };
  const press = (event: KeyboardEvent): void => {
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    event.preventDefault();
    move(at + (event.key === "ArrowLeft" ? -STEP : STEP));
  };
  return (
    <div
      className="pg-divider"
      role="separator"
      tabIndex={0}
      aria-label="Width of the program"
      aria-orientation="vertical"
      aria-valuenow={at}
      aria-valuemin={LEAST}
      aria-valuemax={MOST}
      onKeyDown={press}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag}
    />
  );
}
