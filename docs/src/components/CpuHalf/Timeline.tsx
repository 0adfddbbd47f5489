/**
 * @file A timeline of the threads, as they ran or would run: one row for each thread, one bar for each part.
 * @original
 */
import type { ReactNode } from "react";
import styles from "./styles.module.css";

export interface Bar {
  readonly thread: number;
  /** In one unit, whichever, as `most`. */
  readonly begin: number;
  readonly end: number;
  readonly label: string;
}

export function Timeline({
  rows,
  bars,
  most,
}: {
  readonly rows: number;
  readonly bars: readonly Bar[];
  readonly most: number;
}): ReactNode {
  return (
    <ol className={styles.timeline}>
      {Array.from({ length: rows }, (_, thread) => (
        <li key={`${thread + 1}`}>
          <span className={styles.thread}>{thread === 0 ? "caller" : `worker ${thread}`}</span>
          <span className={styles.row}>
            {bars
              .filter((bar) => bar.thread === thread)
              .map(({ begin, end, label }) => (
                <span
                  key={label}
                  className={styles.bar}
                  style={{ left: `${(100 * begin) / most}%`, width: `${(100 * (end - begin)) / most}%` }}
                  title={label}
                >
                  {label}
                </span>
              ))}
          </span>
        </li>
      ))}
    </ol>
  );
}
