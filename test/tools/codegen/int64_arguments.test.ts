/** @file The table of ints that go to kernels in full names what is there, leaves out no dim, and is true. */
import torch from "glasstorch";
import { expect, test } from "vitest";
import { DIMS, IN_FULL, takes_int64 } from "../../../tools/codegen/api/int64_arguments.ts";
import { should_generate_py_binding } from "../../../tools/codegen/autograd/gen_python_functions.ts";
import { ROOT, read_tree } from "../../../tools/codegen/file_system.ts";
import { parse_native_yaml } from "../../../tools/codegen/parse_native_yaml.ts";

const tree = read_tree(ROOT);
const source = (path: string) => ({ path, text: tree.get(path) as string });
const { native_functions } = parse_native_yaml({
  native_functions: source("src/aten/native/native_functions.yaml"),
  tags: source("src/aten/native/tags.yaml"),
});
const bound = native_functions.filter(should_generate_py_binding);
const is_int = (type: string): boolean => /^(?:int|SymInt)\??$/.test(type);

/** `select index`: of every function that Python sees, the ints. */
const ints = bound.flatMap((f) =>
  f.func.arguments.flat_all
    .filter((a) => is_int(String(a.type)))
    .map((a) => ({ name: String(f.func.name.name), argument: a.name })),
);

test("each of its names is that of an int", () => {
  const known = new Set(ints.map(({ name, argument }) => `${name} ${argument}`));
  for (const [name, args] of IN_FULL) for (const argument of args) expect(known).toContain(`${name} ${argument}`);
  const names = new Set(ints.map(({ argument }) => argument));
  for (const dim of DIMS) expect(names).toContain(dim);
});

test("a dim of a new name has to be written down", () => {
  const sizes = ["embed_dim", "unroll_dim"]; // no dims of a tensor, or one that nothing depends on
  const dims = ints.filter(({ argument }) => /dim|axis/.test(argument) && !sizes.includes(argument));
  expect(dims.filter(({ name, argument }) => !takes_int64(name, argument))).toEqual([]);
});

test("a dim that no double holds is out of range, and the message has every digit", () => {
  const large = 2n ** 53n + 1n;
  const x = torch.ones([3, 4]);
  const called = new Set<string>();
  for (const f of bound) {
    const [self, dim, ...rest] = f.func.arguments.flat_non_out;
    const alone = f.variants.has("function") && f.func.name.name.base === String(f.func.name.name);
    const fits = String(self?.type) === "Tensor" && dim !== undefined && is_int(String(dim.type)) && DIMS.has(dim.name);
    if (!alone || !fits || rest.some((a) => a.default === null) || f.python_module !== null) continue;
    const name = f.func.name.name.base;
    const call = (torch as unknown as Record<string, (...args: unknown[]) => unknown>)[name];
    if (call === undefined) continue;
    called.add(name);
    expect(() => call(x, { [dim.name]: large }), name).toThrow(
      /(?:but got|, got) 9007199254740993|9007199254740993 out of range/,
    );
  }
  expect(called.size).toBeGreaterThan(30);
});
