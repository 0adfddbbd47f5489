/**
 * @file The dispatch table is computed before any call: this exercise records none.
 * @original
 */
import type { Session } from "../../tools/learn/checks/host.ts";

export function open(): Session {
  return { calls: {} };
}
