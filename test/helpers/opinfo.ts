/**
 * @file Samples of PyTorch's OpInfo, called here and compared with what PyTorch answered: result, in-place form, gradients, and, where they
 * are recorded, shapes on Meta and shared memory. Recorded by tools/oracle/record_opinfo.py.
 */
import torch from "glasstorch";
import { type Any, decode, differs } from "./recorded.ts";

type Answer = { readonly value: Any } | { readonly error: string; readonly message: string };

export interface Sample {
  readonly args: readonly Any[];
  readonly kwargs: Readonly<Record<string, Any>>;
  readonly result: Answer;
  readonly inplace?: "same" | Answer;
  readonly grads?: { readonly of: readonly number[]; readonly grads: readonly Any[] };
  /** Answer to the call on meta tensors. */
  readonly meta?: Answer;
  /** The numbers of the tensor arguments whose memory each tensor of the result shares. */
  readonly shares?: readonly (readonly number[])[];
}

export interface Recorded {
  /** OpInfo's name; `aten::lgamma` where the samples are those of the operator itself. */
  readonly name: string;
  readonly variant: string;
  readonly dtypes: Readonly<Record<string, readonly Sample[]>>;
  readonly errors: readonly Sample[];
}

/** The operator as OpInfo calls it: a function of torch, of nn.functional, a method or a property of Tensor. */
export function operator(name: string): (...args: Any[]) => Any {
  if (name.startsWith("aten::")) return itself(name.slice("aten::".length));
  if (name === "where") return (self: Any, condition: Any, other: Any) => torch.where(condition, self, other); // OpInfo differentiates by `self`
  if (name === "zero_") return (self: Any) => self.clone().zero_(); // so that its gradient can be asked of a leaf
  if (name === "nn.functional.embedding")
    return (weight: Any, index: Any, ...rest: Any[]) => torch.nn.functional.embedding(index, weight, ...rest); // likewise
  const place = name.split(".").reduce((module: Any, part) => module?.[part], torch);
  if (name === "einsum") return (tensors: Any, equation: Any) => place(equation, tensors);
  if (name.endsWith("polygamma")) return (self: Any, n: Any) => place(n, self);
  if (typeof place === "function") return place;
  // x[[0, 1]] is an index by a list, x[0, 1] by two numbers: the outer array is the tuple.
  if (name === "__getitem__") return (self: Any, index: Any) => self.__getitem__(index);
  return (self: Any, ...rest: Any[]) => (typeof self[name] === "function" ? self[name](...rest) : self[name]);
}

/** The operator where Python has it; in `torch.ops` where it has none, or the module is not here. */
function itself(base: string): (...args: Any[]) => Any {
  const { _C, ops } = torch as Any;
  const found = [torch as Any, _C._nn].map((place) => place[base]).find((each) => typeof each === "function");
  return (
    found ??
    ((self: Any, ...rest: Any[]) =>
      typeof self?.[base] === "function" ? self[base](...rest) : ops.aten[base](self, ...rest))
  );
}

/** The in-place form: a method, or a function of nn.functional where that has it, or takes `inplace`. */
export function inPlace(name: string): (self: Any, ...rest: Any[]) => Any {
  const method = `${name.replace(/^(?:nn\.functional\.|aten::)/, "").replace(/_$/, "")}_`;
  const F = torch.nn.functional as Any;
  return (self, ...rest) => {
    if (typeof self[method] === "function") return self[method](...rest);
    return F[method] !== undefined ? F[method](self, ...rest) : F[method.slice(0, -1)](self, ...rest, true);
  };
}

/** A list as the whole index is one element of the tuple that `__getitem__` takes. */
export function argumentsOf(name: string, sample: Sample): Any[] {
  return sample.args.map((arg, i) =>
    name === "__getitem__" && i === 1 && Array.isArray(arg) ? [decode(arg)] : decode(arg),
  );
}

function call(fn: (...args: Any[]) => Any, sample: Sample, args: Any[], kwargs = decode(sample.kwargs)): Any {
  return Object.keys(kwargs).length === 0 ? fn(...args) : fn(...args, kwargs);
}

/** Operators with uninitialized results: their values are not PyTorch's promise either. */
export const uninitialized = /^(new_)?empty|^resize_/;

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

/** Differences from PyTorch in the samples; values are compared unless they are `random`. */
export function complaintsOf({ name, dtypes }: Recorded, dtype: string, { random = false } = {}): string[] {
  const fn = operator(name);
  const values = !random && !uninitialized.test(name.replace("aten::", ""));
  return dtypes[dtype].flatMap((sample, i) =>
    Object.entries(questions(name, fn, values)).flatMap(([what, ask]) => {
      let said: string | null;
      try {
        said = ask(sample);
      } catch (error) {
        said = `threw ${(error as Error).message}`;
      }
      if (said === null) return [];
      const called = `args ${JSON.stringify(sample.args).slice(0, 300)} kwargs ${JSON.stringify(sample.kwargs)}`;
      return [`sample ${i}${what}: ${said}\n    ${called}`];
    }),
  );
}

export function errorComplaintsOf({ name, errors }: Recorded): string[] {
  const fn = operator(name);
  return errors.flatMap(
    (sample) => complaint(sample.result, () => call(fn, sample, argumentsOf(name, sample)), true) ?? [],
  );
}

/** The comparisons that a sample's recording allows. */
function questions(
  name: string,
  fn: (...args: Any[]) => Any,
  values: boolean,
): Readonly<Record<string, (sample: Sample) => string | null>> {
  return {
    "": (sample) => complaint(sample.result, () => call(fn, sample, argumentsOf(name, sample)), values),
    " in place": (sample) => {
      if (sample.inplace === undefined || name.startsWith("__")) return null;
      const answer = sample.inplace === "same" ? sample.result : sample.inplace;
      return complaint(answer, () => call(inPlace(name), sample, sample.args.map(decode)), values);
    },
    " gradient": (sample) => (sample.grads === undefined || !values ? null : gradientComplaint(name, fn, sample)),
    " on Meta": (sample) =>
      sample.meta === undefined
        ? null
        : metaComplaint(sample.meta, () =>
            call(fn, sample, onMeta(argumentsOf(name, sample)), onMeta(decode(sample.kwargs))),
          ),
    " memory": (sample) => (sample.shares === undefined ? null : sharingComplaint(name, fn, sample)),
  };
}

/** Which text a refusal has depends on the backends of a build. */
function metaComplaint(answer: Answer, run: () => Any): string | null {
  return "error" in answer ? null : complaint(answer, run, false);
}

export function onMeta(value: Any): Any {
  if (value instanceof torch.Tensor) return (value as Any).detach().to("meta");
  if (Array.isArray(value)) return value.map(onMeta);
  if (value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([name, v]) => [name, onMeta(v)])); // keyword arguments
}

/** A view lies in its base's memory, a copy in its own. */
function sharingComplaint(name: string, fn: (...args: Any[]) => Any, sample: Sample): string | null {
  const args = argumentsOf(name, sample);
  const kwargs = decode(sample.kwargs);
  const memory = (t: Any): unknown => t.cdata.storage().unsafeGetStorageImpl();
  const given = allTensors([...args, ...Object.values(kwargs)]).map(memory);
  const results = allTensors([Object.keys(kwargs).length === 0 ? fn(...args) : fn(...args, kwargs)].flat());
  for (const [i, shared] of (sample.shares as readonly (readonly number[])[]).entries()) {
    const found = given.flatMap((each, k) => (each === memory(results[i]) ? [k] : []));
    if (String(found) !== String(shared))
      return shared.length > 0
        ? `result ${i} has memory of its own; PyTorch's is a view of argument ${shared[0]}`
        : `result ${i} lies in the memory of argument ${found[0]}; PyTorch's has its own`;
  }
  return null;
}

function allTensors(value: Any): Any[] {
  if (value instanceof torch.Tensor) return [value];
  return Array.isArray(value) ? value.flatMap(allTensors) : [];
}
