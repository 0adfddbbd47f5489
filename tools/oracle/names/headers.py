"""The names that C++ headers declare: namespaces, classes, functions, members, macros.

No parser of C++: a header is read as a tree of braces, each with the words before it. That is enough to know which scope a name stands in,
and it needs nothing but Python.
"""

import re

# What may stand before the name of a class: attributes, export macros, alignment.
CLASS = re.compile(
    r"^(?:typedef\s+)?(?P<kind>class|struct|union|enum(?:\s+(?:class|struct))?)\s+"
    r"(?:(?:\[\[[^\]]*\]\]|alignas\s*\([^)]*\)|__attribute__\s*\(\(.*?\)\)|[A-Z][A-Z0-9_]+(?:\([^)]*\))?)\s+)*"
    r"(?P<name>[A-Za-z_][\w:]*)(?P<rest>.*)$",
    re.S,
)
NOT_NAMES = frozenset(
    "if for while switch return sizeof alignof decltype noexcept static_assert throw requires explicit operator defined "
    "alignas catch constexpr const auto void int bool char float double unsigned signed long short delete default new "
    "template typename class struct enum union using namespace public private protected virtual static inline".split()
)


def without_comments(text):
    """Comments, strings and line joints out; the preprocessor's lines apart."""
    text = text.replace("\\\n", " ")
    text = re.sub(r'R"(\w*)\(.*?\)\1"', '""', text, flags=re.S)
    pattern = r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\''
    return re.sub(pattern, lambda m: '""' if m[0][0] in "\"'" else " ", text, flags=re.S)


def without_templates(head):
    """`template <class T, int N = f<2>()> struct A<T>` -> `struct A`."""
    out, depth, i = [], 0, 0
    while i < len(head):
        c = head[i]
        if c == "<" and not head.startswith("operator", max(0, i - 8)) and head[i - 1 : i] != "<" and head[i + 1 : i + 2] not in "<=":
            depth += 1
        elif c == ">" and depth > 0 and head[i - 1] != "-":
            depth -= 1
        elif depth == 0:
            out.append(c)
        i += 1
    return re.sub(r"\btemplate\b\s*", " ", "".join(out)).strip()


def names_of_header(text):
    """Yields (scope, name, kind): kind is class, type, function, member, macro or value."""
    text = without_comments(text)
    for macro in re.finditer(r"^[ \t]*#[ \t]*define[ \t]+(\w+)([^\n]*)", text, flags=re.M):
        if macro[2].strip() != "":  # a guard or a switch has no text
            yield "", macro[1], "macro"
    yield from names_in(without_directives(text))


def without_directives(text):
    """Branches of `#if` all count, but one of those that open a brace which stands once behind `#endif`."""
    lines, open_ifs = [], []  # of each #if: where its branch begins, and whether to keep more branches
    for line in text.split("\n"):
        word = re.match(r"[ \t]*#[ \t]*(if|el|endif)?", line)
        if not word:
            lines.append(line)
        elif word[1] == "if":
            open_ifs.append([len(lines), False])
        elif word[1] is not None and open_ifs:
            start, unbalanced = open_ifs[-1]
            branch = "\n".join(lines[start:])
            if unbalanced:
                del lines[start:]
            open_ifs[-1] = [len(lines), unbalanced or branch.count("{") != branch.count("}")]
            if word[1] == "endif":
                open_ifs.pop()
    return "\n".join(lines)


def names_in(text):
    scopes = [("namespace", "")]
    words = []
    depth = 0  # of parentheses
    for token in re.findall(r"[{};()]|[^{};()]+", text):
        if token == "(":
            depth += 1
        elif token == ")":
            depth -= 1
        elif depth > 0 and token in "{};":
            pass
        elif token == "{":
            head = "".join(words).strip()
            words = []
            kind, scope, found = opened(head, scopes[-1])
            yield from found
            scopes.append((kind, scope))
            continue
        elif token == "}":
            kind, scope = scopes[-1]
            if kind == "enum":
                yield from values("".join(words), scope)
            if len(scopes) > 1:
                scopes.pop()
            # `int a{0};`: what stood before the braces goes on.
            words = [scope] if kind == "initializer" else []
            continue
        elif token == ";":
            yield from declared("".join(words).strip(), scopes[-1])
            words = []
            continue
        words.append(token)


def qualified(scope, name):
    return f"{scope}::{name}" if scope else name


def opened(head, around):
    """What a brace opens: its kind, its scope, and the names that the head declares."""
    kind, scope = around
    head = re.sub(r"^(?:(?:public|private|protected)\s*:(?!:)\s*)+", "", head.strip())
    if kind in ("body", "initializer", "enum"):
        return "body", scope, []
    head = re.sub(r"^(?:[A-Z][A-Z0-9_]+(?:\([^()]*\))?;?\s+)+(?=namespace|class|struct|enum|union|extern|template|using|inline|static)", "", head)
    space = re.match(r"^(?:inline\s+)?namespace\b\s*(?:\[\[.*?\]\]\s*)?([\w:]*)$", head)
    if space:
        # Vectorized code stands in a namespace of its own for each capability: it is left out, as the symbols leave it out.
        inner = re.sub(r"(?:^|::)CPU_CAPABILITY$", "", space[1])
        return "namespace", qualified(scope, inner) if inner else scope, []
    if re.match(r'^extern\s*""$', head):
        return "namespace", scope, []
    plain = without_templates(head)
    made = CLASS.match(plain)
    if made and "(" not in made["rest"].split(":")[0] and not re.match(r"\s*=", made["rest"]):
        name = made["name"].rstrip(":")
        inside = qualified(scope, name)
        found = [(scope, name, "class")]
        return ("enum" if made["kind"].startswith("enum") else "class"), inside, found
    if "(" in plain and not re.search(r"(?<![=!<>])=(?!=)\s*$", plain):
        return "body", scope, list(functions(plain, scope, kind))
    return "initializer", head, []


def functions(plain, scope, kind):
    before = plain.split("(", 1)[0].rstrip()
    name = re.search(r"([~\w]+(?:::[~\w]+)*)$", before)
    if name and name[1].split("::")[-1] not in NOT_NAMES and " " in before.strip() + (" " if kind == "class" else ""):
        yield scope, name[1], "function"


def values(text, scope):
    for value in text.split(","):
        name = re.match(r"\s*(\w+)", value)
        if name and not name[1].isdigit():
            yield scope, name[1], "value"


def declared(head, around):
    kind, scope = around
    if kind not in ("namespace", "class"):
        return
    head = re.sub(r"^(?:(?:public|private|protected)\s*:(?!:)\s*)+", "", head)
    stub = re.match(r"^DECLARE_DISPATCH\s*\(.*,\s*(\w+)\s*\)$", head, flags=re.S)
    if stub:
        yield scope, stub[1], "value"
        return
    alias = re.match(r"^(?:template\s*<.*>\s*)?using\s+(\w+)\s*(?:\[\[.*?\]\]\s*)?=", head, flags=re.S)
    if alias:
        yield scope, alias[1], "type"
        return
    brought = re.match(r"^using\s+[\w:]+::(\w+)$", head)
    if brought:
        yield scope, brought[1], "type"
        return
    head = without_templates(head)
    if re.match(r"^(?:using|friend|static_assert|namespace|extern template|class|struct|enum|union|typedef)\b", head):
        name = re.search(r"^typedef\b.*?(\w+)$", head, flags=re.S)
        if name:
            yield scope, name[1], "type"
        return
    value = re.split(r"(?<![=!<>])=(?!=)", head)[0].strip()
    if "(" in value:
        yield from functions(value, scope, kind)
        return
    name = re.search(r"[\w>&*\]]\s*[&*\s]([A-Za-z_]\w*)\s*(?:\[[^\]]*\]|:\s*\d+)?$", value)
    if name and name[1] not in NOT_NAMES:
        yield scope, name[1], "member" if kind == "class" else "value"
