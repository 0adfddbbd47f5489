/**
 * Changes of the generated files when one operator is added, conflicts between two branches that each add one, and how long the files are
 * when the tree has grown to PyTorch's size. Note [An operator's text stays where it is] in shards.ts.
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { made_up, SCHEMAS_EACH } from "../../../bench/made_up.ts";
import { ROOT, read_tree } from "../../../tools/codegen/file_system.ts";
import { type Generated, generate } from "../../../tools/codegen/generate.ts";
import { file_of } from "../../../tools/codegen/module_path.ts";
import { parse_native_yaml } from "../../../tools/codegen/parse_native_yaml.ts";
import { NUM_SHARDS, root_of, shard_of } from "../../../tools/codegen/shards.ts";
import { shard_with, text_of } from "../../helpers/sharded.ts";
import { recorded } from "./autograd/generated.ts";

type Texts = ReadonlyMap<string, string>;

const YAML = "src/aten/native/native_functions.yaml";
const TAGS = "src/aten/native/tags.yaml";
const DERIVATIVES = "tools/codegen/autograd/derivatives.yaml";
const DOCS = "src/torch/_torch_docs.ts";
const OPS = "src/aten/native/UnaryOps/index.ts";
const KERNELS = "src/aten/native/cpu/UnaryOpsKernel/index.ts";
const MATH = "src/c10/util/math.ts";

const is_generated = (path: string): boolean => path.includes("/generated/");
const lines_of = (text: string): string[] => text.trimEnd().split("\n");

/** The hand-written files; `before` is generated from them. */
const sources = new Map([...read_tree(ROOT)].filter(([path]) => !is_generated(path)));
let before: Generated;
beforeAll(() => {
  before = generate(sources);
});

/** Per file: before which text, that stands there once, a contributor writes what; before "" is at the end. */
type Additions = Readonly<Record<string, readonly (readonly [place: string, text: string])[]>>;

function with_additions(files: Texts, additions: Additions): Map<string, string> {
  const edited = new Map(files);
  for (const [path, list] of Object.entries(additions))
    for (const [place, text] of list) {
      const old = edited.get(path) ?? "";
      if (place !== "" && old.split(place).length !== 2) throw new Error(`'${place}' does not stand once in ${path}`);
      edited.set(path, place === "" ? old + text : old.replace(place, () => text + place));
    }
  return edited;
}

/** The operators that a new unary one stands before: in UnaryOps/index.ts and its kernels, in the YAML files, and the text of its docstring. */
interface Place {
  readonly unary: string;
  readonly yaml: string;
  readonly docs: string;
}
const BEFORE_EXP: Place = { unary: "exp", yaml: "exp", docs: "`e` to the power of" };
const BEHIND_EXP: Place = { unary: "log", yaml: "expand", docs: "A copy of `input` with dims of size 1 expanded" };

/** An operator of one tensor in its three forms, by the steps of CONTRIBUTING.md. */
function unary(name: string, formula: string, scalar: string, place: Place): Additions {
  return {
    [YAML]: [
      [
        `- func: ${place.yaml}(`,
        `- func: ${name}(Tensor self) -> Tensor
  device_check: NoCheck
  structured_delegate: ${name}.out
  variants: function, method
  tags: pointwise

- func: ${name}_(Tensor(a!) self) -> Tensor(a!)
  device_check: NoCheck
  structured_delegate: ${name}.out
  variants: function, method
  tags: pointwise

- func: ${name}.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  device_check: NoCheck
  structured: True
  structured_inherits: TensorIteratorBase
  dispatch:
    CPU: ${name}_out
  tags: pointwise

`,
      ],
    ],
    [DERIVATIVES]: [[`- name: ${place.yaml}(`, `- name: ${name}(Tensor self) -> Tensor\n  self: ${formula}\n\n`]],
    [DOCS]: [
      [`  /**\n   * ${place.docs}`, `  /**\n   * \`${name}\` of each element.\n   */\n  ${name}: Documented;\n`],
    ],
    [OPS]: [
      [
        `export const ${place.unary}_stub =`,
        `export const ${name}_stub = DEFINE_DISPATCH<unary_fn>("${name}_stub");\n`,
      ],
      [
        `export abstract class structured_${place.unary} extends`,
        `export abstract class structured_${name} extends UnaryFloatMeta {}
export abstract class structured_${name}_out extends structured_${name} {
  impl(_self: Tensor, _out: Tensor): void {
    ${name}_stub.call(this.device_type(), this);
  }
}

`,
      ],
    ],
    [KERNELS]: [
      [`  ${place.unary}_stub,\n`, `  ${name}_stub,\n`],
      [`  ${place.unary}_of_loops,\n`, `  ${name}_of_loops,\n`],
      [
        `/** @loop ${place.unary}_vml_cpu`,
        `/** @loop ${name}_vml_cpu: floating types, Half, BFloat16 */
export function ${name}_of(a: scalar_t): scalar_t {
  return ${scalar};
}

`,
      ],
      [
        `function ${place.unary}_kernel(`,
        `function ${name}_kernel(iter: TensorIteratorBase): void {\n  cpu_kernel(iter, ${name}_of_loops);\n}\n`,
      ],
      [`REGISTER_DISPATCH(${place.unary}_stub`, `REGISTER_DISPATCH(${name}_stub, ${name}_kernel, "${name}_kernel");\n`],
    ],
  };
}

const from_math = (name: string): readonly [string, string] => ["  exp2,\n", `  ${name},\n`];

const erfcy = unary("special_erfcy", "(2.0 * self * result - 2.0 / sqrt(M_PI)) * grad", "erfcy(a)", BEFORE_EXP);
const ERFCY: Additions = {
  ...erfcy,
  [KERNELS]: [...erfcy[KERNELS], from_math("erfcy")],
  // Two digits of it, for x from 0 on.
  [MATH]: [
    [
      "export function floor(x: number)",
      `export function erfcy(x: number): number {
  return 2 / (Math.sqrt(Math.PI) * (x + Math.sqrt(x * x + 2)));
}
`,
    ],
  ],
};

/** An entry before that of `behind`, its kernel in a file of its own. */
function simple(entry: string, kernel: string, derivative = "", documented = "", behind = "exp"): Additions {
  return {
    [YAML]: [[`- func: ${behind}(`, `${entry}\n\n`]],
    "src/aten/native/NewOps.ts": [["", `${kernel}\n`]],
    ...(derivative === "" ? {} : { [DERIVATIVES]: [[`- name: ${behind}(`, `${derivative}\n\n`]] }),
    ...(documented === "" ? {} : { [DOCS]: [["}\n", `  /** One more. */\n  ${documented}: Documented;\n`]] }),
  };
}

const ANTIDIAGONAL = simple(
  `- func: antidiagonal(Tensor(a) self, int offset=0, int dim1=0, int dim2=1) -> Tensor(a)
  variants: function, method
  dispatch:
    CompositeExplicitAutograd: antidiagonal`,
  "export function antidiagonal(self: Tensor, offset: number, dim1: number, dim2: number): Tensor {\n  return self;\n}",
  `- name: antidiagonal(Tensor(a) self, int offset=0, int dim1=0, int dim2=1) -> Tensor(a)
  self: grad.expand(self.sym_sizes())`,
  "antidiagonal",
  "log",
);

const KINDS: Readonly<Record<string, Additions>> = {
  "a unary operator with in-place and out forms": ERFCY,
  "a factory": simple(
    `- func: bell_window(int window_length, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor
  dispatch:
    CompositeExplicitAutograd: bell_window`,
    "export function bell_window(window_length: number, dtype: ScalarType | null, layout: Layout | null, device: Device | null, pin_memory: boolean | null): Tensor {\n  return at.empty([window_length]);\n}",
    "",
    "bell_window",
  ),
  "a view": ANTIDIAGONAL,
  "a composite with several outputs, named": simple(
    "- func: extremes(Tensor self, int dim=-1) -> (Tensor least, Tensor most)\n  variants: function, method",
    "export function extremes(self: Tensor, dim: number): [Tensor, Tensor] {\n  return [self, self];\n}",
    "",
    "extremes",
  ),
  "an operator whose out form is autogen": simple(
    `- func: rot45(Tensor self, int k=1, int[] dims=[0,1]) -> Tensor
  variants: function, method
  dispatch:
    CompositeExplicitAutograd: rot45
  autogen: rot45.out`,
    "export function rot45(self: Tensor, k: number, dims: readonly number[]): Tensor {\n  return self;\n}",
    "- name: rot45(Tensor self, int k=1, int[] dims=[0,1]) -> Tensor\n  self: grad.rot45(k, dims)",
    "rot45",
  ),
  "one in `torch.nn`": simple(
    "- func: softsign(Tensor self) -> Tensor\n  python_module: nn\n  dispatch:\n    CPU: softsign",
    "export function softsign(self: Tensor): Tensor {\n  return self;\n}",
    "- name: softsign(Tensor self) -> Tensor\n  self: grad * result",
  ),
  "the first of all names": simple(
    "- func: __a(Tensor self) -> Tensor\n  variants: function, method\n  dispatch:\n    CPU: __a",
    "export function __a(self: Tensor): Tensor {\n  return self;\n}",
    "- name: __a(Tensor self) -> Tensor\n  self: grad.neg()",
  ),
  "the last of all names": simple(
    "- func: zzz(Tensor self) -> Tensor\n  variants: function, method\n  dispatch:\n    CPU: zzz",
    "export function zzz(self: Tensor): Tensor {\n  return self;\n}",
    "- name: zzz(Tensor self) -> Tensor\n  self: grad.neg()",
    "zzz",
  ),
};

/** The lines of `from` that `to` no longer has in their order: none if and only if lines were added alone. */
function lost_lines(from: string, to: string): string[] {
  const now = lines_of(to);
  const lost: string[] = [];
  let at = 0;
  for (const line of lines_of(from)) {
    const found = now.indexOf(line, at);
    if (found < 0) lost.push(line);
    else at = found + 1;
  }
  return lost;
}

describe("one more operator adds lines, and moves or changes none", () => {
  test.each(Object.entries(KINDS))("%s", (_, additions) => {
    const after = generate(with_additions(sources, additions));
    expect(after.operators).toBeGreaterThan(before.operators);
    expect([...before.outputs.keys()].filter((path) => !after.outputs.has(path))).toEqual([]);
    let added = 0;
    for (const [path, text] of after.outputs) {
      const old = before.outputs.get(path) ?? "";
      expect({ path, lost: lost_lines(old, text) }).toEqual({ path, lost: [] });
      added += lines_of(text).length - (old === "" ? 0 : lines_of(old).length);
    }
    expect(added).toBeGreaterThan(20);
    // The one with three forms on CPU is the longest: 84 lines of kernels' classes, 51 of autograd kernels, 42 of loops.
    expect(added).toBeLessThan(additions === ERFCY ? 450 : 200);
  });
});

test("the generator needs no generated file: it runs whatever a merge left there", () => {
  const seen = new Set<string>();
  const follow = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    const text = readFileSync(join(ROOT, file), "utf8").replace(/`(?:[^`\\]|\\.)*`/g, "``");
    for (const [, specifier] of text.matchAll(/^(?:import|export) (?!type )[^"`]*?"([#.][^"]+)";$/gm)) {
      const path = file_of(file, specifier);
      if (path === null) throw new Error(`${file}: no file for ${specifier}`);
      follow(path);
    }
  };
  follow("tools/codegen/gen.ts");
  expect(seen.size).toBeGreaterThan(60);
  expect([...seen].filter(is_generated)).toEqual([]);
});

describe("two branches that each add an operator", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "glasstorch-merge-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const git = (...args: string[]): { status: number | null; output: string } => {
    const who = ["-c", "user.name=Nobody", "-c", "user.email=nobody@example.org", "-c", "commit.gpgsign=false"];
    const made = spawnSync("git", [...who, "-c", "core.autocrlf=false", "-c", "gc.auto=0", ...args], {
      cwd: folder,
      encoding: "utf8",
      env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
    });
    return { status: made.status, output: `${made.stdout}${made.stderr}` };
  };
  const run = (...args: string[]): string => {
    const { status, output } = git(...args);
    if (status !== 0) throw new Error(`git ${args.join(" ")}:\n${output}`);
    return output;
  };
  const commit = (texts: Texts, message: string): void => {
    for (const [path, text] of texts) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    run("add", "-A");
    run("commit", "-q", "-m", message);
  };
  const on_disk = (): Map<string, string> =>
    new Map(
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && !join(entry.parentPath, entry.name).startsWith(join(folder, ".git")))
        .map((entry) => join(entry.parentPath, entry.name))
        .map((path) => [path.slice(folder.length + 1).replaceAll("\\", "/"), readFileSync(path, "utf8")]),
    );

  /** Both branches from the repository as it is, sources and generated files, the second checked out. */
  function branches(first: Additions, second: Additions): void {
    const tree = new Map([...sources, ...before.outputs]);
    const changed = (additions: Additions): Map<string, string> => {
      const edited = with_additions(sources, additions);
      return new Map([...edited, ...generate(edited).outputs].filter(([path, text]) => tree.get(path) !== text));
    };
    cpSync(join(ROOT, ".gitattributes"), join(folder, ".gitattributes"));
    run("init", "-q", "-b", "base");
    commit(tree, "base");
    run("checkout", "-q", "-b", "first");
    commit(changed(first), "first");
    run("checkout", "-q", "base");
    run("checkout", "-q", "-b", "second");
    commit(changed(second), "second");
  }

  const conflicts = (): string[] => run("diff", "--name-only", "--diff-filter=U").split("\n").filter(Boolean);

  test("neighbours in the YAML and in the same shards: git joins them by itself, codegen puts their lines in order", () => {
    // catenary_root before exp, special_bessel_j1 behind it: in most outputs nothing stands between them.
    const first = unary("catenary_root", "grad * result", "(exp(a) + exp(-a)) / 2", BEFORE_EXP);
    const second = unary(
      "special_bessel_j1",
      "grad.div(self.mul(self).sub(1).sqrt())",
      "log(a + sqrt(a * a - 1))",
      BEHIND_EXP,
    );
    for (const output of ["aten/Operators", "aten/RegisterCPU", "autograd/VariableType"])
      expect(shard_with(`${output}.ts`, "catenary_root")).toBe(shard_with(`${output}.ts`, "special_bessel_j1"));
    branches(first, second);

    expect(git("-c", "core.attributesFile=/dev/null", "merge", "-q", "--no-edit", "first").status).toBe(0);
    const merged = on_disk();
    const expected = with_additions(with_additions(sources, first), second);
    expect([...merged].filter(([path, text]) => !is_generated(path) && expected.get(path) !== text)).toEqual([]);
    for (const [path, text] of merged) expect({ path, mark: /^[<>]{7} /m.test(text) }).toEqual({ path, mark: false });
    const restored = generate(merged);
    expect(restored.operators).toBe(before.operators + 6);
    const { outputs } = generate(expected);
    expect([...restored.outputs.keys()]).toEqual([...outputs.keys()]);
    expect([...restored.outputs].filter(([path, text]) => outputs.get(path) !== text)).toEqual([]);
    // Without the attribute a person would have to look at generated files.
    run("reset", "-q", "--hard", "HEAD~1");
    rmSync(join(folder, ".gitattributes"));
    run("commit", "-q", "-a", "-m", "no attributes");
    expect(git("merge", "-q", "--no-edit", "first").status).toBe(1);
    expect(conflicts().filter(is_generated).length).toBeGreaterThan(0);
    expect(conflicts().filter((path) => !is_generated(path))).toEqual([]);
  });

  test("far from each other: what git makes is what codegen would write", () => {
    branches(ERFCY, ANTIDIAGONAL);
    run("merge", "-q", "--no-edit", "first");
    const merged = on_disk();
    const { outputs } = generate(new Map([...merged].filter(([path]) => !is_generated(path))));
    expect([...outputs].filter(([path, text]) => merged.get(path) !== text).map(([path]) => path)).toEqual([]);
  });
});

describe("no generated file passes 6,000 lines", () => {
  const MAX_LINES = 6000;
  /** Number of schemas in PyTorch 2.13. */
  const SCHEMAS = 2584;
  const too_long = (outputs: Texts, factor: (path: string) => number): string[] =>
    [...outputs].filter(([path, text]) => lines_of(text).length * factor(path) > MAX_LINES).map(([path]) => path);

  test("today", () => {
    expect(too_long(before.outputs, () => 1)).toEqual([]);
  });

  test("with as many operators as PyTorch has, all like exp", () => {
    const count = Math.ceil((SCHEMAS - before.operators) / SCHEMAS_EACH);
    const grown = generate(new Map([...sources, ...made_up(sources, count)]));
    expect(grown.operators).toBeGreaterThanOrEqual(SCHEMAS);
    expect(too_long(grown.outputs, () => 1)).toEqual([]);
  });

  test("with as many as PyTorch has, of the kinds that are here today", () => {
    // A file of kernels is as long as the hand-written one it is made from; the others grow with the YAML.
    const factor = (path: string) => (path.includes("/native/") ? 1 : SCHEMAS / before.operators);
    expect(too_long(before.outputs, factor)).toEqual([]);
  });
});

describe("shards", () => {
  const GENERATED = "src/aten/generated";
  const CSRC = "src/torch/csrc-equivalent/autograd/generated";

  test("an operator stands in one shard, the one its root name picks", () => {
    const read = (path: string) => ({ path, text: sources.get(path) as string });
    const { native_functions } = parse_native_yaml({ native_functions: read(YAML), tags: read(TAGS) });
    expect(native_functions.length).toBe(before.operators);
    const holding = new Map<string, string[]>();
    for (const [path, text] of before.outputs)
      if (/\/Operators_\d+\.ts$/.test(path))
        for (const [, own, alias] of text.matchAll(/^(?:export const (\w+) = \{|export \{ \w+ as (\w+) \};)$/gm)) {
          const name = own ?? alias;
          holding.set(name, [...(holding.get(name) ?? []), path]);
        }
    for (const f of native_functions) {
      const name = f.func.name.unambiguous_name();
      const shard = shard_with(`${GENERATED}/Operators.ts`, f.root_name);
      expect({ name, holding: holding.get(name) }).toEqual({ name, holding: [shard] });
    }
  });

  const roots = (): Map<string, string> => {
    const read = (path: string) => ({ path, text: sources.get(path) as string });
    const { native_functions } = parse_native_yaml({ native_functions: read(YAML), tags: read(TAGS) });
    return new Map(native_functions.map((f) => [String(f.func.name), f.root_name]));
  };

  test.each([
    ...["RegisterCPU", "RegisterMeta", "RegisterCompositeExplicitAutograd", "RegisterCompositeImplicitAutograd"],
    "RegisterCompositeExplicitAutogradNonFunctional",
    ...["VariableType", "ADInplaceOrViewType"],
  ])("%s registers each operator once, in its shard", (output) => {
    const base = `${before.outputs.has(`${CSRC}/${output}_0.ts`) ? CSRC : GENERATED}/${output}.ts`;
    const registered = [...before.outputs].flatMap(([path, text]) =>
      path.startsWith(base.replace(/\.ts$/, "_"))
        ? [...text.matchAll(/m\.impl\("([^"]+)"/g)].map(([, name]) => ({ name, path }))
        : [],
    );
    expect(registered.length).toBe([...text_of(base, (p) => before.outputs.get(p)).matchAll(/m\.impl\("/g)].length);
    expect(registered.length).toBeGreaterThan(30);
    expect(new Set(registered.map(({ name }) => name)).size).toBe(registered.length);
    const root_of_operator = roots();
    for (const each of registered)
      expect(each).toEqual({ ...each, path: shard_with(base, root_of_operator.get(each.name) as string) });
  });

  test("PyTorch's own operators fill them evenly", () => {
    const { native } = recorded<{ native: [written: string, schema: string][] }>("schemas/schemas");
    const roots = native.map(([written]) => root_of(written.replace(/[.(].*/s, "")));
    expect(roots.length).toBe(2584);
    for (const [output, count] of Object.entries(NUM_SHARDS)) {
      const sizes = new Array<number>(count).fill(0);
      for (const root of roots) sizes[shard_of(root, count)]++;
      const fullest = Math.max(...sizes) / (roots.length / count);
      expect({ output, fullest, even: fullest < 1.6 }).toEqual({ output, fullest, even: true });
    }
  });
});
