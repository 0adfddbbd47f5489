/**
 * Recurrent networks, attention and transformers beside PyTorch 2.13.0: repr, names of the state, outputs and their nodes, gradients, what
 * evaluation gives, and the texts of errors. Recorded by tools/oracle/record_modules.py.
 */
import torch from "glasstorch";
import { describe, expect, test } from "vitest";
import { type Any, decode, differs, readFixture } from "../../helpers/recorded.ts";

interface Case {
  readonly new: string;
  readonly a: Any[];
  readonly kw: Readonly<Record<string, Any>>;
  readonly dtype: string;
  readonly call: Any[];
  readonly ckw: Readonly<Record<string, Any>>;
  readonly grad: boolean[];
  readonly lengths: number[] | null;
  readonly enforce_sorted: boolean;
  readonly repr?: string;
  readonly state: string[];
  readonly train: Any[];
  readonly nodes: (string | null)[];
  readonly grads?: Any[];
  readonly eval: Any[];
  readonly error?: string;
  readonly message?: string;
}

const { cases } = readFixture<{ cases: Case[] }>(new URL("../../fixtures/nn/modules.json.gz", import.meta.url));

function tensors(v: Any): Any[] {
  if (v instanceof torch.Tensor) return [v];
  if (v instanceof torch.nn.utils.rnn.PackedSequence) return [v.data];
  return Array.isArray(v) ? v.flatMap(tensors) : [];
}

function made(c: Case): Any {
  torch.manual_seed(0);
  const cls = (torch.nn as Any)[c.new];
  const kw = decode(c.kw);
  const module = Object.keys(kw).length === 0 ? new cls(...decode(c.a)) : new cls(...decode(c.a), kw);
  return module.to((torch as Any)[c.dtype]);
}

function called(module: Any, c: Case): { out: Any[]; given: Any[] } {
  const args = decode(c.call);
  const kwargs = decode(c.ckw);
  const all = [...tensors(args), ...tensors(Object.values(kwargs))];
  for (const [i, t] of all.entries()) t.requires_grad_(c.grad[i]);
  if (c.lengths !== null) {
    const { enforce_sorted } = c;
    const { batch_first } = module;
    args[0] = torch.nn.utils.rnn.pack_padded_sequence(args[0], c.lengths, { batch_first, enforce_sorted });
  }
  torch.manual_seed(1);
  const out = Object.keys(kwargs).length === 0 ? module(...args) : module(...args, kwargs);
  return { out: tensors(out), given: all.filter((t) => t.requires_grad) };
}

function cotangent(o: Any): Any {
  const values = Array.from({ length: o.numel() }, (_, i) => (i % 7) / 2 + 1);
  return torch.tensor(values, { dtype: o.dtype }).reshape(o.shape);
}

function complaints(c: Case): (string | null)[] {
  const module = made(c);
  expect(module.__repr__()).toBe(c.repr);
  expect([...module.state_dict().keys()]).toEqual(c.state);
  const { out, given } = called(module, c);
  const found = out.map((t, i) => differs(t, c.train[i]));
  expect(out.map((t) => t.grad_fn?.name() ?? null)).toEqual(c.nodes);
  const outs = out.filter((t) => t.requires_grad);
  if (c.grads !== undefined) {
    const inputs = [...given, ...module.parameters()];
    const grads = torch.autograd.grad(outs, inputs, outs.map(cotangent), { allow_unused: true }) as Any[];
    found.push(...grads.map((g, i) => differs(g, c.grads?.[i])));
  }
  module.eval();
  const evaluated = torch.no_grad(() => called(module, c).out);
  found.push(...evaluated.map((t: Any, i: number) => differs(t, c.eval[i])));
  return found.filter((complaint) => complaint !== null);
}

describe.each([...new Set(cases.map((c) => c.new))])("nn.%s", (name) => {
  // Without `sort` sequences cannot be put in order.
  const of_name = cases.filter((c) => c.new === name && (c.enforce_sorted || "sort" in torch));
  test.each(of_name.filter((c) => c.error === undefined).map((c) => [c.repr?.split("\n")[0], c] as const))(
    "%s",
    (_, c) => {
      expect(complaints(c)).toEqual([]);
    },
  );

  test("errors are PyTorch's", () => {
    for (const c of of_name) {
      if (c.error === undefined) continue;
      let error: Any = null;
      try {
        called(made(c), c);
      } catch (e) {
        error = e;
      }
      expect([error?.name, error?.message]).toEqual([c.error, c.message]);
    }
  });
});
