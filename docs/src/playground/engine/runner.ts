/**
 * @file The script of the worker in which one run takes place. What it says goes through a port that the page has handed over before any
 * line of a program runs; no program gets hold of it, so nobody else can speak for the playground.
 * @original
 */
import { confine } from "./confine.ts";
import type { ToRunner } from "./protocol.ts";
import { Runtime } from "./runtime.ts";

const scope = self as unknown as EventTarget;
confine(scope);

function begin(port: MessagePort): void {
  // Bound while the browser's own functions stand behind the names.
  const runtime = new Runtime(port.postMessage.bind(port));
  Object.assign(console, runtime.console); // the library's warnings are shown, too
  port.onmessage = ({ data }: MessageEvent<ToRunner>) => {
    if (data.type === "run") void runtime.run(data.request);
    else if (data.type === "check") void runtime.check(data.request);
    else runtime.load(data.modules, data.preload);
  };
  scope.addEventListener("unhandledrejection", (event) => {
    event.preventDefault();
    runtime.fail((event as PromiseRejectionEvent).reason);
  });
  scope.addEventListener("error", (event) => {
    event.preventDefault();
    runtime.fail((event as ErrorEvent).error);
  });
}

scope.addEventListener("message", (event) => begin((event as MessageEvent).ports[0] as MessagePort), { once: true });
