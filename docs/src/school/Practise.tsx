/**
 * @file `<Practise />` at the end of a page: the exercises about its subject, found by the layer or by the page's own name.
 * @original
 */
import Link from "@docusaurus/Link";
import catalog from "@site/generated/exercises.json";
import type { ReactNode } from "react";
import { type Catalog, type Listed, pathOf } from "./data";
import styles from "./practise.module.css";
import { useStatus } from "./useKept";

const { exercises } = catalog as Catalog;

interface PractiseProps {
  /** `walkthroughs/prelu`, as exercises name it. */
  readonly page?: string;
  /** A room of the house. */
  readonly room?: string;
}

export function Practise({ page, room }: PractiseProps): ReactNode {
  const found = exercises.filter((each) => (page !== undefined && each.pages.includes(page)) || each.room === room);
  return (
    <aside className={styles.practise} aria-label="Exercises">
      <b>Do it yourself</b>
      <ul>
        {found.map((each) => (
          <One key={each.id} listed={each} />
        ))}
      </ul>
    </aside>
  );
}

function One({ listed }: { readonly listed: Listed }): ReactNode {
  const passed = useStatus(listed) === "passed";
  return (
    <li>
      <Link to={pathOf(listed.id)}>{listed.title}</Link> <span>{listed.goal}</span>{" "}
      <small>{passed ? "✓ passed" : `${listed.minutes} min`}</small>
    </li>
  );
}
