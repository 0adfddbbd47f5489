/**
 * @file `<Captures />`: one function with four switches, under every capture, run in the reader's browser when the reader asks.
 * @original
 */
import useBaseUrl from "@docusaurus/useBaseUrl";
import library from "@site/generated/library.json";
import { type ReactNode, useState } from "react";
import { type Captured, elementsOf, functionText, lost, program, SWITCHES, type Switch } from "./program";
import styles from "./styles.module.css";

interface Shown {
  readonly on: ReadonlySet<Switch>;
  readonly rows: readonly Captured[];
}

export function Captures(): ReactNode {
  const [on, setOn] = useState<ReadonlySet<Switch>>(new Set(["data"]));
  const [shown, setShown] = useState<Shown | null>(null);
  const [running, setRunning] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const addresses = {
    run: useBaseUrl("/generated/run/"),
    runner: useBaseUrl("/generated/runner.js"),
    integrity: library.integrity,
  };
  const flip = (name: Switch): void => {
    const next = new Set(on);
    if (!next.delete(name)) next.add(name);
    setOn(next);
    setShown(null);
  };
  const run = async (): Promise<void> => {
    setProblem(null);
    setRunning(true);
    try {
      const { capture } = await import("./run");
      const rows: Captured[] = [];
      await capture(addresses, program(on), (row) => rows.push(row));
      setShown({ on, rows });
    } catch (error) {
      setProblem((error as Error).message);
    }
    setRunning(false);
  };
  return (
    <figure className={styles.figure}>
      <fieldset className={styles.switches} disabled={running}>
        <legend>The function has</legend>
        {(Object.keys(SWITCHES) as Switch[]).map((name) => (
          <label key={name}>
            <input type="checkbox" checked={on.has(name)} onChange={() => flip(name)} /> {SWITCHES[name].label}
          </label>
        ))}
      </fieldset>
      <pre className={styles.text} tabIndex={0} role="region" aria-label="The function">
        <code>{functionText(on)}</code>
      </pre>
      <div className={styles.choices}>
        <button type="button" className="trace-button" disabled={running} onClick={() => void run()}>
          Capture it seven times
        </button>
        <span role="status">
          {problem ??
            (running
              ? "Loading the systems that capture, and running them in a worker…"
              : shown === null
                ? `Captured with the values 1, 2, 3; the second call has ${elementsOf(on) === 5 ? "five" : "three"} times -4.`
                : "Done.")}
        </span>
      </div>
      {shown !== null && <Rows {...shown} />}
    </figure>
  );
}

function Rows({ on, rows }: Shown): ReactNode {
  const prints = on.has("print");
  return (
    <div className={styles.table} tabIndex={0} role="region" aria-label="Captures">
      <table>
        <thead>
          <tr>
            <th scope="col">capture</th>
            <th scope="col">what was recorded</th>
            {prints && <th scope="col">the print ran: capture, call, call</th>}
            <th scope="col">second call</th>
            <th scope="col">lost</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.capture}>
              <th scope="row">
                <code>{row.capture}</code>
              </th>
              <td>{row.recorded === "" ? "nothing" : <Recorded text={row.recorded} />}</td>
              {prints && <td>{row.ran.join(", ")}</td>}
              <td data-verdict={row.refused === null ? row.second : "refused"}>
                {row.refused === null ? row.second : "no capture"}
              </td>
              <td>{lost(row, on)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Recorded({ text }: { readonly text: string }): ReactNode {
  const graphs = text.split("\n\n").length;
  const lines = text.split("\n").filter((line) => line.trim() !== "").length;
  return (
    <details>
      <summary>{graphs > 1 ? `${graphs} graphs` : `${lines} lines`}</summary>
      <pre>
        <code>{text}</code>
      </pre>
    </details>
  );
}
