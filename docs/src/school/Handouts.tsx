/**
 * @file The exercises' pages, to be printed.
 * @original
 */
import Link from "@docusaurus/Link";
import catalog from "@site/generated/exercises.json";
import type { ReactNode } from "react";
import { type Catalog, pathOf } from "./data";

const { exercises } = catalog as Catalog;

export function Handouts(): ReactNode {
  return (
    <ul>
      {exercises.map(({ id, number, title, minutes }) => (
        <li key={id}>
          <Link to={`${pathOf(id)}?print`}>
            {number} · {title}
          </Link>{" "}
          <small>{minutes} min</small>
        </li>
      ))}
    </ul>
  );
}
