/** Warnings are shown once for each place of the program, with the place, as by Python's default filter: src/c10/util/warnings.ts. */
import torch from "glasstorch";
import { afterEach, beforeEach, expect, test } from "vitest";
import { resetWarnOnce, setWarningHandler, TORCH_WARN, TORCH_WARN_ONCE, warn } from "#c10/util/Exception";

const F = torch.nn.functional;
const usual = { warn: console.warn, handler: setWarningHandler(null), always: torch.is_warn_always_enabled() };
setWarningHandler(usual.handler);
let shown: string[] = [];

beforeEach(() => {
  shown = [];
  console.warn = (text: string) => void shown.push(text);
  setWarningHandler(null);
  resetWarnOnce();
});
afterEach(() => {
  console.warn = usual.warn;
  setWarningHandler(usual.handler);
  torch.set_warn_always(usual.always);
});

const broadcast = () => F.mse_loss(torch.ones(3), torch.ones(3, 3));
/** Calls that warn: one in the front end, one in the engine. */
const kinds: Record<string, () => unknown> = {
  "from the front end": () => F.l1_loss(torch.ones(3), torch.ones(3, 3)),
  "from the engine": () => torch.std(torch.ones(1)),
};

test.each(Object.entries(kinds))("%s: once in a loop, with file and line", (_name, run) => {
  for (let i = 0; i < 36; i++) run();
  expect(shown.length).toBe(1);
  expect(shown[0]).toMatch(/warnings\.test\.ts:\d+: UserWarning: /);
});

test("another line, another text and another category are shown", () => {
  for (let i = 0; i < 3; i++) {
    F.mse_loss(torch.ones(3), torch.ones(3, 3));
    F.mse_loss(torch.ones(3), torch.ones(3, 3));
  }
  expect(shown.length).toBe(2);
  expect(new Set(shown.map((text) => /:(\d+): UserWarning/.exec(text)?.[1])).size).toBe(2);
  const again = (type: "UserWarning" | "FutureWarning", text: string) => warn(type, text);
  for (let i = 0; i < 3; i++) for (const text of ["a", "b"]) again("UserWarning", text);
  for (let i = 0; i < 3; i++) again("FutureWarning", "a");
  expect(shown.length).toBe(5);
});

test("the line is the user's, below modules too", () => {
  class Loss extends torch.nn.Module {
    override forward() {
      return broadcast();
    }
  }
  const deep = new torch.nn.Sequential(new torch.nn.Sequential(new Loss()));
  deep(torch.ones(1));
  broadcast();
  expect(shown.length).toBe(1);
});

test("set_warn_always repeats what is otherwise said once in a process, again once for each place", () => {
  const once = () => TORCH_WARN_ONCE("a text of this test");
  for (let i = 0; i < 3; i++) once();
  TORCH_WARN_ONCE("a text of this test");
  expect(shown.length).toBe(1);
  torch.set_warn_always(true);
  for (let i = 0; i < 3; i++) once();
  TORCH_WARN_ONCE("a text of this test");
  TORCH_WARN("a text of this test");
  expect(shown.length).toBe(3);
});

test("a program's own handler sees every warning", () => {
  let seen = 0;
  setWarningHandler(() => void seen++);
  for (let i = 0; i < 3; i++) broadcast();
  expect([seen, shown.length]).toEqual([3, 0]);
});
