/**
 * @file The CRC-32 of zip files (polynomial 0xEDB88320), computed eight bytes at a time.
 * @mirrors caffe2/serialize/crc_alt.h
 */

/** Row k: the contribution of a byte that is followed by k more bytes. */
const tables = make_tables();

function make_tables(): readonly Uint32Array[] {
  const rows = Array.from({ length: 8 }, () => new Uint32Array(256));
  for (let byte = 0; byte < 256; byte++) {
    let crc = byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
    rows[0][byte] = crc;
  }
  for (let k = 1; k < 8; k++)
    for (let byte = 0; byte < 256; byte++) {
      const before = rows[k - 1][byte];
      rows[k][byte] = (before >>> 8) ^ rows[0][before & 0xff];
    }
  return rows;
}

/** The checksum of `data`, as an unsigned number; without bytes it is 0. */
export function crc32(data: Uint8Array): number {
  const [t0, t1, t2, t3, t4, t5, t6, t7] = tables;
  const n = data.length;
  let crc = 0xffffffff;
  let i = 0;
  for (; i + 8 <= n; i += 8) {
    crc ^= data[i] | (data[i + 1] << 8) | (data[i + 2] << 16) | (data[i + 3] << 24);
    crc =
      t7[crc & 0xff] ^
      t6[(crc >>> 8) & 0xff] ^
      t5[(crc >>> 16) & 0xff] ^
      t4[crc >>> 24] ^
      t3[data[i + 4]] ^
      t2[data[i + 5]] ^
      t1[data[i + 6]] ^
      t0[data[i + 7]];
  }
  for (; i < n; i++) crc = (crc >>> 8) ^ t0[(crc ^ data[i]) & 0xff];
  return ~crc >>> 0;
}
