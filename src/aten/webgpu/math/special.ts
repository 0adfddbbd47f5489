/**
 * @file The complementary and the inverse error function of float32 for WGSL, in kernel text, without doubles.
 * @mirrors aten/src/ATen/native/cuda/Math.cuh
 * @differs The polynomial of erfinv is M. Giles's; CUDA calls libdevice.
 * @see aten/cpu/vec/erf.ts
 */
import { exp, log } from "#aten/cpu/vec/functions";
import { type float32, fmadd, pmin } from "#aten/Dispatch";
import { abs, sqrt } from "#c10/util/math";
import { upper_part } from "./pow.ts";

/**
 * e^(-x^2) times a polynomial of (x - 2.5) / (x + 2.5). The square is split into a part that a float holds exactly and the rest.
 */
export function erfc(x: float32): float32 {
  const magnitude = pmin(abs(x), 11);
  const t = (magnitude - 2.5) / (magnitude + 2.5);
  const a = fmadd(fmadd(6.048941112808155e-6, t, 1.5340183633076758e-5), t, -3.3914461706902265e-5);
  const b = fmadd(fmadd(fmadd(a, t, -1.2696399261545512e-4), t, 2.2849620317683117e-4), t, 8.753508446498964e-4);
  const c = fmadd(fmadd(fmadd(b, t, -2.6424128267640247e-3), t, -3.993616258767748e-3), t, 3.9922543886518495e-2);
  const d = fmadd(fmadd(fmadd(c, t, -0.12503305804784884), t, 0.2517131931151282), t, -0.3717367338398619);
  const high = upper_part(magnitude);
  const tail = fmadd(d, t, 0.2108063640607182) * exp(-high * high) * exp((high - magnitude) * (high + magnitude));
  return x < 0 ? 2 - tail : tail;
}

export function calc_erfinv(x: float32): float32 {
  const w = -log((1 - x) * (1 + x));
  const u = w - 2.5;
  const a = fmadd(fmadd(fmadd(2.81022636e-8, u, 3.43273939e-7), u, -3.5233877e-6), u, -4.39150654e-6);
  const b = fmadd(fmadd(fmadd(a, u, 2.1858087e-4), u, -1.25372503e-3), u, -4.17768164e-3);
  const near = fmadd(fmadd(b, u, 0.246640727), u, 1.50140941);
  const v = sqrt(w) - 3;
  const c = fmadd(fmadd(fmadd(-2.00214257e-4, v, 1.00950558e-4), v, 1.34934322e-3), v, -3.67342844e-3);
  const d = fmadd(fmadd(fmadd(c, v, 5.73950773e-3), v, -7.6224613e-3), v, 9.43887047e-3);
  const far = fmadd(fmadd(d, v, 1.00167406), v, 2.83297682);
  const result = (w < 5 ? near : far) * x;
  return abs(x) === 1 ? x * Infinity : result;
}
