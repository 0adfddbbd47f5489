/**
 * @file The pane that describes one step: its layer, our lines with the current one marked, PyTorch's file, the dispatcher's choice, the values.
 * @original
 */
import Link from "@docusaurus/Link";
import clsx from "clsx";
import { type ReactNode, useEffect, useRef } from "react";
import type { Excerpt, Figure, FigureStep } from "./figure_types";
import { laneClass } from "./lane";

/** A sentence about each layer, for a reader who sees it for the first time. */
const layers: Readonly<Record<string, string>> = {
  initialization: "runs once, when the library is loaded",
  python: "your program: its frames and lines that lead to a call",
  "front end": "the part that your program calls: Python in PyTorch, TypeScript here",
  capture: "records the program as a graph",
  compile: "a pass: changes the graph of a script",
  runtime: "runs a script: its plan, its instructions",
  binding: "generated: reads the arguments of the call",
  dispatcher: "looks up which function serves this call",
  autograd: "saves the values that backward will need",
  native: "the operator’s own code",
  loop: "goes over the elements",
  memory: "allocates bytes",
  device: "runs on another device",
};

interface PaneProps {
  readonly figure: Figure;
  readonly step: number;
  readonly lane: string;
  readonly note?: string | undefined;
}

export function StepPane({ figure, step, lane, note }: PaneProps): ReactNode {
  const current = figure.steps[step];
  const excerpt = current.excerpt === undefined ? undefined : figure.excerpts[current.excerpt];
  return (
    <div className={clsx("step-pane", laneClass(lane))}>
      <p className="step-what">
        <b>{lane}</b> {layers[lane]}
      </p>
      <p className="step-name">
        <code>{current.name}</code>
      </p>
      <p className="step-places">
        {current.program && (
          <span className="step-ours">
            {current.file}:{current.line}
          </span>
        )}
        {current.file !== undefined && !current.program && (
          <Link className="step-ours" to={`/source/?file=${current.file}#L${current.at ?? current.line}`}>
            {shortPath(current.file)}:{current.at ?? current.line}
          </Link>
        )}
        {current.upstream !== undefined && (
          <a href={current.upstream.url} target="_blank" rel="noreferrer">
            PyTorch: {shortPath(current.upstream.path)}
            {/#L\d+$/.exec(current.upstream.url)?.[0].replace("#L", ":")}
            <span aria-hidden="true"> ↗</span>
          </a>
        )}
        {current.upstream?.search !== undefined && (
          <a href={current.upstream.search} target="_blank" rel="noreferrer">
            find it there<span aria-hidden="true"> ↗</span>
          </a>
        )}
      </p>
      {note !== undefined && <p className="step-note">{note}</p>}
      {current.told !== undefined && <p className="step-told">{current.told}</p>}
      {current.choice !== undefined && <Choice choice={current.choice} />}
      {excerpt !== undefined && <Lines excerpt={excerpt} line={current.at ?? (current.line as number)} />}
      {(current.inputs !== undefined || current.outputs !== undefined) && (
        <p className="step-values">
          {current.inputs?.join(", ")}
          {current.outputs !== undefined && <> → {current.outputs.join(", ")}</>}
        </p>
      )}
    </div>
  );
}

const shortPath = (path: string): string =>
  path.length > 46 ? `…${path.slice(path.indexOf("/", path.length - 44))}` : path;

function Choice({ choice }: { readonly choice: NonNullable<FigureStep["choice"]> }): ReactNode {
  return (
    <div className="step-choice">
      <span className="step-keys">
        {choice.keyset.map((key) => (
          <span key={key} className={clsx("key", key === choice.key && "key-won")}>
            {key}
          </span>
        ))}
      </span>
      <span>
        The highest key is <code>{choice.key}</code>; for it the table holds <code>{choice.kernel}</code> (
        {choice.origin}).
      </span>
    </div>
  );
}

function Lines({ excerpt, line }: { readonly excerpt: Excerpt; readonly line: number }): ReactNode {
  const pre = useRef<HTMLPreElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another line, in the same text or not, is scrolled to
  useEffect(() => {
    if (pre.current === null) return;
    const now = pre.current.querySelector<HTMLElement>(".now");
    pre.current.scrollTop = now === null ? 0 : Math.max(now.offsetTop - pre.current.clientHeight * 0.5, 0);
  }, [excerpt, line]);
  return (
    <pre className="step-lines" ref={pre} tabIndex={0} role="region" aria-label="Our source">
      <code>
        {excerpt.html.map((html, k) => {
          const number = excerpt.from + k;
          return (
            <span key={number} className={clsx("step-line", number === line && "now")} data-n={number}>
              {/* biome-ignore lint/security/noDangerouslySetInnerHtml: coloured by site/figure.ts */}
              <span dangerouslySetInnerHTML={{ __html: html }} />
              {"\n"}
            </span>
          );
        })}
        {excerpt.cut && <span className="step-line step-more">…{"\n"}</span>}
      </code>
    </pre>
  );
}
