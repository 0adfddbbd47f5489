/**
 * @file Singular values and vectors of a bidiagonal matrix, by implicit QR sweeps of rotations.
 * @original Our own version of LAPACK's bdsqr, lasv2, las2 and lartg, with their choices and signs; PyTorch links a
 * library.
 */

const sign = (size: number, of: number): number => (of < 0 || Object.is(of, -0) ? -Math.abs(size) : Math.abs(size));

/** Rotation that maps (f, g) to (r, 0); r has the sign of f. */
export function lartg(f: number, g: number): [c: number, s: number, r: number] {
  if (g === 0) return [1, 0, f];
  if (f === 0) return [0, sign(1, g), Math.abs(g)];
  const r = sign(Math.hypot(f, g), f);
  return [Math.abs(f) / Math.abs(r), g / r, r];
}

/** Singular values of ((f, g), (0, h)), the smaller one first. */
function las2(f: number, g: number, h: number): [ssmin: number, ssmax: number] {
  const [fa, ga, ha] = [Math.abs(f), Math.abs(g), Math.abs(h)];
  const [fhmn, fhmx] = [Math.min(fa, ha), Math.max(fa, ha)];
  if (fhmn === 0) {
    if (fhmx === 0) return [0, ga];
    const [low, high] = [Math.min(fhmx, ga), Math.max(fhmx, ga)];
    return [0, high * Math.sqrt(1 + (low / high) ** 2)];
  }
  const [as, at] = [1 + fhmn / fhmx, (fhmx - fhmn) / fhmx];
  if (ga < fhmx) {
    const au = (ga / fhmx) ** 2;
    const c = 2 / (Math.sqrt(as * as + au) + Math.sqrt(at * at + au));
    return [fhmn * c, fhmx / c];
  }
  const au = fhmx / ga;
  if (au === 0) return [(fhmn * fhmx) / ga, ga];
  const c = 1 / (Math.sqrt(1 + (as * au) ** 2) + Math.sqrt(1 + (at * au) ** 2));
  return [2 * (fhmn * c * au), ga / (c + c)];
}

interface Svd2 {
  readonly ssmin: number;
  readonly ssmax: number;
  /** Sine of the right singular vector of ssmax; then the values for the left one. */
  readonly snr: number;
  readonly csr: number;
  readonly snl: number;
  readonly csl: number;
}

/** Full SVD of ((f, g), (0, h)); the singular values may be negative. */
function lasv2(f: number, g: number, h: number, eps: number): Svd2 {
  const swapped = Math.abs(h) > Math.abs(f);
  const [ft, ht] = swapped ? [h, f] : [f, h];
  const [fa, ha, ga] = [Math.abs(ft), Math.abs(ht), Math.abs(g)];
  let [ssmin, ssmax, clt, crt, slt, srt] = [ha, fa, 1, 1, 0, 0];
  let largest = swapped ? 3 : 1; // which of f, g, h is largest
  if (ga !== 0) {
    let small = true;
    if (ga > fa) {
      largest = 2;
      if (fa / ga < eps) {
        small = false;
        ssmax = ga;
        ssmin = ha > 1 ? fa / (ga / ha) : (fa / ga) * ha;
        [clt, slt, srt, crt] = [1, ht / g, 1, ft / g];
      }
    }
    if (small) {
      const d = fa - ha;
      let l = d === fa ? 1 : d / fa;
      const m = g / ft;
      let t = 2 - l;
      const [mm, tt] = [m * m, t * t];
      const s = Math.sqrt(tt + mm);
      const r = l === 0 ? Math.abs(m) : Math.sqrt(l * l + mm);
      const a = 0.5 * (s + r);
      [ssmin, ssmax] = [ha / a, fa * a];
      if (mm === 0) t = l === 0 ? sign(2, ft) * sign(1, g) : g / sign(d, ft) + m / t;
      else t = (m / (s + t) + m / (r + l)) * (1 + a);
      l = Math.sqrt(t * t + 4);
      crt = 2 / l;
      srt = t / l;
      clt = (crt + srt * m) / a;
      slt = ((ht / ft) * srt) / a;
    }
  }
  const [csl, snl, csr, snr] = swapped ? [srt, crt, slt, clt] : [clt, slt, crt, srt];
  let tsign = 1;
  if (largest === 1) tsign = sign(1, csr) * sign(1, csl) * sign(1, f);
  if (largest === 2) tsign = sign(1, snr) * sign(1, csl) * sign(1, g);
  if (largest === 3) tsign = sign(1, snr) * sign(1, snl) * sign(1, h);
  return { ssmin: sign(ssmin, tsign * sign(1, f) * sign(1, h)), ssmax: sign(ssmax, tsign), snr, csr, snl, csl };
}

/** Rotates columns i and j of the matrix `a`, which has m rows. */
function turn_columns(a: Float64Array, m: number, i: number, j: number, c: number, s: number): void {
  for (let k = 0; k < m; k++) {
    const [x, y] = [a[k + i * m], a[k + j * m]];
    a[k + i * m] = c * x + s * y;
    a[k + j * m] = c * y - s * x;
  }
}

/** Half the distance from 1 to the next number, and the smallest normal number. */
export interface Precision {
  readonly eps: number;
  readonly tiny: number;
}
export const FLOAT: Precision = { eps: 2 ** -24, tiny: 2 ** -126 };
export const DOUBLE: Precision = { eps: 2 ** -53, tiny: 2 ** -1022 };

// Note [One sweep of QR]
// ~~~~~~~~~~~~~~~~~~~~~~
// A rotation from the right makes one element below the diagonal nonzero. A rotation from the left makes it zero and
// one above nonzero, and so on to the end of the block (`step` 1) or to its start (-1), whichever end is larger. The
// shift is the smallest singular value of the last 2 x 2 corner. If it would make small values inexact, the shift is 0,
// and every second rotation is not needed. All rotations are applied to U and V as well. At the end, values are made
// positive (together with a column of V) and sorted. The order of these steps decides all signs, so our signs are
// LAPACK's.

/**
 * SVD of the n x n matrix with `d` on its diagonal and `e` above it. Writes the singular values to `d`, and applies the
 * rotations to the columns of `u` and `v`, which are n x n. Returns false if it does not converge.
 * @param precision decides when an element is negligible, for the dtype of the result: for float32, LAPACK takes fewer
 * steps and gets other signs
 */
export function bdsqr(
  n: number,
  d: Float64Array,
  e: Float64Array,
  u: Float64Array,
  v: Float64Array,
  { eps, tiny }: Precision,
): boolean {
  const tolmul = Math.max(10, Math.min(100, eps ** (-1 / 8)));
  const tol = tolmul * eps;
  let smax = 0;
  for (let i = 0; i < n; i++) smax = Math.max(smax, Math.abs(d[i]));
  for (let i = 0; i < n - 1; i++) smax = Math.max(smax, Math.abs(e[i]));
  let sminoa = n === 0 ? 0 : Math.abs(d[0]);
  for (let i = 1, mu = sminoa; i < n && sminoa !== 0; i++) {
    mu = Math.abs(d[i]) * (mu / (mu + Math.abs(e[i - 1])));
    sminoa = Math.min(sminoa, mu);
  }
  sminoa /= Math.sqrt(n);
  const thresh = Math.max(tol * sminoa, 6 * n * n * tiny);

  let left = 6 * n * n;
  let [oldll, oldm] = [-1, -1];
  let step = 1;
  for (let m = n - 1; m > 0; ) {
    if (left-- < 0) return false;
    if (Math.abs(d[m]) <= thresh) d[m] = 0;
    smax = Math.abs(d[m]);
    let ll = m - 1;
    for (; ll >= 0; ll--) {
      if (Math.abs(d[ll]) <= thresh) d[ll] = 0;
      if (Math.abs(e[ll]) <= thresh) break;
      smax = Math.max(smax, Math.abs(d[ll]), Math.abs(e[ll]));
    }
    if (ll >= 0) {
      e[ll] = 0;
      if (ll === m - 1) {
        m--;
        continue;
      }
    }
    ll++; // the block is ll..m
    if (ll === m - 1) {
      const { ssmin, ssmax, snr, csr, snl, csl } = lasv2(d[m - 1], e[m - 1], d[m], eps);
      [d[m - 1], e[m - 1], d[m]] = [ssmax, 0, ssmin];
      turn_columns(v, n, m - 1, m, csr, snr);
      turn_columns(u, n, m - 1, m, csl, snl);
      m -= 2;
      continue;
    }
    if (ll > oldm || m < oldll) step = Math.abs(d[ll]) >= Math.abs(d[m]) ? 1 : -1;

    // Test whether an off-diagonal element is already negligible.
    const down = step === 1;
    const [first, last, edge] = down ? [ll, m, m - 1] : [m, ll, ll];
    if (Math.abs(e[edge]) <= tol * Math.abs(d[last])) {
      e[edge] = 0;
      continue;
    }
    let sminl = Math.abs(d[first]);
    let split = false;
    for (let i = first, mu = sminl; i !== last; i += step) {
      const beside = down ? i : i - 1;
      if (Math.abs(e[beside]) <= tol * mu) {
        e[beside] = 0;
        split = true;
        break;
      }
      mu = Math.abs(d[i + step]) * (mu / (mu + Math.abs(e[beside])));
      sminl = Math.min(sminl, mu);
    }
    if (split) continue;
    [oldll, oldm] = [ll, m];

    let shift = 0;
    if (n * tol * (sminl / smax) > Math.max(eps, 0.01 * tol)) {
      const sll = Math.abs(d[first]);
      shift = down ? las2(d[m - 1], e[m - 1], d[m])[0] : las2(d[ll], e[ll], d[ll + 1])[0];
      if (sll > 0 && (shift / sll) ** 2 < eps) shift = 0;
    }
    sweep({ n, d, e, u, v }, ll, m, down, shift);
    if (Math.abs(e[edge]) <= thresh) e[edge] = 0;
  }

  for (let i = 0; i < n; i++) {
    if (d[i] === 0) d[i] = 0; // no -0
    if (!(d[i] < 0)) continue;
    d[i] = -d[i];
    for (let k = 0; k < n; k++) v[k + i * n] = -v[k + i * n];
  }
  for (let i = 0; i < n - 1; i++) {
    let isub = 0;
    for (let j = 1; j < n - i; j++) if (d[j] <= d[isub]) isub = j;
    const to = n - 1 - i;
    if (isub === to) continue;
    [d[isub], d[to]] = [d[to], d[isub]];
    for (const z of [u, v])
      for (let k = 0; k < n; k++) [z[k + isub * n], z[k + to * n]] = [z[k + to * n], z[k + isub * n]];
  }
  return !d.some((x) => x !== x);
}

interface Diagonals {
  readonly n: number;
  readonly d: Float64Array;
  readonly e: Float64Array;
  readonly u: Float64Array;
  readonly v: Float64Array;
}

/** One sweep over the block ll..m, starting from ll (`down`) or from m. */
function sweep({ n, d, e, u, v }: Diagonals, ll: number, m: number, down: boolean, shift: number): void {
  // Downwards, the right rotations mix columns of the matrix, so columns of V; upwards, left and right are exchanged.
  const right = (i: number, c: number, s: number): void => turn_columns(v, n, i, i + 1, c, s);
  const other = (i: number, c: number, s: number): void => turn_columns(u, n, i, i + 1, c, s);
  if (shift === 0) {
    let [cs, oldcs, sn, oldsn, r] = [1, 1, 0, 0, 0];
    if (down) {
      for (let i = ll; i < m; i++) {
        [cs, sn, r] = lartg(d[i] * cs, e[i]);
        if (i > ll) e[i - 1] = oldsn * r;
        [oldcs, oldsn, d[i]] = lartg(oldcs * r, d[i + 1] * sn);
        right(i, cs, sn);
        other(i, oldcs, oldsn);
      }
      const h = d[m] * cs;
      d[m] = h * oldcs;
      e[m - 1] = h * oldsn;
    } else {
      for (let i = m; i > ll; i--) {
        [cs, sn, r] = lartg(d[i] * cs, e[i - 1]);
        if (i < m) e[i] = oldsn * r;
        [oldcs, oldsn, d[i]] = lartg(oldcs * r, d[i - 1] * sn);
        other(i - 1, cs, -sn);
        right(i - 1, oldcs, -oldsn);
      }
      const h = d[ll] * cs;
      d[ll] = h * oldcs;
      e[ll] = h * oldsn;
    }
    return;
  }
  const start = down ? ll : m;
  let f = (Math.abs(d[start]) - shift) * (sign(1, d[start]) + shift / d[start]);
  let g = e[down ? ll : m - 1];
  let [cosr, sinr, cosl, sinl, r] = [1, 0, 1, 0, 0];
  if (down) {
    for (let i = ll; i < m; i++) {
      [cosr, sinr, r] = lartg(f, g);
      if (i > ll) e[i - 1] = r;
      f = cosr * d[i] + sinr * e[i];
      e[i] = cosr * e[i] - sinr * d[i];
      g = sinr * d[i + 1];
      d[i + 1] *= cosr;
      [cosl, sinl, d[i]] = lartg(f, g);
      f = cosl * e[i] + sinl * d[i + 1];
      d[i + 1] = cosl * d[i + 1] - sinl * e[i];
      if (i < m - 1) {
        g = sinl * e[i + 1];
        e[i + 1] *= cosl;
      }
      right(i, cosr, sinr);
      other(i, cosl, sinl);
    }
    e[m - 1] = f;
  } else {
    for (let i = m; i > ll; i--) {
      [cosr, sinr, r] = lartg(f, g);
      if (i < m) e[i] = r;
      f = cosr * d[i] + sinr * e[i - 1];
      e[i - 1] = cosr * e[i - 1] - sinr * d[i];
      g = sinr * d[i - 1];
      d[i - 1] *= cosr;
      [cosl, sinl, d[i]] = lartg(f, g);
      f = cosl * e[i - 1] + sinl * d[i - 1];
      d[i - 1] = cosl * d[i - 1] - sinl * e[i - 1];
      if (i > ll + 1) {
        g = sinl * e[i - 2];
        e[i - 2] *= cosl;
      }
      other(i - 1, cosr, -sinr);
      right(i - 1, cosl, -sinl);
    }
    e[ll] = f;
  }
}
