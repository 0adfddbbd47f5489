"""The names that PyTorch's Python files define, and those that `import torch` shows under another name or makes in C++."""

import ast
import importlib
import inspect
import os
import pkgutil
import types
from collections import Counter


def definitions(text):
    """Yields (scope, name) of the classes and functions of a file, and of what a class defines."""
    tree = ast.parse(text)

    def walk(body, scope):
        for node in body:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                yield scope, node.name
                if isinstance(node, ast.ClassDef):
                    yield from walk(node.body, f"{scope}.{node.name}" if scope else node.name)
            elif isinstance(node, (ast.If, ast.Try, ast.With)):
                yield from walk(node.body, scope)
                yield from walk(getattr(node, "orelse", []), scope)
            elif isinstance(node, ast.AnnAssign) or (isinstance(node, ast.Assign) and scope == ""):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                for target in targets:
                    if isinstance(target, ast.Name):
                        yield scope, target.id

    seen = set()
    for pair in walk(tree.body, ""):
        if pair not in seen:
            seen.add(pair)
            yield pair


# Packages that need what a plain build has not, or are tests.
ELSEWHERE = ("testing", "distributed", "ao", "onnx", "export", "xpu", "mtia", "contrib", "include", "lib", "share", "bin")


def public_modules(package, depth=2):
    """`torch` and what is public below it."""
    yield package
    if depth == 0:
        return
    for info in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        name = info.name.split(".")[-1]
        if name.startswith("_") or name in ELSEWHERE:
            continue
        try:
            module = importlib.import_module(info.name)
        except Exception:
            continue
        if info.ispkg:
            yield from public_modules(module, depth - 1)
        else:
            yield module


def aliases(torch):
    """{name as one writes it: where it is defined}, for functions and classes that stand in another module."""
    found = {}
    for module in public_modules(torch):
        for name, value in vars(module).items():
            if name.startswith("_") or not isinstance(value, (type, types.FunctionType)):
                continue
            home = f"{value.__module__}.{value.__qualname__}"
            written = f"{module.__name__}.{name}"
            if home != written and home.startswith("torch") and "<locals>" not in home:
                found[written] = home
    return found


def built_in(torch):
    """{scope: names} of what Python sees and C++ defines."""
    found = {}
    for scope, owner in [
        ("torch._C", torch._C),
        ("torch._C._VariableFunctions", torch._C._VariableFunctions),
        ("torch._C.TensorBase", torch._C.TensorBase),
        ("torch._C._nn", torch._C._nn),
        ("torch._C._linalg", torch._C._linalg),
        ("torch._C._fft", torch._C._fft),
        ("torch._C._special", torch._C._special),
        ("torch._C._sparse", torch._C._sparse),
        ("torch._C._functions", torch._C._functions),
    ]:
        names = vars(owner) if isinstance(owner, (type, types.ModuleType)) else {n: None for n in dir(owner)}
        found[scope] = sorted(n for n in names if not (n.startswith("__") and n.endswith("__") and scope == "torch._C"))
    constants = (torch.dtype, torch.layout, torch.memory_format, torch.qscheme)
    found["torch"] = sorted(
        n for n, v in vars(torch).items() if (inspect.isbuiltin(v) or isinstance(v, constants)) and not n.startswith("__")
    )
    return found


def python_files(folder, prefix):
    for here, folders, files in os.walk(folder):
        folders[:] = sorted(f for f in folders if f not in ("__pycache__", "_vendor", "include", "lib", "share"))
        for file in sorted(files):
            if file.endswith(".py"):
                path = os.path.join(here, file)
                yield prefix + os.path.relpath(path, folder), path


def customary(texts):
    """What a short name stands for by custom: `F` -> `torch.nn.functional` from imports, `fm` -> `FileManager` from annotated parameters."""
    imports, parameters = Counter(), Counter()
    for text in texts:
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    if alias.asname and alias.name.startswith("torch"):
                        imports[alias.asname, alias.name] += 1
            elif isinstance(node, ast.ImportFrom) and node.module == "torch" and node.level == 0:
                for alias in node.names:
                    imports[alias.asname or alias.name, f"torch.{alias.name}"] += 1
            elif isinstance(node, ast.arg) and isinstance(node.annotation, ast.Name) and len(node.arg) <= 3:
                parameters[node.arg, node.annotation.id] += 1
    return most_common(imports), most_common(parameters)


def most_common(counts):
    found = {}
    for (name, meaning), count in counts.most_common():
        if count > 2:
            found.setdefault(name, meaning)
    return found
