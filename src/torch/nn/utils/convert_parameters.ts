/**
 * @file Conversion of all parameters to one vector, and back.
 * @mirrors torch/nn/utils/convert_parameters.py
 * @differs Ours does not check that all parameters are on one device; PyTorch refuses parameters on different devices.
 */
import { TypeError_ } from "#c10/util/Exception";
import { def } from "#torch/_signature";
import { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { type_name } from "#torch/_utils/index";

/** The elements of all parameters, concatenated in one vector. */
export const parameters_to_vector = def("parameters_to_vector(parameters)", (parameters: Iterable<Tensor>): Tensor => {
  const vec: Tensor[] = [];
  for (const param of parameters) vec.push(param.view(-1));
  return torch.cat(vec);
});

/** Makes each parameter's data a slice of `vec`; afterwards they share memory. */
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
