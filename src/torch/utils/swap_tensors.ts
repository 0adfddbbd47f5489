/**
 * @file `torch.utils.swap_tensors`: two tensors exchange what they are; each object keeps its identity.
 * @mirrors torch/utils/__init__.py#swap_tensors
 * @differs Other references to the tensors, weak ones too, cannot be counted, so they do not refuse a swap. PyTorch refuses.
 */
import { AttributeError, RuntimeError } from "#c10/util/Exception";
import { python_type, THPVariable_Check, try_get_grad_accumulator } from "#torch/_C";
import { def } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { get_gradient_edge } from "#torch/autograd/graph/index";

/** Fields of the object itself: a swap leaves them where they are. */
const OF_THE_OBJECT = new Set<PropertyKey>(["cdata", "backward_hooks", "post_accumulate_grad_hooks"]);

type Attributes = readonly (readonly [PropertyKey, PropertyDescriptor])[];

/** Takes the attributes away from an object. */
function take_attributes(t: Tensor): Attributes {
  const names = Reflect.ownKeys(t).filter((name) => !OF_THE_OBJECT.has(name));
  return names.map((name) => {
    const descriptor = Object.getOwnPropertyDescriptor(t, name) as PropertyDescriptor;
    Reflect.deleteProperty(t, name);
    return [name, descriptor] as const;
  });
}

/** A graph that was recorded adds gradients to what the tensor was before. */
function poison_grad_accumulator(t: Tensor): void {
  if (!t.requires_grad || !t.is_leaf || try_get_grad_accumulator(t.cdata) === null) return;
  get_gradient_edge(t).node.register_prehook(() => {
    throw new RuntimeError(
      "Trying to execute AccumulateGrad node that was poisoned by swap_tensors this can happen when you try to run backward on a tensor " +
        "that was swapped. For a module m with `torch.__future__.set_swap_module_params_on_conversion(True)` you should not change the " +
        "device or dtype of the module (e.g. `m.cpu()` or `m.half()`) between running forward and backward. To resolve this, please " +
        "only change the device/dtype before running forward (or after both forward and backward).",
    );
  });
}

/**
 * Exchanges two tensors: values, classes and attributes. Every reference to one of them then sees the other.
 * @throws {AttributeError} if one is no tensor
 */
export const swap_tensors = def("swap_tensors(t1, t2)", (t1: Tensor, t2: Tensor): void => {
  for (const t of [t1, t2] as unknown[])
    if (!THPVariable_Check(t)) throw new AttributeError(`'${python_type(t)}' object has no attribute '_use_count'`);
  poison_grad_accumulator(t1);
  poison_grad_accumulator(t2);
  const prototypes = [Object.getPrototypeOf(t1), Object.getPrototypeOf(t2)] as [object, object];
  const attributes = [take_attributes(t1), take_attributes(t2)] as const;
  for (const [t, other] of [
    [t1, 1],
    [t2, 0],
  ] as const) {
    Object.setPrototypeOf(t, prototypes[other]);
    for (const [name, descriptor] of attributes[other]) Object.defineProperty(t, name, descriptor);
  }
  const { cdata } = t1;
  t1.cdata = t2.cdata;
  t2.cdata = cdata;
  t1.cdata.impl_.init_pyobj(t1);
  t2.cdata.impl_.init_pyobj(t2);
});
