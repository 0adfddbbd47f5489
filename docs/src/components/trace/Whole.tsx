/**
 * @file The full viewer with a whole recording; loaded only when the reader asks for it.
 * @original
 */
import useBaseUrl from "@docusaurus/useBaseUrl";
import { type DispatchTables, openValue, type TraceModel, TraceViewer, type View } from "@glasstorch/trace-viewer";
import "@glasstorch/trace-viewer/style.css";
import { type ReactNode, useCallback, useEffect, useMemo, useState } from "react";
import { addressOf, linkedPlace } from "./links";

interface WholeProps {
  readonly title: ReactNode;
  /** `prelu/forward`: how links name it. */
  readonly name: string;
  readonly address: string;
  readonly other?: { readonly title: ReactNode; readonly address: string } | undefined;
  readonly step?: number | undefined;
  readonly view?: View | undefined;
  readonly actions?: ReactNode;
}

export default function Whole({ title, name, address, other, step, view, actions }: WholeProps): ReactNode {
  const sources = useBaseUrl("/generated/source/");
  const trace = useTrace(address);
  const second = useTrace(other?.address);
  const loadSource = useCallback(
    async (path: string): Promise<string> => {
      const answer = await fetch(`${sources}${path}.txt`);
      if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`);
      return answer.text();
    },
    [sources],
  );
  const place = useMemo(
    () =>
      ({
        trace: null,
        step: step ?? null,
        view: view ?? (other === undefined ? "elevator" : "compare"),
        hidden: linkedPlace().hidden,
      }) as const,
    [step, view, other],
  );
  if (trace === null || (other !== undefined && second === null))
    return <p className="trace-loading">Loading the recording…</p>;
  if (typeof trace === "string") return <p className="trace-loading">{trace}</p>;
  return (
    <TraceViewer
      trace={trace}
      title={title}
      place={place}
      loadSource={loadSource}
      linkTo={(here) => addressOf({ name, step: here.step ?? 0, view: here.view ?? "elevator", hidden: here.hidden })}
      actions={actions}
      {...(other !== undefined && second !== null && typeof second !== "string"
        ? { other: { title: other.title, trace: second } }
        : {})}
    />
  );
}

/** The recording at an address, null while it is on its way, or what went wrong. */
function useTrace(address: string | undefined): TraceModel | string | null {
  const [trace, setTrace] = useState<TraceModel | string | null>(null);
  useEffect(() => {
    if (address === undefined) return;
    let current = true;
    const load = async (): Promise<TraceModel | string> => {
      const answer = await fetch(address);
      if (!answer.ok) return `The recording could not be loaded: ${answer.status} ${answer.statusText}`;
      const opened = openValue(await answer.json());
      return opened.kind === "trace" ? opened.model : "This file holds no recording.";
    };
    load()
      .catch((error: Error) => `The recording could not be loaded: ${error.message}`)
      .then((made) => current && setTrace(made));
    return () => {
      current = false;
    };
  }, [address]);
  return trace;
}

export type { DispatchTables };
