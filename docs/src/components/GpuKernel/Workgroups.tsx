/**
 * @file `<Folding />`: how the invocations of one workgroup make one sum, from barrier to barrier; `<SharedTiles />`: what a workgroup of a product
 * of matrices fetches, and what it computes. Sizes are those of recorded launches.
 * @original
 */
import workgroups from "@site/generated/drawn/webgpu/workgroups.json";
import clsx from "clsx";
import { type ReactNode, useId, useState } from "react";
import type { Launch } from "./launch";
import styles from "./styles.module.css";

const [sum, mm] = workgroups as unknown as readonly [Launch, Launch];
const lanesOf = ({ workgroup_size }: Launch): number => workgroup_size[0] as number;

/** The value of each invocation after `step` halvings; element e of the sum is e. */
function accumulators(step: number): number[] {
  const lanes = lanesOf(sum);
  const n = sum.params["num_inputs"] as number;
  const acc = Array.from({ length: lanes }, () => 0);
  for (let e = 0; e < n; e++) acc[e % lanes] = (acc[e % lanes] as number) + e;
  for (let half = lanes / 2, k = 0; k < step; k++, half /= 2)
    for (let lane = 0; lane < half; lane++) acc[lane] = (acc[lane] as number) + (acc[lane + half] as number);
  return acc;
}

export function Folding(): ReactNode {
  const [step, setStep] = useState(0);
  const lanes = lanesOf(sum);
  const steps = Math.log2(lanes);
  const half = lanes / 2 ** step;
  const n = sum.params["num_inputs"] as number;
  const words =
    step === 0
      ? `Each of ${lanes} invocations adds every ${lanes}th of the ${n} elements: invocation 3 has ${accumulators(0)[3]}, the sum of 3, ${3 + lanes}, ${3 + 2 * lanes} and so on. Then it writes its sum to the workgroup's memory.`
      : `After a barrier all have written. ${half === 1 ? "Invocation 0 adds the value of invocation 1. This is the whole sum, and it is stored" : `Each of the first ${half} adds the value ${half} places further on; the others are done`}.`;
  return (
    <figure className={styles.figure}>
      <div className={styles.card}>
        <div className={styles.lanes}>
          {accumulators(step).map((value, lane) => (
            <span
              key={`${lane + 1}`}
              className={clsx(
                styles.lane,
                lane < half ? styles.of0 : styles.idle,
                step > 0 && lane >= half && lane < 2 * half && styles.read,
              )}
            >
              <small>{lane}</small>
              {value}
            </span>
          ))}
        </div>
        <p className={styles.steps}>
          <button type="button" className="trace-button" disabled={step === 0} onClick={() => setStep(step - 1)}>
            Back
          </button>
          <button type="button" className="trace-button" disabled={step === steps} onClick={() => setStep(step + 1)}>
            To the next barrier
          </button>
          <span>
            {step} of {steps} barriers
          </span>
        </p>
        <p className={styles.words} aria-live="polite">
          {words}
        </p>
      </div>
      <details>
        <summary>The kernel’s text</summary>
        <pre className={styles.text}>
          <code>{sum.wgsl}</code>
        </pre>
      </details>
    </figure>
  );
}

/** Rows and columns of the result that a workgroup computes: invocations share what they fetch. */
const BLOCK = 64;

export function SharedTiles(): ReactNode {
  const id = useId();
  const [group, setGroup] = useState(5);
  const p = mm.params;
  const [m, n, k] = [p["m"], p["n"], p["k"]] as [number, number, number];
  const tiles = p["row_tiles"] as number;
  const groups = mm.grid[0] as number;
  const [row, column] = [(group % tiles) * BLOCK, Math.floor(group / tiles) * BLOCK];
  const side = Math.sqrt(lanesOf(mm));
  const scale = 0.22;
  const wide = 60;
  return (
    <figure className={styles.figure}>
      <div className={styles.card}>
        <div className={styles.sliders}>
          <label htmlFor={`${id}-g`}>
            workgroup <b>{group}</b> of {groups}
          </label>
          <input
            id={`${id}-g`}
            type="range"
            min={0}
            max={groups - 1}
            value={group}
            onChange={(event) => setGroup(Number(event.target.value))}
          />
        </div>
        <svg
          className={styles.matrices}
          viewBox={`0 0 ${wide + 30 + 2 * n * scale + 190} ${m * scale + 76}`}
          role="img"
          aria-label={`Workgroup ${group} computes rows ${row} to ${row + BLOCK - 1} and columns ${column} to ${column + BLOCK - 1}.`}
        >
          <g transform="translate(10 66)">
            <rect className={styles.matrix} width={wide} height={m * scale} />
            <rect className={styles.fetched} y={row * scale} width={wide} height={BLOCK * scale} />
            <text x={0} y={-8}>{`a: ${m} × ${k}`}</text>
          </g>
          <g transform={`translate(${wide + 30} 6)`}>
            <rect className={styles.matrix} width={2 * n * scale} height={40} />
            <rect className={styles.fetched} x={2 * column * scale} width={2 * BLOCK * scale} height={40} />
            <text x={2 * n * scale + 8} y={24}>{`b: ${k} × ${n}`}</text>
          </g>
          <g transform={`translate(${wide + 30} 66)`}>
            <rect className={styles.matrix} width={2 * n * scale} height={m * scale} />
            <rect
              className={styles.made}
              x={2 * column * scale}
              y={row * scale}
              width={2 * BLOCK * scale}
              height={BLOCK * scale}
            />
            <text x={2 * n * scale + 8} y={16}>{`result: ${m} × ${n}`}</text>
          </g>
        </svg>
        <p className={styles.words} aria-live="polite">
          Workgroup {group} makes rows {row} to {row + BLOCK - 1} and columns {column} to {column + BLOCK - 1} of the
          result. Its {lanesOf(mm)} invocations fetch {BLOCK} × {k} elements of a and {k} × {BLOCK} of b into the
          workgroup’s memory, {(2 * BLOCK * k) / lanesOf(mm)} each, and wait at a barrier until all are there. Then each
          computes {BLOCK / side} × {BLOCK / side} results from this memory: an element that was fetched once is used by{" "}
          {side} invocations.
        </p>
      </div>
      <details>
        <summary>The kernel’s text</summary>
        <pre className={styles.text}>
          <code>{mm.wgsl}</code>
        </pre>
      </details>
    </figure>
  );
}
