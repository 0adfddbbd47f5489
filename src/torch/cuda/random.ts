/**
 * @file The random numbers of cards that are not there.
 * @mirrors torch/cuda/random.py
 * @differs PyTorch keeps seeds until CUDA is first used; here it never is.
 */
import { def } from "#torch/_signature";
import type { Seed } from "#torch/random";
import { needs_cuda } from "./_lazy_init.ts";

const nothing = (_seed: Seed): void => {};

/** Does nothing: programs seed cards that may not be there. */
export const manual_seed = def("manual_seed(seed)", nothing);
/** The same for all cards. */
export const manual_seed_all = def("manual_seed_all(seed)", nothing);
/** Does nothing, as `manual_seed`. */
export const seed = def("seed()", (): void => {});
/** The same for all cards. */
export const seed_all = def("seed_all()", (): void => {});
export const initial_seed = needs_cuda("initial_seed()");
export const get_rng_state = needs_cuda("get_rng_state(device='cuda')");
/** The states of all cards: none. */
export const get_rng_state_all = def("get_rng_state_all()", (): never[] => []);
/** Of a card that is not there: nothing is set. */
export const set_rng_state = def("set_rng_state(new_state, device='cuda')", (): void => {});
/** The same for all cards. */
export const set_rng_state_all = def("set_rng_state_all(new_states)", (): void => {});
