/**
 * Tangents of PyTorch's own OpInfo samples: values, shapes, refusals, as PyTorch 2.13.0 answered them. Recorded by
 * tools/oracle/record_forward_ad.py into test/fixtures/forward_ad.
 */
import { readdirSync } from "node:fs";
import torch from "glasstorch";
import { expect, test } from "vitest";
import { cases_in_turn } from "../../tools/ci/turn.ts";
import { argumentsOf, inPlace, operator, uninitialized } from "../helpers/opinfo.ts";
import { type Any, decode, differs, readFixture } from "../helpers/recorded.ts";

const { dual_level, make_dual, unpack_dual } = torch.autograd.forward_ad as Any;

type Answer = { readonly value: readonly Any[] } | { readonly error: string; readonly message: string };

interface Sample {
  readonly args: readonly Any[];
  readonly kwargs: Readonly<Record<string, Any>>;
  readonly jvp: Answer;
  readonly first?: Answer;
  readonly inplace?: Answer;
}

interface Recorded {
  readonly name: string;
  readonly samples: readonly Sample[];
}

/** The tangent of the i-th floating argument. */
function tangent(t: Any, i: number): Any {
  const values = Array.from({ length: t.numel() }, (_, k) => ((k * 3 + i) % 7) / 2 - 1.25);
  return torch.tensor(values, { dtype: t.dtype }).reshape([...t.shape]);
}

/** `value` with a tangent for each floating tensor, or only for the first of all. */
function dual(value: Any, counted: { n: number }, only_first: boolean): Any {
  if (value instanceof torch.Tensor) {
    if (!(value as Any).is_floating_point()) return value;
    const i = counted.n++;
    return only_first && i > 0 ? value : make_dual(value, tangent(value, i));
  }
  return Array.isArray(value) ? value.map((each) => dual(each, counted, only_first)) : value;
}

function tangents(value: Any): Any[] {
  if (value instanceof torch.Tensor) return (value as Any).is_floating_point() ? [unpack_dual(value).tangent] : [];
  return Array.isArray(value) ? value.flatMap(tangents) : [];
}

function jvp(name: string, sample: Sample, { only_first = false, inplace = false } = {}): Any[] {
  return dual_level(() => {
    const counted = { n: 0 };
    const args = argumentsOf(name, sample as never).map((a) => dual(a, counted, only_first));
    const kwargs = Object.fromEntries(
      Object.entries(decode(sample.kwargs)).map(([k, v]) => [k, dual(v, counted, only_first)]),
    );
    if (inplace) args[0] = args[0].clone();
    const fn = inplace ? inPlace(name) : operator(name);
    const given = (Object.keys(kwargs).length === 0 ? args : [...args, kwargs]) as [Any, ...Any[]];
    const out = fn(...given);
    const results = Array.isArray(out) || out instanceof torch.Tensor || typeof out !== "object" ? out : [...out];
    return tangents(results).map((t) => t?.clone() ?? null);
  });
}

function complaint(answer: Answer, run: () => Any[], values: boolean): string | null {
  let actual: Any[];
  try {
    actual = run();
  } catch (error) {
    const { name, message } = error as Error;
    if (!("error" in answer)) return `threw ${name}: ${message}`;
    if (name === answer.error && message === answer.message) return null;
    return `said  ${name}: ${message}\n  instead of  ${answer.error}: ${answer.message}`;
  }
  if ("error" in answer) return `gave a result instead of ${answer.error}: ${answer.message}`;
  if (actual.length !== answer.value.length) return `${actual.length} results instead of ${answer.value.length}`;
  for (const [i, recorded] of answer.value.entries()) {
    const difference = differs(actual[i], recorded, { values, strides: false });
    if (difference !== null) return `tangent ${i}: ${difference}`;
  }
  return null;
}

const folder = new URL("../fixtures/forward_ad/", import.meta.url);

for (const file of cases_in_turn("operators with tangents of PyTorch's samples", readdirSync(folder), 16)) {
  test(file.replace(".json.gz", ""), () => {
    const { name, samples } = readFixture<Recorded>(new URL(file, folder));
    const values = !uninitialized.test(name);
    const complaints = samples.flatMap((sample, i) => {
      const { first, inplace } = sample;
      const said = [
        complaint(sample.jvp, () => jvp(name, sample), values),
        first === undefined ? null : complaint(first, () => jvp(name, sample, { only_first: true }), values),
        inplace === undefined || name.startsWith("__")
          ? null
          : complaint(inplace, () => jvp(name, sample, { inplace: true }), values),
      ];
      return said.flatMap((each, k) =>
        each === null
          ? []
          : [
              `sample ${i}${["", " first", " in place"][k]}: ${each}\n    args ${JSON.stringify(sample.args).slice(0, 200)} kwargs ${JSON.stringify(sample.kwargs).slice(0, 200)}`,
            ],
      );
    });
    expect(complaints.slice(0, 3).join("\n"), `${complaints.length} of ${samples.length} samples`).toBe("");
  });
}
