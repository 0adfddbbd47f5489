/**
 * @file `<Lanes />`: the elements of a row, and which of them each turn of the loop computes: whole chunks, what is left vector by vector, the
 * last few by way of the pad. Widths and turns are those of the loops that the library prints (site/loop_machines.ts).
 * @original
 */
import machines from "@site/generated/machines.json";
import clsx from "clsx";
import { type ReactNode, useId, useState } from "react";
import type { DtypeLanes, Machines } from "../../../site/loop_machines";
import styles from "./styles.module.css";

const { dtypes } = machines as Machines;
/** A row that is shorter stays with JavaScript. @see src/aten/native/cpu/Loops/VecLoops.ts */
const LEAST = 16;
const MOST = 48;

interface Turn {
  readonly begin: number;
  readonly end: number;
  readonly kind: "chunk" | "vector" | "pad" | "element";
}

/** As the generated loop goes: src/aten/cpu/vec/vec128.ts. */
function turnsOf(n: number, chunk: number): Turn[] {
  const turns: Turn[] = [];
  if (n < LEAST) {
    for (let i = 0; i < n; i++) turns.push({ begin: i, end: i + 1, kind: "element" });
    return turns;
  }
  let at = 0;
  for (; n - at >= chunk; at += chunk) turns.push({ begin: at, end: at + chunk, kind: "chunk" });
  for (; at < n; at += 4) turns.push({ begin: at, end: Math.min(n, at + 4), kind: n - at < 4 ? "pad" : "vector" });
  return turns;
}

/** A turn a row; single elements stand in one. */
function rowsOf(turns: readonly Turn[]): (readonly Turn[])[] {
  return turns[0]?.kind === "element" ? [turns] : turns.map((turn) => [turn]);
}

function wordsOf({ begin, end, kind }: Turn, { dtype, size }: DtypeLanes): string {
  const vectors = Math.max(1, ((end - begin) * Math.max(size, 4)) / 16);
  switch (kind) {
    case "element":
      return `Element ${begin}, computed by JavaScript: for a row of fewer than ${LEAST} elements, a call of WebAssembly would cost more than it saves.`;
    case "chunk":
      return size < 4
        ? `Elements ${begin} to ${end - 1}: each vector that is read has ${16 / size} elements; they are widened to ${vectors} vectors of four 32-bit numbers, computed, and narrowed again when they are written.`
        : `Elements ${begin} to ${end - 1}: ${vectors} vectors of ${16 / size} ${dtype}. Each step of the graph is computed for one vector after the other, so that the processor can work on several at once.`;
    case "vector":
      return `Elements ${begin} to ${end - 1}: the rest of the row, four at a time.`;
    case "pad":
      return `${end - begin === 1 ? `Element ${begin}` : `Elements ${begin} to ${end - 1}`}: a whole vector of four is computed. It is written to scratch memory, and only ${end - begin === 1 ? "the real element is" : `the ${end - begin} real elements are`} copied: nothing is written past the end.`;
  }
}

export function Lanes(): ReactNode {
  const id = useId();
  const [chosen, setChosen] = useState(() =>
    Math.max(
      0,
      dtypes.findIndex(({ dtype }) => dtype === "float32"),
    ),
  );
  const [n, setN] = useState(39);
  const [turn, setTurn] = useState(0);
  const lanes = dtypes[chosen] as DtypeLanes;
  const turns = turnsOf(n, lanes.chunk);
  const now = turns[Math.min(turn, turns.length - 1)] as Turn;
  const whole = Math.max(1, 16 / lanes.size);
  return (
    <figure className={styles.figure}>
      <div className={styles.choices} role="group" aria-label="dtype">
        {dtypes.map(({ dtype }, i) => (
          <button
            key={dtype}
            type="button"
            className="trace-button"
            aria-pressed={i === chosen}
            onClick={() => setChosen(i)}
          >
            {dtype}
          </button>
        ))}
      </div>
      <div className={styles.card}>
        <div className={styles.sliders}>
          <label htmlFor={`${id}-n`}>
            elements <b>{n}</b>
          </label>
          <input
            id={`${id}-n`}
            type="range"
            min={1}
            max={MOST}
            value={n}
            onChange={(event) => {
              setN(Number(event.target.value));
              setTurn(0);
            }}
          />
        </div>
        <div className={styles.cells} role="presentation">
          {rowsOf(turns).map((row) => (
            // biome-ignore lint/a11y/noStaticElementInteractions: the buttons below do the same
            <div
              key={row[0]?.begin}
              className={styles.turn}
              onMouseEnter={() => setTurn(turns.indexOf(row[0] as Turn))}
            >
              {row.map((of) =>
                Array.from({ length: of.end - of.begin }, (_, k) => (
                  <span
                    key={of.begin + k}
                    className={clsx(
                      styles.cell,
                      styles[of.kind],
                      of === now && styles.now,
                      k > 0 && k % whole === 0 && styles.first,
                    )}
                  >
                    {of.begin + k}
                  </span>
                )),
              )}
            </div>
          ))}
        </div>
        <p className={styles.steps}>
          <button
            type="button"
            className="trace-button"
            disabled={turns.indexOf(now) === 0}
            onClick={() => setTurn(turns.indexOf(now) - 1)}
          >
            Back
          </button>
          <button
            type="button"
            className="trace-button"
            disabled={turns.indexOf(now) === turns.length - 1}
            onClick={() => setTurn(turns.indexOf(now) + 1)}
          >
            Next iteration
          </button>
          <span>
            iteration <b>{turns.indexOf(now) + 1}</b> of {turns.length}
            {n >= LEAST && `; JavaScript would take ${n}`}
          </span>
        </p>
        <p className={styles.words} aria-live="polite">
          {wordsOf(now, lanes)}
        </p>
      </div>
    </figure>
  );
}
