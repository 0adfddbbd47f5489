/**
 * @file `<Launches />`: grid, workgroups and invocations drawn over the elements of the operands, from a launch as it was recorded. Which elements
 * an invocation computes follows from the parameters that the kernel was given, by the arithmetic of its text.
 * @original
 */
import launches from "@site/generated/drawn/webgpu/launches.json";
import clsx from "clsx";
import { type ReactNode, useId, useState } from "react";
import type { Launch } from "./launch";
import styles from "./styles.module.css";

const [contiguous, strided] = launches as readonly Launch[];
const shown = [
  ["x.add(y), contiguous", contiguous as Launch],
  ["x.t().add(y), strided", strided as Launch],
] as const;
const operands = ["result", "x", "y"];
/** Elements of a line of the drawing. */
const WIDTH = 20;

/** Elements an invocation computes: four where the kernel loads vectors. */
const perInvocation = ({ wgsl }: Launch): number => (/\bi \* 4u/.test(wgsl) ? 4 : 1);

/** Where the elements of invocation `i` lie, an array an operand; empty beyond the end. */
function elementsOf(launch: Launch, i: number): readonly (readonly number[])[] {
  const p = launch.params;
  const n = p["n"] as number;
  if (p["size0"] === undefined) {
    const per = perInvocation(launch);
    const own = Array.from({ length: per }, (_, lane) => i * per + lane).filter((e) => e < n);
    return operands.map(() => own);
  }
  if (i >= n) return operands.map(() => []);
  const [i0, i1] = [i % p["size0"], Math.floor(i / p["size0"])];
  return operands.map((_, k) => [i0 * (p[`x${k}_stride0`] as number) + i1 * (p[`x${k}_stride1`] as number)]);
}

function wordsOf(launch: Launch, i: number): string {
  const [size] = launch.workgroup_size as [number];
  const [own, x, y] = elementsOf(launch, i) as [number[], number[], number[]];
  const who = `Invocation ${i % size} of workgroup ${Math.floor(i / size)}: i = ${i}.`;
  const n = launch.params["n"] as number;
  if (own.length === 0)
    return perInvocation(launch) === 4
      ? `${who} 4 i = ${4 * i} is not below ${n}, so it returns at once.`
      : `${who} It is not below ${n}, so it returns at once.`;
  if (own.length > 1)
    return `${who} It takes elements ${own[0]} to ${own.at(-1)} of all three tensors: one load of 16 bytes from x, one from y, one store.`;
  return `${who} It adds element ${x[0]} of x's memory and element ${y[0]} of y's memory, and stores element ${own[0]} of the result's memory.`;
}

export function Launches(): ReactNode {
  const id = useId();
  const [which, setWhich] = useState(0);
  const [i, setI] = useState(17);
  const launch = shown[which]?.[1] as Launch;
  const [size] = launch.workgroup_size as [number];
  const groups = launch.grid[0] as number;
  const n = launch.params["n"] as number;
  const all = Array.from({ length: groups * size }, (_, k) => elementsOf(launch, k));
  const owner = operands.map((_, k) => {
    const of = new Map<number, number>();
    all.forEach((elements, at) => {
      for (const e of elements[k] as number[]) of.set(e, at);
    });
    return of;
  });
  return (
    <figure className={styles.figure}>
      <div className={styles.choices} role="group" aria-label="Call">
        {shown.map(([label], k) => (
          <button
            key={label}
            type="button"
            className="trace-button"
            aria-pressed={k === which}
            onClick={() => {
              setWhich(k);
              setI(17);
            }}
          >
            <code>{label}</code>
          </button>
        ))}
      </div>
      <div className={styles.card}>
        <div className={styles.sliders}>
          <label htmlFor={`${id}-i`}>
            invocation <b>{i}</b> of {groups * size}
          </label>
          <input
            id={`${id}-i`}
            type="range"
            min={0}
            max={groups * size - 1}
            value={i}
            onChange={(event) => setI(Number(event.target.value))}
          />
        </div>
        <div className={styles.grid} role="presentation">
          {Array.from({ length: groups }, (_, g) => (
            <div key={`${g + 1}`} className={styles.group}>
              <span className={styles.label}>workgroup {g}</span>
              <div className={styles.invocations}>
                {Array.from({ length: size }, (_, lane) => {
                  const at = g * size + lane;
                  return (
                    // biome-ignore lint/a11y/noStaticElementInteractions: the slider does the same
                    <span
                      key={at}
                      className={clsx(
                        styles.cell,
                        all[at]?.[0]?.length === 0 ? styles.idle : styles[`of${g % 5}`],
                        at === i && styles.now,
                      )}
                      onMouseEnter={() => setI(at)}
                    />
                  );
                })}
              </div>
            </div>
          ))}
        </div>
        <div className={styles.memories}>
          {operands.map((operand, k) => (
            <div key={operand}>
              <span className={styles.label}>memory of {operand}</span>
              <div className={styles.memory} style={{ gridTemplateColumns: `repeat(${WIDTH}, 1fr)` }}>
                {Array.from({ length: n }, (_, e) => {
                  const by = owner[k]?.get(e) ?? 0;
                  return (
                    // biome-ignore lint/a11y/noStaticElementInteractions: the slider does the same
                    <span
                      key={e}
                      className={clsx(styles.cell, styles[`of${Math.floor(by / size) % 5}`], by === i && styles.now)}
                      onMouseEnter={() => setI(by)}
                    />
                  );
                })}
              </div>
            </div>
          ))}
        </div>
        <p className={styles.words} aria-live="polite">
          {wordsOf(launch, i)}
        </p>
      </div>
      <details>
        <summary>The kernel’s text, as the device was given it</summary>
        <pre className={styles.text}>
          <code>{launch.wgsl}</code>
        </pre>
      </details>
    </figure>
  );
}
