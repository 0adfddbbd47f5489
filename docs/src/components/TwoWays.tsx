/**
 * @file A program in Python, and behind a tab in TypeScript. Who has chosen one sees it everywhere, and finds it so the next time.
 * @original
 */
import clsx from "clsx";
import { Children, type ReactNode, useId, useSyncExternalStore } from "react";
import { withImports } from "../../site/python_imports";
import { LanguageTabs } from "./LanguageTabs";
import { choose, language, listen } from "./language";
import { RunPython } from "./RunPython";
import type { FigureProgram } from "./trace/figure_types";

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
  return (
    <div className={clsx("two-ways", className)}>
      <LanguageTabs
        id={id}
        order={["python", "typescript"]}
        language={language_}
        choose={choose}
        panel={() => `${id}-panel`}
      />
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
      <div>
        <Lines lines={python} />
        <RunPython program={() => withImports(textOf(python))} />
      </div>
      <Lines lines={typescript} />
    </TwoWays>
  );
}

/** Lines that were coloured, as text. */
function textOf(lines: readonly string[]): string {
  const plain = document.createElement("pre");
  plain.innerHTML = lines.join("\n");
  return plain.textContent ?? "";
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
