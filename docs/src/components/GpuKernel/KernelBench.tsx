/**
 * @file `<KernelBench />`: a kernel to change and to run, on the reader's own device or in the simulator; what is wrong with it stands at its line.
 * @original
 */
import clsx from "clsx";
import { type ReactNode, useState } from "react";
import type { Outcome } from "./bench";
import styles from "./styles.module.css";

const N = 12;
const GROUPS = 2;
const x = Float32Array.from({ length: N }, (_, i) => i);
const y = new Float32Array(N).fill(100);
const KERNEL = `@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read> y: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(8)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  let i = id.x;
  if (i >= ${N}u) {
    return;
  }
  out[i] = x[i] + y[i];
}`;

export function KernelBench(): ReactNode {
  const [kernel, setKernel] = useState(KERNEL);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [running, setRunning] = useState(false);
  const run = async (): Promise<void> => {
    setRunning(true);
    const bench = await import("./bench");
    setOutcome(await bench.run(kernel, x, y, GROUPS));
    setRunning(false);
  };
  const lines = kernel.split("\n");
  const wrong = outcome?.error?.line ?? null;
  return (
    <figure className={clsx(styles.figure, "no-search")}>
      <div className={styles.choices}>
        <button type="button" className="trace-button" disabled={running} onClick={() => void run()}>
          Run
        </button>
        <button
          type="button"
          className="trace-button"
          disabled={kernel === KERNEL}
          onClick={() => {
            setKernel(KERNEL);
            setOutcome(null);
          }}
        >
          As it was
        </button>
        <span>
          x is 0 to {N - 1}, y is {y[0]} everywhere; {GROUPS} workgroups of 8
        </span>
      </div>
      <div className={styles.bench}>
        <pre className={styles.numbers} aria-hidden="true">
          {lines.map((_, i) => (
            <span key={`${i + 1}`} className={i + 1 === wrong ? styles.wrong : undefined}>{`${i + 1}\n`}</span>
          ))}
        </pre>
        <textarea
          aria-label="The kernel, in WGSL"
          spellCheck={false}
          rows={lines.length}
          value={kernel}
          onChange={(event) => setKernel(event.target.value)}
        />
      </div>
      <p className={styles.words} aria-live="polite">
        {outcome === null
          ? "Remove the guard. Or let every second invocation add nothing, with select(x[i], x[i] + y[i], i % 2u == 0u). Or write a word that WGSL does not have."
          : outcome.machine}
      </p>
      {outcome?.error && <pre className={clsx(styles.text, styles.wrong)}>{outcome.error.message}</pre>}
      {outcome?.result && (
        <div className={styles.lanes}>
          {outcome.result.map((value, i) => (
            <span key={`${i + 1}`} className={clsx(styles.lane, i < 8 ? styles.of0 : styles.of1)}>
              <small>{i}</small>
              {Number.isNaN(value) ? "NaN" : String(Math.round(value * 1000) / 1000)}
            </span>
          ))}
        </div>
      )}
    </figure>
  );
}
