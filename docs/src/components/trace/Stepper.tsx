/**
 * @file The figure of a recording: a staircase of lanes, the list of its steps, and beside it what the current step is: our lines,
 * PyTorch's file, why the dispatcher chose what it chose.
 * @original
 */
import clsx from "clsx";
import { type KeyboardEvent, type ReactNode, type Ref, useEffect, useId, useMemo, useRef, useState } from "react";
import type { Figure } from "./figure_types";
import { laneClass } from "./lane";
import { type Move, move } from "./moves";
import { StepPane } from "./StepPane";

export interface StepperProps {
  readonly figure: Figure;
  readonly step: number;
  readonly onStep: (step: number) => void;
  readonly head: ReactNode;
  readonly actions?: ReactNode;
  /** The recorded program. */
  readonly program?: ReactNode;
  /** One line for who has not seen such a figure. */
  readonly hint?: ReactNode;
  /** The address that leads to a step. */
  readonly link?: (step: number) => string;
  readonly ref?: Ref<HTMLElement>;
  /** Where there is room, what the step is stands beside the staircase, not below it. */
  readonly wide?: boolean;
  /** A step that differs from another recording: its position, and how. */
  readonly mark?: { readonly step: number; readonly words: string } | undefined;
}

const keys: Readonly<Record<string, Move>> = {
  ArrowRight: "next",
  ArrowLeft: "back",
  ArrowDown: "into",
  ArrowUp: "out",
  Home: "first",
  End: "last",
  d: "nextDispatch",
  D: "previousDispatch",
};

export function Stepper(props: StepperProps): ReactNode {
  const { figure, step, onStep, head, actions, program, hint, link, ref, mark, wide = false } = props;
  const id = useId();
  const current = figure.steps[step];
  const way = useMemo(() => wayTo(figure, step), [figure, step]);
  const lane = figure.lanes[current.lane]?.lane;
  const onKey = (event: KeyboardEvent): void => {
    const how = event.ctrlKey || event.metaKey || event.altKey ? undefined : keys[event.key];
    // The slider has its own keys, and the lines of source are scrolled with the arrows.
    if (how === undefined || (event.target as HTMLElement).closest("input, .step-lines") !== null) return;
    event.preventDefault();
    onStep(move(figure, step, event.shiftKey && how === "next" ? "over" : how));
  };
  const go = (how: Move) => () => onStep(move(figure, step, how));
  return (
    <section
      ref={ref}
      className={clsx("trace", wide && "trace-beside")}
      aria-labelledby={`${id}-head`}
      onKeyDown={onKey}
    >
      <header className="trace-head" id={`${id}-head`}>
        {head}
        {actions !== undefined && <span className="trace-actions">{actions}</span>}
      </header>
      {program}
      {hint !== undefined && <p className="trace-hint">{hint}</p>}
      <div className="trace-card">
        <Stairs figure={figure} step={step} way={way} onStep={onStep} mark={mark?.step} />
        <div className="trace-bar">
          {/* Not `disabled`: at the end of the way the button would lose the focus, and the keys with it. */}
          <button type="button" onClick={go("back")} aria-disabled={step === 0} aria-label="Step back">
            ←
          </button>
          <button
            type="button"
            onClick={go("next")}
            aria-disabled={step === figure.steps.length - 1}
            aria-label="Step forward"
          >
            →
          </button>
          {figure.steps.some((each) => each.kind === "op") && (
            <button type="button" className="trace-wide" onClick={go("nextDispatch")}>
              next dispatch
            </button>
          )}
          <input
            type="range"
            min={1}
            max={figure.steps.length}
            value={step + 1}
            onChange={(event) => onStep(Number(event.target.value) - 1)}
            aria-label="Step"
            aria-valuetext={`Step ${step + 1} of ${figure.steps.length}: ${current.label}`}
            style={{ "--done": `${(step / Math.max(figure.steps.length - 1, 1)) * 100}%` } as never}
          />
          <span className="trace-count">
            {step + 1} / {figure.steps.length}
          </span>
          {link !== undefined && <CopyLink address={() => link(step)} />}
        </div>
        <div className="trace-panes">
          <Steps figure={figure} step={step} way={way} onStep={onStep} mark={mark?.step} />
          <StepPane figure={figure} step={step} lane={lane} note={mark?.step === step ? mark.words : undefined} />
        </div>
        <p className="trace-aloud" aria-live="polite">
          {`Step ${step + 1} of ${figure.steps.length}, ${lane}: ${current.label}`}
        </p>
      </div>
    </section>
  );
}

function CopyLink({ address }: { readonly address: () => string }): ReactNode {
  const [copied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    const to = address();
    // In the address bar too: there it can be taken where a page may not write to the clipboard.
    history.replaceState(history.state, "", to);
    await navigator.clipboard?.writeText(to).catch(() => {});
    setCopied(true);
    setTimeout(() => setCopied(false), 1600);
  };
  return (
    <button
      type="button"
      className="trace-link"
      onClick={copy}
      aria-label="Link to this step"
      title="Link to this step"
    >
      {copied ? "copied" : "link"}
    </button>
  );
}

/** The steps whose call is open at `step`, itself among them. */
function wayTo(figure: Figure, step: number): ReadonlySet<number> {
  const way = new Set<number>();
  figure.steps.forEach((each, s) => {
    if (s <= step && step < each.end) way.add(s);
  });
  return way;
}

interface ViewProps {
  readonly figure: Figure;
  readonly step: number;
  readonly way: ReadonlySet<number>;
  readonly onStep: (step: number) => void;
  readonly mark: number | undefined;
}

function Stairs({ figure, step, way, onStep, mark }: ViewProps): ReactNode {
  return (
    <div className="stairs">
      {figure.lanes.map(({ lane, rows }, l) => (
        <div key={lane} className={clsx("stairs-lane", laneClass(lane))} style={{ "--rows": rows } as never}>
          <button
            type="button"
            className="stairs-name"
            title={`First step of this layer`}
            onClick={() => onStep(figure.steps.findIndex((s) => s.lane === l))}
          >
            {lane}
          </button>
          <div className="stairs-bars" aria-hidden="true">
            {figure.steps.map((each, s) =>
              each.lane !== l ? null : (
                // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/noStaticElementInteractions: the list below offers the same steps to keyboard and screen reader
                <span
                  key={each.id}
                  className={clsx(
                    "stair",
                    way.has(s) && "on-way",
                    s === step && "now",
                    s === step && each.x > 55 && "now-left",
                    s === mark && "marked",
                  )}
                  style={{ left: `${each.x}%`, width: `${each.w}%`, top: `${each.row * 20}px` }}
                  title={each.label}
                  onClick={() => onStep(s)}
                >
                  <span>{each.short}</span>
                </span>
              ),
            )}
          </div>
        </div>
      ))}
    </div>
  );
}

function Steps({ figure, step, way, onStep, mark }: ViewProps): ReactNode {
  const list = useRef<HTMLOListElement>(null);
  const moved = useRef(false);
  useEffect(() => {
    // Not on arrival: the page would be scrolled to its figure.
    if (!moved.current && step === 0) return;
    moved.current = true;
    const box = list.current;
    const row = box?.children[step] as HTMLElement | undefined;
    if (box === null || row === undefined) return;
    const top = row.offsetTop; // the list is what it is positioned in
    if (top < box.scrollTop + 24 || top > box.scrollTop + box.clientHeight - 48)
      box.scrollTop = top - box.clientHeight * 0.4;
  }, [step]);
  return (
    <ol className="steps" ref={list} aria-label="Steps" tabIndex={0}>
      {figure.steps.map((each, s) => (
        <li
          key={each.id}
          className={clsx(
            laneClass(figure.lanes[each.lane]?.lane),
            way.has(s) && "on-way",
            s === step && "now",
            s === mark && "marked",
          )}
          style={{ "--depth": each.depth } as never}
        >
          <button
            type="button"
            tabIndex={s === step ? 0 : -1}
            aria-current={s === step ? "step" : undefined}
            onClick={() => onStep(s)}
          >
            <span className="steps-name">{each.short}</span>
            {each.choice !== undefined && <span className="steps-key">→ {each.choice.key}</span>}
            {each.inside !== undefined && <span className="steps-key">+{each.inside}</span>}
          </button>
        </li>
      ))}
    </ol>
  );
}
