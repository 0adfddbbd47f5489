/**
 * @file `<SharedMeans />`: one block of elements under four norms; elements of one colour share one mean. Which they are was asked of autograd
 * by walkthroughs/norm.ts.
 * @original
 */
import elements from "@site/generated/drawn/norm/elements.json";
import clsx from "clsx";
import { type ReactNode, useId, useState } from "react";
import styles from "./styles.module.css";

interface Elements {
  readonly sizes: readonly [N: number, C: number, H: number, W: number];
  readonly norms: readonly Norm[];
  readonly values: readonly number[];
}

interface Norm {
  readonly code: string;
  readonly op: string;
  /** The number of its group for each element. */
  readonly groups: readonly number[];
  readonly means: readonly number[];
}

const { sizes, norms, values } = elements as unknown as Elements;
const [N, C, H, W] = sizes;

const side = 15;
const gap = 9;
const left = 34;
const top = 20;
const planeWidth = W * side + gap;
const planeHeight = H * side + gap;
const width = left + C * planeWidth;
const height = top + N * planeHeight;

interface Place {
  readonly norm: number;
  readonly element: number;
}

export function SharedMeans(): ReactNode {
  const [at, setAt] = useState<Place | null>(null);
  return (
    <figure className={styles.figure}>
      <div className={styles.panels}>
        {norms.map((norm, n) => (
          <Panel
            key={norm.code}
            norm={norm}
            at={at?.norm === n ? at.element : null}
            point={(element) => setAt({ norm: n, element })}
          />
        ))}
      </div>
      <p className={styles.words} aria-live="polite">
        {at === null ? "Point at an element to see which elements share its mean." : sentence(at)}
      </p>
      <figcaption>
        Rows are the {N} images, columns the {C} channels of {H} by {W} elements. Elements of one colour share a mean.
      </figcaption>
    </figure>
  );
}

interface PanelProps {
  readonly norm: Norm;
  readonly at: number | null;
  readonly point: (element: number) => void;
}

function Panel({ norm, at, point }: PanelProps): ReactNode {
  const id = useId();
  const { code, groups, means } = norm;
  const size = groups.length / means.length;
  return (
    <div className={styles.panel}>
      <p>
        <code>{code}</code>
        <small>
          {means.length} means of {size} elements
        </small>
      </p>
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-labelledby={id}>
        <title id={id}>{`${code}: ${means.length} means, each of ${size} elements`}</title>
        {Array.from({ length: C }, (_, c) => (
          <text key={c} className={styles.axis} x={left + c * planeWidth + (W * side) / 2} y={12} textAnchor="middle">
            c {c}
          </text>
        ))}
        {Array.from({ length: N }, (_, n) => (
          <text key={n} className={styles.axis} x={0} y={top + n * planeHeight + (H * side) / 2 + 4}>
            n {n}
          </text>
        ))}
        {groups.map((group, i) => {
          const [n, c, h, w] = indexOf(i);
          return (
            // biome-ignore lint/a11y/noStaticElementInteractions: a light for the eye; the counts stand above
            <rect
              key={`${i + 1}`}
              className={clsx(
                styles.element,
                styles[`group${group % 8}`],
                at !== null && groups[at] !== group && styles.other,
                at === i && styles.now,
              )}
              x={left + c * planeWidth + w * side}
              y={top + n * planeHeight + h * side}
              width={side - 1.5}
              height={side - 1.5}
              rx={2.5}
              onMouseEnter={() => point(i)}
            />
          );
        })}
      </svg>
    </div>
  );
}

function indexOf(element: number): [n: number, c: number, h: number, w: number] {
  const w = element % W;
  const h = Math.floor(element / W) % H;
  const c = Math.floor(element / (W * H)) % C;
  return [Math.floor(element / (W * H * C)), c, h, w];
}

function sentence({ norm, element }: Place): string {
  const { code, groups, means } = norms[norm] as Norm;
  const group = groups[element] as number;
  const others = groups.filter((each) => each === group).length - 1;
  const value = (values[element] as number).toFixed(4);
  return `${code}: element (${indexOf(element).join(", ")}) is ${value}; with ${others} others it has the mean ${(means[group] as number).toFixed(4)}.`;
}
