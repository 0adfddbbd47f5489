/**
 * @file Random number generators of CUDA devices, which do not exist here.
 * @mirrors torch/cuda/random.py
 * @differs Ours ignores seeds; PyTorch stores them until CUDA is first used.
 */
import { def } from "#torch/_signature";
import type { Seed } from "#torch/random";
import { needs_cuda } from "./_lazy_init.ts";

const nothing = (_seed: Seed): void => {};

/** Does nothing: programs may seed devices that do not exist. */
export const manual_seed = def("manual_seed(seed)", nothing);
/** Does nothing, like `manual_seed`, for all devices. */
export const manual_seed_all = def("manual_seed_all(seed)", nothing);
/** Does nothing, like `manual_seed`. */
export const seed = def("seed()", (): void => {});
/** Does nothing, like `manual_seed`, for all devices. */
export const seed_all = def("seed_all()", (): void => {});
export const initial_seed = needs_cuda("initial_seed()");
export const get_rng_state = needs_cuda("get_rng_state(device='cuda')");
/** The generator states of all devices: an empty list. */
export const get_rng_state_all = def("get_rng_state_all()", (): never[] => []);
/** Does nothing, since the device does not exist. */
export const set_rng_state = def("set_rng_state(new_state, device='cuda')", (): void => {});
/** Does nothing, since no device exists. */
export const set_rng_state_all = def("set_rng_state_all(new_states)", (): void => {});
