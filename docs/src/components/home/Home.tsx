/**
 * @file The first page's figure and the links into the site.
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
            It goes down through {words[on.lanes.length]} layers, to one line that does the arithmetic. glasstorch is
            PyTorch {on.torch.replace(/\.0$/, "")} written again in TypeScript, with the same layers and the same names.
            The {on.count} steps below were recorded when this page was built, by running this program:
          </p>
          <nav className="home-ways" aria-label="First steps">
            <Link className="home-first" to="/walkthroughs/prelu/">
              Start: PReLU, forward
            </Link>
            <Link to="/start/">How to read a trace</Link>
            <Link to="/lookup/">Find a name</Link>
            <Link to="/playground/">Playground</Link>
            <a href="#more">more on this site</a>
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
    ? { step: first.on, words: `Only with requires_grad: ${node} is made here, for backward.` }
    : { step: first.off, words: `The two paths differ here: with requires_grad, ${node} is made before this step.` };
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
          Press <kbd>→</kbd> to follow the call. A bar is a function that was entered. Time goes from left to right, the
          colour shows the layer, and a bar spans everything that was called inside it.
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
  ["/start/", "Start here", "The purpose of the layers, and how to read a trace, in ten minutes."],
  [
    "/walkthroughs/prelu/",
    "Walkthroughs",
    <>
      Each page follows one call to its end: <Link to="/walkthroughs/prelu/">prelu</Link>,{" "}
      <Link to="/walkthroughs/prelu-backward/">its backward</Link>,{" "}
      <Link to="/walkthroughs/python/">a Python line</Link>, <Link to="/walkthroughs/add/">add</Link>,{" "}
      <Link to="/walkthroughs/dot/">dot and what is generated</Link>, <Link to="/walkthroughs/tensor/">tensor</Link>,{" "}
      <Link to="/walkthroughs/import-torch/">import torch</Link>, <Link to="/walkthroughs/backward/">backward</Link>,{" "}
      <Link to="/walkthroughs/anatomy-of-a-kernel/">a kernel</Link>; <Link to="/walkthroughs/fx/">torch.fx</Link> and{" "}
      <Link to="/walkthroughs/aot/">AOTAutograd</Link> make a graph of it.
    </>,
  ],
  [
    "/playground/",
    "Playground",
    "Run your own program on the library’s sources, in this browser. You can change both.",
  ],
  [
    "/operators/",
    "Operators",
    "Each operator with its formula, the path of a call, its dispatch table and its kernels.",
  ],
  [
    "/viewer/",
    "Viewer",
    "Open your own trace: an export of torch.profiler, step by step, each operator with links to its sources.",
  ],
  ["/house/", "The layers", "The content of each layer, and its imports, drawn from the sources."],
  [
    "/names/",
    "Names decoded",
    "Why a function is called THPVariable_add or wrapper_CPU__view, and which program named it.",
  ],
  [
    "/then-and-now/",
    "From an older article?",
    "Type, Variable, TH, gen.py, NamedRegistrations: what replaced each of them in 2.13.",
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
    <nav className="home-doors" id="more" aria-label="Parts of the site">
      <section className="home-lost">
        <h2>Looking for a name?</h2>
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
          Paste an operator, a C++ symbol, or a whole stack trace. The page explains each line: who wrote or generated
          it, and where our line is.
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
