/**
 * @file `<Playground of="prelu" />` and `<Playground code={…} whatIf={[…]} />`: the program as a page has it. Editor, library and viewer
 * are fetched when the reader asks to run or edit.
 * @original
 */
import useBaseUrl from "@docusaurus/useBaseUrl";
import library from "@site/generated/library.json";
import { type ComponentType, type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import type { Language } from "./engine/protocol";
import { type Change, programIn } from "./engine/share";
import { isolate } from "./isolation";
import type { LiveProps } from "./Live";
import type { Switch } from "./switches";
import "./playground.css";

export interface PlaygroundProps {
  /** A walkthrough: its program, its switches, its recordings. The page compiler puts in its text. */
  readonly of?: string;
  readonly code?: string;
  readonly whatIf?: readonly Switch[];
  /** Changes of the library that the playground begins with: a text of a file, and what stands in its place. */
  readonly edits?: readonly Change[];
  /** The coloured program. */
  readonly children?: ReactNode;
  /** Ready to edit at once, with all the width there is: the page that is nothing but a playground. */
  readonly open?: boolean;
  /** The language of `code`; a walkthrough is TypeScript. */
  readonly language?: Language;
  /** Name of the section, if a page has several. */
  readonly label?: string;
}

type Live = ComponentType<LiveProps>;

/** Milliseconds in view after which a reader is not scrolling past. */
const STAYS = 1500;

/** Who stays where Run is in view may press it: what a run needs is fetched ahead, and nothing of it runs. */
function useStay(root: RefObject<HTMLElement | null>, onStay: () => void): void {
  const latest = useRef(onStay);
  latest.current = onStay;
  useEffect(() => {
    const bar = root.current?.querySelector(".pg-run");
    if (bar == null) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const observer = new IntersectionObserver(([seen]) => {
      clearTimeout(timer);
      if (seen?.isIntersecting !== true) return;
      timer = setTimeout(() => {
        observer.disconnect();
        latest.current();
      }, STAYS);
    });
    observer.observe(bar);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
    };
  }, [root]);
}

export default function Playground({
  of,
  code = "",
  whatIf,
  edits,
  children,
  open = false,
  language = "typescript",
  label,
}: PlaygroundProps): ReactNode {
  const [Live, setLive] = useState<Live | null>(null);
  const [wanted, setWanted] = useState<"run" | "edit" | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [addressed, setAddressed] = useState(false);
  const root = useRef<HTMLElement>(null);
  const own = language === "python" ? "playground/program.py" : "playground/program.ts";
  const path = of === undefined ? own : `walkthroughs/${of}.ts`;
  const place = label ?? path;
  const addresses = {
    archive: `${useBaseUrl("/generated/library.gz")}?${library.hash}`,
    sources: useBaseUrl("/generated/source/"),
    symbols: useBaseUrl("/generated/symbols/"),
    names: useBaseUrl("/generated/lookup.json"),
    road: useBaseUrl("/generated/road.json"),
    notBuilt: useBaseUrl("/generated/not_built.json"),
    run: useBaseUrl("/generated/run/"),
    runner: useBaseUrl("/generated/runner.js"),
    integrity: library.integrity,
  };
  const recordings = useBaseUrl(`/generated/traces/${of ?? ""}/`);
  const isolateScript = useBaseUrl("/isolate.js");

  useEffect(() => isolate(isolateScript), [isolateScript]);

  useEffect(() => {
    // An address that holds a program opens it in the playground where it was made, or else in the first of the page.
    const brought = programIn(location.hash);
    const ours =
      brought !== null &&
      (brought.playground === null ? document.querySelector(".pg") === root.current : brought.playground === place);
    setAddressed(ours);
    if (open || ours) setWanted((was) => was ?? "edit");
  }, [open, place]);

  useStay(root, () => {
    void import("./engine/sent").then(({ fetchAhead }) => fetchAhead(addresses));
    void import("./Live");
  });

  useEffect(() => {
    if (wanted === null) return;
    let current = true;
    import("./Live").then(
      (module) => current && setLive(() => module.default),
      (error: Error) => current && setProblem(`The playground could not be loaded: ${error.message}`),
    );
    return () => {
      current = false;
    };
  }, [wanted]);

  return (
    <section ref={root} className={open ? "pg pg-wide" : "pg"} aria-label={label ?? `Playground: ${path}`}>
      {Live === null ? (
        <>
          <header className="pg-bar">
            <button type="button" className="pg-run" onClick={() => setWanted("run")}>
              Run
            </button>
            <button type="button" className="pg-button" onClick={() => setWanted("edit")}>
              Edit
            </button>
            <span className="pg-path">{path}</span>
            <span className="pg-status" role="status">
              {problem ?? (wanted === null ? "" : "Loading the editor…")}
            </span>
          </header>
          <div className="pg-static">{children ?? <pre className="code">{code}</pre>}</div>
        </>
      ) : (
        <Live
          path={path}
          code={code}
          switches={of ?? null}
          whatIf={whatIf ?? null}
          edits={edits ?? []}
          addresses={addresses}
          recordings={of === undefined ? null : recordings}
          place={place}
          addressed={addressed}
          run={wanted === "run"}
          focus={!open}
          wide={open}
        >
          {children ?? <pre className="code">{code}</pre>}
        </Live>
      )}
    </section>
  );
}
