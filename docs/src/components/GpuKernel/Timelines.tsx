/**
 * @file `<Timelines />`: who works when, the caller and the device, as it was recorded; and `<Columns />`: two columns of the dispatch table.
 * @original
 */
import columns from "@site/generated/drawn/webgpu/columns.json";
import timelines from "@site/generated/drawn/webgpu/timelines.json";
import clsx from "clsx";
import { type ReactNode, useState } from "react";
import styles from "./styles.module.css";

interface Bar {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

const { caller, waits, device } = timelines as Readonly<Record<"caller" | "waits" | "device", readonly Bar[]>>;
const whole = Math.max(...[...caller, ...device].map(({ end }) => end));
/** Until the caller waits, and a little more. */
const launching = ((waits[0] as Bar).start - (caller[0] as Bar).start) * 1.25 + (caller[0] as Bar).start;
const ms = (us: number): string => `${(us / 1000).toFixed(2)} ms`;

function Row({
  label,
  bars,
  most,
  kind,
}: {
  readonly label: string;
  readonly bars: readonly (Bar & { readonly waits?: boolean })[];
  readonly most: number;
  readonly kind: string;
}): ReactNode {
  return (
    <li>
      <span className={styles.who}>{label}</span>
      <span className={styles.row}>
        {bars
          .filter(({ start }) => start < most)
          .map(({ name, start, end, waits }) => (
            <span
              key={`${name} ${start}`}
              className={clsx(styles.bar, waits === true ? styles.waits : styles[kind])}
              style={{ left: `${(100 * start) / most}%`, width: `${(100 * (Math.min(end, most) - start)) / most}%` }}
              title={`${name}: ${ms(start)} to ${ms(end)}`}
            >
              {name}
            </span>
          ))}
      </span>
    </li>
  );
}

export function Timelines(): ReactNode {
  const [near, setNear] = useState(false);
  const most = near ? launching : whole;
  const first = device[0] as Bar;
  return (
    <figure className={styles.figure}>
      <div className={styles.choices} role="group" aria-label="Time">
        <button type="button" className="trace-button" aria-pressed={!near} onClick={() => setNear(false)}>
          all of it: {ms(whole)}
        </button>
        <button type="button" className="trace-button" aria-pressed={near} onClick={() => setNear(true)}>
          while the caller launches: {ms(launching)}
        </button>
      </div>
      <div className={styles.card}>
        <ol className={styles.timeline}>
          <Row
            label="caller"
            kind="calls"
            most={most}
            bars={[
              ...caller.filter(({ name }) => name !== "item"),
              ...waits.map((each) => ({ ...each, name: "item() waits", waits: true })),
            ]}
          />
          <Row label="device" kind="runs" most={most} bars={device} />
        </ol>
        <p className={styles.words}>
          The caller needed {ms((waits[0] as Bar).start - (caller[0] as Bar).start)} for four calls. Then{" "}
          <code>item()</code> needs a number, so it waits: the device began its first product at {ms(first.start)} and
          finished the last kernel at {ms(Math.max(...device.map(({ end }) => end)))}.
        </p>
      </div>
    </figure>
  );
}

export function Columns(): ReactNode {
  return (
    <table>
      <thead>
        <tr>
          <th>operator</th>
          <th>CPU</th>
          <th>PrivateUse1</th>
        </tr>
      </thead>
      <tbody>
        {(columns as readonly { op: string; cpu: string; webgpu: string }[]).map(({ op, cpu, webgpu }) => (
          <tr key={op}>
            <td>
              <code>{op}</code>
            </td>
            <td>{cpu}</td>
            <td>{webgpu}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
