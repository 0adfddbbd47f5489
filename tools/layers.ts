/**
 * @file The check of layers, for every import of `src`: python <- c10 <- aten <- torch/csrc-equivalent <- torch. Imports go only
 * downwards, also imports of types. Imports of values never form a circle; circles that types close may have a few files.
 * `npx tsx tools/layers.ts [FOLDER]` prints violations and fails if there are any.
 *
 * As in PyTorch, lower layers reach higher ones through hooks and registries.
 * @original
 */
import { fileURLToPath } from "node:url";
import { imports_of, read_sources } from "./imports_of.ts";

interface Rule {
  readonly from: RegExp;
  readonly never: RegExp;
  readonly why: string;
}

const RULES: readonly Rule[] = [
  {
    from: /^src\/c10\//,
    never: /^src\/(?!c10\/|python\/)/,
    why: "below c10 stands only Python; c10 reaches autograd through AutogradMetaFactory and the trace through c10/util/Trace.ts",
  },
  {
    from: /^src\/aten\//,
    never: /^src\/(?!c10\/|python\/|aten\/)/,
    why: "aten calls upwards only through hook interfaces (VariableHooksInterface, ...)",
  },
  {
    from: /^src\/caffe2\//,
    never: /^src\/(?!c10\/|python\/|caffe2\/)/,
    why: "the archive knows bytes, not tensors",
  },
  {
    from: /^src\/python\//,
    never: /^src\/(?!python\/)/,
    why: "Python knows no tensors: it stands below everything, as CPython stands below PyTorch",
  },
  {
    from: /^src\/torch\/csrc-equivalent\//,
    never: /^src\/(?!c10\/|aten\/|caffe2\/|python\/|torch\/csrc-equivalent\/)/,
    why: "csrc is what Python imports; where PyTorch's C++ calls Python it does so through a registered callable",
  },
  {
    from: /^src\/torch\/(?!csrc-equivalent\/|(?:(?:jit|_functorch|_dynamo|_lazy)\/)?_C(?:_functorch)?\.ts$)/,
    never: /^src\/(?:torch\/csrc-equivalent|caffe2)\//,
    why: "the front end reaches the engine through src/torch/_C.ts, the compiler of scripts through src/torch/jit/_C.ts, functional tensors and transforms through src/torch/_functorch/_C.ts and _C_functorch.ts, the hook of frames through src/torch/_dynamo/_C.ts, lazy tensors through src/torch/_lazy/_C.ts, as Python does through torch._C",
  },
  {
    from: /^src\/torch\//,
    never: /^src\/(?:trace|index\.ts)/,
    why: "the library is what is recorded; it knows only the hook in c10/util/Trace.ts",
  },
  {
    from: /^src\/trace\//,
    never: /^src\/(?!trace\/|generated\/symbols\.json$|c10\/util\/(?:Trace|Backtrace)\.ts$)/,
    why: "recording must be possible before the library is imported; what it takes of c10 imports nothing",
  },
];

/** Largest number of hand-written files in a circle that types close: a reader of one file needs the others. */
const LARGEST_CIRCLE_OF_TYPES = 30;

/** Violations in `files`, one line each; a line names both files. */
export function complaints_about(files: ReadonlyMap<string, string>): string[] {
  const complaints: string[] = [];
  const running = new Map<string, readonly string[]>();
  const all = new Map<string, readonly string[]>();
  for (const [path, text] of files) {
    const imports = imports_of(path, text);
    for (const { to, type_only } of imports) {
      if (!to.startsWith("src/")) continue;
      const form = type_only ? "type " : "";
      if (to.endsWith(".ts") && !files.has(to)) complaints.push(`${path} -> ${to}: there is no such file`);
      for (const { from, never, why } of RULES)
        if (from.test(path) && never.test(to)) complaints.push(`upward ${form}import: ${path} -> ${to} (${why})`);
    }
    const inside = imports.filter(({ to }) => files.has(to));
    all.set(
      path,
      inside.map(({ to }) => to),
    );
    running.set(
      path,
      inside.filter(({ type_only }) => !type_only).map(({ to }) => to),
    );
  }
  for (const circle of circles(running))
    complaints.push(`circle: ${circle.join(" -> ")} (split header and body, X.ts and X.impl.ts, or use a hook)`);
  for (const circle of circles_of_types(all))
    if (circle.length > LARGEST_CIRCLE_OF_TYPES)
      complaints.push(
        `a circle of types has ${circle.length} files, ${LARGEST_CIRCLE_OF_TYPES} at most: ${circle.join(", ")} (declare an interface where it is used, and fill it where it is made, as src/torch/_torch.ts does)`,
      );
  return complaints;
}

/** Sets of files that import each other, directly or indirectly: their hand-written files in alphabetical order. Largest set first. */
function circles_of_types(imports: ReadonlyMap<string, readonly string[]>): string[][] {
  // Tarjan's strongly connected components.
  const number = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const is_open = new Set<string>();
  const found: string[][] = [];
  const visit = (path: string): void => {
    const mine = number.size;
    number.set(path, mine);
    lowest.set(path, mine);
    open.push(path);
    is_open.add(path);
    for (const to of imports.get(path) ?? []) {
      if (!number.has(to)) visit(to);
      if (is_open.has(to)) lowest.set(path, Math.min(lowest.get(path) as number, lowest.get(to) as number));
    }
    if (lowest.get(path) !== mine) return;
    const members = open.splice(open.indexOf(path));
    for (const member of members) is_open.delete(member);
    if (members.length > 1) found.push(members.filter((member) => !member.includes("/generated/")).sort());
  };
  for (const path of imports.keys()) if (!number.has(path)) visit(path);
  return found.sort((a, b) => b.length - a.length);
}

/** One circle for each import that closes one. */
function circles(imports: ReadonlyMap<string, readonly string[]>): string[][] {
  const found: string[][] = [];
  const done = new Set<string>();
  const way: string[] = [];
  const walk = (path: string): void => {
    const at = way.indexOf(path);
    if (at >= 0) found.push([...way.slice(at), path]);
    if (at >= 0 || done.has(path)) return;
    way.push(path);
    for (const to of imports.get(path) ?? []) walk(to);
    way.pop();
    done.add(path);
  };
  for (const path of imports.keys()) walk(path);
  return found;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = process.argv[2] ?? fileURLToPath(new URL("../", import.meta.url));
  const files = read_sources(root, ["src"]);
  const complaints = complaints_about(files);
  // If nothing was inspected, nothing is wrong: so the number of files is checked.
  if (files.size < 150) complaints.push(`only ${files.size} files were inspected`);
  console.log(complaints.length === 0 ? `${files.size} files` : complaints.join("\n"));
  process.exitCode = complaints.length === 0 ? 0 : 1;
}
