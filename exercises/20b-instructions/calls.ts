/**
 * @file Instructions and graphs for the learner's machine.
 * @original
 */
import "glasstorch/jit";
import { python } from "glasstorch/python";
import type { Session, Yours } from "../../tools/learn/checks/host.ts";

const MACHINE = python(`import torch, torch.jit

def shown(value):
    if not isinstance(value, torch.Tensor):
        return str(value)
    return f"{list(value.shape)}: " + " ".join(f"{number:.4f}" for number in value.flatten().tolist())

def arguments(count):
    x = torch.arange(6).view([2, 3]) - 2.5
    return [x, x * x + 1][:count]

def run(machine, code, count):
    return shown(machine([tuple(instruction) for instruction in code], arguments(count)))

def translated(translate, machine, text, count):
    graph = torch._C.parse_ir(text)
    code = translate(graph)
    names = [instruction[0] for instruction in code]
    unknown = [name for name in names if name not in ("LOADC", "LOAD", "STORE", "OP", "RET")]
    result = shown(machine(code, arguments(count)))
    return [f"{names.count('OP')} OP", *[f"no instruction: {name}" for name in unknown], result]

def stores():
    graph = torch._C.parse_ir("""graph(%x : Tensor):
  %a : Tensor = aten::sin(%x)
  %b : Tensor = aten::neg(%a)
  %c : Tensor = aten::relu(%b)
  return (%c)
""")
    table = dict(torch._C._compile_graph_to_code_table("f", graph))
    return str(sum(name in ("STORE", "STOREN") for name, *_ in table["instructions"]))
`) as unknown as Readonly<Record<"run" | "translated" | "stores", (...args: unknown[]) => unknown>>;

export function open(yours: Yours): Session {
  return {
    calls: {
      "the instructions": {
        inputs: () => [[["LOADC", 1], ["RET"]], 0],
        run: (code: unknown, count: number) => MACHINE.run(yours["run"], code, count),
      },
      "the graph": {
        inputs: () => ["graph(%x : Tensor):\n  return (%x)\n", 1],
        run: (text: string, count: number) => [
          ...(MACHINE.translated(yours["translate"], yours["run"], text, count) as Iterable<unknown>),
        ],
      },
      "PyTorch's translation": { inputs: () => [], run: () => MACHINE.stores() },
    },
  };
}
