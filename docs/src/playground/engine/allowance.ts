/**
 * @file How much one run may tell. The worker keeps to it and says what it leaves out; the page takes no more, whoever speaks.
 * @original
 */
import type { FromRunner } from "./protocol.ts";

const MOST_LINES = 5000;
const MOST_CHARACTERS = 4_000_000;
const MOST_RECORDINGS = 100;
const MOST_STEPS = 1_000_000;
/** Longest text that is shown at once: a line, a message. */
export const LONGEST = 20_000;

export function cut(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}… and ${text.length - LONGEST} more characters`;
}

/** The kind of output that is left out when a message no longer fits. */
export type Beyond = "lines" | "recordings";

export const leftOut: Readonly<Record<Beyond, string>> = {
  lines: `More than ${MOST_LINES} lines, or ${MOST_CHARACTERS / 1e6} million characters; the rest is left out.`,
  recordings: `More than ${MOST_RECORDINGS} recordings, or ${MOST_STEPS / 1e6} million steps; the rest is left out.`,
};

export class Allowance {
  private lines = 0;
  private characters = 0;
  private recordings = 0;
  private steps = 0;
  /** Lines that say what is left out. */
  private readonly notices: number;

  constructor(notices: number) {
    this.notices = notices;
  }

  /** Counts a message; names the limit that it is beyond, if it is. */
  beyond(message: FromRunner): Beyond | null {
    switch (message.type) {
      case "console":
      case "claim":
      case "failure":
        this.lines++;
        this.characters += lettersOf(message);
        return this.lines > MOST_LINES + this.notices || this.characters > MOST_CHARACTERS + this.notices * LONGEST
          ? "lines"
          : null;
      case "recorded":
        this.recordings++;
        this.steps += message.recording.trace.events.length;
        return this.recordings > MOST_RECORDINGS || this.steps > MOST_STEPS ? "recordings" : null;
      case "stepped":
        this.steps += message.steps.steps.length;
        return this.steps > MOST_STEPS ? "recordings" : null;
      case "checked":
        if ("trace" in message.checked.way) this.steps += message.checked.way.trace.events.length;
        return this.steps > MOST_STEPS ? "recordings" : null;
      default:
        return null;
    }
  }
}

function lettersOf(message: Extract<FromRunner, { type: "console" | "claim" | "failure" }>): number {
  if (message.type === "console") return message.text.length;
  if (message.type === "claim") return (message.claim ?? "").length + message.expected.length + message.actual.length;
  return message.failure.message.length;
}
