"""
Passes of TorchScript over graphs: text, what reading and copying make of it, what each pass makes of it, and the alias database.
Writes test/fixtures/torchscript/jit_passes.json.gz. Run with PyTorch 2.13.0: `python tools/oracle/record_jit_passes.py`.
"""
import gzip
import json
import os
import re

import torch

C = torch._C

# Graphs in the form that parse_ir reads.
GRAPHS = {
    "arithmetic": """graph(%x : Tensor, %n : int):
  %one : int = prim::Constant[value=1]()
  %zero : int = prim::Constant[value=0]()
  %two : int = prim::Constant[value=2]()
  %a : Tensor = aten::mul(%x, %one)
  %b : Tensor = aten::add(%a, %zero, %one)
  %m : int = aten::add(%n, %two)
  %k : int = aten::add(%m, %two)
  %p : int = aten::mul(%k, %one)
  %c : Tensor = aten::mul(%b, %p)
  %d : Tensor = aten::relu(%c)
  %t : Tensor = aten::t(%d)
  %u : Tensor = aten::t(%t)
  return (%u)
""",
    "common": """graph(%x : Tensor, %y : Tensor):
  %one : int = prim::Constant[value=1]()
  %uno : int = prim::Constant[value=1]()
  %a : Tensor = aten::add(%x, %y, %one)
  %b : Tensor = aten::add(%x, %y, %uno)
  %c : Tensor = aten::mul(%a, %b)
  %s : Tensor = aten::sin(%c)
  %r : Tensor = aten::sin(%c)
  %w : Tensor = aten::add_(%s, %r, %one)
  %v : Tensor = aten::sin(%c)
  %z : Tensor = aten::mul(%w, %v)
  return (%z)
""",
    "branches": """graph(%x : Tensor, %c : bool, %o : Tensor?):
  %none : NoneType = prim::Constant()
  %true : bool = prim::Constant[value=1]()
  %false : bool = prim::Constant[value=0]()
  %one : int = prim::Constant[value=1]()
  %isnone : bool = aten::__is__(%o, %none)
  %never : bool = aten::__is__(%x, %none)
  %both : bool = prim::If(%c)
    block0():
      -> (%true)
    block1():
      -> (%false)
  %y : Tensor, %n : int = prim::If(%both)
    block0():
      %d : Tensor = aten::neg(%x)
      %unused : Tensor = aten::exp(%x)
      -> (%d, %one)
    block1():
      -> (%x, %one)
  %z : Tensor = prim::If(%never)
    block0():
      -> (%y)
    block1():
      %e : Tensor = aten::add(%y, %n, %one)
      -> (%e)
  return (%z, %isnone)
""",
    "loop": """graph(%n : int, %x : Tensor):
  %true : bool = prim::Constant[value=1]()
  %one : int = prim::Constant[value=1]()
  %y : Tensor = prim::Loop(%n, %true, %x)
    block0(%i : int, %a : Tensor):
      %b : Tensor = aten::add(%a, %i, %one)
      -> (%true, %b)
  return (%y)
""",
    "constant_loop": """graph(%x : Tensor):
  %true : bool = prim::Constant[value=1]()
  %three : int = prim::Constant[value=3]()
  %y : Tensor = prim::Loop(%three, %true, %x)
    block0(%i : int, %a : Tensor):
      %b : Tensor = aten::mul(%a, %i)
      -> (%true, %b)
  return (%y)
""",
    "lists": """graph(%x : Tensor, %y : Tensor):
  %one : int = prim::Constant[value=1]()
  %zero : int = prim::Constant[value=0]()
  %l : Tensor[] = prim::ListConstruct(%x, %y)
  %e : Tensor = aten::__getitem__(%l, %one)
  %n : int = aten::len(%l)
  %a : Tensor, %b : Tensor = prim::ListUnpack(%l)
  %m : Tensor[] = prim::ListConstruct(%a)
  %s : Tensor = aten::neg(%b)
  %w : Tensor[] = aten::append(%m, %s)
  %z : Tensor = aten::cat(%m, %zero)
  %k : Tensor[] = prim::ListConstruct(%z, %e)
  %r : Tensor = aten::cat(%k, %zero)
  return (%r, %n)
""",
    "mutation": """graph(%x : Tensor):
  %one : int = prim::Constant[value=1]()
  %a : Tensor = aten::mul(%x, %x)
  %b : Tensor = aten::add_(%a, %one, %one)
  %c : Tensor = aten::relu(%b)
  %d : Tensor = aten::mul(%c, %c)
  %e : Tensor = aten::relu_(%d)
  %z : Tensor = aten::zero_(%x)
  return (%e, %z)
""",
    "views": """graph(%x : Tensor, %l : Tensor[]):
  %zero : int = prim::Constant[value=0]()
  %one : int = prim::Constant[value=1]()
  %v : Tensor = aten::select(%x, %zero, %zero)
  %w : Tensor = aten::add_(%v, %one, %one)
  %e : Tensor = aten::__getitem__(%l, %zero)
  %m : Tensor = aten::mul_(%e, %x)
  %f : Tensor = aten::clone(%x, %one)
  %t : (Tensor, Tensor) = prim::TupleConstruct(%f, %w)
  return (%t)
""",
    "tuples": """graph(%x : Tensor, %n : int):
  %one : int = prim::Constant[value=1]()
  %t : (Tensor, int) = prim::TupleConstruct(%x, %n)
  %a : Tensor, %b : int = prim::TupleUnpack(%t)
  %i : int = prim::TupleIndex(%t, %one)
  %s : int = aten::add(%b, %i)
  %u : (Tensor, (Tensor, int)) = prim::TupleConstruct(%a, %t)
  return (%u, %s)
""",
    "shapes": """graph(%x : Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu), %y : Long(*, 4)):
  %zero : int = prim::Constant[value=0]()
  %one : int = prim::Constant[value=1]()
  %d : int = aten::dim(%x)
  %s : int[] = aten::size(%x)
  %k : int = aten::size(%y, %one)
  %u : int = aten::size(%y, %zero)
  %f : bool = aten::is_floating_point(%y)
  %t : int = prim::dtype(%y)
  %v : Device = prim::device(%x)
  %m : Float(2, 3) = aten::mul(%x, %one)
  return (%d, %s, %k, %u, %f, %t, %v, %m)
""",
    "numbers": """graph(%a : int, %b : float):
  %c : int = prim::Constant[value=7]()
  %d : int = prim::Constant[value=2]()
  %e : int = aten::floordiv(%c, %d)
  %f : float = aten::div(%c, %d)
  %g : float = aten::mul(%b, %f)
  %h : int = aten::sub(%a, %e)
  %q : bool = aten::eq(%a, %a)
  %s : str = prim::Constant[value="a\\"b\\n"]()
  return (%g, %h, %q, %s)
""",
    "integers": """graph(%n : int):
  %three : int = prim::Constant[value=3]()
  %four : int = prim::Constant[value=4]()
  %c : bool = aten::eq(%n, %three)
  %r : int = prim::If(%c)
    block0():
      %a : int = aten::mul(%n, %four)
      -> (%a)
    block1():
      %b : int = aten::sub(%n, %four)
      -> (%b)
  return (%r)
""",
    "dead": """graph(%x : Tensor):
  %one : int = prim::Constant[value=1]()
  %l : Tensor[] = prim::ListConstruct()
  %a : Tensor = aten::sin(%x)
  %b : Tensor[] = aten::append(%l, %a)
  %c : Tensor = aten::cos(%x)
  %d : Tensor = aten::add_(%c, %one, %one)
  prim::Print(%one)
  return (%x)
""",
}

PASSES = [
    "canonicalize_graph_fuser_ops",
    "constant_loop_unrolling",
    "constant_pooling",
    "constant_propagation",
    "constant_propagation_immutable_types",
    "cse",
    "dce",
    "dce_allow_deleting_nodes_with_side_effects",
    "erase_number_types",
    "erase_shape_information",
    "functional_to_inplace_activation",
    "fuse_addmm",
    "inline",
    "inline_fork_wait",
    "inplace_to_functional_activation",
    "integer_value_refinement",
    "loop_unrolling",
    "lower_all_tuples",
    "peephole",
    "peephole_list_idioms",
    "refine_integer_values",
    "remove_expands",
    "remove_inplace_ops",
    "remove_mutation",
    "run_decompositions",
    "specialize_autogradzero",
]


def text(graph):
    return re.sub(r" # [^\n]*:\d+:\d+$", "", str(graph), flags=re.M)


def aliases(graph):
    """Lines of the dump have the order of a hash table."""
    dump = str(graph.alias_db())
    lines = dump[dump.index("===2. ALIAS DB===") : dump.index("===3. Writes===")].split("\n")[1:]
    out = []
    for line in lines:
        m = re.match(r"(\S+) (points to|contains): (.*)$", line)
        if m:
            out.append([m[1], m[2], sorted(re.findall(r"%[\w.]+|WILDCARD for type [^%,]+?(?=WILDCARD|%|, |$)", m[3]))])
    return sorted(out)


def main():
    cases = []
    for name, source in GRAPHS.items():
        case = {"name": name, "source": source, "text": text(C.parse_ir(source)), "passes": {}}
        case["canonical"] = text(C._jit_pass_canonicalize(C.parse_ir(source), False))
        case["aliases"] = aliases(C.parse_ir(source))
        for p in PASSES:
            graph = C.parse_ir(source)
            returned = getattr(C, "_jit_pass_" + p)(graph)
            case["passes"][p] = [text(graph), returned if isinstance(returned, bool) else None]
        cases.append(case)
    root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
    with gzip.open(os.path.join(root, "test/fixtures/torchscript/jit_passes.json.gz"), "wt") as out:
        head = {"what": "graphs, passes, aliases; tools/oracle/record_jit_passes.py", "torch": torch.__version__}
        out.write(json.dumps(head)[:-1] + ', "cases": [\n' + ",\n".join(json.dumps(c) for c in cases) + "\n]}\n")


main()
