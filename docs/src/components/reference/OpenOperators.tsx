/**
 * @file The list of operators that are not here yet, with a filter: by word, by difficulty, by kind.
 * @original
 */
import Link from "@docusaurus/Link";
import { type ReactNode, useState } from "react";
import type { OpenOperators as Data } from "../../../site/open_operators_page";
import { Theirs } from "./At";
import styles from "./open_operators.module.css";

type Open = Data["operators"][number];

const YAML = "aten/src/ATen/native/native_functions.yaml";

export function OpenOperators({ data }: { readonly data: Data }): ReactNode {
  const [typed, setTyped] = useState("");
  const [difficulty, setDifficulty] = useState("");
  const [kind, setKind] = useState("");
  const word = typed
    .trim()
    .toLowerCase()
    .replace(/^aten::/, "");
  const shown = data.operators.filter(
    (each) =>
      (difficulty === "" || String(each.difficulty) === difficulty) &&
      (kind === "" || each.kind === kind) &&
      (word === "" || words(each).includes(word)),
  );
  const unbuilt = new Set(data.operators.map(({ base }) => base));
  return (
    <div className={styles.open}>
      <search className={`${styles.filter} no-search`}>
        <label>
          <span>Filter</span>
          <input
            type="search"
            value={typed}
            placeholder="i0, ReduceOps, diagonal"
            onChange={(event) => setTyped(event.target.value)}
            spellCheck={false}
            autoComplete="off"
          />
        </label>
        <Choice label="Difficulty" value={difficulty} set={setDifficulty} of={Object.keys(data.difficulties)} />
        <Choice label="Kind" value={kind} set={setKind} of={Object.keys(data.kinds)} />
        <output aria-live="polite">
          {shown.length} of {data.operators.length}
        </output>
      </search>
      {Object.entries(data.difficulties).map(([number, means]) => {
        const rows = shown.filter((each) => String(each.difficulty) === number);
        if (rows.length === 0) return null;
        return (
          <section key={number} aria-label={`Difficulty ${number}`}>
            <h2 id={`difficulty-${number}`}>
              Difficulty {number} <small>{means}</small>
            </h2>
            <div className={styles.scroll}>
              <table>
                <thead>
                  <tr>
                    <th>Operator</th>
                    <th>Kind</th>
                    <th>In PyTorch</th>
                    <th>Needs first</th>
                  </tr>
                </thead>
                <tbody>
                  {rows.map((each) => (
                    <Row key={each.base} each={each} means={data.kinds[each.kind] ?? ""} unbuilt={unbuilt} />
                  ))}
                </tbody>
              </table>
            </div>
          </section>
        );
      })}
    </div>
  );
}

/** All that the filter looks at. */
function words({ base, entries, file, module, needs }: Open): string {
  return [base, module ?? "", ...entries.map(([name]) => name), file, ...needs.map(({ name }) => name)]
    .join(" ")
    .toLowerCase();
}

function Choice(props: {
  readonly label: string;
  readonly value: string;
  readonly set: (value: string) => void;
  readonly of: readonly string[];
}): ReactNode {
  return (
    <label>
      <span>{props.label}</span>
      <select value={props.value} onChange={(event) => props.set(event.target.value)}>
        <option value="">any</option>
        {props.of.map((each) => (
          <option key={each}>{each}</option>
        ))}
      </select>
    </label>
  );
}

function Row({ each, means, unbuilt }: { each: Open; means: string; unbuilt: ReadonlySet<string> }): ReactNode {
  const { base, kind, entries, begun, module, file, needs, recorded } = each;
  return (
    <tr id={base}>
      <td>
        <code>{base}</code>
        {module === null ? null : <small>torch.{module}</small>}
        {begun ? (
          <small>
            other forms are <Link to={`/operators/${base}/`}>here</Link>
          </small>
        ) : null}
      </td>
      <td>
        <abbr title={means}>{kind}</abbr>
      </td>
      <td>
        {file === "" ? null : <Theirs path={file}>{file.replace(/^aten\/src\/ATen\//, "")}</Theirs>}
        <small>
          {"YAML "}
          {entries.map(([name, line], i) => (
            <span key={name}>
              {i === 0 ? "" : ", "}
              <a href={`https://github.com/pytorch/pytorch/blob/v2.13.0/${YAML}#L${line}`} title={name}>
                {line}
              </a>
            </span>
          ))}
        </small>
      </td>
      <td>
        {needs.map(({ name, is }) => (
          <div key={name}>
            {unbuilt.has(name) ? (
              <a href={`#${name}`}>
                <code>{name}</code>
              </a>
            ) : (
              <code>{name}</code>
            )}
            {is === "helper" ? <small>of the derivative, in FunctionsManual.cpp</small> : null}
          </div>
        ))}
        {recorded ? null : <small>its parts are not recorded</small>}
      </td>
    </tr>
  );
}
