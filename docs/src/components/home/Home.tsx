/**
 * @file The first page's figure and the ways into the site.
 * @original
 */
import Link from "@docusaurus/Link";
import { useHistory } from "@docusaurus/router";
import useBaseUrl from "@docusaurus/useBaseUrl";
import recorded from "@site/generated/home.json";
import { type FormEvent, type ReactNode, useState } from "react";
import type { Figure } from "../trace/figure_types";
import { stepNamed } from "../trace/moves";
import { Stepper } from "../trace/Stepper";
import "./home.css";

interface Recorded {
  readonly on: Figure;
  readonly off: Figure;
  readonly first: { readonly on: number; readonly off: number; readonly words: string };
  readonly code: readonly string[];
}

const { on, off, first, code } = recorded as unknown as Recorded;

/** Where the reader stands on arrival: the stop at which the dispatcher chooses. */
const choice = stepNamed(on.steps, "at::_ops::_prelu_kernel::call");

const words = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];

export function Home(): ReactNode {
  return (
    <main className="home">
      <header className="home-head">
        <h1>
          Where does <code>nn.PReLU()(x)</code> go?
        </h1>
        <p>
          Down through {words[on.lanes.length]} layers, to one line that does the arithmetic. glasstorch is PyTorch{" "}
          {on.torch.replace(/\.0$/, "")} written again in TypeScript with every one of these layers, under the same
          names. The {on.count} steps below were recorded when this page was built, by running this:
        </p>
        <pre className="home-code">
          <code>
            {code.map((html, k) => (
              // biome-ignore lint/security/noDangerouslySetInnerHtml: coloured by site/record_home.ts
              <span key={`${k + 1}`} dangerouslySetInnerHTML={{ __html: `${html}\n` }} />
            ))}
          </code>
        </pre>
      </header>
      <Way />
      <Doors />
    </main>
  );
}

function Way(): ReactNode {
  const [gradients, setGradients] = useState(true);
  const [step, setStep] = useState(choice);
  const figure = gradients ? on : off;
  const last = figure.steps.length - 1;
  const choose = (wanted: boolean): void => {
    if (wanted === gradients) return;
    setGradients(wanted);
    setStep(wanted ? first.on : first.off);
  };
  const node = on.steps[first.on]?.short ?? "";
  const mark = gradients
    ? { step: first.on, words: `Only with requires_grad: here ${node} is made, for the way back.` }
    : { step: first.off, words: `Here the two ways part: with requires_grad, ${node} is made before this step.` };
  return (
    <Stepper
      wide
      figure={figure}
      step={Math.min(step, last)}
      onStep={setStep}
      mark={mark}
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

function Doors(): ReactNode {
  const lookup = useBaseUrl("/lookup/");
  const history = useHistory();
  const ask = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const asked = String(new FormData(event.currentTarget).get("q") ?? "");
    history.push(`${lookup}${asked.trim() === "" ? "" : `#q=${encodeURIComponent(asked)}`}`);
  };
  return (
    <nav className="home-doors" aria-label="Ways into the site">
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
      <section>
        <h2>
          <Link to="/start/">Start here</Link>
        </h2>
        <p>What the layers are for, in ten minutes, and how to run your first walkthrough.</p>
      </section>
      <section>
        <h2>
          <Link to="/walkthroughs/prelu/">Walkthroughs</Link>
        </h2>
        <p>
          One call a page, followed to the end: <Link to="/walkthroughs/prelu/">prelu</Link>,{" "}
          <Link to="/walkthroughs/prelu-backward/">its way back</Link>, <Link to="/walkthroughs/add/">add</Link>,{" "}
          <Link to="/walkthroughs/dot/">dot</Link>, <Link to="/walkthroughs/tensor/">tensor</Link>,{" "}
          <Link to="/walkthroughs/import-torch/">import torch</Link>.
        </p>
      </section>
      <section>
        <h2>
          <Link to="/house/">The house</Link>
        </h2>
        <p>The layers as rooms: what lives in each, what may import what, drawn from the sources.</p>
      </section>
    </nav>
  );
}
