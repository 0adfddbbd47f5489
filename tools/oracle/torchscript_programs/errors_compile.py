# ---- undefined
def f(x):
    return y + x

# ---- wrong_type
def f(x: int):
    return x + "a"

# ---- missing_argument
def f(x):
    return torch.add(x)

# ---- unknown_keyword
def f(x):
    return torch.relu(x, foo=1)

# ---- return_types
def f(n: int):
    if n > 0:
        return 1
    return "a"

# ---- variable_types
def f(n: int):
    if n > 0:
        a = 1
    else:
        a = "x"
    return a

# ---- one_branch
def f(n: int):
    if n > 0:
        a = 1
    return a

# ---- loop_type
def f(n: int):
    a = 1
    for i in range(n):
        a = 1.5
    return a

# ---- declared_type
def f(x):
    y: int = 1.5
    return y

# ---- declared_return
def f(x) -> int:
    return x

# ---- unknown_type
def f(x: Foo):
    return x

# ---- not_callable
def f(x):
    return x(1)

# ---- call_method
def f(x):
    return x.foo(1)

# ---- unpack_count
def f(t: Tuple[int, int]):
    a, b, c = t
    return a

# ---- unpack_type
def f(n: int):
    a, b = n
    return a

# ---- recursive
def f(n: int) -> int:
    return f(n - 1)

# ---- list_element
def f(xs: List[int]):
    xs.append("a")
    return xs

# ---- dict_key
def f(d: Dict[List[int], int]):
    return d

# ---- mixed_dict
def f(x):
    return {"a": 1, 2: 3}

# ---- not_iterable
def f(n: int):
    for i in n:
        pass

# ---- tuple_index
def f(t: Tuple[int, str], i: int):
    return t[i]

# ---- break_outside
def f(x):
    break

# ---- optional_use
def f(x: Optional[int]):
    return x + 1

# ---- none_attribute
def f(x: Optional[Tensor]):
    return x.sum()

# ---- bool_of_list
def f(xs: List[Tensor]):
    if xs[0].sum:
        return 1
    return 2

# ---- assign_call
def f(x):
    x.foo = 1
    return x

# ---- global_statement
def f(x):
    global y
    return x

# ---- starred_keyword
def f(x):
    return torch.cat(*x, dim=0, dim=1)

# ---- called_in_called
def h(x):
    return x.bar()

def g(x):
    return h(x) + 1

def f(x):
    return g(x)

# ---- default_wrong
def f(x: int = "a"):
    return x

# ---- no_definition
x = 1

# ---- range_arguments
def f(x):
    for i in range(x, 1.5):
        pass

# ---- isinstance_number
def f(x: int):
    return isinstance(x, Foo)

# ---- raise_string
def f(x):
    raise "text"

# ---- del_name
def f(x):
    del x
    return x

# ---- union_use
def f(x: Union[int, str]):
    return x + 1

# ---- string_index
def f(s: str):
    s[0] = "a"
    return s
