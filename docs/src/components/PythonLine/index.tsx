/**
 * @file The figures of one Python line, as walkthroughs/python.ts computed them: its tokens, its syntax tree, where its names live, the stack of
 * values at each instruction, and the functions down to the loop.
 * @original
 */
import names from "@site/generated/drawn/python/names.json";
import steps from "@site/generated/drawn/python/steps.json";
import tokens from "@site/generated/drawn/python/tokens.json";
import tree from "@site/generated/drawn/python/tree.json";
import way from "@site/generated/drawn/python/way.json";
import clsx from "clsx";
import type { ReactNode } from "react";
import { laneClass } from "../trace/lane";
import styles from "./styles.module.css";

export function Tokens(): ReactNode {
  return (
    <figure className={styles.figure}>
      <ol className={styles.tokens}>
        {tokens.tokens.map(({ text, type }, i) => (
          <li key={i}>
            <code>{text}</code>
            <span>{type}</span>
          </li>
        ))}
      </ol>
    </figure>
  );
}

export function SyntaxTree(): ReactNode {
  return (
    <figure className={styles.figure}>
      <table className={styles.table}>
        <tbody>
          {tree.map((branch) => (
            <tr key={branch.tree}>
              <td className={styles.branch}>{branch.tree}</td>
              <td>
                <code>{branch.text}</code>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}

export function Names(): ReactNode {
  return (
    <figure className={styles.figure}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th>name</th>
            <th>in the function</th>
            <th>its value lives</th>
          </tr>
        </thead>
        <tbody>
          {names.map(({ name, use, home }) => (
            <tr key={name}>
              <td>
                <code>{name}</code>
              </td>
              <td>{use}</td>
              <td>{home}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}

export function Stack(): ReactNode {
  return (
    <figure className={styles.figure}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th>offset</th>
            <th>instruction</th>
            <th>stack of values before it</th>
          </tr>
        </thead>
        <tbody>
          {steps.map(({ offset, instruction, stack }) => (
            <tr key={offset}>
              <td>{offset}</td>
              <td>
                <code>{instruction}</code>
              </td>
              <td className={styles.stack}>
                {stack.map((value, place) => (
                  <code key={place}>{value}</code>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}

export function WayDown(): ReactNode {
  return (
    <figure className={styles.figure}>
      <ol className={styles.way}>
        {way.map(({ lane, name, file }, i) => (
          <li key={i} className={clsx(laneClass(lane), lane !== way[i - 1]?.lane && styles.first)}>
            <b>{lane === way[i - 1]?.lane ? "" : lane}</b>
            <code>{name}</code>
            <span>{file}</span>
          </li>
        ))}
      </ol>
    </figure>
  );
}
