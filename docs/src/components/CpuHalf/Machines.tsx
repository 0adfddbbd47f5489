/**
 * @file `<Machines />`: one scalar function as each machine has it: the line that a person wrote, the loop of JavaScript, the graph of values,
 * the main loop in WebAssembly without and with fused multiply-add. Made by the library's own printers (site/loop_machines.ts).
 * @original
 */
import machines from "@site/generated/machines.json";
import clsx from "clsx";
import { type ReactNode, useState } from "react";
import type { LoopMachines, Machines as Made } from "../../../site/loop_machines";
import { At } from "../reference/At";
import styles from "./styles.module.css";

const { functions } = machines as Made;

type Shown = "scalar" | "loop" | "graph" | "simd128" | "relaxed";
const labels: readonly (readonly [shown: Shown, label: string])[] = [
  ["scalar", "as written"],
  ["loop", "DEFAULT: JavaScript"],
  ["graph", "graph of values"],
  ["simd128", "SIMD128"],
  ["relaxed", "RELAXED_SIMD"],
];

function words(shown: Shown, f: LoopMachines): string {
  const chunk = Number(/i32\.const (\d+)/.exec(f.simd128[2] ?? "")?.[1]);
  switch (shown) {
    case "scalar":
      return "This is all that a person writes. It does not mention dtypes, strides, lanes or threads.";
    case "loop":
      return "Codegen makes it, once for each dtype. The JavaScript engine compiles it for this one kind of number. It takes one element at a time, with any strides.";
    case "graph":
      return "Codegen makes it from the same line: the operations in order, without a loop. Each v is one value for each element.";
    case "simd128":
      return `The main loop, made from the graph on first use: one iteration computes ${chunk} elements, ${chunk / 4} vectors of four. The rest of a row is computed vector by vector.`;
    case "relaxed": {
      const madds = f.relaxed.filter((line) => line.includes("relaxed_madd")).length;
      return madds === 0
        ? "The bytes are the same: no product is added to anything, so there is nothing to fuse."
        : `A product is added to something ${madds} times, and each time this is one instruction here: ${f.relaxed.length} lines instead of ${f.simd128.length}, and one rounding instead of two.`;
    }
  }
}

export function Machines(): ReactNode {
  const [which, setWhich] = useState(0);
  const [shown, setShown] = useState<Shown>("scalar");
  const f = functions[which] as LoopMachines;
  const code = shown === "scalar" || shown === "loop";
  return (
    <figure className={clsx(styles.figure, "no-search")}>
      <div className={styles.choices} role="group" aria-label="Function">
        {functions.map(({ name }, i) => (
          <button
            key={name}
            type="button"
            className="trace-button"
            aria-pressed={i === which}
            onClick={() => setWhich(i)}
          >
            <code>{name}</code>
          </button>
        ))}
        <span className={styles.spring} />
        <At file={f.file}>{f.file}</At>
      </div>
      <div className={styles.choices} role="group" aria-label="Machine">
        {labels.map(([name, label]) => (
          <button
            key={name}
            type="button"
            className="trace-button"
            aria-pressed={name === shown}
            onClick={() => setShown(name)}
          >
            {label}
          </button>
        ))}
      </div>
      <p className={styles.words} aria-live="polite">
        {words(shown, f)}
      </p>
      <pre className={styles.text} tabIndex={0} role="region" aria-label={`${f.name}: ${shown}`}>
        <code>
          {f[shown].map((line, i) =>
            code ? (
              // biome-ignore lint/security/noDangerouslySetInnerHtml: coloured by site/figure.ts
              <span key={`${i + 1}`} dangerouslySetInnerHTML={{ __html: `${line}\n` }} />
            ) : (
              <span key={`${i + 1}`} className={line.includes("relaxed_") ? styles.other : undefined}>
                {`${line}\n`}
              </span>
            ),
          )}
        </code>
      </pre>
    </figure>
  );
}
