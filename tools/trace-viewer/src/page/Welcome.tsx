/**
 * @file The content of the page before a trace is open.
 * @original
 */
import type { ReactNode } from "react";
import { formatPlace } from "../model/permalink.ts";
import { samples } from "./samples.ts";

export function Welcome(): ReactNode {
  return (
    <div className="page-welcome">
      <h2>Every call on its way down, one step at a time</h2>
      <p>
        Drop a trace here, or open one. A trace comes from{" "}
        <code>npx tsx walkthroughs/prelu.ts --format json --out prelu.json</code>, from <code>record()</code> in your
        own program, or from <code>torch.profiler</code> (<code>export_chrome_trace</code>). Nothing leaves your
        machine.
      </p>
      <ul>
        {samples.map((sample) => (
          <li key={sample.path}>
            <a href={formatPlace({ trace: sample.path, step: null, view: null, hidden: [] })}>
              <b>{sample.title}</b>
              <span>{sample.note}</span>
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}
