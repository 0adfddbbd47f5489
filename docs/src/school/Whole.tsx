/**
 * @file The recording of a checked call in the viewer, step by step.
 * @original
 */
import { openValue, TraceViewer } from "@glasstorch/trace-viewer";
import "@glasstorch/trace-viewer/style.css";
import { type ReactNode, useCallback, useMemo } from "react";
import type { TraceFile } from "../../../src/trace/Trace.ts";

interface WholeProps {
  readonly trace: TraceFile;
  readonly call: string;
  /** Folder of the library's texts. */
  readonly sources: string;
}

export default function Whole({ trace, call, sources }: WholeProps): ReactNode {
  const opened = useMemo(() => openValue(trace), [trace]);
  const loadSource = useCallback(
    async (path: string): Promise<string> => {
      const answer = await fetch(`${sources}${path}.txt`);
      if (!answer.ok) throw new Error(`${path} is not among the library's files`);
      return answer.text();
    },
    [sources],
  );
  if (opened.kind !== "trace") return <p>This recording cannot be read.</p>;
  return <TraceViewer trace={opened.model} title={call} loadSource={loadSource} linkTo={null} keyboard="focus" />;
}
