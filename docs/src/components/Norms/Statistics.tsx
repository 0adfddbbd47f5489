/**
 * @file `<Statistics />`: the buffers of a BatchNorm2d before and after one batch, as walkthroughs/norm.ts read them.
 * @original
 */
import statistics from "@site/generated/drawn/norm/statistics.json";
import type { ReactNode } from "react";

interface Row {
  readonly name: string;
  readonly before: number | readonly number[];
  readonly after: number | readonly number[];
}

const shown = (value: number | readonly number[]): string =>
  typeof value === "number" ? String(value) : `[${value.map((each) => each.toFixed(4)).join(", ")}]`;

export function Statistics(): ReactNode {
  return (
    <table>
      <thead>
        <tr>
          <th>buffer</th>
          <th>before</th>
          <th>after one batch in training</th>
        </tr>
      </thead>
      <tbody>
        {(statistics as readonly Row[]).map(({ name, before, after }) => (
          <tr key={name}>
            <td>
              <code>{name}</code>
            </td>
            <td>{shown(before)}</td>
            <td>{shown(after)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
