/**
 * @file All parameters in one vector, and back.
 * @mirrors torch/nn/utils/convert_parameters.py
 * @differs There is one device, so no parameters lie on different ones.
 */
import { TypeError_ } from "#c10/util/Exception";
import { def } from "#torch/_signature";
import { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { type_name } from "#torch/_utils/index";

/** The elements of all parameters, one after the other. */
export const parameters_to_vector = def("parameters_to_vector(parameters)", (parameters: Iterable<Tensor>): Tensor => {
  const vec: Tensor[] = [];
  for (const param of parameters) vec.push(param.view(-1));
  return torch.cat(vec);
});

/** Gives each parameter its part of `vec` as its data: they share memory afterwards. */
export const vector_to_parameters = def(
  "vector_to_parameters(vec, parameters)",
  (vec: Tensor, parameters: Iterable<Tensor>): void => {
    if (!(vec instanceof Tensor)) throw new TypeError_(`expected torch.Tensor, but got: ${type_name(vec)}`);
    let pointer = 0;
    for (const param of parameters) {
      const num_param = param.numel();
      const part = vec.__getitem__([{ start: pointer, stop: pointer + num_param, step: null }]);
      param.data = part.view_as(param).data;
      pointer += num_param;
    }
  },
);
