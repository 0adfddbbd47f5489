/**
 * PyTorch's own OpInfo samples: values, dtypes, shapes, strides, in-place variants, gradients, error types and texts, as PyTorch 2.13.0
 * answered them. Recorded by tools/oracle/record_opinfo.py into test/fixtures/opinfo.
 */
import { readdirSync } from "node:fs";
import { pathToFileURL } from "node:url";
import torch from "glasstorch";
import { describe, expect, test } from "vitest";
import { type Any, decode, differs, readFixture } from "../helpers/recorded.ts";

type Answer = { readonly value: Any } | { readonly error: string; readonly message: string };

interface Sample {
  readonly args: readonly Any[];
  readonly kwargs: Readonly<Record<string, Any>>;
  readonly result: Answer;
  readonly inplace?: "same" | Answer;
  readonly grads?: { readonly of: readonly number[]; readonly grads: readonly Any[] };
}

interface Recorded {
  readonly name: string;
  readonly variant: string;
  readonly dtypes: Readonly<Record<string, readonly Sample[]>>;
  readonly errors: readonly Sample[];
}

/** The operator as OpInfo calls it: a function of torch, of nn.functional, a method or a property of Tensor. */
function operator(name: string): (...args: Any[]) => Any {
  const place = name.startsWith("nn.functional.") ? (torch.nn.functional as Any)[name.slice("nn.functional.".length)] : (torch as Any)[name];
  if (typeof place === "function") return place;
  return (self: Any, ...rest: Any[]) => (typeof self[name] === "function" ? self[name](...rest) : self[name]);
}

function call(fn: (...args: Any[]) => Any, sample: Sample, args: Any[]): Any {
  const kwargs = decode(sample.kwargs);
  return Object.keys(kwargs).length === 0 ? fn(...args) : fn(...args, kwargs);
}

/** What an empty tensor holds is not PyTorch's word either. */
const uninitialized = /^(new_)?empty|^resize_/;

function complaint(answer: Answer, run: () => Any, values: boolean): string | null {
  let actual: Any;
  try {
    actual = run();
  } catch (error) {
    const { name, message } = error as Error;
    if (!("error" in answer)) return `threw ${name}: ${message}`;
    if (name !== answer.error) return `threw a ${name} (${message}) instead of ${answer.error}: ${answer.message}`;
    return message === answer.message ? null : `said  ${message}\n  instead of  ${answer.message}`;
  }
  if ("error" in answer) return `gave a result instead of ${answer.error}: ${answer.message}`;
  return differs(actual, answer.value, { values });
}

function tensorsOf(value: Any): Any[] {
  if (value instanceof torch.Tensor) return (value as Any).is_floating_point() ? [value] : [];
  if (Array.isArray(value)) return value.flatMap(tensorsOf);
  return value !== null && typeof value === "object" && Object.getPrototypeOf(value) === Object.prototype ? Object.values(value).flatMap(tensorsOf) : [];
}

function gradientComplaint(fn: (...args: Any[]) => Any, sample: Sample): string | null {
  const { of, grads } = sample.grads as { of: readonly number[]; grads: readonly Any[] };
  const args = sample.args.map(decode);
  const kwargs = decode(sample.kwargs);
  const all = tensorsOf([...args, ...Object.values(kwargs)]);
  const inputs = of.map((i) => all[i].requires_grad_(true));
  const out = Object.keys(kwargs).length === 0 ? fn(...args) : fn(...args, kwargs);
  const outs = tensorsOf(Array.isArray(out) || out instanceof torch.Tensor ? out : [...out]).filter((o) => o.requires_grad);
  const cotangents = outs.map((o) => torch.tensor(Array.from({ length: o.numel() }, (_, i) => (i % 7) / 2 + 1), { dtype: o.dtype }).reshape(o.shape));
  const actual = torch.autograd.grad(outs, inputs, cotangents, { allow_unused: true });
  for (let i = 0; i < grads.length; i++) {
    const difference = differs(actual[i] ?? null, grads[i], { strides: false });
    if (difference !== null) return `gradient ${i}: ${difference}`;
  }
  return null;
}

/** Elsewhere when asked: `npm run test:oracle` records other samples and runs these tests over them. */
const elsewhere = process.env["OPINFO_FIXTURES"];
const folder = elsewhere === undefined ? new URL("../fixtures/opinfo/", import.meta.url) : pathToFileURL(`${elsewhere}/`);

for (const file of readdirSync(folder)) {
  const recorded = readFixture<Recorded>(new URL(file, folder));
  const fn = operator(recorded.name);
  const values = !uninitialized.test(recorded.name);
  describe(file.replace(".json.gz", ""), () => {
    for (const [dtype, samples] of Object.entries(recorded.dtypes)) {
      test(dtype, () => {
        const complaints: string[] = [];
        const note = (i: number, what: string, text: string | null) => {
          if (text !== null) complaints.push(`sample ${i}${what}: ${text}\n    args ${JSON.stringify(samples[i]?.args).slice(0, 300)} kwargs ${JSON.stringify(samples[i]?.kwargs)}`);
        };
        samples.forEach((sample, i) => {
          note(i, "", complaint(sample.result, () => call(fn, sample, sample.args.map(decode)), values));
          const method = `${recorded.name.replace("nn.functional.", "")}_`;
          if (sample.inplace !== undefined && !recorded.name.startsWith("__")) {
            const answer = sample.inplace === "same" ? sample.result : sample.inplace;
            note(i, " in place", complaint(answer, () => call((self, ...rest) => self[method](...rest), sample, sample.args.map(decode)), values));
          }
          if (sample.grads !== undefined) {
            try {
              note(i, " gradient", gradientComplaint(fn, sample));
            } catch (error) {
              note(i, " gradient", `threw ${(error as Error).message}`);
            }
          }
        });
        expect(complaints.slice(0, 4).join("\n"), `${complaints.length} of ${samples.length} samples differ`).toBe("");
      });
    }
    if (recorded.errors.length > 0)
      test("errors", () => {
        const complaints = recorded.errors
          .map((sample) => complaint(sample.result, () => call(fn, sample, sample.args.map(decode)), true))
          .filter((c) => c !== null);
        expect(complaints.slice(0, 4).join("\n")).toBe("");
      });
  });
}
