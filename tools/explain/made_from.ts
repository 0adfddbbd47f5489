/**
 * @file All texts that codegen made from a YAML entry: declarations in a `generated` folder that cite the entry by name
 * (`native_functions.yaml#exp.out`). One scan of the files serves all entries.
 * @original
 */
import type { SymbolEntry } from "#trace/symbol_entry";
import { mirrors_of } from "#trace/symbol_index";
import type { Files } from "../codegen/context.ts";
import { registrationsIn } from "./registrations.ts";
import { endOfDeclaration } from "./source_text.ts";

export type Layer = "front end" | "binding" | "C++ API" | "dispatcher" | "autograd" | "native";

/** One declaration, or one line that registers something. */
export interface Piece {
  /** The citation in its text: `native_functions.yaml#exp.out`. */
  readonly entry: string;
  /** Its operator. If `autogen` added the operator, the entry is its base's. */
  readonly operator: string;
  readonly layer: Layer;
  /** Its purpose, in a few words. */
  readonly role: string;
  /** The dispatch key, for a line that registers. */
  readonly registers: string | null;
  /** The name in the declaration; for a line that registers, the registered function. */
  readonly name: string;
  /** The name as PyTorch qualifies it. */
  readonly symbol: string;
  readonly file: string;
  /** Line of the declaration; its text may begin above, with the parser of a binding. */
  readonly line: number;
  readonly mirrors: string;
  readonly text: string;
}

/** The outputs of codegen for an operator, in the order in which a call reaches them. */
const OUTPUTS: readonly (readonly [path: RegExp, layer: Layer, role: string])[] = [
  [/^src\/torch\/_C\/generated\/_\w+\.ts/, "front end", "type of the function"],
  [/^src\/torch\/_C\/generated\/TensorBase\.ts/, "front end", "type of the method"],
  [/\/python_torch_functions_\d+\.ts/, "binding", "binding of the function"],
  [/\/python_variable_methods_\d+\.ts/, "binding", "binding of the method"],
  [/\/python_nn_functions\.ts/, "binding", "binding in torch._C._nn"],
  [/\/python_fft_functions\.ts/, "binding", "binding in torch._C._fft"],
  [/\/python_linalg_functions\.ts/, "binding", "binding in torch._C._linalg"],
  [/\/python_special_functions\.ts/, "binding", "binding in torch._C._special"],
  [/\/python_return_types\.ts/, "binding", "names of its results"],
  [/\/variable_factories\.ts/, "C++ API", "factory of torch::"],
  [/^src\/aten\/generated\/Functions_\d+\.ts/, "C++ API", "the C++ function"],
  [/\/TensorBody\.ts/, "C++ API", "the C++ method"],
  [/\/RegisterSchema\.ts/, "dispatcher", "its schema"],
  [/\/Operators_\d+\.ts/, "dispatcher", "call and redispatch"],
  [/\/VariableType_\d+\.ts/, "autograd", "kernel for Autograd"],
  [/\/autograd\/generated\/Functions_\d+\.ts/, "autograd", "node of the backward graph"],
  [/\/ADInplaceOrViewType_\d+\.ts/, "autograd", "kernel for ADInplaceOrView"],
  [/\/ViewFuncs\.ts/, "autograd", "does the view again, on another base"],
  [/\/RegisterBackendSelect\.ts/, "dispatcher", "from the arguments to the backend"],
  [/\/Register(?:CPU|Meta|ZeroTensor)_\d+\.ts/, "native", "kernel for KEY"],
  [/\/Register(?:Autograd)?PrivateUse1(?:_\d+)?\.ts/, "native", "kernel for KEY"],
  [/\/RegisterCompositeExplicit\w+\.ts/, "native", "one kernel for every backend"],
  [/\/RegisterCompositeImplicit\w+\.ts/, "native", "one kernel for every key"],
  [/\/Ufunc\w+\.ts/, "native", "structured kernel that runs a stub"],
  [/\/CompositeViewCopyKernels_\d+\.ts/, "native", "its kernel, in terms of another form"],
  [/\/RegisterLazy\.ts/, "native", "kernel for KEY"],
  [/\/LazyNativeFunctions_\d+\.ts/, "native", "kernel that makes a lazy node"],
  [/\/LazyIr_\d+\.ts/, "native", "node of a lazy graph"],
];

const CITATION = /(\w+\.yaml#[\w.]+)(?: \(autogen\))?/g;
/** The schema before the citation: `// exp.out(Tensor self, ...`, `// aten::exp.out(...`, `m.def_checked("exp.out(...`. */
const SCHEMA = /^\s*(?:\/\/ |\/\*\* |m\.def_checked\(")(?:aten::)?([\w.]+)\(/;
const DECLARES = /^ *(?:export )?(?:abstract )?(?:function|class|const) (\w+)/;

/** Lines of a file from `first` to before `end`, one of which is the declaration's. */
interface Block {
  readonly first: number;
  readonly end: number;
  readonly line: number;
  readonly name: string;
}

export class MadeFrom {
  private readonly byEntry = new Map<string, Piece[]>();
  private readonly byOperator = new Map<string, Piece[]>();
  private readonly symbols = new Map<string, SymbolEntry>();

  constructor(files: Files, symbols: Iterable<SymbolEntry>) {
    for (const s of symbols) if (s.file.includes("/generated/")) this.symbols.set(`${s.file}:${s.line}`, s);
    const found: { order: number; piece: Piece }[] = [];
    for (const [file, text] of files) {
      if (!file.startsWith("src/") || !file.includes("/generated/") || !text.includes(".yaml#")) continue;
      const order = OUTPUTS.findIndex(([path]) => path.test(file));
      if (order === -1) continue;
      for (const piece of this.piecesOf(file, text)) found.push({ order, piece });
    }
    found.sort((a, b) => a.order - b.order || compare(a.piece.file, b.piece.file));
    for (const { piece } of found) {
      push(this.byEntry, piece.entry, piece);
      push(this.byOperator, piece.operator, piece);
    }
  }

  /** All pieces that cite `native_functions.yaml#exp`, in the order in which a call reaches them. */
  of(entry: string): readonly Piece[] {
    return this.byEntry.get(entry) ?? [];
  }

  /** All pieces made for one operator, from any entry. */
  ofOperator(name: string): readonly Piece[] {
    return this.byOperator.get(name) ?? [];
  }

  private *piecesOf(file: string, text: string): Generator<Piece> {
    const [, layer, role] = OUTPUTS.find(([path]) => path.test(file)) as (typeof OUTPUTS)[number];
    const key = /\/Register(\w+?)(?:_\d+)?\.ts$/.exec(file)?.[1] ?? "";
    const mirrors = mirrors_of(text) ?? "";
    const lines = text.split("\n");
    const registrations = new Map(registrationsIn(file, text).map((r) => [r.line, r]));
    /** A binding that serves an operator in several places is one piece. */
    const seen = new Set<string>();
    for (let i = 0; i < lines.length; i++) {
      if (!lines[i].includes(".yaml#")) continue;
      const registered = registrations.get(i + 1);
      for (const [, entry] of lines[i].matchAll(CITATION)) {
        if (registered !== undefined) {
          const { operator, key, fn } = registered;
          const at = { file, line: i + 1, mirrors, text: lines[i].trim() };
          yield { entry, operator, layer, role: `registered for ${key}`, registers: key, name: fn, symbol: fn, ...at };
          continue;
        }
        const block = blockOf(lines, i);
        if (block === null) continue;
        const operator = SCHEMA.exec(lines[i])?.[1] ?? entry.slice(entry.indexOf("#") + 1);
        const id = `${operator} ${entry} ${block.line}`;
        if (seen.has(id)) continue;
        seen.add(id);
        const known = this.symbols.get(`${file}:${block.line}`);
        yield {
          entry,
          operator,
          layer,
          role:
            /^structured_\w+$/.test(block.name) && key !== ""
              ? "its operator objects, one a form"
              : role.replace("KEY", key),
          registers: null,
          name: block.name,
          symbol: known?.symbol ?? block.name,
          file,
          line: block.line,
          mirrors: known?.mirrors ?? mirrors,
          text: trimmed(lines.slice(block.first, block.end)),
        };
      }
    }
  }
}

/** The block to which the citation in line `at` (from 0) belongs. */
function blockOf(lines: readonly string[], at: number): Block | null {
  const own = /^ *(?:\/\/|\/\*\*)/.test(lines[at]);
  if (!own) {
    // A citation at the end of a line belongs to that line, a member of an interface or a constant.
    const name = DECLARES.exec(lines[at])?.[1] ?? /^ *(?:m\.def_checked\(")?([\w.]+)/.exec(lines[at])?.[1];
    return name === undefined ? null : { first: at, end: at + 1, line: at + 1, name };
  }
  const margin = /^ */.exec(lines[at])?.[0].length as number;
  const member = margin === 2 && lines[at].includes("/**");
  if (margin > 0 && !member) {
    // A citation in a binding belongs to the function around it, together with the parser directly above.
    let line = at;
    while (line > 0 && !/^export function /.test(lines[line])) line--;
    let first = line;
    while (first > 0 && lines[first - 1] !== "") first--;
    return { first, end: endOfDeclaration(lines, line), line: line + 1, name: DECLARES.exec(lines[line])?.[1] ?? "" };
  }
  // A citation above adjacent declarations belongs to all; the block is named after the last, which uses the others.
  let line = at + 1;
  let end = endOfDeclaration(lines, line);
  while (end < lines.length && DECLARES.test(lines[end])) {
    line = end;
    end = endOfDeclaration(lines, line);
  }
  const name = DECLARES.exec(lines[line])?.[1] ?? /^ *(\w+)/.exec(lines[line])?.[1];
  return name === undefined ? null : { first: at + 1, end, line: line + 1, name };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The lines without the indentation of a member. */
function trimmed(lines: readonly string[]): string {
  const margin = /^ */.exec(lines[0])?.[0] ?? "";
  return lines.map((line) => (line.startsWith(margin) ? line.slice(margin.length) : line)).join("\n");
}

function push<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}
