/**
 * @file Links to a step: `#trace=prelu/forward&step=17`, and `&view=tree` for the whole recording. A page that has the figure opens it there.
 * @original
 */

import { useEffect } from "react";
import { type Place, parsePlace, type View } from "../../../../tools/trace-viewer/src/model/permalink";
import type { Figure } from "./figure_types";

export interface Linked {
  /** Walkthrough and recording. */
  readonly name: string;
  /** Id of the event in the recording. */
  readonly step: number;
  /** View of the whole recording; null is the small figure. */
  readonly view: View | null;
  readonly hidden?: Place["hidden"];
}

export const nameOf = (figure: Pick<Figure, "of" | "record">): string => `${figure.of}/${figure.record}`;

/** This page's address with a step in it. */
export function addressOf({ name, step, view, hidden = [] }: Linked): string {
  const fields = [`trace=${name}`, `step=${step}`];
  if (view !== null) fields.push(`view=${view}`);
  if (hidden.length > 0) fields.push(`hide=${hidden.map((lane) => lane.replaceAll(" ", "-")).join(",")}`);
  return `${location.href.replace(/#.*$/, "")}#${fields.join("&")}`;
}

export const linkedPlace = (): Place => parsePlace(typeof location === "undefined" ? "" : location.hash);

/** Calls `follow` on arrival and whenever the address comes to name a step of this recording. */
export function useLinked(name: string | null, follow: (to: Linked) => void): void {
  useEffect(() => {
    if (name === null) return;
    const look = (): void => {
      const { trace, step, view, hidden } = linkedPlace();
      if (trace === name && step !== null) follow({ name, step, view, hidden });
    };
    look();
    addEventListener("hashchange", look);
    return () => removeEventListener("hashchange", look);
  }, [name, follow]);
}
