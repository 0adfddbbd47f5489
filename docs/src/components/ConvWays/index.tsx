/**
 * @file `<ConvWays />`: calls of one operator with other arguments; for each the questions that the selection asks, the backend it names and the
 * operators that were called, as walkthroughs/conv.ts recorded them.
 * @original
 */
import recorded from "@site/generated/drawn/conv/ways.json";
import clsx from "clsx";
import { type ReactNode, useState } from "react";
import styles from "./styles.module.css";

interface Way {
  readonly name: string;
  readonly input: readonly number[];
  readonly weight: readonly number[];
  readonly dtype: string;
  readonly asked: readonly (readonly [question: string, answer: boolean])[];
  readonly backend: string;
  readonly way: readonly string[];
  readonly stub: string;
}

const ways = recorded as unknown as readonly Way[];

/** Where two calls are asked the same and answer differently. */
function parting(a: Way, b: Way): number {
  return a.asked.findIndex(([question, answer], i) => b.asked[i]?.[0] !== question || b.asked[i]?.[1] !== answer);
}

export function ConvWays(): ReactNode {
  const [chosen, setChosen] = useState(0);
  const way = ways[chosen] as Way;
  const first = ways[0] as Way;
  const parts = chosen === 0 ? -1 : parting(way, first);
  return (
    <figure className={styles.figure}>
      <div className={styles.choices} role="group" aria-label="Call">
        {ways.map(({ name }, i) => (
          <button
            key={name}
            type="button"
            className="trace-button"
            aria-pressed={i === chosen}
            onClick={() => setChosen(i)}
          >
            {name}
          </button>
        ))}
      </div>
      <div className={styles.card}>
        <p className={styles.facts}>
          <span>
            input <b>[{way.input.join(", ")}]</b>
          </span>
          <span>
            weight <b>[{way.weight.join(", ")}]</b>
          </span>
          <span>
            dtype <b>{way.dtype}</b>
          </span>
        </p>
        <div className={styles.columns} aria-live="polite">
          <ol className={styles.asked}>
            {way.asked.map(([question, answer], i) => (
              <li key={question} className={clsx(i === parts && styles.parts)}>
                <span>{question}</span>
                <b className={answer ? styles.yes : styles.no}>{answer ? "yes" : "no"}</b>
              </li>
            ))}
          </ol>
          <div className={styles.way}>
            {way.way.slice(0, 2).map((op) => (
              <span key={op}>{op}</span>
            ))}
            <strong>{way.backend}</strong>
            {way.way.slice(2).map((op) => (
              <span key={op}>{op}</span>
            ))}
            {way.way.length === 2 && (
              <span>{way.stub === "" ? "nothing to compute" : way.stub.replace(/^.*::/, "")}</span>
            )}
          </div>
        </div>
      </div>
      <figcaption>
        On the left are the questions with their answers, on the right the operators that were called, and between them
        the backend that was selected.
        {parts !== -1 && " The mark shows where this call leaves the path of the first."}
      </figcaption>
    </figure>
  );
}
