/**
 * @file The runs of TorchScript's interpreter, instruction by instruction: the list of instructions, the stack, the registers, and the line of the
 * program.
 * @original
 */
import { type ReactNode, useId, useMemo, useState } from "react";
import { type InterpreterRun, type InterpreterStep, runsOf } from "../model/interpreter.ts";
import { describe } from "../model/label.ts";
import type { TraceModel } from "../model/TraceModel.ts";

interface InterpreterProps {
  readonly model: TraceModel;
  /** Current event. */
  readonly current: number;
  readonly onEvent: (event: number) => void;
}

export function Interpreter({ model, current, onEvent }: InterpreterProps): ReactNode {
  const id = useId();
  const runs = useMemo(() => runsOf(model), [model]);
  const at_event = runs.findIndex(({ steps }) => steps.some(({ event }) => event === current));
  const [chosen, setChosen] = useState({ run: Math.max(at_event, 0), step: 0 });
  const run = runs[chosen.run] as InterpreterRun;
  const here = run.steps.findIndex(({ event }) => event === current);
  const at = here === -1 ? Math.min(chosen.step, run.steps.length - 1) : here;
  const step = run.steps[at] as InterpreterStep;
  const show = (to: { run: number; step: number }): void => {
    setChosen(to);
    const event = runs[to.run]?.steps[to.step]?.event;
    if (event !== undefined) onEvent(event);
  };
  const go = (to: number): void => show({ run: chosen.run, step: to });
  return (
    <div className="gtv-captures">
      <div className="gtv-graph-bar">
        <label htmlFor={`${id}-run`}>run</label>
        <select
          id={`${id}-run`}
          value={chosen.run}
          onChange={(change) => show({ run: Number(change.target.value), step: 0 })}
        >
          {runs.map(({ event, title, steps }, i) => (
            <option key={event} value={i}>
              {i + 1}. {title}, {steps.length} steps
            </option>
          ))}
        </select>
        <button type="button" disabled={at === 0} onClick={() => go(at - 1)}>
          back
        </button>
        <button type="button" disabled={at === run.steps.length - 1} onClick={() => go(at + 1)}>
          next
        </button>
        <label htmlFor={`${id}-step`}>step</label>
        <input
          id={`${id}-step`}
          type="range"
          min={0}
          max={run.steps.length - 1}
          value={at}
          aria-valuetext={`${step.text} ${step.node}`}
          onChange={(change) => go(Number(change.target.value))}
        />
        <span role="status">
          {at + 1} of {run.steps.length}: <b>{step.text}</b> {step.node}
          {step.called === null ? "" : `, in ${step.called}`}
        </span>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <div className="gtv-captures-columns gtv-scroll" tabIndex={0} role="group" aria-label="Instructions and values">
        <figure>
          <figcaption>instructions</figcaption>
          <ol className="gtv-captures-lines">
            {run.instructions.map((text, pc) => (
              <li key={text} className={step.called === null && pc === step.pc ? "gtv-marked" : undefined}>
                <span className="gtv-number">{pc}</span>
                <code>{text.slice(`${pc} `.length)}</code>
              </li>
            ))}
          </ol>
        </figure>
        <figure>
          <figcaption>before this instruction</figcaption>
          <Values
            title="stack, top first"
            values={[...step.stack].reverse().map((value) => ["", describe(value), false])}
          />
          <Values
            title="registers"
            values={step.registers.map(({ register, value, changed }) => [register, describe(value), changed])}
          />
          <Origin model={model} step={step} />
        </figure>
      </div>
    </div>
  );
}

interface ValuesProps {
  readonly title: string;
  readonly values: readonly (readonly [name: string, text: string, changed: boolean])[];
}

function Values({ title, values }: ValuesProps): ReactNode {
  return (
    <>
      <p className="gtv-captures-part">
        {title}
        {values.length === 0 && ": empty"}
      </p>
      <ol className="gtv-captures-lines">
        {values.map(([name, text, changed], i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the place on the stack is the identity
          <li key={i} className={changed ? "gtv-marked" : undefined}>
            <span className="gtv-number">{name}</span>
            <code>{text}</code>
          </li>
        ))}
      </ol>
    </>
  );
}

/** The line of the program from which the instruction was made. */
function Origin({ model, step }: { readonly model: TraceModel; readonly step: InterpreterStep }): ReactNode {
  if (step.source === null) return null;
  const { file, line } = step.source;
  const text = model.sources.get(file)?.split("\n")[line - 1] ?? "";
  return (
    <>
      <p className="gtv-captures-part">
        {file}, line {line}
      </p>
      <ol className="gtv-captures-lines">
        <li>
          <span className="gtv-number">{line}</span>
          <code>{text.trim()}</code>
        </li>
      </ol>
    </>
  );
}
