/**
 * @file Checks messages of a runner. The program of a reader runs in the same worker as the runner: so every field is checked before anything
 * is done with it, and a message whose form differs from `protocol.ts` is ignored. The viewer checks the events of a recording.
 * @original
 */
import type { Row } from "../../../../tools/learn/picture.ts";
import type { Compared, Report } from "../../../../tools/learn/report.ts";
import { LONGEST } from "./allowance.ts";
import type { Checked } from "./checking.ts";
import type { Failure, FromRunner, MissingPart, Place, Recorded, ThreadData } from "./protocol.ts";
import { type CodeView, type DisRow, type FrameView, MOST_STEPS, type Step, type Steps } from "./python_steps.ts";

/** Most rows of a table or a picture. */
const MOST_ROWS = 100_000;

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
    case "stepped": {
      const steps = stepsIn(data["steps"]);
      return steps === null ? null : { type: "stepped", steps };
    }
    case "checked": {
      const checked = checkedIn(data["checked"]);
      return checked === null ? null : { type: "checked", checked };
    }
    case "thread": {
      const { text, data: of } = data;
      return isText(text) && isThreadData(of) ? { type: "thread", text, data: of } : null;
    }
    case "device": {
      const { memory } = data;
      return isShared(memory) ? { type: "device", memory } : null;
    }
    case "missing": {
      const part = partIn(data["part"]);
      return part === undefined ? null : { type: "missing", part };
    }
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

function partIn(value: unknown): MissingPart | undefined {
  if (value === null || isCount(value)) return value;
  if (!isFields(value)) return undefined;
  const { module, name } = value;
  return isText(module) && isText(name) ? { module, name } : undefined;
}

function failureIn(value: unknown): Failure | null {
  if (!isFields(value)) return null;
  const { name, message, stack, wayOut, traceback } = value;
  if (
    !isText(name) ||
    !isText(message) ||
    !(traceback === undefined || isText(traceback)) ||
    !(wayOut === null || isText(wayOut)) ||
    !Array.isArray(stack) ||
    stack.length > 1000
  )
    return null;
  const places = stack.map(placeIn);
  if (places.some((place) => place === null)) return null;
  return { name, message, stack: places as Place[], wayOut, ...(traceback === undefined ? {} : { traceback }) };
}

/** Every number is a place in the lists, so that whoever reads the steps finds what they name. */
function stepsIn(value: unknown): Steps | null {
  if (!isFields(value)) return null;
  const { codes, frames, steps, cut } = value;
  if (!isListOf(codes, isCode) || !isListOf(frames, isFrame) || !isListOf(steps, isStep)) return null;
  if (typeof cut !== "boolean" || steps.length > MOST_STEPS) return null;
  const fits = (frame: FrameView, i: number): boolean => frame.code < codes.length && frame.caller < i;
  if (!frames.every(fits)) return null;
  const rowsOf = (frame: number): number => codes[frames[frame]?.code ?? -1]?.rows.length ?? 0;
  if (!steps.every(({ frame, row }) => row < rowsOf(frame))) return null;
  return { codes, frames, steps, cut };
}

const isCode = (value: unknown): value is CodeView =>
  isFields(value) && isText(value["name"]) && isListOf(value["rows"], isDisRow);
const isDisRow = (value: unknown): value is DisRow =>
  isFields(value) &&
  isCount(value["offset"]) &&
  isText(value["opname"]) &&
  isText(value["argument"]) &&
  isCount(value["line"]) &&
  typeof value["target"] === "boolean";
const isFrame = (value: unknown): value is FrameView =>
  isFields(value) && isCount(value["code"]) && (value["caller"] === -1 || isCount(value["caller"]));
const isStep = (value: unknown): value is Step =>
  isFields(value) &&
  isCount(value["frame"]) &&
  isCount(value["row"]) &&
  isCount(value["kept"]) &&
  isCount(value["printed"]) &&
  isListOf(value["pushed"], isText) &&
  isListOf(value["changes"], isChange);
const isChange = (value: unknown): value is Step["changes"][number] =>
  Array.isArray(value) && value.length === 2 && isText(value[0]) && (value[1] === null || isText(value[1]));

function placeIn(value: unknown): Place | null {
  if (!isFields(value)) return null;
  const { name, file, line, column } = value;
  return isText(name) && isText(file) && isCount(line) && isCount(column) ? { name, file, line, column } : null;
}

function checkedIn(value: unknown): Checked | null {
  if (!isFields(value)) return null;
  const report = reportIn(value["report"]);
  const way = wayIn(value["way"]);
  return report === null || way === null ? null : { report, way };
}

function reportIn(value: unknown): Report | null {
  if (!isFields(value)) return null;
  const { exercise, passed, failure, ran } = value;
  if (!isText(exercise) || !isListOf(passed, isText)) return null;
  const where = isText(ran) ? { ran } : {};
  if (failure === null) return { exercise, passed, failure, ...where };
  if (!isFields(failure)) return null;
  const { check, headline, rows, first, because, seen, call } = failure;
  if (!isText(check) || !isText(headline) || !isText(because) || !isText(seen) || !isCount(first)) return null;
  if (!(call === null || isText(call)) || !isListOf(rows, isCompared)) return null;
  const compared = rows.map(({ expected, yours }) => ({ expected, yours }));
  return { exercise, passed, failure: { check, headline, rows: compared, first, because, seen, call }, ...where };
}

function wayIn(value: unknown): Checked["way"] | null {
  if (!isFields(value)) return null;
  const { why, call, rows, trace } = value;
  if (isText(why)) return { why };
  if (!isText(call) || !isListOf(rows, isRow) || !isTrace(trace)) return null;
  return { call, rows: rows.map(({ lane, depth, name }) => ({ lane, depth, name })), trace };
}

function recordingIn(value: unknown): Recorded | null {
  if (!isFields(value)) return null;
  const { name, title, note, quiet, trace } = value;
  if (!isText(name) || !isText(title) || !isText(note) || typeof quiet !== "boolean") return null;
  return isTrace(trace) ? { name, title, note, quiet, trace } : null;
}

const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null;
/** With room for what `cut` adds. */
const isText = (value: unknown): value is string => typeof value === "string" && value.length <= LONGEST + 100;
const isTrace = (value: unknown): value is Recorded["trace"] =>
  isFields(value) && value["format"] === "glasstorch-trace" && Array.isArray(value["events"]);
const isThreadData = (value: unknown): value is ThreadData =>
  isFields(value) && value["memory"] instanceof WebAssembly.Memory && isFields(value["place"]);
/** A page that is not isolated has not even the name. */
const isShared = (value: unknown): value is SharedArrayBuffer =>
  typeof SharedArrayBuffer !== "undefined" && value instanceof SharedArrayBuffer;
const isListOf = <T>(value: unknown, is: (each: unknown) => each is T): value is T[] =>
  Array.isArray(value) && value.length <= MOST_ROWS && value.every(is);
const isCompared = (value: unknown): value is Compared =>
  isFields(value) && isText(value["expected"]) && isText(value["yours"]);
const isRow = (value: unknown): value is Row =>
  isFields(value) && isText(value["lane"]) && isCount(value["depth"]) && isText(value["name"]);
const isNumber = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value);
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
const levels = ["log", "info", "warn", "error", "debug"] as const;
const isLevel = (value: unknown): value is (typeof levels)[number] => (levels as readonly unknown[]).includes(value);
