/**
 * @file One source file: its lines, coloured once the colouring is there; or, without a file named, the list of them.
 * @original
 */
import Link from "@docusaurus/Link";
import { useLocation } from "@docusaurus/router";
import useBaseUrl from "@docusaurus/useBaseUrl";
import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { type Highlight, loadHighlight } from "../../../../tools/trace-viewer/src/view/highlight";
import { isOnRoad, ROAD_TITLE, type RoadLines, roadLineNumbers } from "./road";
import "./source.css";

/** Source file -> PyTorch's, or "". */
type Index = Readonly<Record<string, string>>;

export function SourceView(): ReactNode {
  const { search, hash } = useLocation();
  const file = new URLSearchParams(search).get("file") ?? "";
  const line = Number(/^#L(\d+)/.exec(hash)?.[1] ?? 0);
  const base = useBaseUrl("/generated/source/");
  const index = useFetched<Index>(`${base}index.json`, (answer) => answer.json());
  const fetched = useFetched<RoadLines>(useBaseUrl("/generated/road.json"), (answer) => answer.json());
  // Without its marks a source is readable all the same.
  const road: RoadLines = fetched === null || typeof fetched === "string" ? {} : fetched;
  if (index === null) return <p className="source-note">Loading…</p>;
  if (typeof index === "string") return <p className="source-note">{index}</p>;
  if (file === "" || file.endsWith("/")) return <Files index={index} under={file} road={road} />;
  if (!(file in index))
    return (
      <p className="source-note">
        There is no file <code>{file}</code>. <Link to="/source/">All files</Link>
      </p>
    );
  return (
    <One key={file} file={file} line={line} mirrors={index[file]} address={`${base}${file}.txt`} runs={road[file]} />
  );
}

/** The content at an address; null while it is being fetched, or a sentence about the error. */
function useFetched<T>(address: string, read: (answer: Response) => Promise<T>): T | string | null {
  const [fetched, setFetched] = useState<T | string | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address says all
  useEffect(() => {
    let current = true;
    const load = async (): Promise<T | string> => {
      const answer = await fetch(address);
      return answer.ok ? read(answer) : `${address} could not be read: ${answer.status} ${answer.statusText}`;
    };
    load()
      .catch((error: Error) => `${address} could not be read: ${error.message}`)
      .then((made) => current && setFetched(() => made));
    return () => {
      current = false;
    };
  }, [address]);
  return fetched;
}

function One({
  file,
  line,
  mirrors,
  address,
  runs,
}: {
  readonly file: string;
  readonly line: number;
  readonly mirrors: string;
  readonly address: string;
  readonly runs: readonly number[] | undefined;
}): ReactNode {
  const read = useFetched<readonly string[]>(address, async (answer) => (await answer.text()).trimEnd().split("\n"));
  return (
    <>
      <p className="source-head">
        <Crumbs file={file} />
        {runs !== undefined && (
          <Link to="/road/" className="source-road">
            {ROAD_TITLE}
          </Link>
        )}
        {mirrors !== "" && (
          <a href={`https://github.com/pytorch/pytorch/blob/v2.13.0/${mirrors}`} target="_blank" rel="noreferrer">
            PyTorch: {mirrors}
            <span aria-hidden="true"> ↗</span>
          </a>
        )}
      </p>
      {read === null ? (
        <p className="source-note">Loading…</p>
      ) : typeof read === "string" ? (
        <p className="source-note">{read}</p>
      ) : (
        <Lines lines={read} line={line} lang={languageOf(file)} runs={runs} />
      )}
    </>
  );
}

function Crumbs({ file }: { readonly file: string }): ReactNode {
  const parts = file.split("/");
  return (
    <span className="source-path">
      {parts.slice(0, -1).map((part, k) => (
        <span key={parts.slice(0, k + 1).join("/")}>
          <Link to={`/source/?file=${parts.slice(0, k + 1).join("/")}/`}>{part}</Link>
          <i>/</i>
        </span>
      ))}
      <b>{parts[parts.length - 1]}</b>
    </span>
  );
}

type Language = "typescript" | "python";

const languageOf = (file: string): Language | null =>
  file.endsWith(".ts") ? "typescript" : file.endsWith(".py") ? "python" : null;

/** Colouring a generated file of thousands of lines takes seconds: only the lines around the one looked at. */
const coloured = 500;

function Lines({
  lines,
  line,
  lang,
  runs,
}: {
  readonly lines: readonly string[];
  readonly line: number;
  /** null: it is not coloured. */
  readonly lang: Language | null;
  readonly runs: readonly number[] | undefined;
}): ReactNode {
  const now = useRef<HTMLElement>(null);
  const [highlight, setHighlight] = useState<Highlight | null>(null);
  useEffect(() => {
    if (lang !== null) loadHighlight().then((ready) => setHighlight(() => ready));
  }, [lang]);
  const run = useMemo(() => roadLineNumbers(runs), [runs]);
  const from = lines.length <= 2 * coloured ? 0 : Math.max(line - coloured, 0);
  const tokens = useMemo(
    () => (lang === null ? null : (highlight?.(lines.slice(from, from + 2 * coloured).join("\n"), lang) ?? null)),
    [highlight, lines, from, lang],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: another line is scrolled to
  useEffect(() => now.current?.scrollIntoView({ block: "center" }), [line]);
  return (
    <pre className="source-lines" tabIndex={0} role="region" aria-label="Source code">
      <code>
        {lines.map((text, k) => (
          <span
            key={`${k + 1}`}
            className={`source-line${k + 1 === line ? " now" : ""}${run.has(k + 1) ? " road" : ""}`}
            title={run.has(k + 1) ? ROAD_TITLE : undefined}
            ref={k + 1 === line ? now : undefined}
          >
            <a id={`L${k + 1}`} href={`#L${k + 1}`} tabIndex={-1}>
              {k + 1}
            </a>
            {tokens?.[k - from]?.map((token) => (
              <span key={token.offset} style={{ color: token.color }}>
                {token.content}
              </span>
            )) ?? text}
            {"\n"}
          </span>
        ))}
      </code>
    </pre>
  );
}

/** Folders and files below a folder, one level at a time. */
function Files({
  index,
  under,
  road,
}: {
  readonly index: Index;
  readonly under: string;
  readonly road: RoadLines;
}): ReactNode {
  const rows = useMemo(() => {
    const found = new Map<string, number>();
    for (const file of Object.keys(index)) {
      if (!file.startsWith(under)) continue;
      const slash = file.indexOf("/", under.length);
      const name = slash === -1 ? file : file.slice(0, slash + 1);
      found.set(name, (found.get(name) ?? 0) + 1);
    }
    return [...found].sort(([a], [b]) => Number(b.endsWith("/")) - Number(a.endsWith("/")) || (a < b ? -1 : 1));
  }, [index, under]);
  return (
    <>
      {under !== "" && (
        <p className="source-head">
          <Crumbs file={`${under.replace(/\/$/, "")}/`} />
        </p>
      )}
      <ul className="source-files">
        {rows.map(([path, count]) => (
          <li key={path}>
            <Link
              to={`/source/?file=${path}`}
              {...(isOnRoad(road, path) ? { className: "source-road", title: ROAD_TITLE } : {})}
            >
              {path.slice(under.length)}
            </Link>
            <span>
              {path.endsWith("/")
                ? `${count} ${count === 1 ? "file" : "files"}`
                : index[path] === ""
                  ? "ours"
                  : index[path]}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
