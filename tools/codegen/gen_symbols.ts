/**
 * @file The symbol index (src/generated/symbols.json): every function, class and method with its file and line, PyTorch's qualified name
 * for it, the PyTorch file it mirrors, and for generated code the YAML line it was made from. Recorder and tools link through it.
 * @original
 */
import type { CodegenInput, Outputs } from "./context.ts";
import { type Declaration, mirrors_of } from "./source_index.ts";

export interface SymbolEntry {
  /** As it stands in our file: `mul_out`, `Class.method`. */
  readonly name: string;
  /** As PyTorch qualifies it. */
  readonly symbol: string;
  readonly file: string;
  readonly line: number;
  readonly mirrors: string;
  readonly from?: { readonly yaml: string; readonly line: number };
}

const PATH = "src/generated/symbols.json";

/** Folder (or file) -> C++ namespace or Python module; the first match counts. */
const NAMESPACES: readonly (readonly [string, string])[] = [
  ["src/aten/generated/Operators.ts", "at::_ops::"],
  ["src/aten/generated/Register", "at::(anonymous namespace)::"],
  ["src/aten/generated/CompositeViewCopyKernels.ts", "at::native::"],
  ["src/aten/generated/UfuncCPU", "at::native::"],
  ["src/aten/native/cpu/", "at::native::"],
  ["src/aten/native/", "at::native::"],
  ["src/aten/core/dispatch/", "c10::"],
  ["src/aten/core/boxing/", "c10::"],
  ["src/aten/core/library.ts", "torch::"],
  ["src/aten/", "at::"],
  ["src/c10/", "c10::"],
  ["src/caffe2/serialize/", "caffe2::serialize::"],
  ["src/torch/csrc-equivalent/autograd/generated/VariableType", "torch::autograd::VariableType::"],
  ["src/torch/csrc-equivalent/autograd/VariableTypeManual.ts", "torch::autograd::VariableType::"],
  ["src/torch/csrc-equivalent/autograd/generated/ADInplaceOrViewType", "torch::ADInplaceOrView::"],
  ["src/torch/csrc-equivalent/autograd/generated/Functions.ts", "torch::autograd::generated::"],
  ["src/torch/csrc-equivalent/autograd/", "torch::autograd::"],
  ["src/torch/csrc-equivalent/jit/", "torch::jit::"],
  ["src/torch/csrc-equivalent/profiler/", "torch::profiler::impl::"],
  ["src/torch/csrc-equivalent/", "torch::"],
];

export function generate(input: CodegenInput, outputs: Outputs): Outputs {
  const entries: SymbolEntry[] = [];
  const hand_written = (path: string) => !outputs.has(path) && !path.includes("/generated/") && !path.startsWith("src/trace/");
  for (const file of input.sources.under("src/", hand_written)) {
    const impl_classes = new Set(file.declarations.filter((d) => d.name.endsWith(".impl")).map((d) => d.name.slice(0, -".impl".length)));
    for (const d of file.declarations) entries.push(entry_of(d, file.mirrors ?? "", impl_classes));
  }
  for (const [path, text] of outputs) if (path.endsWith(".ts")) entries.push(...generated_entries(path, text));
  entries.sort((a, b) => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1));
  const lines = entries.map((e) => `  ${JSON.stringify(e)}`);
  return new Map([[PATH, `[\n${lines.join(",\n")}\n]\n`]]);
}

function entry_of(d: Declaration, file_mirrors: string, impl_classes: ReadonlySet<string>): SymbolEntry {
  const own = /@mirrors\s+(\S+)/.exec(d.doc)?.[1];
  const named = /@symbol\s+(\S+)/.exec(d.doc)?.[1];
  return { name: d.name, symbol: named ?? qualify(d.file, d.name, impl_classes), file: d.file, line: d.line, mirrors: own ?? file_mirrors };
}

/** The folder gives the namespace; the meta class of a structured kernel is in `at::meta`, its impl class in `at::native`. */
export function qualify(file: string, name: string, impl_classes: ReadonlySet<string>): string {
  const cpp_name = name.replaceAll(".", "::");
  const [owner] = name.split(".") as [string];
  if (owner.startsWith("structured_") && file.startsWith("src/aten/native/") && !impl_classes.has(owner)) return `at::meta::${cpp_name}`;
  const namespace = NAMESPACES.find(([prefix]) => file.startsWith(prefix))?.[1];
  if (namespace !== undefined) return /^THP/.test(name) ? cpp_name : namespace + cpp_name;
  // The front end is Python: `src/torch/nn/functional.ts` -> `torch.nn.functional.relu`.
  return `${file.replace(/^src\//, "").replace(/\/?(?:index)?\.ts$/, "").replaceAll("/", ".")}.${name}`;
}

const TOP_LEVEL = /^(?:export )?(?:abstract )?(?:function|class) ([A-Za-z_$]\w*)/;
const MEMBER = /^ {2}(?:static |override |async )*(?:get |set )?([A-Za-z_$]\w*)\(.*\{$/;
const YAML_LINE = /(\w+\.yaml):(\d+)/;
const YAML_FILES: Readonly<Record<string, string>> = {
  "native_functions.yaml": "src/aten/native/native_functions.yaml",
  "derivatives.yaml": "tools/codegen/autograd/derivatives.yaml",
  "deprecated.yaml": "tools/codegen/autograd/deprecated.yaml",
};

/** Generated code has one shape: declarations start a line, members are indented by two, comments above cite the YAML line. */
function generated_entries(path: string, text: string): SymbolEntry[] {
  const mirrors = mirrors_of(text) ?? "";
  const entries: SymbolEntry[] = [];
  let owner = "";
  let from: SymbolEntry["from"];
  let in_comment = false;
  text.split("\n").forEach((line, i) => {
    const comment = in_comment || /^\s*(?:\/\/|\/\*\*)/.test(line);
    if (comment) {
      in_comment = (in_comment || line.includes("/*")) && !line.includes("*/");
      const cited = YAML_LINE.exec(line);
      if (cited !== null) from = { yaml: YAML_FILES[cited[1] as string] ?? (cited[1] as string), line: Number(cited[2]) };
      return;
    }
    const top = TOP_LEVEL.exec(line);
    const member = top === null && owner !== "" ? MEMBER.exec(line) : null;
    if (top !== null) owner = line.includes("class ") ? (top[1] as string) : "";
    else if (line.startsWith("}") && owner !== "") owner = "";
    else if (line.trim() === "" && owner === "") from = undefined;
    const name = top !== null ? (top[1] as string) : member !== null && !/^(?:if|for|while|switch|return|super)$/.test(member[1] as string) ? `${owner}.${member[1]}` : null;
    if (name === null) return;
    entries.push({ name, symbol: qualify(path, name, new Set()), file: path, line: i + 1, mirrors, ...(from === undefined ? {} : { from }) });
  });
  return entries;
}
