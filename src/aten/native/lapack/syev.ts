/**
 * @file Eigenvalues and eigenvectors of a symmetric matrix: reflections make it tridiagonal, then rotations make it
 * diagonal.
 * @original Our own version of LAPACK's sytd2, steqr, laev2 and lartg; PyTorch links a library, whose vectors may have
 * other signs.
 */
import { larfg } from "./geqrf.ts";

const EPS = 2 ** -53;

interface Tridiagonal {
  readonly d: Float64Array;
  readonly e: Float64Array;
}

/**
 * Tridiagonal form from the lower half of `a`. The lower half is first copied to the upper one, so that rows can be
 * read as columns. Writes the product of the reflections to `q`.
 */
function sytd2(a: Float64Array, n: number, q: Float64Array): Tridiagonal {
  const d = new Float64Array(n);
  const e = new Float64Array(Math.max(n - 1, 0));
  const tau = new Float64Array(n);
  const w = new Float64Array(n);
  for (let c = 0; c < n; c++) for (let r = c + 1; r < n; r++) a[c + r * n] = a[r + c * n];
  for (let i = 0; i < n - 1; i++) {
    const at = i + 1 + i * n;
    tau[i] = larfg(n - i - 1, a, at);
    e[i] = a[at];
    if (tau[i] !== 0) {
      a[at] = 1;
      const v = a.subarray(i * n, (i + 1) * n);
      for (let r = i + 1; r < n; r++) {
        let s = 0;
        for (let c = i + 1; c < n; c++) s += a[c + r * n] * v[c];
        w[r] = tau[i] * s;
      }
      let dot = 0;
      for (let r = i + 1; r < n; r++) dot += w[r] * v[r];
      for (let r = i + 1; r < n; r++) w[r] -= 0.5 * tau[i] * dot * v[r];
      for (let c = i + 1; c < n; c++) for (let r = i + 1; r < n; r++) a[r + c * n] -= v[r] * w[c] + w[r] * v[c];
    }
    d[i] = a[i + i * n];
  }
  if (n > 0) d[n - 1] = a[n * n - 1];
  for (let j = 0; j < n; j++) q[j + j * n] = 1;
  for (let i = n - 2; i >= 0; i--)
    for (let c = i + 1; c < n; c++) {
      let dot = q[i + 1 + c * n];
      for (let r = i + 2; r < n; r++) dot += a[r + i * n] * q[r + c * n];
      dot *= tau[i];
      q[i + 1 + c * n] -= dot;
      for (let r = i + 2; r < n; r++) q[r + c * n] -= a[r + i * n] * dot;
    }
  return { d, e };
}

/** Rotation that maps (f, g) to (r, 0). */
function lartg(f: number, g: number): [c: number, s: number, r: number] {
  if (g === 0) return [1, 0, f];
  if (f === 0) return [0, Math.sign(g), Math.abs(g)];
  const r = Math.hypot(f, g) * Math.sign(f);
  return [f / r, g / r, r];
}

/** Eigenvalues of ((a, b), (b, c)), the one with the larger absolute value first, and its unit eigenvector (cs, sn). */
function laev2(a: number, b: number, c: number): [rt1: number, rt2: number, cs: number, sn: number] {
  const [sm, df] = [a + c, a - c];
  const tb = b + b;
  const rt = Math.hypot(df, tb);
  const [acmx, acmn] = Math.abs(a) > Math.abs(c) ? [a, c] : [c, a];
  let [rt1, rt2] = [0.5 * rt, -0.5 * rt];
  const sgn1 = sm < 0 ? -1 : 1;
  if (sm !== 0) {
    rt1 = 0.5 * (sm + sgn1 * rt);
    rt2 = (acmx / rt1) * acmn - (b / rt1) * b;
  }
  const sgn2 = df >= 0 ? 1 : -1;
  const cs = df + sgn2 * rt;
  let [cs1, sn1] = [1, 0];
  if (Math.abs(cs) > Math.abs(tb)) {
    const ct = -tb / cs;
    sn1 = 1 / Math.sqrt(1 + ct * ct);
    cs1 = ct * sn1;
  } else if (tb !== 0) {
    const tn = -cs / tb;
    cs1 = 1 / Math.sqrt(1 + tn * tn);
    sn1 = tn * cs1;
  }
  return sgn1 === sgn2 ? [rt1, rt2, -sn1, cs1] : [rt1, rt2, cs1, sn1];
}

/** Rotates columns j and j + 1 of `z`. */
function rotate(z: Float64Array, n: number, j: number, c: number, s: number): void {
  for (let i = 0; i < n; i++) {
    const [x, y] = [z[i + j * n], z[i + (j + 1) * n]];
    z[i + (j + 1) * n] = c * y - s * x;
    z[i + j * n] = s * y + c * x;
  }
}

/**
 * Diagonalizes one block l..end whose off-diagonal elements are not zero, starting from the smaller end: `step` 1 is
 * called QL, -1 is called QR. `off(i)` is the element between positions i and i + step.
 */
function solve_block({ d, e }: Tridiagonal, z: Float64Array, n: number, first: number, last: number): boolean {
  const step = Math.abs(d[last]) < Math.abs(d[first]) ? -1 : 1;
  let [l, end] = step === 1 ? [first, last] : [last, first];
  const between = (i: number): number => (step === 1 ? i : i - 1);
  const turn = (i: number, c: number, s: number): void => rotate(z, n, between(i), c, step === 1 ? s : -s);
  for (let left = 30 * n; left >= 0 && (end - l) * step >= 0; ) {
    let m = l;
    while (m !== end && e[between(m)] ** 2 > EPS * EPS * Math.abs(d[m]) * Math.abs(d[m + step]) + Number.MIN_VALUE)
      m += step;
    if (m !== end) e[between(m)] = 0;
    if (m === l) {
      l += step;
      continue;
    }
    if (m === l + step) {
      const low = Math.min(l, m);
      const [rt1, rt2, c, s] = laev2(d[low], e[low], d[low + 1]);
      rotate(z, n, low, c, s);
      [d[low], d[low + 1], e[low]] = [rt1, rt2, 0];
      l += 2 * step;
      continue;
    }
    left--;
    let g = (d[l + step] - d[l]) / (2 * e[between(l)]);
    g = d[m] - d[l] + e[between(l)] / (g + (g >= 0 ? Math.hypot(g, 1) : -Math.hypot(g, 1)));
    let [s, c, p] = [1, 1, 0];
    for (let i = m - step; (i - l) * step >= 0; i -= step) {
      const [f, b] = [s * e[between(i)], c * e[between(i)]];
      let r: number;
      [c, s, r] = lartg(g, f);
      if (i !== m - step) e[between(i + step)] = r;
      g = d[i + step] - p;
      r = (d[i] - g) * s + 2 * c * b;
      p = s * r;
      d[i + step] = g + p;
      g = c * r - b;
      turn(i, c, -s);
    }
    d[l] -= p;
    e[between(l)] = g;
    if (left === 0) return false;
  }
  return true;
}

/** Tridiagonal form from the upper half, which is a lower half when read backwards. */
function sytd2_upper(a: Float64Array, n: number, q: Float64Array): Tridiagonal {
  a.reverse();
  const { d, e } = sytd2(a, n, q);
  q.reverse();
  return { d: d.reverse(), e: e.reverse() };
}

/**
 * Eigenvalues of one half of `a`, in ascending order; the eigenvectors overwrite `a`. Returns 0, or the number of
 * eigenvalues that were not found.
 */
export function syev(a: Float64Array, n: number, upper: boolean, values: Float64Array): number {
  const z = new Float64Array(n * n);
  const t = upper ? sytd2_upper(a, n, z) : sytd2(a, n, z);
  const { d, e } = t;
  for (let first = 0; first < n; ) {
    let last = first;
    while (last < n - 1) {
      if (Math.abs(e[last]) <= Math.sqrt(Math.abs(d[last])) * Math.sqrt(Math.abs(d[last + 1])) * EPS) e[last] = 0;
      if (e[last] === 0) break;
      last++;
    }
    if (!(last === first || solve_block(t, z, n, first, last))) return e.filter((x) => x !== 0).length;
    first = last + 1;
  }
  if (d.some((x) => x !== x)) return Math.max(n - 1, 1);
  const order = Array.from(d.keys()).sort((i, j) => d[i] - d[j]);
  order.forEach((from, to) => {
    values[to] = d[from];
    a.set(z.subarray(from * n, (from + 1) * n), to * n);
  });
  return 0;
}
