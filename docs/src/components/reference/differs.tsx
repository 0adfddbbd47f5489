/**
 * @file The lists of /differs.
 * @original
 */
import type { ReactNode } from "react";
import { At, shorten } from "./At";
import styles from "./reference.module.css";

interface Group {
  readonly list: readonly {
    readonly file: string;
    readonly line: number;
    readonly text: string;
    readonly subject: string;
  }[];
}

export function Differences({ of }: { of: Group }) {
  return (
    <dl className={styles.differs}>
      {of.list.map((d) => (
        <div key={`${d.file}:${d.line}`}>
          <dt>
            <At file={d.file} line={d.line}>
              {shorten(d.file, d.line)}
            </At>
          </dt>
          <dd>
            {d.subject === "" ? null : (
              <>
                <code>{d.subject}</code>:{" "}
              </>
            )}
            {withCode(d.text)}
          </dd>
        </div>
      ))}
    </dl>
  );
}

export function Numbers({ rows }: { rows: readonly { code: string; gives: string; python: string }[] }) {
  return (
    <div className={styles.scroll}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th>Here</th>
            <th>gives</th>
            <th>In Python</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.code}>
              <td>
                <code>{row.code}</code>
              </td>
              <td>
                <code>{row.gives}</code>
              </td>
              <td>
                <code>{row.python}</code>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Text in backticks is code; the rest is text. */
export function withCode(text: string): ReactNode[] {
  return text.split(/`([^`]*)`/).map((part, i) => (i % 2 === 1 ? <code key={i}>{part}</code> : part));
}
