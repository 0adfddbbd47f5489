/**
 * @file The script of the worker in which one run takes place, and of those that are threads of its library. What it says goes through a port that the page has handed over before any
 * line of a program runs; no program gets hold of it, so nobody else can speak for the playground.
 * @original
 */
import { confine } from "./confine.ts";
import { offerDevice, offerThreads } from "./machine.ts";
import type { ThreadData, ToRunner } from "./protocol.ts";
import { Runtime } from "./runtime.ts";

const scope = self as unknown as EventTarget;
confine(scope);

function begin(port: MessagePort): void {
  // Bound while the browser's own functions stand behind the names.
  const post = port.postMessage.bind(port);
  const runtime = new Runtime(post);
  offerThreads(post);
  offerDevice(post);
  Object.assign(console, runtime.console); // the library's warnings are shown, too
  port.onmessage = ({ data }: MessageEvent<ToRunner>) => {
    if (data.type === "run") void runtime.run(data.request);
    else if (data.type === "check") void runtime.check(data.request);
    else runtime.load(data.modules, data.preload, data.capability);
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

function serve({ text, data }: { readonly text: string; readonly data: ThreadData }): void {
  // biome-ignore lint/security/noGlobalEval lint/complexity/noCommaOperator: the library's own text, where nothing can be reached
  (0, eval)(text)(data);
}

scope.addEventListener(
  "message",
  (event) => {
    const { data, ports } = event as MessageEvent;
    if (data === null) begin(ports[0] as MessagePort);
    else serve(data);
  },
  { once: true },
);
