/**
 * @file The page of a report: one file, readable without anything else.
 * @original
 */
import { html, type Markup } from "./html.ts";

/** A frame that Dynamo translated. */
export interface FrameShown {
  readonly kind: "frame";
  readonly name: string;
  readonly place: string;
  /** Number among the forms of its function, from 0. */
  readonly form: number;
  /** Why no form fitted; empty for the first one. */
  readonly reasons: readonly string[];
  readonly before: string;
  readonly after: string;
  readonly graph: string | null;
  readonly guards: readonly {
    readonly name: string;
    readonly kind: string;
    readonly code: string;
    readonly line: string;
  }[];
  readonly break_reason: string | null;
}

/** A program that Inductor made. */
export interface ProgramShown {
  readonly kind: "program";
  readonly graph: string;
  readonly kernels: readonly { readonly buffers: string; readonly operators: string; readonly is_call: boolean }[];
  /** Pairs that were tried. */
  readonly decisions: readonly { readonly first: string; readonly second: string; readonly why_not: string | null }[];
  readonly code: string;
}

export type Shown = FrameShown | ProgramShown;

const STYLE = `:root{color-scheme:light dark;--line:#8884;--soft:#777}
body{max-width:1180px;margin:2rem auto;padding:0 1rem;font:15px/1.55 system-ui,sans-serif}
h1{font-size:1.5rem}h2{margin-top:2.5rem;border-top:1px solid var(--line);padding-top:1rem;font-size:1.15rem}h3{margin:1.2rem 0 .3rem;font-size:.95rem}
pre{margin:0;border:1px solid var(--line);border-radius:8px;padding:10px 12px;font:12.5px/1.5 ui-monospace,monospace;overflow:auto;max-height:520px}
code{font:.92em ui-monospace,monospace}
table{border-collapse:collapse;font-size:13px}td,th{border-bottom:1px solid var(--line);padding:3px 10px 3px 0;text-align:left;vertical-align:top}
.two{display:grid;grid-template-columns:repeat(auto-fit,minmax(340px,1fr));gap:12px}
.why{border-left:3px solid #d9770f;padding-left:10px;white-space:pre-wrap}
.soft{color:var(--soft)}`;

const block = (title: string, text: string): Markup =>
  html`<div><h3>${title}</h3><pre tabindex="0"><code>${text}</code></pre></div>`;

function frame(shown: FrameShown, number: number): Markup {
  const { name, place, form, reasons, before, after, graph, guards, break_reason } = shown;
  return html`<section id="s${number}"><h2>${number}. <code>${name}</code>, form ${form} <span class="soft">${place}</span></h2>
${
  reasons.length === 0
    ? html`<p>The first compilation of this function.</p>`
    : html`<h3>Why it was compiled again</h3>${reasons.map((reason) => html`<p class="why">${reason}</p>`)}`
}
<div class="two">${block("Bytecode before", before)}${block("Bytecode after", after)}</div>
${graph === null ? html`<p>Nothing of it is in a graph.</p>` : block("Graph", graph)}
${
  break_reason === null
    ? html`<p>The graph goes to the end of the function.</p>`
    : html`<h3>Why the graph ended here</h3><p class="why">${break_reason}</p>`
}
<h3>Guards</h3>
<table><thead><tr><th scope="col">value</th><th scope="col">kind</th><th scope="col">condition</th><th scope="col">made in</th></tr></thead>
<tbody>${guards.map(
    (guard) =>
      html`<tr><td><code>${guard.name}</code></td><td>${guard.kind}</td><td><code>${guard.code}</code></td><td><code>${guard.line}</code></td></tr>\n`,
  )}</tbody></table>
</section>`;
}

function program(shown: ProgramShown, number: number): Markup {
  const { graph, kernels, decisions, code } = shown;
  return html`<section id="s${number}"><h2>${number}. A program of Inductor</h2>
${block("Graph of ATen operators", graph)}
<h3>Steps: kernels and calls</h3>
<table><thead><tr><th scope="col">step</th><th scope="col">buffers</th><th scope="col">operators</th></tr></thead>
<tbody>${kernels.map(
    (kernel) =>
      html`<tr><td>${kernel.is_call ? "call of the library" : "kernel"}</td><td><code>${kernel.buffers}</code></td><td>${kernel.operators}</td></tr>\n`,
  )}</tbody></table>
${
  decisions.length === 0
    ? html`<p>No two nodes had a buffer in common.</p>`
    : html`<h3>What was fused, and what was not</h3>
<table><thead><tr><th scope="col">first</th><th scope="col">second</th><th scope="col">decision</th></tr></thead>
<tbody>${decisions.map(
        ({ first, second, why_not }) =>
          html`<tr><td><code>${first}</code></td><td><code>${second}</code></td><td>${why_not === null ? "fused" : `not fused: ${why_not}`}</td></tr>\n`,
      )}</tbody></table>`
}
${block("Output code", code)}
</section>`;
}

/** The whole document. */
export function page(name: string, shown: readonly Shown[]): string {
  const items = shown.map((each, i) => {
    const title = each.kind === "frame" ? html`<code>${each.name}</code>, form ${each.form}` : "a program of Inductor";
    return html`<li><a href="#s${i + 1}">${title}</a></li>\n`;
  });
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>torch.compile: ${name}</title><style>${html([STYLE] as never)}</style></head>
<body><h1>What torch.compile made of <code>${name}</code></h1>
${
  shown.length === 0
    ? html`<p>Nothing was compiled: no function that was given to torch.compile ran.</p>`
    : html`<p>In the order of time. A frame is a function that Dynamo translated; a program is what Inductor made of a graph, and stands behind the frame that called it first.</p>
<ol>${items}</ol>`
}
${shown.map((each, i) => (each.kind === "frame" ? frame(each, i + 1) : program(each, i + 1)))}
</body></html>
`.text;
}
