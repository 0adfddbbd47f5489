/**
 * @file The output of a run, the claims that are false, and the error that ended it; each with its line.
 * @original
 */
import type { ReactNode } from "react";
import type { Failure, Place } from "./engine/protocol.ts";
import type { Line } from "./session.ts";

type Go = (file: string, line: number) => void;

interface ConsoleProps {
  readonly lines: readonly Line[];
  readonly program: string;
  readonly onPlace: Go;
}

/** Lines shown at once; a reader who prints more has them counted. */
const SHOWN = 400;

export function Console({ lines, program, onPlace }: ConsoleProps): ReactNode {
  const hidden = Math.max(0, lines.length - SHOWN);
  return (
    <div className="pg-console" role="log" aria-label="Output" tabIndex={0}>
      {hidden > 0 && <p className="pg-soft">{hidden} lines before these are not shown.</p>}
      {lines.slice(hidden).map((line, i) => (
        <Entry key={hidden + i} line={line} program={program} onPlace={onPlace} />
      ))}
    </div>
  );
}

function Entry({ line, program, onPlace }: { line: Line; program: string; onPlace: Go }): ReactNode {
  switch (line.type) {
    case "console":
      return (
        <div className={`pg-line pg-${line.level}`}>
          <pre>{line.text}</pre>
          <LineLink file={program} line={line.line} onPlace={onPlace} />
        </div>
      );
    case "claim":
      return (
        <div className="pg-line pg-warn">
          <pre>
            {`✗ A claim no longer holds${line.claim === null ? "" : `: ${line.claim}`}\n  expected ${indent(line.expected)}\n  actual   ${indent(line.actual)}`}
          </pre>
          <LineLink file={program} line={line.line} onPlace={onPlace} />
        </div>
      );
    case "failure":
      return <Failed failure={line.failure} program={program} onPlace={onPlace} />;
    case "note":
      return (
        <div className="pg-line pg-error">
          <pre>{line.text}</pre>
        </div>
      );
  }
}

const indent = (text: string): string => text.replaceAll("\n", "\n           ");

function Failed({ failure, program, onPlace }: { failure: Failure; program: string; onPlace: Go }): ReactNode {
  const own = failure.stack.find((place) => place.file === program);
  return (
    <div className="pg-line pg-error">
      <pre>{failure.traceback ?? `${failure.name}: ${failure.message}`}</pre>
      {failure.wayOut !== null && <p className="pg-way-out">Way out: {failure.wayOut}</p>}
      {own !== undefined && <LineLink file={program} line={own.line} onPlace={onPlace} />}
      {failure.traceback === undefined && failure.stack.length > 1 && (
        <details className="pg-stack">
          <summary>{failure.stack.length} functions on the stack</summary>
          <ol>
            {failure.stack.map((place, i) => (
              <li key={i}>
                <PlaceLink place={place} onPlace={onPlace} />
              </li>
            ))}
          </ol>
        </details>
      )}
    </div>
  );
}

function PlaceLink({ place, onPlace }: { place: Place; onPlace: Go }): ReactNode {
  return (
    <button type="button" className="pg-link" onClick={() => onPlace(place.file, place.line)}>
      <b>{place.name}</b> {place.file}:{place.line}
    </button>
  );
}

function LineLink({ file, line, onPlace }: { file: string; line: number; onPlace: Go }): ReactNode {
  if (line === 0) return null;
  return (
    <button type="button" className="pg-link pg-at" onClick={() => onPlace(file, line)}>
      line {line}
    </button>
  );
}
