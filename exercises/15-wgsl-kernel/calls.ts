/**
 * @file No calls: the kernel runs on a card, and the learner's `launch.ts` starts it.
 * @original
 */
import type { Session } from "../../tools/learn/checks/host.ts";

export function open(): Session {
  return { calls: {} };
}
