/**
 * @file Changes to the library that show what a line is for: each with its program, what that prints, and what it prints after the change.
 * @original
 */
import Playground from "@site/src/playground";
import { Children, type ReactNode } from "react";
import { type Hint, hintsOf } from "./hints";
import styles from "./styles.module.css";

interface BreakItProps {
  readonly page: string;
  /** The change and the program of each hint, coloured: site/remark_site.ts puts them in. */
  readonly children?: ReactNode;
}

export default function BreakIt({ page, children }: BreakItProps): ReactNode {
  const blocks = Children.toArray(children);
  return (
    <>
      {hintsOf(page).map((hint, i) => (
        <One key={hint.change} hint={hint} change={blocks[2 * i]} program={blocks[2 * i + 1]} />
      ))}
    </>
  );
}

interface OneProps {
  readonly hint: Hint;
  readonly change: ReactNode;
  readonly program: ReactNode;
}

function One({ hint, change, program }: OneProps): ReactNode {
  return (
    <section className={styles.hint}>
      <p>
        <strong>{hint.change}.</strong>
      </p>
      {change}
      <p>
        This program then prints <code>{hint.after}</code> instead of <code>{hint.before}</code>. {hint.because}
      </p>
      <Playground
        code={`${hint.program}\n`}
        edits={[{ file: hint.file, find: hint.find, replace: hint.replace }]}
        label={`Playground: ${hint.change}`}
      >
        {program}
      </Playground>
    </section>
  );
}
