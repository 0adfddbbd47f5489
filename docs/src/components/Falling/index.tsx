/**
 * @file `<Falling figure={…} />`: a recorded call falling through the layers, one row a layer: what the layer does, and which functions of it
 * the call entered. And `<Objects />`: the objects of which a tensor consists, one inside the other.
 * @original
 */
import Link from "@docusaurus/Link";
import type { ReactNode } from "react";
import type { Figure } from "../trace/figure_types";
import { laneClass } from "../trace/lane";
import styles from "./styles.module.css";

/** Lane -> its page, and its work in a sentence. */
const layers: Readonly<Record<string, readonly [page: string, words: string]>> = {
  "front end": ["/house/front-end/", "Python’s side: runs the module’s hooks, calls forward."],
  binding: ["/house/binding/", "From Python to C++: finds the signature of the call, unpacks the tensors."],
  dispatcher: [
    "/house/dispatcher/",
    "Joins the key sets of the arguments, looks up the operator’s table, jumps to the kernel.",
  ],
  autograd: ["/house/autograd/", "Makes a node for backward, then calls the operator again without the autograd keys."],
  native: ["/house/aten/", "The operator itself: checks, shapes, memory for the result."],
  loop: ["/house/native/", "Picks the loop of the dtype and runs it over the elements."],
  memory: ["/house/c10/", "Allocates the bytes."],
};

const shown = 3;

export function Falling({ figure }: { readonly figure: Figure }): ReactNode {
  return (
    <figure className={styles.falling}>
      <ol>
        {figure.lanes.map(({ lane }, l) => {
          const steps = figure.steps.filter((step) => step.lane === l);
          const names = [...new Set(steps.map((step) => step.short))];
          const [page, words] = layers[lane] ?? ["/house/", ""];
          return (
            <li key={lane} className={laneClass(lane)} style={{ "--fall": l } as never}>
              <Link to={page}>{lane}</Link>
              <span>{words}</span>
              <small>
                {names.slice(0, shown).map((name) => (
                  <code key={name}>{name}</code>
                ))}
                {names.length > shown && ` and ${names.length - shown} more`}
              </small>
            </li>
          );
        })}
      </ol>
      <figcaption>
        {figure.title}, recorded: {figure.count} steps in {figure.lanes.length} layers. Each name on the left is a link
        to its layer’s page.
      </figcaption>
    </figure>
  );
}

export interface Nested {
  readonly name: string;
  readonly layer: string;
  readonly words: string;
  /** The field that leads to the next. */
  readonly field?: string;
}

export function Objects({ of }: { readonly of: readonly Nested[] }): ReactNode {
  return (
    <figure className={styles.objects}>
      <Box of={of} />
    </figure>
  );
}

function Box({ of }: { readonly of: readonly Nested[] }): ReactNode {
  const [outer, ...inner] = of;
  if (outer === undefined) return null;
  return (
    <div className={styles.box}>
      <p>
        <code>{outer.name}</code> <small>{outer.layer}</small>
        <span>{outer.words}</span>
      </p>
      {inner.length > 0 && (
        <div className={styles.held}>
          <code className={styles.field}>{outer.field} →</code>
          <Box of={inner} />
        </div>
      )}
    </div>
  );
}
