/**
 * @file What the page takes for a message of a runner. A program lives where the runner lives: so every field is looked at before anything
 * is done with it, and what has another form than `protocol.ts` gives is no message. A recording's events are the viewer's to check.
 * @original
 */
import { LONGEST } from "./allowance.ts";
import type { Failure, FromRunner, Place, Recorded } from "./protocol.ts";

type Fields = Readonly<Record<string, unknown>>;

/** A new object with the fields of the protocol and no others. */
export function heard(data: unknown): FromRunner | null {
  if (!isFields(data)) return null;
  switch (data["type"]) {
    case "ready": {
      const { ms } = data;
      return isNumber(ms) ? { type: "ready", ms } : null;
    }
    case "console": {
      const { level, text, line } = data;
      return isLevel(level) && isText(text) && isCount(line) ? { type: "console", level, text, line } : null;
    }
    case "claim": {
      const { line, claim, expected, actual } = data;
      return isCount(line) && (claim === null || isText(claim)) && isText(expected) && isText(actual)
        ? { type: "claim", line, claim, expected, actual }
        : null;
    }
    case "at": {
      const { line } = data;
      return isCount(line) ? { type: "at", line } : null;
    }
    case "failure": {
      const failure = failureIn(data["failure"]);
      return failure === null ? null : { type: "failure", failure };
    }
    case "missing":
      return { type: "missing" };
    case "recorded": {
      const recording = recordingIn(data["recording"]);
      return recording === null ? null : { type: "recorded", recording };
    }
    case "done": {
      const { claims, ms } = data;
      return isCount(claims) && isNumber(ms) ? { type: "done", claims, ms } : null;
    }
    default:
      return null;
  }
}

function failureIn(value: unknown): Failure | null {
  if (!isFields(value)) return null;
  const { name, message, stack, wayOut } = value;
  if (
    !isText(name) ||
    !isText(message) ||
    !(wayOut === null || isText(wayOut)) ||
    !Array.isArray(stack) ||
    stack.length > 1000
  )
    return null;
  const places = stack.map(placeIn);
  return places.some((place) => place === null) ? null : { name, message, stack: places as Place[], wayOut };
}

function placeIn(value: unknown): Place | null {
  if (!isFields(value)) return null;
  const { name, file, line, column } = value;
  return isText(name) && isText(file) && isCount(line) && isCount(column) ? { name, file, line, column } : null;
}

function recordingIn(value: unknown): Recorded | null {
  if (!isFields(value)) return null;
  const { name, title, note, quiet, trace } = value;
  if (!isText(name) || !isText(title) || !isText(note) || typeof quiet !== "boolean") return null;
  if (!isFields(trace) || trace["format"] !== "glasstorch-trace" || !Array.isArray(trace["events"])) return null;
  return { name, title, note, quiet, trace: trace as unknown as Recorded["trace"] };
}

const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null;
/** With room for what `cut` adds. */
const isText = (value: unknown): value is string => typeof value === "string" && value.length <= LONGEST + 100;
const isNumber = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value);
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
const levels = ["log", "info", "warn", "error", "debug"] as const;
const isLevel = (value: unknown): value is (typeof levels)[number] => (levels as readonly unknown[]).includes(value);
