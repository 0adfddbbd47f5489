/**
 * @file `<CallSequence />`: who calls whom in `net(x)`, down to the first kernel; a column for each that acts, an arrow for each call, as
 * walkthroughs/train.ts recorded them.
 * @original
 */
import recorded from "@site/generated/drawn/train/calls.json";
import { type ReactNode, useId } from "react";
import styles from "./styles.module.css";

interface Call {
  readonly from: string;
  readonly to: string;
  readonly name: string;
}

const calls: readonly Call[] = recorded;
const actors = [...new Set(calls.flatMap(({ from, to }) => [from, to]))];

const column = 128;
const rowHeight = 38;
const top = 40;
const width = actors.length * column;
const height = top + calls.length * rowHeight + 12;
const x = (actor: string): number => actors.indexOf(actor) * column + column / 2;
const y = (row: number): number => top + row * rowHeight + 24;

export function CallSequence(): ReactNode {
  const id = useId();
  const arrow = `${id.replaceAll(":", "")}-arrow`;
  return (
    <figure className={styles.figure}>
      <div className={styles.scroll} tabIndex={0} role="region" aria-label="Sequence of calls">
        <svg viewBox={`0 0 ${width} ${height}`} style={{ minWidth: 680 }} role="img" aria-labelledby={id}>
          <title id={id}>{calls.map(({ from, to, name }) => `${from} calls ${name} of ${to}`).join("; ")}</title>
          <defs>
            <marker id={arrow} viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">
              <path d="M0,1 L7,4 L0,7 z" className={styles.head} />
            </marker>
          </defs>
          {actors.map((actor) => (
            <g key={actor}>
              <line className={styles.life} x1={x(actor)} x2={x(actor)} y1={top - 8} y2={height - 4} />
              <rect className={styles.actor} x={x(actor) - 60} y={6} width={120} height={24} rx={6} />
              <text className={styles.actorName} x={x(actor)} y={22} textAnchor="middle">
                {actor.replace("torch.nn.functional", "nn.functional")}
              </text>
            </g>
          ))}
          {calls.map(({ from, to, name }, row) => {
            const [a, b] = [x(from), x(to)];
            const own = a === b;
            return (
              <g key={`${row + 1}`}>
                <path
                  className={styles.call}
                  d={own ? `M${a},${y(row) - 4}h34v12h-30` : `M${a},${y(row)}L${b + (b > a ? -2 : 2)},${y(row)}`}
                  markerEnd={`url(#${arrow})`}
                />
                <text
                  className={styles.callName}
                  x={own ? a + 40 : (a + b) / 2}
                  y={own ? y(row) + 6 : y(row) - 6}
                  textAnchor={own ? "start" : "middle"}
                >
                  {name.replace("wrapper_CompositeImplicitAutograd__", "wrapper_…__")}
                </text>
              </g>
            );
          })}
        </svg>
      </div>
      <figcaption>Read from the top down. The calls return in the opposite order; returns are not drawn.</figcaption>
    </figure>
  );
}
