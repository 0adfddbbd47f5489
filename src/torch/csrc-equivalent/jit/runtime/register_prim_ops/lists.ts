/**
 * @file The methods of lists. A list is shared by everyone who holds it: `append` and its like change it in place.
 * @mirrors torch/csrc/jit/runtime/register_ops_utils.cpp
 */
import { IValue, printDouble } from "#aten/core/ivalue";
import { print_key } from "#aten/core/ivalue.impl";
import { IntType } from "#aten/core/jit_type";
import { List } from "#aten/core/List";
import { pop, type Stack } from "#aten/core/stack";
import { RuntimeError, TORCH_CHECK } from "#c10/util/Exception";
import { to_bytes } from "../byte_string.ts";
import type { int64 } from "../int64.ts";
import { type Operation, register_operations } from "../operator.ts";
import {
  int_of,
  normalizeIndex,
  type Operations,
  pop_bool,
  pop_index,
  pop_int,
  push_bool,
  push_int,
} from "../register_ops_utils.ts";
import { slice_indices_adjust } from "../slice_indices_adjust.ts";

const pop_list = (stack: Stack): List => pop(stack).toList();
const push_list = (stack: Stack, list: List): void => void stack.push(IValue.fromList(list));
const copied = (list: List): List => new List(list.elementType(), [...list.vec()]);

/** An index that may be negative, as one from the front. @throws {RuntimeError} "list index out of range" */
function index_in(list: List, idx: number): number {
  const normalized_idx = normalizeIndex(idx, list.size());
  if (normalized_idx < 0 || normalized_idx >= list.size()) throw new RuntimeError("list index out of range");
  return normalized_idx;
}

// ---- lists of any type

const listSelect: Operation = (stack) => {
  const idx = pop_index(stack);
  const list = pop_list(stack);
  stack.push(list.get(index_in(list, idx)));
};

/** Removes one element and returns it. */
function removed(stack: Stack, empty_message: string): IValue {
  const idx = pop_index(stack);
  const list = pop_list(stack);
  TORCH_CHECK(list.size() > 0, empty_message);
  const [element] = list.vec().splice(index_in(list, idx), 1);
  return element;
}

const listLen: Operation = (stack) => push_int(stack, pop_list(stack).size());
const listCopy: Operation = (stack) => push_list(stack, copied(pop_list(stack)));

/** The elements `n` times. */
function repeated(list: List, n: number): List {
  TORCH_CHECK(n >= 0 || list.size() === 0, "vector::reserve"); // C++ asks for a negative number of places
  const items: IValue[] = [];
  for (let i = 0; i < n; i++) items.push(...list.vec());
  return new List(list.elementType(), items);
}

register_operations({
  "aten::select.t": listSelect,
  "aten::__getitem__.t": listSelect,
  "aten::append.t": (stack) => {
    const element = pop(stack);
    stack[stack.length - 1].toList().push_back(element);
  },
  "aten::reverse.t": (stack) => void pop_list(stack).vec().reverse(),
  "aten::extend.t": (stack) => {
    const other = [...pop_list(stack).vec()];
    pop_list(stack)
      .vec()
      .push(...other);
  },
  "aten::copy.t": listCopy,
  "aten::list.t": listCopy,
  "aten::_set_item.t": (stack) => {
    const value = pop(stack);
    const idx = pop_index(stack);
    const list = stack[stack.length - 1].toList();
    list.set(index_in(list, idx), value);
  },
  "aten::clear.t": (stack) => {
    pop_list(stack).vec().length = 0;
  },
  "aten::Delete.t": (stack) => void removed(stack, "pop index out of range"),
  "aten::pop.t": (stack) => void stack.push(removed(stack, "pop from empty list")),
  "aten::insert.t": (stack) => {
    const element = pop(stack);
    const idx = pop_index(stack);
    const list = pop_list(stack);
    const place = normalizeIndex(idx, list.size());
    list.vec().splice(Math.min(Math.max(0, place), list.size()), 0, element);
  },
  "aten::add.t": (stack) => {
    const other = pop_list(stack);
    const list = pop_list(stack);
    push_list(stack, new List(list.elementType(), [...list.vec(), ...other.vec()]));
  },
  "aten::add_.t": (stack) => {
    const other = [...pop_list(stack).vec()];
    stack[stack.length - 1]
      .toList()
      .vec()
      .push(...other);
  },
  "aten::slice.t": (stack) => {
    const step_ = pop(stack);
    const end = pop(stack);
    const start_ = pop(stack);
    const list = pop_list(stack);
    const { start, step, count } = slice_indices_adjust(
      list.size(),
      start_.isInt() ? int_of(start_) : null,
      end.isInt() ? int_of(end) : null,
      step_.isInt() ? int_of(step_) : 1,
    );
    const items = Array.from({ length: count }, (_, i) => list.get(start + i * step));
    push_list(stack, new List(list.elementType(), items));
  },
  "aten::mul.left_t": (stack) => {
    const n = pop_index(stack);
    push_list(stack, repeated(pop_list(stack), n));
  },
  "aten::mul.right_": (stack) => {
    const list = pop_list(stack);
    push_list(stack, repeated(list, pop_index(stack)));
  },
  "aten::mul_.t": (stack) => {
    const n = pop_index(stack);
    const items = stack[stack.length - 1].toList().vec();
    const once = [...items];
    if (n <= 0) items.length = 0;
    for (let i = 1; i < n; i++) items.push(...once);
  },
  "aten::len.t": listLen,
  "aten::len.any": (stack) => {
    const value = pop(stack);
    push_int(stack, value.isTuple() ? value.toTuple().length : value.toList().size());
  },
});

// ---- lists of one type

/** How elements of one type are compared. */
interface Element {
  readonly type: string;
  readonly equal: (a: IValue, b: IValue) => boolean;
  readonly less: (a: IValue, b: IValue) => boolean;
}

type Comparable = int64 | boolean | string;
const primitive = (type: string): Element => ({
  type,
  equal: (a, b) => a.payload === b.payload,
  less: (a, b) => (a.payload as Comparable) < (b.payload as Comparable),
});
const ints = primitive("int");
const floats = primitive("float");
const bools = primitive("bool");
/** Strings have the order of their bytes. */
const strings: Element = {
  ...primitive("str"),
  less: (a, b) => to_bytes(a.toStringRef()) < to_bytes(b.toStringRef()),
};
/** Tensors are compared by operators, whose result must be one bool. */
const tensors: Element = {
  type: "Tensor",
  equal: (a, b) => a.toTensor().eq_Tensor(b.toTensor()).is_nonzero(),
  less: (a, b) => a.toTensor().lt_Tensor(b.toTensor()).is_nonzero(),
};

function sort(items: IValue[], { less }: Element, reverse: boolean): void {
  items.sort((a, b) => (less(a, b) ? -1 : less(b, a) ? 1 : 0) * (reverse ? -1 : 1));
}

/** Whether the lists have as many elements, and equal ones. */
function lists_equal(stack: Stack, { equal }: Element): boolean {
  const b = pop_list(stack).vec();
  const a = pop_list(stack).vec();
  return a.length === b.length && a.every((item, i) => equal(item, b[i]));
}

function CREATE_SPECIALIZED_LIST_OPS(element: Element): Operations {
  const { type, equal } = element;
  /** Pops the element that is looked for and the list. */
  const find = (stack: Stack): { items: IValue[]; wanted: IValue; place: number } => {
    const wanted = pop(stack);
    const items = pop_list(stack).vec();
    return { items, wanted, place: items.findIndex((item) => equal(wanted, item)) };
  };
  return {
    [`aten::remove.${type}`]: (stack) => {
      const { items, place } = find(stack);
      TORCH_CHECK(place >= 0, "list.remove(x): x not in list");
      items.splice(place, 1);
    },
    [`aten::index.list_${type}`]: (stack) => {
      const { wanted, place } = find(stack);
      if (place < 0) throw new RuntimeError(`'${print_element(wanted)}' is not in list`);
      push_int(stack, place);
    },
    [`aten::count.${type}`]: (stack) => {
      const wanted = pop(stack);
      const items = pop_list(stack).vec();
      push_int(stack, items.filter((item) => equal(wanted, item)).length);
    },
    [`aten::eq.${type}_list`]: (stack) => push_bool(stack, lists_equal(stack, element)),
    [`aten::ne.${type}_list`]: (stack) => push_bool(stack, !lists_equal(stack, element)),
    [`aten::sort.${type}`]: (stack) => {
      const reverse = pop_bool(stack);
      sort(pop_list(stack).vec(), element, reverse);
    },
    [`aten::sorted.${type}`]: (stack) => {
      const list = copied(pop_list(stack));
      sort(list.vec(), element, false);
      push_list(stack, list);
    },
  };
}

/** A C++ stream prints a number otherwise than TorchScript's `print`: a float with six digits, a bool as 1 or 0. */
function print_element(value: IValue): string {
  if (value.isBool()) return value.payload === true ? "1" : "0";
  return value.isDouble() ? printDouble(value.payload as number) : print_key(value);
}

function listContains({ equal }: Element): Operation {
  return (stack) => {
    const key = pop(stack);
    push_bool(
      stack,
      pop_list(stack)
        .vec()
        .some((item) => equal(item, key)),
    );
  };
}

register_operations({
  ...CREATE_SPECIALIZED_LIST_OPS(ints),
  ...CREATE_SPECIALIZED_LIST_OPS(floats),
  ...CREATE_SPECIALIZED_LIST_OPS(bools),
  ...CREATE_SPECIALIZED_LIST_OPS(strings),
  ...CREATE_SPECIALIZED_LIST_OPS(tensors),
  "aten::__contains__.int_list": listContains(ints),
  "aten::__contains__.float_list": listContains(floats),
  "aten::__contains__.str_list": listContains(strings),
});

// ---- least, greatest, any, all

function CREATE_COMPARATOR_LIST_OPS(element: Element): Operations {
  const { type, equal, less } = element;
  /** The first list that is ahead at the first difference; a list that is only longer is greater. */
  const ahead = (stack: Stack, is_ahead: (a: IValue, b: IValue) => boolean, shorter: boolean): void => {
    const b = pop_list(stack);
    const a = pop_list(stack);
    for (let i = 0; i < Math.min(a.size(), b.size()); i++) {
      if (equal(a.get(i), b.get(i))) continue;
      push_list(stack, is_ahead(a.get(i), b.get(i)) ? a : b);
      return;
    }
    // Of equal lists the second one is taken, because C++ compares it with the first.
    push_list(stack, (shorter ? a.size() < b.size() : a.size() > b.size()) ? a : b);
  };
  const extreme = (name: string, is_ahead: (a: IValue, b: IValue) => boolean): Operation => {
    return (stack) => {
      const items = pop_list(stack).vec();
      if (items.length === 0) throw new RuntimeError(`${name}() arg is an empty sequence`);
      stack.push(items.reduce((best, item) => (is_ahead(item, best) ? item : best)));
    };
  };
  const greater = (a: IValue, b: IValue): boolean => less(b, a);
  return {
    [`prim::min.${type}_list`]: (stack) => ahead(stack, less, true),
    [`prim::max.${type}_list`]: (stack) => ahead(stack, greater, false),
    [`prim::min.self_${type}`]: extreme("min", less),
    [`prim::max.self_${type}`]: extreme("max", greater),
  };
}

/** Whether a number, bool or string counts as true. */
const truth = (value: IValue): boolean => value.payload !== 0 && value.payload !== false && value.payload !== "";

for (const element of [ints, floats, bools]) register_operations(CREATE_COMPARATOR_LIST_OPS(element));
for (const type of ["int", "float", "bool", "str"])
  register_operations({
    [`aten::any.${type}`]: (stack) => push_bool(stack, pop_list(stack).vec().some(truth)),
    [`aten::all.${type}`]: (stack) => push_bool(stack, pop_list(stack).vec().every(truth)),
  });

register_operations({
  "prim::rangelist": (stack) => {
    const n = pop_int(stack);
    TORCH_CHECK(n >= 0, "vector::reserve");
    const items = Array.from({ length: Math.max(0, Number(n)) }, (_, i) => IValue.fromInt(i));
    push_list(stack, new List(IntType, items));
  },
});
