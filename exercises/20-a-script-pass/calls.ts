/**
 * @file Graphs of TorchScript for the learner's passes: they are parsed here, and given to `fold` and `cse`.
 * @original
 */
import torch from "glasstorch";
import "glasstorch/jit";
import { python } from "glasstorch/python";
import { captured_graph, type ScriptGraph } from "../../tools/learn/checks/captured.ts";
import type { Call, Session, Yours } from "../../tools/learn/checks/host.ts";

const PROGRAMS = python(`import torch, torch.jit

fold = {
    "x * (2 + 3)": """graph(%x : Tensor):
  %a : int = prim::Constant[value=2]()
  %b : int = prim::Constant[value=3]()
  %sum : int = aten::add(%a, %b)
  %y : Tensor = aten::mul(%x, %sum)
  return (%y)
""",
    "x * ((7 - 2) * 4)": """graph(%x : Tensor):
  %a : int = prim::Constant[value=7]()
  %b : int = prim::Constant[value=2]()
  %c : int = prim::Constant[value=4]()
  %difference : int = aten::sub(%a, %b)
  %product : int = aten::mul(%difference, %c)
  %y : Tensor = aten::mul(%x, %product)
  return (%y)
""",
    "the condition 5 > 3": """graph(%x : Tensor):
  %a : int = prim::Constant[value=5]()
  %b : int = prim::Constant[value=3]()
  %c : bool = aten::gt(%a, %b)
  %y : Tensor = prim::If(%c)
    block0():
      %neg : Tensor = aten::neg(%x)
      -> (%neg)
    block1():
      -> (%x)
  return (%y)
""",
    "a product inside a loop": """graph(%x : Tensor):
  %a : int = prim::Constant[value=2]()
  %b : int = prim::Constant[value=3]()
  %true : bool = prim::Constant[value=1]()
  %y : Tensor = prim::Loop(%b, %true, %x)
    block0(%i : int, %old : Tensor):
      %six : int = aten::mul(%a, %b)
      %new : Tensor = aten::mul(%old, %six)
      -> (%true, %new)
  return (%y)
""",
    "x * (x.size(0) + 2)": """graph(%x : Tensor):
  %zero : int = prim::Constant[value=0]()
  %a : int = prim::Constant[value=2]()
  %size : int = aten::size(%x, %zero)
  %sum : int = aten::add(%size, %a)
  %y : Tensor = aten::mul(%x, %sum)
  return (%y)
""",
    "5 // 0 where nobody goes": """graph(%x : Tensor):
  %five : int = prim::Constant[value=5]()
  %zero : int = prim::Constant[value=0]()
  %dim : int = aten::size(%x, %zero)
  %never : bool = aten::lt(%dim, %zero)
  %y : Tensor = prim::If(%never)
    block0():
      %infinite : int = aten::floordiv(%five, %zero)
      %z : Tensor = aten::mul(%x, %infinite)
      -> (%z)
    block1():
      -> (%x)
  return (%y)
""",
}

cse = {
    "x.sin() + x.sin()": """graph(%x : Tensor):
  %one : int = prim::Constant[value=1]()
  %a : Tensor = aten::sin(%x)
  %b : Tensor = aten::sin(%x)
  %y : Tensor = aten::add(%a, %b, %one)
  return (%y)
""",
    "(x.sin() * x).neg() twice": """graph(%x : Tensor):
  %one : int = prim::Constant[value=1]()
  %a : Tensor = aten::sin(%x)
  %ax : Tensor = aten::mul(%a, %x)
  %na : Tensor = aten::neg(%ax)
  %b : Tensor = aten::sin(%x)
  %bx : Tensor = aten::mul(%b, %x)
  %nb : Tensor = aten::neg(%bx)
  %y : Tensor = aten::add(%na, %nb, %one)
  return (%y)
""",
    "x - y and y - x": """graph(%x : Tensor, %y : Tensor):
  %one : int = prim::Constant[value=1]()
  %a : Tensor = aten::sub(%x, %y, %one)
  %b : Tensor = aten::sub(%y, %x, %one)
  %z : Tensor = aten::mul(%a, %b)
  return (%z)
""",
    "a write between two reads": """graph(%x : Tensor):
  %one : int = prim::Constant[value=1]()
  %copy : Tensor = aten::neg(%x)
  %a : Tensor = aten::sin(%copy)
  %w : Tensor = aten::add_(%copy, %x, %one)
  %b : Tensor = aten::sin(%copy)
  %y : Tensor = aten::sub(%a, %b, %one)
  return (%y)
""",
    "two results, one of them written to": """graph(%x : Tensor):
  %one : int = prim::Constant[value=1]()
  %a : Tensor = aten::sin(%x)
  %b : Tensor = aten::sin(%x)
  %w : Tensor = aten::add_(%a, %x, %one)
  %y : Tensor = aten::sub(%w, %b, %one)
  return (%y)
""",
    "one line printed twice, where nobody goes": """graph(%x : Tensor):
  %zero : int = prim::Constant[value=0]()
  %dim : int = aten::size(%x, %zero)
  %never : bool = aten::lt(%dim, %zero)
  %y : Tensor = prim::If(%never)
    block0():
      prim::Print(%dim)
      prim::Print(%dim)
      -> (%x)
    block1():
      %n : Tensor = aten::neg(%x)
      -> (%n)
  return (%y)
""",
    "two random tensors": """graph(%x : Tensor):
  %none : NoneType = prim::Constant()
  %a : Tensor = aten::rand_like(%x, %none, %none, %none, %none, %none)
  %b : Tensor = aten::rand_like(%x, %none, %none, %none, %none, %none)
  %same : bool = aten::equal(%a, %b)
  return (%same)
""",
    "the same in both branches": """graph(%x : Tensor):
  %one : int = prim::Constant[value=1]()
  %zero : int = prim::Constant[value=0]()
  %dim : int = aten::size(%x, %zero)
  %c : bool = aten::gt(%dim, %one)
  %y : Tensor = prim::If(%c)
    block0():
      %a : Tensor = aten::sin(%x)
      -> (%a)
    block1():
      %b : Tensor = aten::sin(%x)
      -> (%b)
  return (%y)
""",
    "once outside, once in a branch": """graph(%x : Tensor):
  %one : int = prim::Constant[value=1]()
  %zero : int = prim::Constant[value=0]()
  %a : Tensor = aten::sin(%x)
  %dim : int = aten::size(%x, %zero)
  %c : bool = aten::gt(%dim, %one)
  %y : Tensor = prim::If(%c)
    block0():
      %b : Tensor = aten::sin(%x)
      %d : Tensor = aten::mul(%b, %a)
      -> (%d)
    block1():
      -> (%a)
  return (%y)
""",
}
def parse(text):
    return torch._C.parse_ir(text)
def call(graph, args):
    return torch._C._create_function_from_graph("program", graph.copy())(*args)
`) as unknown as Readonly<Record<"fold" | "cse", Readonly<Record<string, string>>>> & {
  readonly parse: (text: string) => unknown;
  readonly call: (graph: unknown, args: readonly unknown[]) => unknown;
};

export function open(yours: Yours): Session {
  const passed =
    (pass: "fold" | "cse") =>
    ([name, text]: [string, string]): [string, Call] => [
      name,
      {
        inputs: () => {
          const x = torch.arange(6).view([2, 3]).sub(2.5);
          const program = captured_graph(PROGRAMS.parse(text), PROGRAMS.call);
          return text.includes("%y : Tensor)") ? [program, x, x.mul(x)] : [program, x];
        },
        run: (program: ScriptGraph) => {
          yours[pass](program.graph);
          return program;
        },
      },
    ];
  const entries = (of: object): [string, string][] => (of instanceof Map ? [...of] : Object.entries(of));
  return {
    calls: Object.fromEntries([
      ...entries(PROGRAMS.fold).map(passed("fold")),
      ...entries(PROGRAMS.cse).map(passed("cse")),
    ]),
  };
}
