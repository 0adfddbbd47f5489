/**
 * @file `<LossCurve />`: the loss of sixty steps, here (line) and in PyTorch 2.13.0 (circles), from the run of walkthroughs/train.ts.
 * @original
 */
import losses from "@site/generated/drawn/train/losses.json";
import { type ReactNode, useId, useState } from "react";
import styles from "./styles.module.css";

const { ours, theirs, apart } = losses as {
  readonly ours: readonly number[];
  readonly theirs: readonly number[];
  readonly apart: number;
};

const [width, height, left, bottom, top] = [720, 260, 44, 26, 12];
const most = Math.max(...ours, ...theirs);
const x = (step: number): number => left + 8 + (step / (ours.length - 1)) * (width - left - 20);
const y = (loss: number): number => top + (1 - loss / most) * (height - top - bottom);
const ticks = [0, 0.25, 0.5, 0.75, 1].filter((tick) => tick <= most);

export function LossCurve(): ReactNode {
  const id = useId();
  const [at, setAt] = useState(0);
  return (
    <figure className={styles.figure}>
      <div className={styles.card}>
        <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-labelledby={id}>
          <title
            id={id}
          >{`The loss falls from ${ours[0]?.toFixed(4)} to ${ours.at(-1)?.toFixed(4)} in ${ours.length} steps`}</title>
          {ticks.map((tick) => (
            <g key={tick}>
              <line className={styles.grid} x1={left} x2={width - 4} y1={y(tick)} y2={y(tick)} />
              <text className={styles.tick} x={left - 8} y={y(tick) + 4} textAnchor="end">
                {tick}
              </text>
            </g>
          ))}
          {ours.map((_, step) =>
            step % 10 === 0 ? (
              <text key={`${step + 1}`} className={styles.tick} x={x(step)} y={height - 8} textAnchor="middle">
                {step}
              </text>
            ) : null,
          )}
          <polyline className={styles.curve} points={ours.map((loss, step) => `${x(step)},${y(loss)}`).join(" ")} />
          {theirs.map((loss, step) => (
            // biome-ignore lint/a11y/noStaticElementInteractions: a light for the eye; the sentence below tells the farthest
            <circle
              key={`${step + 1}`}
              className={step === at ? styles.now : styles.theirs}
              cx={x(step)}
              cy={y(loss)}
              r={4}
              onMouseEnter={() => setAt(step)}
            />
          ))}
        </svg>
        <p className={styles.words} aria-live="polite">
          Step {at}: <b>{ours[at]}</b> here, <b>{theirs[at]}</b> in PyTorch 2.13.0. Of all {ours.length} the farthest
          apart differ by {apart.toExponential(1)} of the value.
        </p>
      </div>
      <figcaption>The line is this library, the circles are PyTorch. Point at a circle.</figcaption>
    </figure>
  );
}
