/**
 * @file `<ClassTree />`: the classes of the norms with what each of them writes itself, from their chains of prototypes (walkthroughs/norm.ts).
 * @original
 */
import classes from "@site/generated/drawn/norm/classes.json";
import { type ReactNode, useId } from "react";
import styles from "./styles.module.css";

interface Class {
  readonly name: string;
  readonly base: string | null;
  readonly depth: number;
  readonly module: string;
  readonly own: readonly string[];
}

const rowHeight = 34;
const indent = 128;
const boxHeight = 22;
const charWidth = 7.3;

/** Children stand below their base, in the order of the run. */
function inOrder(base: string | null): Class[] {
  return (classes as readonly Class[])
    .filter((each) => each.base === base)
    .flatMap((each) => [each, ...inOrder(each.name)]);
}

const rows = inOrder(null);
const rowOf = new Map(rows.map(({ name }, row) => [name, row]));
const boxWidth = (name: string): number => name.length * charWidth + 18;
const x = (depth: number): number => 2 + depth * indent;
const y = (row: number): number => 4 + row * rowHeight;
const width = 900;
const height = y(rows.length);

export function ClassTree(): ReactNode {
  const id = useId();
  return (
    <figure className={styles.figure}>
      <div className={styles.scroll} tabIndex={0} role="region" aria-label="Class tree">
        <svg viewBox={`0 0 ${width} ${height}`} style={{ minWidth: 640 }} role="img" aria-labelledby={id}>
          <title id={id}>
            {rows.map(({ name, base }) => `${name}${base === null ? "" : ` of ${base}`}`).join(", ")}
          </title>
          {rows.map(({ name, base, depth, own }, row) => (
            <g key={name}>
              {base !== null && (
                <path
                  className={styles.edge}
                  d={`M${x(depth - 1) + 12},${y(rowOf.get(base) ?? 0) + boxHeight}V${y(row) + boxHeight / 2}H${x(depth)}`}
                />
              )}
              <rect className={styles.class} x={x(depth)} y={y(row)} width={boxWidth(name)} height={boxHeight} rx={6} />
              <text className={styles.name} x={x(depth) + 9} y={y(row) + 15}>
                {name}
              </text>
              <text className={styles.own} x={x(depth) + boxWidth(name) + 10} y={y(row) + 15}>
                {own.join("   ")}
              </text>
            </g>
          ))}
        </svg>
      </div>
      <figcaption>Beside each class are the important methods that it defines itself.</figcaption>
    </figure>
  );
}
