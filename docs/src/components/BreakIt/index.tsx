/**
 * @file Changes to the library that show what a line is for: each with its program, what that prints, and what it prints after the change.
 * @original
 */
import useBaseUrl from "@docusaurus/useBaseUrl";
import Playground from "@site/src/playground";
import type { ReactNode } from "react";
import { type Hint, hints } from "./hints";
import styles from "./styles.module.css";

export default function BreakIt({ page }: { readonly page: string }): ReactNode {
  const own = hints.filter((hint) => hint.page === page);
  if (own.length === 0) throw new Error(`<BreakIt page="${page}" />: no hint is for this page`);
  return (
    <>
      {own.map((hint) => (
        <One key={hint.change} hint={hint} />
      ))}
    </>
  );
}

function One({ hint }: { readonly hint: Hint }): ReactNode {
  const source = `${useBaseUrl("/source/")}?file=${hint.file}`;
  return (
    <section className={styles.hint}>
      <p>
        <strong>{hint.change}.</strong> In <a href={source}>{hint.file}</a>:
      </p>
      <pre className={styles.diff} tabIndex={0}>
        <code>
          {lines("-", hint.find, styles.old)}
          {hint.replace === "" ? null : lines("+", hint.replace, styles.new)}
        </code>
      </pre>
      <p>
        This program then prints <code>{hint.after}</code> instead of <code>{hint.before}</code>. {hint.because}
      </p>
      <Playground
        code={`${hint.program}\n`}
        edits={[{ file: hint.file, find: hint.find, replace: hint.replace }]}
        label={`Playground: ${hint.change}`}
      >
        <pre className="code" tabIndex={0}>
          {hint.program}
        </pre>
      </Playground>
    </section>
  );
}

function lines(sign: string, text: string, className: string | undefined): ReactNode {
  return text.split("\n").map((line) => (
    <span key={line} className={className}>
      {`${sign} ${line}`}
    </span>
  ));
}
