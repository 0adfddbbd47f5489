/**
 * @file Making and knowing proxies, for the tracer, which the proxies themselves import.
 * @original
 */
import type { Node } from "../node.ts";
import type { Proxy } from "./index.ts";
import type { TracerBase } from "./tracer_base.ts";

interface Proxies {
  make(node: Node, tracer: TracerBase): Proxy;
  is(value: unknown): value is Proxy;
  attribute(root: Proxy, attr: string): Proxy;
}

/** index.ts sets its parts. */
export const proxies = {} as Proxies;
