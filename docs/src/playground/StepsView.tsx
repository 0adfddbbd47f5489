/**
 * @file The steps of a Python program: a slider over all of them, the frames that stand above each other, and of one frame its variables, its
 * stack of values and its instructions.
 * @original
 */
import clsx from "clsx";
import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { MOST_STEPS, type Steps } from "./engine/python_steps.ts";
import { type FrameNow, StepReader } from "./engine/step_reader.ts";
import "./steps.css";

interface StepsViewProps {
  readonly steps: Steps;
  /** Lines of the program's text, to say what a line is. */
  readonly text: string;
  /** The line in which the reader's cursor stands. */
  readonly cursor: number;
  /** Is told the line at which the reader stands. */
  readonly onLine: (line: number) => void;
  /** Runs the program again and keeps the steps from a line on. */
  readonly onFrom: (line: number) => void;
}

export default function StepsView({ steps, text, cursor, onLine, onFrom }: StepsViewProps): ReactNode {
  const reader = useMemo(() => new StepReader(steps), [steps]);
  const [at, setAt] = useState(0);
  /** Counted from the outermost, so that a frame stays chosen while functions that it calls come and go. */
  const [chosen, setChosen] = useState<number | null>(null);
  const last = reader.length - 1;
  const frames = useMemo(() => reader.framesAt(at), [reader, at]);
  const place = chosen === null ? 0 : Math.max(0, frames.length - 1 - chosen);
  const frame = frames[place];
  const line = frame?.line ?? 0;

  useEffect(() => {
    if (line > 0) onLine(line);
  }, [line, onLine]);

  if (frame === undefined)
    return (
      <section className="pg-steps" aria-label="Steps">
        <p className="pg-soft">The program did not come to the line at which the steps were to begin.</p>
      </section>
    );
  const go = (to: number): void => {
    setChosen(null);
    setAt(Math.max(0, Math.min(last, to)));
  };
  const reached = cursor > 0 ? reader.reach(cursor, at) : null;
  const button = (label: string, words: string, to: number): ReactNode => (
    <button
      type="button"
      className="pg-button"
      aria-label={label}
      title={label}
      disabled={to === at}
      onClick={() => go(to)}
    >
      {words}
    </button>
  );
  return (
    <section className="pg-steps" aria-label="Steps">
      <div className="pg-steps-bar" role="group" aria-label="Go through the program">
        {button("Line before", "◂ line", reader.nextLine(at, -1))}
        {button("Instruction before", "◂ instruction", Math.max(0, at - 1))}
        {button("Next instruction", "instruction ▸", Math.min(last, at + 1))}
        {button("Next line", "line ▸", reader.nextLine(at, 1))}
        {button("Next line, over calls", "over ▸", reader.over(at))}
        {button("Out of this function", "out ▸", reader.out(at))}
        <button
          type="button"
          className="pg-button"
          disabled={reached === null}
          title="The next time that the program comes to the line of the cursor"
          onClick={() => reached !== null && go(reached)}
        >
          to line {cursor}
        </button>
      </div>
      <label className="pg-steps-slider">
        <span>
          step {at + 1} of {reader.length}
        </span>
        <input type="range" min={0} max={last} value={at} onChange={(event) => go(Number(event.target.value))} />
      </label>
      <p className="pg-steps-line" role="status">
        <b>
          line {line}
          {frame.name === "<module>" ? "" : ` in ${frame.name}`}
        </b>{" "}
        <code>{(text.split("\n")[line - 1] ?? "").trim()}</code>
      </p>
      {steps.cut && at === last && (
        <p className="pg-note">
          The first {MOST_STEPS.toLocaleString("en")} steps are kept, and the program ran on.{" "}
          <button type="button" className="pg-button" onClick={() => onFrom(cursor)} disabled={cursor === 0}>
            Run again, with the steps from line {cursor} on
          </button>
        </p>
      )}
      <div className="pg-steps-panes">
        <div className="pg-pane">
          <h3>Frames</h3>
          <ol className="pg-frames">
            {frames.map((each, i) => (
              <li key={each.frame}>
                <button
                  type="button"
                  aria-pressed={i === place}
                  onClick={() => setChosen(i === 0 ? null : frames.length - 1 - i)}
                >
                  <b>{each.name}</b> <span>line {each.line}</span>
                </button>
              </li>
            ))}
          </ol>
          <Variables frame={frame} />
          <Stack frame={frame} />
        </div>
        <Instructions frame={frame} running={place === 0} />
      </div>
    </section>
  );
}

function Variables({ frame }: { readonly frame: FrameNow }): ReactNode {
  return (
    <>
      <h3>Variables of {frame.name}</h3>
      {frame.variables.length === 0 ? (
        <p className="pg-soft">none</p>
      ) : (
        <dl className="pg-variables">
          {frame.variables.map(({ name, text, changed }) => (
            <div key={name} className={clsx(changed && "pg-new")}>
              <dt>{name}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      )}
    </>
  );
}

function Stack({ frame }: { readonly frame: FrameNow }): ReactNode {
  return (
    <>
      <h3>Stack of values</h3>
      {frame.stack.length === 0 ? (
        <p className="pg-soft">empty</p>
      ) : (
        <ol className="pg-values" reversed>
          {[...frame.stack].reverse().map((text, i) => (
            <li key={`${frame.stack.length - i}`}>{text}</li>
          ))}
        </ol>
      )}
    </>
  );
}

/** The code object as `dis` prints it, with the instruction that runs next. */
function Instructions({ frame, running }: { readonly frame: FrameNow; readonly running: boolean }): ReactNode {
  const list = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever another row is the current one
  useEffect(() => {
    const row = list.current?.querySelector<HTMLElement>("[aria-current]");
    const box = list.current;
    if (row == null || box === null) return;
    const top = row.offsetTop - box.offsetTop;
    if (top < box.scrollTop + 20 || top > box.scrollTop + box.clientHeight - 50)
      box.scrollTop = top - box.clientHeight / 3;
  }, [frame.row, frame.frame]);
  let before = 0;
  return (
    <div className="pg-pane">
      <h3>Instructions of {frame.name}</h3>
      <div ref={list} className="pg-dis" tabIndex={0} role="region" aria-label={`Instructions of ${frame.name}`}>
        <table>
          <tbody>
            {frame.rows.map((row, i) => {
              const begins = row.line !== before;
              before = row.line;
              const here = i === frame.row;
              return (
                <tr
                  key={row.offset}
                  aria-current={here ? "step" : undefined}
                  className={clsx(here && "pg-here", begins && i > 0 && "pg-begins")}
                >
                  <td>{begins ? row.line : ""}</td>
                  <td>{here ? (running ? "▶" : "▷") : row.target ? "»" : ""}</td>
                  <td>{row.offset}</td>
                  <th scope="row">{row.opname}</th>
                  <td>{row.argument}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </div>
  );
}
