/**
 * @file The first page's figure and the ways into the site.
 * @original
 */
import Link from "@docusaurus/Link";
import { useHistory } from "@docusaurus/router";
import useBaseUrl from "@docusaurus/useBaseUrl";
import recorded from "@site/generated/home.json";
import { type FormEvent, type ReactNode, useCallback, useRef, useState } from "react";
import { Program } from "../TwoWays";
import type { Figure, FigureProgram } from "../trace/figure_types";
import { addressOf, type Linked, nameOf, useLinked } from "../trace/links";
import { stepNamed } from "../trace/moves";
import { Stepper } from "../trace/Stepper";
import "./home.css";

interface Recorded {
  readonly on: Figure;
  readonly off: Figure;
  readonly first: { readonly on: number; readonly off: number; readonly words: string };
}

const { on, off, first } = recorded as unknown as Recorded;

const words = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];

export function Home(): ReactNode {
  const [gradients, setGradients] = useState(true);
  const figure = gradients ? on : off;
  return (
    <main className="home">
      <header className="home-head">
        <h1>
          Where does <code>nn.PReLU()(x)</code> go?
        </h1>
        <div>
          <p>
            Down through {words[on.lanes.length]} layers, to one line that does the arithmetic. glasstorch is PyTorch{" "}
            {on.torch.replace(/\.0$/, "")} written again in TypeScript with every one of these layers, under the same
            names. The {on.count} steps below were recorded when this page was built, by running this:
          </p>
          <nav className="home-ways" aria-label="First steps">
            <Link className="home-first" to="/walkthroughs/prelu/">
              Start: PReLU, forward
            </Link>
            <Link to="/start/">How to read a trace</Link>
            <Link to="/lookup/">Find a name</Link>
            <Link to="/playground/">Playground</Link>
            <a href="#more">what else there is</a>
          </nav>
        </div>
        <Program className="home-code" program={figure.program as FigureProgram} />
      </header>
      <Way gradients={gradients} onGradients={setGradients} />
      <Doors />
    </main>
  );
}

function Way({
  gradients,
  onGradients,
}: {
  readonly gradients: boolean;
  readonly onGradients: (on: boolean) => void;
}): ReactNode {
  const [step, setStep] = useState(0);
  const box = useRef<HTMLElement>(null);
  const figure = gradients ? on : off;
  const last = figure.steps.length - 1;
  const choose = (wanted: boolean): void => {
    if (wanted === gradients) return;
    onGradients(wanted);
    setStep(wanted ? first.on : first.off);
  };
  const follow = useCallback(
    (to: Linked) => {
      const recording = to.name === nameOf(off) ? off : on;
      onGradients(recording === on);
      setStep(
        Math.max(
          recording.steps.findIndex((each) => each.id === to.step),
          0,
        ),
      );
      requestAnimationFrame(() => box.current?.scrollIntoView({ block: "start" }));
    },
    [onGradients],
  );
  useLinked(nameOf(on), follow);
  useLinked(nameOf(off), follow);
  const node = on.steps[first.on]?.short ?? "";
  const mark = gradients
    ? { step: first.on, words: `Only with requires_grad: here ${node} is made, for the way back.` }
    : { step: first.off, words: `Here the two ways part: with requires_grad, ${node} is made before this step.` };
  return (
    <Stepper
      wide
      ref={box}
      figure={figure}
      step={Math.min(step, last)}
      onStep={setStep}
      mark={mark}
      link={(s) => addressOf({ name: nameOf(figure), step: figure.steps[s]?.id ?? 0, view: null })}
      hint={
        <>
          Press <kbd>→</kbd> to follow the call. A bar is a function that was entered: later is further right, its
          colour is its layer, and it spans whatever was called inside of it.
        </>
      }
      head={
        <>
          <span className="home-switch" role="group" aria-label="requires_grad">
            <span aria-hidden="true">requires_grad</span>
            <button type="button" className="trace-button" aria-pressed={gradients} onClick={() => choose(true)}>
              on
            </button>
            <button type="button" className="trace-button" aria-pressed={!gradients} onClick={() => choose(false)}>
              off
            </button>
          </span>
          <span>{figure.steps.length} steps</span>
        </>
      }
      actions={
        <span className="home-jumps">
          go to
          <button type="button" onClick={() => setStep(0)}>
            the top
          </button>
          <button type="button" onClick={() => setStep(stepNamed(figure.steps, "at::_ops::_prelu_kernel::call"))}>
            the dispatcher’s choice
          </button>
          <button type="button" onClick={() => setStep(last)}>
            the arithmetic
          </button>
        </span>
      }
    />
  );
}

/** Everything there is, by what a reader wants. */
const doors: readonly (readonly [to: string, title: string, words: ReactNode])[] = [
  ["/start/", "Start here", "What the layers are for, in ten minutes, and how to read a trace."],
  [
    "/walkthroughs/prelu/",
    "Walkthroughs",
    <>
      One call a page, followed to the end: <Link to="/walkthroughs/prelu/">prelu</Link>,{" "}
      <Link to="/walkthroughs/prelu-backward/">its way back</Link>, <Link to="/walkthroughs/add/">add</Link>,{" "}
      <Link to="/walkthroughs/dot/">dot and what is generated</Link>, <Link to="/walkthroughs/tensor/">tensor</Link>,{" "}
      <Link to="/walkthroughs/import-torch/">import torch</Link>, <Link to="/walkthroughs/backward/">backward</Link>,{" "}
      <Link to="/walkthroughs/anatomy-of-a-kernel/">a kernel</Link>.
    </>,
  ],
  [
    "/playground/",
    "Playground",
    "Your own program on the library’s own sources, in this browser; both may be changed.",
  ],
  ["/operators/", "Operators", "Each with what it computes, its way, its dispatch table and its kernels."],
  [
    "/viewer/",
    "Viewer",
    "A trace of your own: torch.profiler’s export, step by step, each operator with a way to its sources.",
  ],
  ["/house/", "The layers", "What lives in each, what may import what, drawn from the sources."],
  ["/names/", "Names decoded", "Why a function is called THPVariable_add or wrapper_CPU__view, and who named it."],
  [
    "/then-and-now/",
    "From an older article?",
    "Type, Variable, TH, gen.py, NamedRegistrations: what each has become in 2.13.",
  ],
];

function Doors(): ReactNode {
  const lookup = useBaseUrl("/lookup/");
  const history = useHistory();
  const ask = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const asked = String(new FormData(event.currentTarget).get("q") ?? "");
    history.push(`${lookup}${asked.trim() === "" ? "" : `#q=${encodeURIComponent(asked)}`}`);
  };
  return (
    <nav className="home-doors" id="more" aria-label="Ways into the site">
      <section className="home-lost">
        <h2>Lost with a name?</h2>
        <form action={lookup} onSubmit={ask}>
          <input
            name="q"
            aria-label="A C++ name, an operator, or a line of a stack trace"
            placeholder="at::_ops::add_Tensor::redispatch"
            spellCheck={false}
          />
          <button type="submit">Where is it?</button>
        </form>
        <p>
          An operator, a C++ symbol, or a whole stack trace: what each line is, who wrote or generated it, and where our
          line stands.
        </p>
      </section>
      {doors.map(([to, title, words]) => (
        <section key={to}>
          <h2>
            <Link to={to}>{title}</Link>
          </h2>
          <p>{words}</p>
        </section>
      ))}
    </nav>
  );
}
