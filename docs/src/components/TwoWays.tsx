/**
 * @file A program in Python, and behind a tab in TypeScript. Who has chosen one sees it everywhere, and finds it so the next time.
 * @original
 */
import clsx from "clsx";
import { Children, type ReactNode, useId, useSyncExternalStore } from "react";
import type { FigureProgram } from "./trace/figure_types";
import "./two_ways.css";

type Language = "python" | "typescript";

const KEY = "glasstorch.language";
const listeners = new Set<() => void>();
let chosen: Language | null = null;

function language(): Language {
  if (chosen === null) {
    try {
      chosen = localStorage.getItem(KEY) === "typescript" ? "typescript" : "python";
    } catch {
      chosen = "python"; // a browser that keeps nothing
    }
  }
  return chosen;
}

function choose(wanted: Language): void {
  chosen = wanted;
  try {
    localStorage.setItem(KEY, wanted);
  } catch {
    // It holds for this visit.
  }
  for (const tell of listeners) tell();
}

function listen(tell: () => void): () => void {
  listeners.add(tell);
  return () => listeners.delete(tell);
}

/** `<TwoWays>` around two blocks of code: site/remark_site.ts puts it there. */
export function TwoWays({
  children,
  className,
}: {
  readonly children?: ReactNode;
  readonly className?: string;
}): ReactNode {
  const id = useId();
  const language_ = useSyncExternalStore(listen, language, () => "python" as const);
  const [python, typescript] = Children.toArray(children).filter((each) => typeof each !== "string");
  const tab = (name: Language, words: string): ReactNode => (
    <button
      type="button"
      role="tab"
      id={`${id}-${name}`}
      aria-selected={language_ === name}
      aria-controls={`${id}-panel`}
      tabIndex={language_ === name ? 0 : -1}
      onClick={() => choose(name)}
      onKeyDown={(event) => {
        if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
        event.preventDefault();
        event.stopPropagation();
        const other = name === "python" ? "typescript" : "python";
        choose(other);
        document.getElementById(`${id}-${other}`)?.focus();
      }}
    >
      {words}
    </button>
  );
  return (
    <div className={clsx("two-ways", className)}>
      <div role="tablist" aria-label="Language" className="two-ways-tabs">
        {tab("python", "Python")}
        {tab("typescript", "TypeScript")}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${language_}`}>
        {language_ === "python" ? python : typescript}
      </div>
    </div>
  );
}

/** The program that a figure recorded. */
export function Program({
  program,
  className,
}: {
  readonly program: FigureProgram;
  readonly className?: string;
}): ReactNode {
  const { python, typescript } = program;
  if (python === undefined) return <Lines lines={typescript} className={className} />;
  return (
    <TwoWays className={className ?? ""}>
      <Lines lines={python} />
      <Lines lines={typescript} />
    </TwoWays>
  );
}

function Lines({
  lines,
  className,
}: {
  readonly lines: readonly string[];
  readonly className?: string | undefined;
}): ReactNode {
  return (
    <pre className={clsx("program-lines", className)} tabIndex={0} role="region" aria-label="Program">
      <code>
        {lines.map((html, k) => (
          // biome-ignore lint/security/noDangerouslySetInnerHtml: coloured by site/figure.ts
          <span key={`${k + 1}`} dangerouslySetInnerHTML={{ __html: `${html}\n` }} />
        ))}
      </code>
    </pre>
  );
}
