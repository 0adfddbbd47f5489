/**
 * @file `<Measured />`: the same calls timed in the reader's browser, on every machine that it has, when the reader asks.
 * @original
 */
import useBaseUrl from "@docusaurus/useBaseUrl";
import library from "@site/generated/library.json";
import clsx from "clsx";
import { type ReactNode, useEffect, useState } from "react";
import type { Chunks, Time } from "./program";
import styles from "./styles.module.css";
import { Timeline } from "./Timeline";

/** `SIMD128, 4 threads` */
const columnOf = ({ capability, threads }: Time): string =>
  `${capability === "DEFAULT" ? "JavaScript" : capability}${threads === 1 ? "" : `, ${threads} threads`}`;

const shown = (us: number): string =>
  us >= 1000 ? `${(us / 1000).toFixed(us >= 10_000 ? 1 : 2)} ms` : `${us.toFixed(us >= 10 ? 0 : 1)} µs`;

export function Measured(): ReactNode {
  const [times, setTimes] = useState<readonly Time[]>([]);
  const [chunks, setChunks] = useState<Chunks["chunks"] | null>(null);
  const [state, setState] = useState<"idle" | "running" | "done">("idle");
  const [problem, setProblem] = useState<string | null>(null);
  const [isolated, setIsolated] = useState<boolean | null>(null);
  useEffect(() => setIsolated(crossOriginIsolated), []);
  const addresses = {
    run: useBaseUrl("/generated/run/"),
    runner: useBaseUrl("/generated/runner.js"),
    integrity: library.integrity,
  };
  const run = async (): Promise<void> => {
    setTimes([]);
    setChunks(null);
    setProblem(null);
    setState("running");
    try {
      const { measure } = await import("./measure");
      await measure(addresses, (line) => {
        if ("chunks" in line) setChunks(line.chunks);
        else setTimes((before) => [...before, line]);
      });
    } catch (error) {
      setProblem((error as Error).message);
    }
    setState("done");
  };
  const columns = [...new Set(times.map(columnOf))];
  const rows = [...new Set(times.map(({ row }) => row))];
  const end = Math.max(...(chunks ?? []).map(({ start_ms, ms }) => start_ms + ms));
  return (
    <figure className={styles.figure}>
      <div className={styles.choices}>
        <button
          type="button"
          className="trace-button"
          disabled={state === "running" || isolated === null}
          onClick={() => void run()}
        >
          {state === "done" ? "Measure again" : "Measure in this browser"}
        </button>
        <span role="status">
          {problem ??
            (state === "running"
              ? "Measuring for a few seconds, each machine in a separate worker…"
              : explain(isolated))}
        </span>
      </div>
      {rows.length > 0 && (
        <div className={styles.measured}>
          <table>
            <thead>
              <tr>
                <th scope="col">one call</th>
                {columns.map((column) => (
                  <th key={column} scope="col">
                    {column}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => {
                const own = times.filter((time) => time.row === row);
                const slowest = own[0]?.us ?? 0;
                const best = Math.min(...own.map(({ us }) => us));
                return (
                  <tr key={row}>
                    <th scope="row">{row}</th>
                    {columns.map((column) => {
                      const us = own.find((time) => columnOf(time) === column)?.us;
                      return (
                        <td key={column} className={clsx(us === best && state === "done" && styles.best)}>
                          {us === undefined ? "" : shown(us)}
                          <small>{us === undefined ? "" : `${(slowest / us).toFixed(1)} ×`}</small>
                        </td>
                      );
                    })}
                  </tr>
                );
              })}
            </tbody>
          </table>
        </div>
      )}
      {chunks !== null && chunks.length > 0 && (
        <>
          <p className={styles.words}>
            One call of <code>exp</code> on a million elements, as it was recorded just now: {end.toFixed(2)} ms from
            the first part’s beginning to the last one’s end.
          </p>
          <Timeline
            rows={Math.max(...chunks.map(({ thread }) => thread)) + 1}
            bars={chunks.map(({ begin, end: until, thread, start_ms, ms }) => ({
              thread,
              begin: start_ms,
              end: start_ms + ms,
              label: `${begin} … ${until}: ${ms.toFixed(2)} ms`,
            }))}
            most={end}
          />
        </>
      )}
    </figure>
  );
}

function explain(isolated: boolean | null): string {
  if (isolated === null) return "";
  return isolated
    ? "This page is cross-origin isolated: workers share its memory, so there are threads."
    : "This page is not cross-origin isolated: no memory can be shared, so everything runs on one thread.";
}
