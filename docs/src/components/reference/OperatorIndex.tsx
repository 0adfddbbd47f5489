/**
 * @file The list of all operators, with a filter by name, and by kind. A kind is folded until it is opened, or until the filter finds
 * something in it: the whole list is very long on a phone.
 * @original
 */
import Link from "@docusaurus/Link";
import { useState } from "react";
import { name_of } from "../../../../tools/codegen/module_path.ts";
import type { OperatorList } from "../../../site/operator_pages";
import { At } from "./At";
import styles from "./reference.module.css";

const KINDS: readonly (readonly [kind: string, title: string, words: string])[] = [
  [
    "structured",
    "Structured",
    "a meta function computes shape and dtype, an impl function the values; codegen makes three variants from this pair",
  ],
  ["kernel", "Kernels", "a kernel for each backend, called below autograd"],
  [
    "composite-implicit",
    "Composite, implicit",
    "one kernel for every key, which calls other operators; autograd records those instead",
  ],
  [
    "composite-explicit",
    "Composite, explicit",
    "one kernel for every backend, below autograd, which has a kernel of its own",
  ],
  ["view", "Views", "the result shares the storage of its input"],
  ["factory", "Factories", "make a tensor from no tensor, or like another tensor"],
];

export function OperatorIndex({ list }: { list: OperatorList }) {
  const [typed, setTyped] = useState("");
  const word = typed
    .trim()
    .toLowerCase()
    .replace(/^aten::/, "");
  const fits = (page: OperatorList["pages"][number]): boolean =>
    word === "" || page.overloads.some((name) => name.toLowerCase().includes(word));
  const count = list.pages.filter(fits).length;
  return (
    <div className={styles.index}>
      <label className={styles.filter}>
        <span>Filter</span>
        <input
          type="search"
          value={typed}
          placeholder="prelu, add.out, softmax"
          onChange={(event) => setTyped(event.target.value)}
          spellCheck={false}
          autoComplete="off"
        />
        <output aria-live="polite">
          {word === "" ? `${list.pages.length} pages` : `${count} of ${list.pages.length}`}
        </output>
      </label>
      {KINDS.map(([kind, title, words]) => {
        const pages = list.pages.filter((page) => page.kind === kind && fits(page));
        if (pages.length === 0) return null;
        return (
          <section key={kind} aria-label={title}>
            <details key={word === "" ? "folded" : "filtered"} open={word !== ""}>
              <summary>
                <h2>
                  {title} ({pages.length}) <small>{words}</small>
                </h2>
              </summary>
              <ul>
                {pages.map((page) => (
                  <li key={page.base}>
                    <Link to={`/operators/${page.base}/`}>
                      <code>{page.base}</code>
                    </Link>
                    <span className={styles.forms}>{forms(page.base, page.overloads)}</span>
                    {page.place === null ? null : (
                      <At file={page.place.file} line={page.place.line}>
                        {name_of(page.place.file)}:{page.place.line}
                      </At>
                    )}
                  </li>
                ))}
              </ul>
            </details>
          </section>
        );
      })}
    </div>
  );
}

/** The overloads beside the page's own name. */
function forms(base: string, overloads: readonly string[]): string {
  const others = overloads.filter((name) => name !== base);
  return others.length > 4 ? `${others.slice(0, 3).join(", ")} and ${others.length - 3} more` : others.join(", ");
}
