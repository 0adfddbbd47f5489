"""A machine of five instructions for graphs without blocks: from a graph to instructions, and their run.

    ("LOADC", constant)       pushes a constant
    ("LOAD", register)        pushes the value of a register, which keeps it
    ("STORE", register)       pops a value into a register
    ("OP", kind, count)       pops `count` arguments, the last one lies on top; pushes the result
    ("RET",)                  ends; the result lies on top
"""

import torch

OPERATORS = {
    "aten::add": lambda x, y, alpha: torch.add(x, y, alpha=alpha),
    "aten::mul": torch.mul,
    "aten::neg": torch.neg,
    "aten::relu": torch.relu,
    "aten::sin": torch.sin,
    "aten::size": lambda x, dim: x.size(dim),
    "aten::sub": lambda x, y, alpha: torch.sub(x, y, alpha=alpha),
}


def run(code, args):
    """Runs the instructions. The arguments lie on the stack when they begin, the last one on top."""
    stack, registers = list(args), {}
    # ex:begin(20b.runs)
    for name, *operands in code:
        if name == "LOADC":
            stack.append(operands[0])
        elif name == "LOAD":
            stack.append(registers[operands[0]])
        elif name == "STORE":
            registers[operands[0]] = stack.pop()
        elif name == "OP":
            kind, count = operands
            first = len(stack) - count
            inputs = stack[first:]
            del stack[first:]
            stack.append(OPERATORS[kind](*inputs))
        elif name == "RET":
            break
    # ex:stub
    # ex:end
    return stack[-1]


def translate(graph):
    """The instructions of a graph."""
    code = []
    # ex:begin(20b.translates)
    registers, constants = {}, {}

    def store(value):
        register = registers[value.debugName()] = len(registers)
        code.append(("STORE", register))

    def load(value):
        name = value.debugName()
        if name in registers:
            code.append(("LOAD", registers[name]))
        else:
            code.append(("LOADC", constants[name]))

    for value in reversed(list(graph.inputs())):
        store(value)
    for node in graph.nodes():
        if node.kind() == "prim::Constant":
            constants[node.output().debugName()] = node.output().toIValue()
            continue
        inputs = list(node.inputs())
        for value in inputs:
            load(value)
        code.append(("OP", node.kind(), len(inputs)))
        store(node.output())
    for value in graph.outputs():
        load(value)
    # ex:stub
    # ex:end
    code.append(("RET",))
    return code
