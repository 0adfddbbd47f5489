/**
 * @file The methods of dicts, for each type that a key can have.
 * @mirrors torch/csrc/jit/runtime/register_prim_ops.cpp
 */
import { Dict } from "#aten/core/Dict";
import { IValue } from "#aten/core/ivalue";
import { print_key } from "#aten/core/ivalue.impl";
import { StringType, TensorType, TupleType } from "#aten/core/jit_type";
import { List } from "#aten/core/List";
import { pop, type Stack } from "#aten/core/stack";
import { RuntimeError, TORCH_CHECK } from "#c10/util/Exception";
import { register_operations } from "../operator.ts";
import { type Operations, push_bool, push_int } from "../register_ops_utils.ts";

const pop_dict = (stack: Stack): Dict => pop(stack).toGenericDict();

function dictItems(dict: Dict): List {
  const items = [...dict.entries()].map(({ key, value }) => IValue.fromTuple([key, value]));
  return new List(TupleType.create([dict.keyType(), dict.valueType()]), items);
}

/** Removes an entry and returns its value. @throws {RuntimeError} "KeyError: k" without `default_value` */
function removed(dict: Dict, key: IValue, default_value: IValue | null): IValue {
  const value = dict.find(key) ?? default_value;
  if (value === null) throw new RuntimeError(`KeyError: ${print_key(key)}`);
  dict.erase(key);
  return value;
}

function CREATE_DICT_OPS(key_type: string): Operations {
  return {
    [`aten::len.Dict_${key_type}`]: (stack) => push_int(stack, pop_dict(stack).size()),
    [`aten::keys.${key_type}`]: (stack) => {
      const dict = pop_dict(stack);
      const keys = [...dict.entries()].map(({ key }) => key);
      stack.push(IValue.fromList(new List(dict.keyType(), keys)));
    },
    [`aten::values.${key_type}`]: (stack) => {
      const dict = pop_dict(stack);
      const values = [...dict.entries()].map(({ value }) => value);
      stack.push(IValue.fromList(new List(dict.valueType(), values)));
    },
    [`aten::items.${key_type}`]: (stack) => void stack.push(IValue.fromList(dictItems(pop_dict(stack)))),
    [`aten::__getitem__.Dict_${key_type}`]: (stack) => {
      const key = pop(stack);
      const value = pop_dict(stack).find(key);
      if (value === null) throw new RuntimeError(`KeyError: ${print_key(key)}`);
      stack.push(value);
    },
    [`aten::get.${key_type}`]: (stack) => {
      const key = pop(stack);
      stack.push(pop_dict(stack).find(key) ?? IValue.None);
    },
    [`aten::get.default_${key_type}`]: (stack) => {
      const default_value = pop(stack);
      const key = pop(stack);
      stack.push(pop_dict(stack).find(key) ?? default_value);
    },
    [`aten::setdefault.${key_type}`]: (stack) => {
      const default_value = pop(stack);
      const key = pop(stack);
      const dict = pop_dict(stack);
      dict.insert(key, default_value);
      stack.push(dict.find(key) ?? default_value);
    },
    [`aten::Delete.Dict_${key_type}`]: (stack) => {
      const key = pop(stack);
      removed(pop_dict(stack), key, null);
    },
    [`aten::pop.Dict_${key_type}`]: (stack) => {
      const key = pop(stack);
      stack.push(removed(pop_dict(stack), key, null));
    },
    [`aten::pop.Dict_default_${key_type}`]: (stack) => {
      const default_value = pop(stack);
      const key = pop(stack);
      stack.push(removed(pop_dict(stack), key, default_value));
    },
    // The oldest entry, where Python takes the newest.
    [`aten::popitem.${key_type}`]: (stack) => {
      const dict = pop_dict(stack);
      const head = dict.entries().next().value;
      TORCH_CHECK(head !== undefined, "popitem(): dictionary is empty");
      dict.erase(head.key);
      stack.push(IValue.fromTuple([head.key, head.value]));
    },
    [`aten::clear.${key_type}`]: (stack) => pop_dict(stack).clear(),
    [`aten::update.${key_type}`]: (stack) => {
      const to_add = pop_dict(stack);
      const dict = pop_dict(stack);
      for (const { key, value } of [...to_add.entries()]) dict.insert_or_assign(key, value);
    },
    [`aten::copy.Dict_${key_type}`]: (stack) => void stack.push(IValue.fromDict(pop_dict(stack).copy())),
    [`aten::dict.Dict_${key_type}`]: (stack) => void stack.push(IValue.fromDict(pop_dict(stack).copy())),
    [`aten::__contains__.${key_type}`]: (stack) => {
      const key = pop(stack);
      push_bool(stack, pop_dict(stack).contains(key));
    },
    [`aten::_set_item.${key_type}`]: (stack) => {
      const value = pop(stack);
      const key = pop(stack);
      pop_dict(stack).insert_or_assign(key, value);
    },
    [`aten::dict.${key_type}`]: (stack) => {
      const list = pop(stack).toList();
      const [key, value] = list.elementType().containedTypes();
      const dict = new Dict(key, value);
      for (const pair of list.vec()) dict.insert_or_assign(pair.toTuple()[0], pair.toTuple()[1]);
      stack.push(IValue.fromDict(dict));
    },
  };
}

for (const key_type of ["str", "int", "bool", "float", "complex", "Tensor"])
  register_operations(CREATE_DICT_OPS(key_type));
register_operations({ "aten::dict": (stack) => void stack.push(IValue.fromDict(new Dict(StringType, TensorType))) });
