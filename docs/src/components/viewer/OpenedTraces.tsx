/**
 * @file The viewer with the recordings of opened files; loaded when there is one.
 * @original
 */
import useBaseUrl from "@docusaurus/useBaseUrl";
import { openText, type TraceModel, TraceViewer } from "@glasstorch/trace-viewer";
import "@glasstorch/trace-viewer/style.css";
import { type ReactNode, useCallback, useMemo } from "react";
import { isPlainPath } from "../../../../tools/trace-viewer/src/model/eventsOf";
import { textOf } from "../../../../tools/trace-viewer/src/model/open";

export interface Opened {
  readonly title: string;
  readonly trace: TraceModel;
}

/** Errors name the file. */
export async function read(file: File): Promise<Opened> {
  try {
    const found = openText(await textOf(file));
    if (found.kind === "tables") throw new Error("This file holds dispatch tables and no trace.");
    if (found.model.events.length === 0) throw new Error("This trace has no events.");
    return { title: file.name, trace: found.model };
  } catch (error) {
    throw new Error(`${file.name}: ${(error as Error).message}`);
  }
}

export default function OpenedTraces({ opened }: { readonly opened: readonly Opened[] }): ReactNode {
  const [first, second] = opened;
  const sources = useBaseUrl("/generated/source/");
  const loadSource = useCallback(
    async (path: string): Promise<string> => {
      const answer = isPlainPath(path) ? await fetch(`${sources}${path}.txt`) : null;
      if (answer?.ok !== true) throw new Error(`${path} is no file of glasstorch`);
      return answer.text();
    },
    [sources],
  );
  const place = useMemo(
    () => ({ trace: null, step: null, view: second === undefined ? "elevator" : "compare", hidden: [] }) as const,
    [second],
  );
  if (first === undefined) return null;
  return (
    <TraceViewer
      key={`${first.trace.serial} ${second?.trace.serial}`}
      trace={first.trace}
      title={first.title}
      place={place}
      loadSource={loadSource}
      keyboard="page"
      {...(second === undefined ? {} : { other: second })}
    />
  );
}
