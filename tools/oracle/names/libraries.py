"""The functions that PyTorch's libraries define, and the source file of each.

The wheel carries no debug info, but a full symbol table. In it the local symbols stand under the base name of their source file, and the
linker has laid the object files out one after the other. So a global function stands in a file for sure if its cold half does (a local
symbol named after it), and else if the symbols before and behind it belong to one file. Where two files meet, neither is claimed.
"""

import bisect
import os
import re
import subprocess

OURS = re.compile(r"^(?:at|c10|c10d|caffe2|torch|executorch)::|^THP|^PyInit_|^_?THC|^init|^Engine")
NO_NAME = re.compile(r"[\[\]{}<>(),&* ]|operator|\$|\.|~|^_GLOBAL|guard|typeinfo|vtable|VTT")
COLD = re.compile(r"^(_Z\w+?)\.(?:cold|part|isra|constprop)")


def symbols_of(library):
    """The full symbol table: the files' names; local functions; functions with a cold half in one file; all others; objects."""
    files, local, exact, everywhere, objects = [], [], {}, [], []
    table = subprocess.run(["readelf", "-sW", library], capture_output=True, text=True, errors="replace", check=True).stdout
    for line in table[table.index("Symbol table '.symtab'") :].split("\n"):
        row = line.split(None, 7)
        if len(row) < 8 or row[6] == "UND":
            continue
        _, address, _, kind, binding, _, _, name = row
        name = name.strip().split("@")[0]
        if kind == "FILE":
            files.append(name)
        elif kind == "OBJECT" and not name.startswith(("_ZZ", "_ZTV", "_ZTS", "_ZTI", "_ZGV")):
            # Data lies in another order: the file of a local object is known, that of a global one is not.
            objects.append((name, len(files) - 1 if binding == "LOCAL" else None))
        elif kind == "FUNC" and binding == "LOCAL":
            here = len(files) - 1
            cold = COLD.match(name)
            if cold:
                exact.setdefault(cold[1], set()).add(here)
            else:
                local.append((int(address, 16), here, name))
        elif kind == "FUNC" and binding == "GLOBAL":
            everywhere.append((int(address, 16), name))
    # What was made local only by its visibility stands behind all files, under the last one's name.
    last = len(files) - 1
    everywhere += [(a, n) for a, f, n in local if f == last]
    local = [row for row in local if row[1] != last]
    return files, local, {n: f.pop() for n, f in exact.items() if len(f) == 1}, everywhere, [(n, None if f == last else f) for n, f in objects]


def rising(anchors):
    """The longest run of anchors whose files never go back: the few that the linker moved fall out."""
    tails, at, before = [], [], [None] * len(anchors)
    for i, (_, file) in enumerate(anchors):
        k = bisect.bisect_right(tails, file)
        before[i] = at[k - 1] if k else None
        tails[k : k + 1] = [file]
        at[k : k + 1] = [i]
    i, kept = at[-1] if at else None, []
    while i is not None:
        kept.append(anchors[i])
        i = before[i]
    return kept[::-1]


def functions_of(library):
    """The files' names, {qualified name: set of file numbers}, and which of these names are data. Where the file is not sure the set is empty."""
    files, local, exact, everywhere, objects = symbols_of(library)
    sure = [(a, f) for a, f, n in local if not n.startswith("_GLOBAL")] + [(a, exact[n]) for a, n in everywhere if n in exact]
    anchors = rising(sorted(sure))
    addresses = [a for a, _ in anchors]
    found = [(n, f) for _, f, n in local]
    sources = [i for i, file in enumerate(files) if file not in ("crtstuff.c", "offloadstuff.c")]
    for address, name in everywhere:
        k = bisect.bisect_right(addresses, address)
        before = anchors[k - 1][1] if k else None
        behind = anchors[k][1] if k < len(anchors) else None
        if len(sources) == 1:  # _C.so is made of one file
            before = behind = sources[0]
        found.append((name, exact.get(name, before if before == behind else None)))
    found += [*exact.items(), *objects]
    names = subprocess.run(["c++filt", "-p"], input="\n".join(n for n, _ in found), capture_output=True, text=True, check=True).stdout
    functions, data = {}, set()
    for i, (name, (_, file)) in enumerate(zip(names.split("\n"), found)):
        plain = plain_name(name)
        if plain is not None:
            functions.setdefault(plain, set()).update(() if file is None else (file,))
            if i >= len(found) - len(objects):
                data.add(plain)
    return files, functions, data


def plain_name(name):
    """Without template arguments and unnamed namespaces; None for what nobody would look up."""
    name = name.replace("(anonymous namespace)::", "").replace("[abi:cxx11]", "").split("[clone")[0].strip()
    if name.endswith(">"):
        return None  # an instance of a template stands where it is used, not where it is written
    while True:
        shorter = re.sub(r"<[^<>]*>", "", name)
        if shorter == name:
            break
        name = shorter
    if not OURS.match(name) and not re.match(r"^\w+$", name) or NO_NAME.search(name) or name.startswith("_Z"):
        return None
    # A vectorized file is compiled once for each capability, in a namespace of its own.
    name = re.sub(r"::(?:CPU_CAPABILITY|DEFAULT|AVX2|AVX512|VSX|ZVECTOR|SVE\d*)(?=::)", "", name)
    parts = name.split("::")
    return None if len(parts) > 1 and parts[-1] == parts[-2] else name


def paths_of(files, functions, known, templates):
    """The path of each file of a link: the template of a generated one; else by its base name, and where several paths have that, by the
    folder of its neighbours in the link, then by the namespaces of its functions."""
    by_base = {}
    for path in known:
        by_base.setdefault(os.path.basename(path), []).append(path)
    spaces = [set() for _ in files]
    for name, places in functions.items():
        for place in places:
            spaces[place].update(name.split("::")[:-1])
    candidates = [by_base.get(source_name(f), []) for f in files]
    folders = [os.path.dirname(c[0]) if len(c) == 1 else None for c in candidates]
    paths = []
    for i, (file, found) in enumerate(zip(files, candidates)):
        template = template_of(file, templates)
        near = [f for f in neighbours(folders, i) if f is not None]
        beside = [p for p in found if os.path.dirname(p) in near[:2]]
        if template is not None:
            paths.append(template)
        elif len(found) == 1:
            paths.append(found[0])
        elif len(beside) == 1:
            paths.append(beside[0])
        elif found:
            paths.append(max(found, key=lambda p: likeness(p, spaces[i])))
        elif len(near) > 1 and near[0] == near[1] and file.endswith((".cpp", ".cc", ".c")):
            paths.append(f"{near[0]}/{source_name(file)}")
        else:
            paths.append(None)
    return paths


def likeness(path, spaces):
    """How well the folders of a path fit the namespaces of its functions; of equals, the shortest path."""
    folders = path.split("/")[:-1]
    return (sum(f in spaces for f in folders), -len(folders))


def template_of(file, templates):
    """`VariableType_3.cpp` -> the template that it is filled from; the Register files of all keys are one."""
    plain = re.sub(r"_(?:\d+|Everything|add)(?=\.cpp)", "", source_name(file))
    name = plain if plain in templates else "RegisterDispatchKey.cpp" if re.match(r"Register[A-Z]\w+\.cpp$", plain) else None
    return templates.get(name)


def neighbours(folders, i, reach=8):
    for step in range(1, reach):
        for k in (i - step, i + step):
            if 0 <= k < len(folders):
                yield folders[k]


def source_name(file):
    """`Activation.cpp.AVX2.cpp` -> `Activation.cpp`."""
    return re.sub(r"^(.*\.cpp)\.[A-Z0-9]+\.cpp$", r"\1", file)
