/**
 * @file The parts of an operator's page that are made from data: schema, the way of a call, the dispatch table, the generated code.
 * @original
 */
import Link from "@docusaurus/Link";
import { useState } from "react";
import type { OperatorPage, OverloadData } from "../../../site/operator_pages";
import { At, shorten, Theirs } from "./At";
import styles from "./reference.module.css";

export { At };

type Overload = OperatorPage["overloads"][number];

interface Arithmetic {
  readonly operator: string;
  readonly name: string;
  readonly file: string;
  readonly line: number;
  readonly mirrors: string;
}

/** The first answer: which line computes it; of a composite also which line does the arithmetic in the end. */
export function Home(props: {
  name: string;
  file: string;
  line?: number;
  mirrors?: string;
  small?: boolean;
  lines?: number;
  arithmetic?: Arithmetic;
}) {
  if (props.small)
    return (
      <>
        <At file={props.file} line={props.line}>
          <code>{props.name}</code>
        </At>{" "}
        ({props.lines} lines)
      </>
    );
  const { arithmetic } = props;
  return (
    <div className={styles.home}>
      <p>
        <span className={styles.what}>Where it is</span>
        <At file={props.file} line={props.line}>
          <code>{props.name}</code> in {shorten(props.file, props.line)}
        </At>
        {props.mirrors ? (
          <span>
            PyTorch: <Theirs path={props.mirrors} />
          </span>
        ) : null}
      </p>
      {arithmetic === undefined ? null : (
        <p>
          <span className={styles.what}>
            The arithmetic below it, by <Link to={`/operators/${arithmetic.operator}/`}>{arithmetic.operator}</Link>
          </span>
          <At file={arithmetic.file} line={arithmetic.line}>
            <code>{arithmetic.name}</code> in {shorten(arithmetic.file, arithmetic.line)}
          </At>
          <span>
            PyTorch: <Theirs path={arithmetic.mirrors} />
          </span>
        </p>
      )}
    </div>
  );
}

/** A schema with its parts told apart by colour: types, names, marks of writing. */
export function Schema({ overload }: { overload: Overload }) {
  const open = overload.schema.indexOf("(");
  return (
    <div className={styles.schema}>
      <p>
        <b>aten::{overload.schema.slice(0, open)}</b>
        {overload.schema.slice(open)}
      </p>
      {overload.tags.length > 0 ? (
        <span className={styles.tags}>
          {overload.tags.map(({ tag, words }) => (
            <abbr key={tag} title={words}>
              {tag}
            </abbr>
          ))}
        </span>
      ) : null}
    </div>
  );
}

const LANES: Readonly<Record<string, string>> = {
  binding: "binding",
  dispatcher: "dispatcher",
  key: "dispatcher",
  native: "native",
  stub: "loop",
  kernel: "loop",
  loop: "loop",
  template: "loop",
};

/** Another form of the operator: only the stops that are not those of the first. */
export function WayDiffers({ overload, from }: { overload: Overload; from: Overload }) {
  const known = new Set(from.way.map((stop) => `${stop.name} ${stop.place?.file}:${stop.place?.line}`));
  const others = overload.way.filter((stop) => !known.has(`${stop.name} ${stop.place?.file}:${stop.place?.line}`));
  const gone = from.way.length - (overload.way.length - others.length);
  return (
    <p className={`${styles.differsIn} no-search`}>
      A call takes the same path as <a href={`#${from.name}`}>{from.name}</a>
      {others.length === 0 ? (gone === 0 ? "." : ", with fewer stops.") : "; it differs in "}
      {others.map((stop, i) => (
        <span key={`${i} ${stop.name}`}>
          {i === 0 ? "" : i === others.length - 1 ? " and " : ", "}
          {stop.place === null ? (
            <code>{stop.name}</code>
          ) : (
            <At file={stop.place.file} line={stop.place.line}>
              <code>{short(stop.name)}</code>
            </At>
          )}
        </span>
      ))}
      {others.length === 0 ? "" : "."}
    </p>
  );
}

/** The stops of a call on ordinary CPU tensors, from the binding to the loop. */
export function Way({ overload }: { overload: Overload }) {
  return (
    <figure className={`${styles.way} no-search`}>
      <figcaption>The path of a call on the CPU</figcaption>
      <ol>
        {overload.way.map((stop, i) => (
          <li key={`${i} ${stop.name}`} className={`lane-${LANES[stop.what] ?? "native"}`}>
            {stop.place === null ? (
              <code>{stop.name}</code>
            ) : (
              <At file={stop.place.file} line={stop.place.line}>
                <code>{stop.name.replace("(anonymous namespace)::", "")}</code>
              </At>
            )}
            {stop.note === "" ? null : <span>{stop.note}</span>}
          </li>
        ))}
      </ol>
    </figure>
  );
}

const ORIGINS: Readonly<Record<string, string>> = {
  kernel: "registered for this key itself",
  "default backend kernel": "CompositeExplicitAutograd: one kernel for every backend",
  "math kernel": "CompositeImplicitAutograd: one kernel for every key, autograd's too",
  "autograd kernel": "registered for Autograd, which stands for all these keys",
};

function keysText(keys: readonly string[]): string {
  if (keys.length <= 3) return keys.join(", ");
  if (keys.every((k) => k.startsWith("Autograd"))) return `the ${keys.length} Autograd keys`;
  return `${keys.slice(0, 2).join(", ")} and ${keys.length - 2} more`;
}

/** Whether two tables have equal keys with equal reasons. */
function sameTable(a: Overload, b: Overload): boolean {
  const shape = ({ table }: Overload): string =>
    JSON.stringify(table.map((row) => [row.keys, row.origin, row.fallthrough]));
  return shape(a) === shape(b);
}

/** The table as the dispatcher computed it, rows with one kernel together. */
export function Table({ overload, from }: { overload: Overload; from: Overload }) {
  if (overload.table.length === 0) return null;
  if (overload !== from && sameTable(overload, from))
    return (
      <p className={`${styles.differsIn} no-search`}>
        Dispatch table: the same cells as for <a href={`#${from.name}`}>{from.name}</a>, with the kernels of this form.
      </p>
    );
  const long = overload.table.filter((row) => row.keys.length > 3);
  return (
    <details className={`${styles.fold} no-search`}>
      <summary>
        Dispatch table:{" "}
        {overload.table
          .map((row) => keysText(row.keys))
          .slice(0, 4)
          .join("; ")}
      </summary>
      <div className={styles.scroll}>
        <p>
          There is one cell for each of 137 keys; a call enters the cell of its highest key. Keys with the same kernel
          share one row. An ordinary tensor on the CPU enters <code>AutogradCPU</code>, then <code>CPU</code>. The other
          keys belong to devices and modes, and <code>Undefined</code> to calls without a tensor.
        </p>
        <table className={styles.table}>
          <thead>
            <tr>
              <th>Key</th>
              <th>Kernel</th>
            </tr>
          </thead>
          <tbody>
            {overload.table.map((row) => (
              <tr key={row.keys[0]}>
                <td>{keysText(row.keys)}</td>
                <td>
                  <At file={row.file} line={row.line}>
                    {row.fallthrough ? "falls through" : <code>{short(row.kernel ?? shorten(row.file))}</code>}
                  </At>
                  <br />
                  <small>{ORIGINS[row.origin] ?? row.origin}</small>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        {long.length === 0 ? null : (
          <details className={styles.keys}>
            <summary>All keys by name</summary>
            {long.map((row) => (
              <p key={row.keys[0]}>
                <b>{short(row.kernel ?? "falls through")}</b>: {row.keys.join(", ")}
              </p>
            ))}
          </details>
        )}
        <p>{overload.fallbackKeys} other keys have only the fallback of their key, the same for every operator.</p>
      </div>
    </details>
  );
}

/** Everything codegen made from the operator's YAML entries, in the order in which a call meets it; each opens to its text. */
export function MadeFrom({ overload }: { overload: OverloadData }) {
  const { pieces } = overload;
  return (
    <details className={`${styles.fold} no-search`}>
      <summary>Everything made from it: {pieces.length} pieces of generated code</summary>
      <ol className={styles.pieces}>
        {pieces.map((piece, i) => (
          <li key={`${piece.file}:${piece.line}`}>
            {piece.layer === pieces[i - 1]?.layer ? null : <h4>{piece.layer}</h4>}
            <PieceFold piece={piece} />
          </li>
        ))}
      </ol>
    </details>
  );
}

function PieceFold({ piece }: { piece: OverloadData["pieces"][number] }) {
  // A page has some hundred pieces: the text of one is made when it is opened.
  const [opened, setOpened] = useState(false);
  return (
    <details onToggle={() => setOpened(true)}>
      <summary>
        <code>{piece.symbol.replace("(anonymous namespace)::", "")}</code>
        <small>{piece.role}</small>
      </summary>
      {opened ? (
        <>
          <p>
            <At file={piece.file} line={piece.line} />{" "}
            <span>
              PyTorch: <Theirs path={piece.mirrors} />
            </span>
          </p>
          <pre>
            <code>{piece.text}</code>
          </pre>
        </>
      ) : null}
    </details>
  );
}

function short(symbol: string): string {
  return symbol.replace("(anonymous namespace)::", "").replace(/^torch::autograd::|^torch::|^at::/, "");
}
