/**
 * @file The source beside the step: our code at the frame, PyTorch's file and symbol, and our documented differences.
 * @original
 */
import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { isProgramStep, type Lane, type TraceEvent } from "../../../../src/trace/event.ts";
import { differencesAt, type Excerpt, excerptAround, generatedFrom, upstreamOf } from "../model/source.ts";
import { type Highlight, loadHighlight } from "./highlight.ts";
import { laneClass } from "./Layers.tsx";

/** Returns the text of a file by its path in the repository. It may be called often for the same file. */
export type SourceLoader = (path: string) => Promise<string>;

/** Finds the called function in this repository, and the page about it. */
export type PlaceFinder = (event: TraceEvent) => {
  readonly file: string;
  readonly line: number;
  readonly page?: { readonly title: string; readonly address: string };
} | null;

interface SourcePaneProps {
  readonly event: TraceEvent;
  readonly lane: Lane;
  readonly loadSource: SourceLoader | undefined;
  /** Texts that the recording contains: the program's own files. */
  readonly sources: ReadonlyMap<string, string>;
  readonly placeOf: PlaceFinder | undefined;
}

type Loaded =
  | { readonly path: string; readonly lines: readonly string[] }
  | { readonly path: string; readonly problem: string };

export function SourcePane({ event, lane, loadSource, sources, placeOf }: SourcePaneProps): ReactNode {
  const named = event.source === undefined ? (placeOf?.(event) ?? null) : null;
  const path = event.source?.file ?? named?.file ?? null;
  const line = event.source?.line ?? named?.line ?? 1;
  const program = isProgramStep(event);
  const recorded = useMemo(() => (path === null ? null : (sources.get(path)?.split("\n") ?? null)), [path, sources]);
  const loaded = useSource(program ? null : path, loadSource);
  const fetched = loaded !== null && "lines" in loaded && loaded.path === path ? loaded.lines : null;
  const lines = program ? recorded : fetched;
  const upstream = upstreamOf(event);
  const from = lines === null ? null : generatedFrom(lines);
  return (
    <section className="gtv-card gtv-source" aria-label="Source">
      <h3 className={laneClass(lane)}>
        <span className="gtv-whose">{program ? "program" : named === null ? "ours" : "ours, by name"}</span>
        {path === null ? (
          <span className="gtv-none">no position</span>
        ) : (
          <code title={`${path}:${line}`}>{`${path}:${line}`}</code>
        )}
      </h3>
      {lines !== null ? (
        <Code key={path} lines={lines} line={line} lang={program ? "python" : "typescript"} />
      ) : (
        <p className="gtv-empty">
          {path === null
            ? noPosition(event)
            : program
              ? "The recording does not contain this text."
              : loadSource === undefined
                ? "This page serves no sources."
                : problemOf(loaded, path)}
        </p>
      )}
      {named?.page !== undefined && (
        <p className="gtv-upstream">
          <span className="gtv-whose">here</span> <a href={named.page.address}>{named.page.title}</a>
        </p>
      )}
      {upstream !== null && (
        <p className="gtv-upstream">
          <span className="gtv-whose">PyTorch</span>{" "}
          {upstream.symbol === null ? (
            "has nothing of this name; ours, in what stands for"
          ) : (
            <code>{upstream.symbol}</code>
          )}
          <a href={upstream.url} target="_blank" rel="noreferrer">
            {upstream.path}
            <span aria-hidden="true"> ↗</span>
          </a>
        </p>
      )}
      {from !== null && (
        <p className="gtv-note">
          <b>Generated</b> from {from}
        </p>
      )}
      {lines !== null &&
        !program &&
        differencesAt(lines, line).map(({ of, text }) => (
          <p key={text} className="gtv-note">
            <b>Differs{of === "file" ? " (this file)" : ""}</b> {text}
          </p>
        ))}
    </section>
  );
}

function noPosition(event: TraceEvent): string {
  if (event["python"] !== undefined) return `In PyTorch: ${String(event["python"])}`;
  return "The recording names no place in the sources for this step.";
}

function problemOf(loaded: Loaded | null, path: string): string {
  return loaded !== null && "problem" in loaded && loaded.path === path ? loaded.problem : "Loading…";
}

function useSource(path: string | null, loadSource: SourceLoader | undefined): Loaded | null {
  const [loaded, setLoaded] = useState<Loaded | null>(null);
  useEffect(() => {
    if (path === null || loadSource === undefined) return;
    let current = true;
    loadSource(path).then(
      (text) => current && setLoaded({ path, lines: text.split("\n") }),
      (error: unknown) =>
        current && setLoaded({ path, problem: `${path} could not be read: ${(error as Error).message}` }),
    );
    return () => {
      current = false;
    };
  }, [path, loadSource]);
  return loaded;
}

function useHighlight(): Highlight | null {
  const [highlight, setHighlight] = useState<Highlight | null>(null);
  useEffect(() => {
    let current = true;
    loadHighlight().then((ready) => current && setHighlight(() => ready));
    return () => {
      current = false;
    };
  }, []);
  return highlight;
}

const more = 80;

interface CodeProps {
  readonly lines: readonly string[];
  readonly line: number;
  readonly lang: "typescript" | "python";
}

function Code({ lines, line, lang }: CodeProps): ReactNode {
  const pre = useRef<HTMLPreElement>(null);
  const highlight = useHighlight();
  const [grown, setGrown] = useState<{ line: number; excerpt: Excerpt } | null>(null);
  const excerpt = useMemo(
    () => (grown?.line === line ? grown.excerpt : excerptAround(lines, line)),
    [grown, lines, line],
  );
  const tokens = useMemo(
    () => highlight?.(lines.slice(excerpt.from - 1, excerpt.to).join("\n"), lang) ?? null,
    [highlight, lines, excerpt, lang],
  );
  const grow = (from: number, to: number): void =>
    setGrown({ line, excerpt: { from: Math.max(from, 1), to: Math.min(to, lines.length) } });

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new line, in the same file or not, is scrolled to
  useEffect(() => {
    const now = pre.current?.querySelector<HTMLElement>(".gtv-now");
    if (pre.current !== null && now != null) pre.current.scrollTop = now.offsetTop - pre.current.clientHeight * 0.3;
  }, [line, lines]);

  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <pre ref={pre} className="gtv-code" tabIndex={0} role="region" aria-label="Source code">
      {excerpt.from > 1 && (
        <button type="button" onClick={() => grow(excerpt.from - more, excerpt.to)}>
          ↑ {excerpt.from - 1} lines above
        </button>
      )}
      {lines.slice(excerpt.from - 1, excerpt.to).map((text, k) => {
        const number = excerpt.from + k;
        return (
          <span key={number} className={number === line ? "gtv-line gtv-now" : "gtv-line"}>
            <i aria-hidden="true">{number}</i>
            {tokens?.[k]?.map((token) => (
              <span key={token.offset} style={{ color: token.color }}>
                {token.content}
              </span>
            )) ?? text}
            {"\n"}
          </span>
        );
      })}
      {excerpt.to < lines.length && (
        <button type="button" onClick={() => grow(excerpt.from, excerpt.to + more)}>
          ↓ {lines.length - excerpt.to} lines below
        </button>
      )}
    </pre>
  );
}
