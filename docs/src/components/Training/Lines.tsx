/**
 * @file `<Lines />`: the five lines of a training step with what each did, and `<Sides />`: training beside inference; counted by
 * walkthroughs/train.ts.
 * @original
 */
import lines from "@site/generated/drawn/train/lines.json";
import sides from "@site/generated/drawn/train/sides.json";
import type { ReactNode } from "react";

export function Lines(): ReactNode {
  return (
    <table>
      <thead>
        <tr>
          <th>line</th>
          <th>operator calls</th>
          <th>loops run</th>
          <th>bytes taken</th>
          <th>nodes made</th>
          <th>
            bytes of <code>.grad</code> after it
          </th>
          <th>version of the weight</th>
          <th>weight[0, 0]</th>
        </tr>
      </thead>
      <tbody>
        {lines.map(({ code, operators, kernels, allocated, nodes, grads, version, weight }) => (
          <tr key={code}>
            <td>
              <code>{code}</code>
            </td>
            <td>{operators}</td>
            <td>{kernels}</td>
            <td>{allocated}</td>
            <td>{nodes}</td>
            <td>{grads}</td>
            <td>{version}</td>
            <td>{weight.toFixed(6)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function Sides(): ReactNode {
  return (
    <table>
      <thead>
        <tr>
          <th />
          <th>steps recorded</th>
          <th>nodes made</th>
          <th>loops run</th>
          <th>bytes taken</th>
        </tr>
      </thead>
      <tbody>
        {sides.map(({ name, steps, nodes, loops, allocated }) => (
          <tr key={name}>
            <td>
              <code>{name}</code>
            </td>
            <td>{steps}</td>
            <td>{nodes}</td>
            <td>{loops}</td>
            <td>{allocated}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
