/**
 * @file Keys of the viewer. They are the same in every view; the tree, in which arrows have their own meaning, handles
 * keys first.
 * @original
 */
import type { KeyboardEvent as ReactKeyboardEvent } from "react";
import type { Move } from "../model/projection.ts";

const plain: Readonly<Record<string, Move | "play" | "search">> = {
  ArrowRight: "next",
  ArrowLeft: "back",
  ArrowDown: "into",
  ArrowUp: "out",
  Home: "first",
  End: "last",
  d: "nextDispatch",
  " ": "play",
  "/": "search",
};
const shifted: Readonly<Record<string, Move>> = { ArrowRight: "over", ArrowLeft: "overBack", D: "previousDispatch" };

/** The action of a key; null if it belongs to the focused control. */
export function moveForKey(event: KeyboardEvent | ReactKeyboardEvent): Move | "play" | "search" | null {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return null;
  const target = event.target instanceof Element ? event.target : null;
  if (
    target?.closest("input, textarea, select, [role=tree], [role=tablist], [contenteditable], pre, .gtv-scroll") != null
  )
    return null;
  const wanted = (event.shiftKey ? shifted[event.key] : plain[event.key]) ?? null;
  // The space bar presses a button, and may follow a link.
  return wanted === "play" && target?.closest("button, a, summary") != null ? null : wanted;
}
