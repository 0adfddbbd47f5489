/**
 * @file The passes over a graph: a slider from pass to pass, and the graph before and after with the lines that changed.
 * @original
 */
import { type ReactNode, useId, useMemo, useState } from "react";
import { chainsOf, changedLines, type DiffLine, type PassChain, type PassStep } from "../model/passes.ts";
import type { TraceModel } from "../model/TraceModel.ts";

interface PassesProps {
  readonly model: TraceModel;
  /** Current event. */
  readonly current: number;
  readonly onEvent: (event: number) => void;
}

export function Passes({ model, current, onEvent }: PassesProps): ReactNode {
  const id = useId();
  const chains = useMemo(() => chainsOf(model), [model]);
  const at_event = chains.findIndex(({ steps }) => steps.some(({ event }) => event === current));
  const [chosen, setChosen] = useState({ chain: Math.max(at_event, 0), pass: 0 });
  const chain = chains[chosen.chain] as PassChain;
  const here = chain.steps.findIndex(({ event }) => event === current);
  const pass = here === -1 ? Math.min(chosen.pass, chain.steps.length - 1) : here;
  const step = chain.steps[pass] as PassStep;
  const { before, after } = useMemo(() => changedLines(step.before, step.after), [step]);
  const show = (to: { chain: number; pass: number }): void => {
    setChosen(to);
    const event = chains[to.chain]?.steps[to.pass]?.event;
    if (event !== undefined) onEvent(event);
  };
  const next = chain.steps.findIndex(({ changed }, i) => i > pass && changed);
  return (
    <div className="gtv-captures">
      <div className="gtv-graph-bar">
        <label htmlFor={`${id}-chain`}>graph</label>
        <select
          id={`${id}-chain`}
          value={chosen.chain}
          onChange={(change) => show({ chain: Number(change.target.value), pass: 0 })}
        >
          {chains.map(({ title, steps }, i) => (
            <option key={steps[0]?.event} value={i}>
              {i + 1}. {title}
            </option>
          ))}
        </select>
        <label htmlFor={`${id}-pass`}>pass</label>
        <input
          id={`${id}-pass`}
          type="range"
          min={0}
          max={chain.steps.length - 1}
          value={pass}
          aria-valuetext={`${step.name}: ${step.changed ? "changed the graph" : "no change"}`}
          onChange={(change) => show({ chain: chosen.chain, pass: Number(change.target.value) })}
        />
        <button type="button" disabled={next === -1} onClick={() => show({ chain: chosen.chain, pass: next })}>
          next change
        </button>
        <span role="status">
          {pass + 1} of {chain.steps.length}: <b>{step.name}</b>{" "}
          {step.changed ? "changed the graph" : "changed nothing"}
        </span>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <div className="gtv-captures-columns gtv-scroll" tabIndex={0} role="group" aria-label="Graph before and after">
        <Text title={step.title === "" ? `before ${step.name}` : step.title} lines={before} />
        <Text title={`after ${step.name}`} lines={after} />
      </div>
    </div>
  );
}

function Text({ title, lines }: { readonly title: string; readonly lines: readonly DiffLine[] }): ReactNode {
  return (
    <figure>
      <figcaption>{title}</figcaption>
      <ol className="gtv-captures-lines">
        {lines.map(({ text, number, changed }) => (
          <li key={number} className={changed ? "gtv-marked" : undefined}>
            <span className="gtv-number">{number}</span>
            <code>{text}</code>
          </li>
        ))}
      </ol>
    </figure>
  );
}
