/**
 * @file Messages that more than one file needs.
 * @mirrors torch/csrc/autograd/saved_variable.h#ERR_BACKWARD_TWICE
 */

export const ERR_BACKWARD_TWICE =
  "Trying to backward through the graph a second time (or directly access saved tensors after they have already " +
  "been freed). Saved intermediate values of the graph are freed when you call .backward() or autograd.grad(). Specify " +
  "retain_graph=True if you need to backward through the graph a second time or if you need to access saved tensors " +
  "after calling backward.";
