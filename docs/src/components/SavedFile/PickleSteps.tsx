/**
 * @file `<PickleSteps of="pickle" />`: a pickle run one instruction at a time, with the stack of the unpickler after each; recorded by
 * walkthroughs/save-load.ts from the unpickler itself.
 * @original
 */
import hostile from "@site/generated/drawn/save-load/hostile.json";
import pickle from "@site/generated/drawn/save-load/pickle.json";
import clsx from "clsx";
import { type ReactNode, useId, useState } from "react";
import styles from "./styles.module.css";

interface Step {
  readonly at: number;
  readonly bytes: number;
  readonly name: string;
  readonly argument: string;
  readonly stack: readonly string[];
  readonly memo: number;
  readonly error?: string;
}

interface Run {
  readonly steps: readonly Step[];
  readonly bytes: readonly number[];
}

const runs: Readonly<Record<"pickle" | "hostile", Run>> = { pickle, hostile };

/** How many instructions stand around the one that was run. */
const around = 6;

export function PickleSteps({ of }: { readonly of: keyof typeof runs }): ReactNode {
  const { steps, bytes } = runs[of];
  const last = steps.length - 1;
  const id = useId();
  const [chosen, setChosen] = useState(of === "hostile" ? last : 0);
  const step = steps[chosen] as Step;
  const first = Math.max(0, Math.min(chosen - around, last - 2 * around));
  return (
    <figure className={styles.figure}>
      <div className={styles.controls}>
        <button type="button" className="trace-button" disabled={chosen === 0} onClick={() => setChosen(chosen - 1)}>
          ← back
        </button>
        <button type="button" className="trace-button" disabled={chosen === last} onClick={() => setChosen(chosen + 1)}>
          step →
        </button>
        <label htmlFor={id}>
          instruction {chosen + 1} of {steps.length}
        </label>
        <input
          id={id}
          type="range"
          min={0}
          max={last}
          value={chosen}
          onChange={(event) => setChosen(Number(event.target.value))}
        />
      </div>
      <div className={styles.machine}>
        <ol className={styles.program} start={first + 1} aria-label="Instructions">
          {steps.slice(first, first + 2 * around + 1).map((each, i) => (
            <li key={each.at} className={clsx(first + i === chosen && styles.now, first + i > chosen && styles.later)}>
              <span>{each.at}</span> <b>{each.name}</b> {each.argument}
            </li>
          ))}
        </ol>
        <div className={styles.stack} role="region" aria-live="polite" aria-label="The stack, its top first">
          <p>
            stack <small>{step.memo} values remembered</small>
          </p>
          {step.error !== undefined && <p className={styles.error}>{step.error}</p>}
          {step.stack.length === 0 && <p className={styles.empty}>empty</p>}
          {[...step.stack].reverse().map((words, i) => (
            <span
              key={`${step.stack.length - i}`}
              className={clsx(words === "MARK" && styles.mark, i === 0 && styles.top)}
            >
              {words}
            </span>
          ))}
        </div>
      </div>
      <figcaption>
        Bytes{" "}
        <code>
          {bytes
            .slice(step.at, step.at + Math.min(step.bytes, 20))
            .map((byte) => byte.toString(16).padStart(2, "0"))
            .join(" ")}
          {step.bytes > 20 && " …"}
        </code>
      </figcaption>
    </figure>
  );
}
