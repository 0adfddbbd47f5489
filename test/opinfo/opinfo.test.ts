/**
 * PyTorch's own OpInfo samples: values, dtypes, shapes, strides, in-place variants, gradients, error types and texts, as PyTorch 2.13.0
 * answered them. Recorded by tools/oracle/record_opinfo.py into test/fixtures/opinfo.
 */
import { readdirSync } from "node:fs";
import { pathToFileURL } from "node:url";
import torch from "glasstorch";
import { describe, test } from "vitest";
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
  if (name === "where") return (self: Any, condition: Any, other: Any) => torch.where(condition, self, other); // OpInfo differentiates by `self`
  if (name === "zero_") return (self: Any) => self.clone().zero_(); // so that its gradient can be asked of a leaf
  const place = name.startsWith("nn.functional.")
    ? (torch.nn.functional as Any)[name.slice("nn.functional.".length)]
    : (torch as Any)[name];
  if (typeof place === "function") return place;
  // x[[0, 1]] is an index by a list, x[0, 1] by two numbers: the outer array is the tuple.
  if (name === "__getitem__") return (self: Any, index: Any) => self.__getitem__(index);
  return (self: Any, ...rest: Any[]) => (typeof self[name] === "function" ? self[name](...rest) : self[name]);
}

/** The in-place form: a method, or a function of nn.functional where that has it. */
function inPlace(name: string): (self: Any, ...rest: Any[]) => Any {
  const method = `${name.replace("nn.functional.", "").replace(/_$/, "")}_`;
  return (self, ...rest) =>
    typeof self[method] === "function" ? self[method](...rest) : (torch.nn.functional as Any)[method](self, ...rest);
}

/** A list as the whole index is one element of the tuple that `__getitem__` takes. */
function argumentsOf(name: string, sample: Sample): Any[] {
  return sample.args.map((arg, i) =>
    name === "__getitem__" && i === 1 && Array.isArray(arg) ? [decode(arg)] : decode(arg),
  );
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
  return value !== null && typeof value === "object" && Object.getPrototypeOf(value) === Object.prototype
    ? Object.values(value).flatMap(tensorsOf)
    : [];
}

function gradientComplaint(name: string, fn: (...args: Any[]) => Any, sample: Sample): string | null {
  const { of, grads } = sample.grads as { of: readonly number[]; grads: readonly Any[] };
  const args = argumentsOf(name, sample);
  const kwargs = decode(sample.kwargs);
  const all = tensorsOf([...args, ...Object.values(kwargs)]);
  const inputs = of.map((i) => all[i].requires_grad_(true));
  const out = Object.keys(kwargs).length === 0 ? fn(...args) : fn(...args, kwargs);
  const outs = tensorsOf(Array.isArray(out) || out instanceof torch.Tensor ? out : [...out]).filter(
    (o) => o.requires_grad,
  );
  const cotangents = outs.map((o) =>
    torch
      .tensor(
        Array.from({ length: o.numel() }, (_, i) => (i % 7) / 2 + 1),
        { dtype: o.dtype },
      )
      .reshape(o.shape),
  );
  const actual = torch.autograd.grad(outs, inputs, cotangents, { allow_unused: true });
  for (let i = 0; i < grads.length; i++) {
    const difference = differs(actual[i] ?? null, grads[i], { strides: false });
    if (difference !== null) return `gradient ${i}: ${difference}`;
  }
  return null;
}

/** Elsewhere when asked: `npm run test:oracle` records other samples and runs these tests over them. */
const elsewhere = process.env["OPINFO_FIXTURES"];
const folder =
  elsewhere === undefined ? new URL("../fixtures/opinfo/", import.meta.url) : pathToFileURL(`${elsewhere}/`);

for (const file of readdirSync(folder)) {
  const recorded = readFixture<Recorded>(new URL(file, folder));
  const fn = operator(recorded.name);
  const values = !uninitialized.test(recorded.name);
  describe(file.replace(".json.gz", ""), () => {
    for (const [dtype, samples] of Object.entries(recorded.dtypes)) {
      test(dtype, () => {
        const complaints: string[] = [];
        const note = (i: number, what: string, text: string | null) => {
          if (text !== null)
            complaints.push(
              `sample ${i}${what}: ${text}\n    args ${JSON.stringify(samples[i]?.args).slice(0, 300)} kwargs ${JSON.stringify(samples[i]?.kwargs)}`,
            );
        };
        samples.forEach((sample, i) => {
          note(
            i,
            "",
            complaint(sample.result, () => call(fn, sample, argumentsOf(recorded.name, sample)), values),
          );
          if (sample.inplace !== undefined && !recorded.name.startsWith("__")) {
            const answer = sample.inplace === "same" ? sample.result : sample.inplace;
            note(
              i,
              " in place",
              complaint(answer, () => call(inPlace(recorded.name), sample, sample.args.map(decode)), values),
            );
          }
          if (sample.grads !== undefined) {
            try {
              note(i, " gradient", gradientComplaint(recorded.name, fn, sample));
            } catch (error) {
              note(i, " gradient", `threw ${(error as Error).message}`);
            }
          }
        });
        if (complaints.length > 0)
          throw new Error(
            `${complaints.length} complaints over ${samples.length} samples\n${complaints.slice(0, 4).join("\n")}`,
          );
      });
    }
    if (recorded.errors.length > 0)
      test("errors", () => {
        const complaints = recorded.errors
          .map((sample) => complaint(sample.result, () => call(fn, sample, argumentsOf(recorded.name, sample)), true))
          .filter((c) => c !== null);
        if (complaints.length > 0) throw new Error(complaints.slice(0, 4).join("\n"));
      });
  });
}
