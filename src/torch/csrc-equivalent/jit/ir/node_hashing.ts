/**
 * @file Whether two nodes compute the same: kind, inputs, attributes and types of outputs.
 * @mirrors torch/csrc/jit/ir/node_hashing.cpp
 */

import type { ComplexDouble, IValue } from "#aten/core/ivalue";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import type { AttributeValue } from "./attributes.ts";
import type { Node } from "./ir/node.ts";

function tensorEqual(a: Tensor, b: Tensor): boolean {
  if (a === b) return true;
  if (!a.defined() || !b.defined()) return a.defined() === b.defined();
  return a.options().dtype() === b.options().dtype() && String(a.device()) === String(b.device()) && at.equal(a, b);
}

function ivalueEqual(a: IValue, b: IValue): boolean {
  if (a.tag !== b.tag) return false;
  if (a.isTensor()) return tensorEqual(a.toTensor(), b.toTensor());
  if (a.isTuple()) return listsEqual(a.toTuple(), b.toTuple());
  if (a.isList()) return listsEqual(a.toList().vec(), b.toList().vec());
  return a.equals(b);
}

function listsEqual(a: readonly IValue[], b: readonly IValue[]): boolean {
  return a.length === b.length && a.every((item, i) => ivalueEqual(item, b[i]));
}

function complexEqual(a: ComplexDouble, b: ComplexDouble): boolean {
  return Object.is(a.real, b.real) && Object.is(a.imag, b.imag);
}

function attributeEqual(a: AttributeValue, b: AttributeValue): boolean {
  if (a.kind !== b.kind) return false;
  if (a.kind === "t") return tensorEqual(a.value as Tensor, b.value as Tensor);
  if (a.kind === "ival") return ivalueEqual(a.value, b.value as IValue);
  if (Array.isArray(a.value)) {
    const other = b.value as readonly unknown[];
    return a.value.length === other.length && a.value.every((item, i) => Object.is(item, other[i]));
  }
  if (a.kind === "c") return complexEqual(a.value as ComplexDouble, b.value as ComplexDouble);
  return Object.is(a.value, b.value);
}

function attributesEqual(a: Node, b: Node): boolean {
  const names = a.attributeNames();
  if (names.length !== b.attributeNames().length) return false;
  return names.every((name) => b.hasAttribute(name) && attributeEqual(a.attribute(name), b.attribute(name)));
}

export function EqualNode(a: Node, b: Node): boolean {
  if (a === b) return true;
  if (a.kind() !== b.kind()) return false;
  if (a.outputs().length !== b.outputs().length || a.inputs().length !== b.inputs().length) return false;
  if (!a.outputs().every((output, i) => output.type().equals(b.outputs()[i].type()))) return false;
  if (!a.inputs().every((input, i) => input === b.input(i))) return false;
  return attributesEqual(a, b);
}
