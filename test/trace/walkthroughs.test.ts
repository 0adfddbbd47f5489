/**
 * The Python walkthroughs: their asserts hold here too, they print what PyTorch prints (tools/oracle/record_walkthroughs.py), and the steps of
 * training take the way of their TypeScript twin.
 */
import { readdirSync, readFileSync } from "node:fs";
import torch from "glasstorch";
import "glasstorch/compile";
import "glasstorch/export";
import "glasstorch/func";
import "glasstorch/fx";
import "glasstorch/jit";
import "glasstorch/lazy";
import { python } from "glasstorch/python";
import { record, type Trace, type TraceEvent } from "glasstorch/trace";
import { expect, test } from "vitest";
import { way } from "../helpers/way.ts";

const folder = new URL("../../walkthroughs/", import.meta.url);
const programs = readdirSync(folder).filter((name) => name.endsWith(".py"));
const text = (name: string): string => readFileSync(new URL(name, folder), "utf8");
const fixture = JSON.parse(readFileSync(new URL("../fixtures/walkthroughs.json", import.meta.url), "utf8")) as {
  readonly torch: string;
  readonly printed: Readonly<Record<string, readonly string[]>>;
};

/** Runs a program and returns what it prints. */
function printed(name: string): string[] {
  let output = "";
  const stdout = (part: string): void => {
    output += part;
  };
  python(text(name), { filename: `walkthroughs/${name}`, stdout });
  return output.split("\n").slice(0, -1);
}

/** Programs about systems that capture Python; no program in TypeScript says the same. */
const IN_PYTHON_ONLY = [
  "aot.py",
  "archive.py",
  "autodiff.py",
  "dynamo.py",
  "executor.py",
  "export.py",
  "forward_mode.py",
  "functional.py",
  "fx.py",
  "guards.py",
  "inductor.py",
  "inference.py",
  "lazy.py",
  "make_fx.py",
  "script.py",
  "seven_captures.py",
  "trace.py",
  "vmap_grad.py",
];

test("each Python walkthrough has a record of what it prints in PyTorch, and a twin if it is not about captured Python", () => {
  expect(fixture.torch).toBe("2.13.0");
  expect(programs).toEqual(Object.keys(fixture.printed));
  const alone = programs.filter((name) => !readdirSync(folder).includes(name.replace(/\.py$/, ".ts")));
  expect(alone).toEqual(IN_PYTHON_ONLY);
});

test.each(programs)("%s prints what it prints in PyTorch", (name) => {
  expect(printed(name)).toEqual(fixture.printed[name]);
});

/** The part of a recording below one run of a line. */
function below(trace: Trace, line: TraceEvent): TraceEvent[] {
  const inside = new Set([line.id]);
  for (const event of trace.events) if (event.parent !== null && inside.has(event.parent)) inside.add(event.id);
  return trace.events.filter((event) => inside.has(event.id));
}

test("each line of the loop in train.py takes the way of train.ts", () => {
  const trace = record(() => printed("train.py"));
  const loop = trace.events.filter((event) => event.kind === "line" && (event.source?.line ?? 0) > 70);
  const last = (name: string): string[] =>
    way(below(trace, loop.findLast((event) => event.name === name) as TraceEvent));

  const { nn } = torch;
  torch.manual_seed(0);
  const net = new nn.Sequential(new nn.Linear(2, 8), new nn.Tanh(), new nn.Linear(8, 1));
  const x = torch.rand([32, 2]).mul(2).sub(1);
  const y = x.square().sum(1, true);
  const loss_fn = new nn.MSELoss();
  const optimizer = new torch.optim.SGD(net.parameters(), { lr: 0.1 });
  let loss = loss_fn(net(x), y);
  const lines: readonly (readonly [string, () => void])[] = [
    ["descent.zero_grad()", () => optimizer.zero_grad()],
    [
      "off = loss_fn(again(x), y)",
      () => {
        loss = loss_fn(net(x), y);
      },
    ],
    ["off.backward()", () => loss.backward()],
    ["descent.step()", () => optimizer.step()],
  ];
  for (const [, run] of lines) run(); // what is made once
  for (const [name, run] of lines) {
    const ours = way(record(run).events);
    // A first gradient is kept; `zero_grad` calls nothing, so the program's line is not on record.
    if (ours.length > 0) expect(last(name), name).toEqual(ours);
    else expect(loop.some((event) => event.name === name)).toBe(false);
  }
});
