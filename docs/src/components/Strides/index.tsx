/**
 * @file `<Strides />`: a storage of twelve elements and the tensors that look at it; pointing at an element shows where it stands.
 * @original
 */
import views from "@site/generated/views.json";
import clsx from "clsx";
import { type ReactNode, useState } from "react";
import type { DrawnView } from "../../../site/views_drawn";
import styles from "./styles.module.css";

const drawn = views as readonly DrawnView[];

export function Strides(): ReactNode {
  const [chosen, setChosen] = useState(0);
  const [element, setElement] = useState<number | null>(null);
  const view = drawn[chosen] as DrawnView;
  const { sizes, strides, offset, positions, shares } = view;
  const columns = sizes.at(-1) ?? 1;
  const storage = shares ? 12 : positions.length;
  const at = element === null ? null : (positions[element] ?? null);
  return (
    <figure className={styles.strides}>
      <div className={styles.choices} role="group" aria-label="Tensor">
        {drawn.map(({ code }, i) => (
          <button
            key={code}
            type="button"
            className="trace-button"
            aria-pressed={i === chosen}
            onClick={() => {
              setChosen(i);
              setElement(null);
            }}
          >
            <code>{code.replace(/ = .*/, "")}</code>
          </button>
        ))}
      </div>
      <div className={styles.card}>
        <p className={styles.facts}>
          <code>{view.code}</code>
          <span>
            sizes <b>[{sizes.join(", ")}]</b>
          </span>
          <span>
            strides <b>[{strides.join(", ")}]</b>
          </span>
          <span>
            offset <b>{offset}</b>
          </span>
        </p>
        <div className={styles.grid} style={{ gridTemplateColumns: `repeat(${columns}, 34px)` }} role="presentation">
          {positions.map((position, i) => (
            // biome-ignore lint/a11y/noStaticElementInteractions: the sentence below says the same of every element
            <span key={i} className={clsx(styles.cell, i === element && styles.now)} onMouseEnter={() => setElement(i)}>
              {position}
            </span>
          ))}
        </div>
        <p className={styles.what}>
          {shares ? "the storage of x" : "a storage of its own: no strides over the storage of x give this order"}
        </p>
        <div className={styles.storage} role="presentation">
          {Array.from({ length: storage }, (_, position) => (
            <span
              key={position}
              className={clsx(styles.cell, positions.includes(position) && styles.seen, position === at && styles.now)}
            >
              {position}
            </span>
          ))}
        </div>
        <p className={styles.formula} aria-live="polite">
          {element === null || at === null ? "Point at an element to see its place in memory." : formula(element, view)}
        </p>
      </div>
    </figure>
  );
}

/** `element (1, 2): 0 + 1 · 4 + 2 · 1 = 6` */
function formula(element: number, { sizes, strides, offset }: DrawnView): string {
  const index: number[] = [];
  let rest = element;
  for (let d = sizes.length - 1; d >= 0; d--) {
    index.unshift(rest % (sizes[d] as number));
    rest = Math.floor(rest / (sizes[d] as number));
  }
  const parts = index.map((i, d) => `${i} · ${strides[d]}`);
  const sum = index.reduce((at, i, d) => at + i * (strides[d] as number), offset);
  return `element (${index.join(", ")}) stands at ${offset} + ${parts.join(" + ")} = ${sum}`;
}
