/**
 * @file `<Split />`: a range cut into parts for threads, by the library's own function, with sliders for what it depends on.
 * @original
 */
import { type ReactNode, useId, useState } from "react";
import { GRAIN_SIZE, parts_of } from "../../../../src/aten/Parallel";
import styles from "./styles.module.css";
import { Timeline } from "./Timeline";

const count = (n: number): string => n.toLocaleString("en-US");

export function Split(): ReactNode {
  const [elements, setElements] = useState(18);
  const [threads, setThreads] = useState(4);
  const [grain, setGrain] = useState(Math.log2(GRAIN_SIZE));
  const n = 2 ** elements;
  const size = 2 ** grain;
  const parts = parts_of(0, n, size, threads);
  const largest = (parts[0]?.[1] ?? 0) - (parts[0]?.[0] ?? 0);
  return (
    <figure className={styles.figure}>
      <div className={styles.card}>
        <Slider label="elements" value={elements} min={10} max={22} shown={count(n)} onChange={setElements} />
        <Slider label="threads" value={threads} min={1} max={8} shown={String(threads)} onChange={setThreads} />
        <Slider
          label="grain"
          value={grain}
          min={10}
          max={20}
          shown={`${count(size)}${size === GRAIN_SIZE ? ", PyTorch’s" : ""}`}
          onChange={setGrain}
        />
        <Timeline
          rows={threads}
          bars={parts.map(([begin, end], thread) => ({
            thread,
            begin: 0,
            end: end - begin,
            label: `${count(begin)} … ${count(end)}`,
          }))}
          most={n}
        />
        <p className={styles.words} aria-live="polite">
          {parts.length === 1
            ? `One part: ${n <= size ? "no more elements than one grain" : "one thread"}. The other threads sleep.`
            : `${parts.length} parts of at most ${count(largest)} elements: no more parts than threads, and none smaller than a grain${parts.length < threads ? `; to use ${threads} threads, at least ${count(size * (threads - 1) + 1)} elements are needed` : ""}. With one thread, the bar would be ${(n / largest).toFixed(1)} times as long.`}
        </p>
      </div>
    </figure>
  );
}

interface SliderProps {
  readonly label: string;
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly shown: string;
  readonly onChange: (value: number) => void;
}

function Slider({ label, value, min, max, shown, onChange }: SliderProps): ReactNode {
  const id = useId();
  return (
    <div className={styles.sliders}>
      <label htmlFor={id}>
        {label} <b>{shown}</b>
      </label>
      <input
        id={id}
        type="range"
        min={min}
        max={max}
        value={value}
        aria-valuetext={shown}
        onChange={(event) => onChange(Number(event.target.value))}
      />
    </div>
  );
}
