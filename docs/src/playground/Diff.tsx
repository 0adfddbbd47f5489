/**
 * @file The reader's changes to a file, line by line.
 * @original
 */
import { type ReactNode, useMemo } from "react";
import { diffLines } from "./engine/diff.ts";

export function Diff({ file, before, after }: { file: string; before: string; after: string }): ReactNode {
  const lines = useMemo(() => diffLines(before, after), [before, after]);
  return (
    <pre className="pg-diff" tabIndex={0} role="region" aria-label={`Changes of ${file}`}>
      {lines.length === 0 && <span className="pg-soft">No line differs.</span>}
      {lines.map((line, i) =>
        line === null ? (
          <span key={i} className="pg-gap">
            ⋯{"\n"}
          </span>
        ) : (
          <span key={i} className={`pg-${line.kind}`}>
            <i>{String(line.line).padStart(4)}</i> {{ same: " ", removed: "−", added: "+" }[line.kind]} {line.text}
            {"\n"}
          </span>
        ),
      )}
    </pre>
  );
}
