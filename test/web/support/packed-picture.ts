import { crc32, deflateSync, inflateSync } from "node:zlib";

/**
 * The same picture in a smaller file: a browser packs in haste, and text on plain grounds packs best without filters (RFC 2083,
 * chapters 3 and 6).
 *
 * @param png as Chromium takes it: 8 bits for each of 3 or 4 channels, not interlaced
 */
export function packed(png: Buffer): Buffer {
  const chunks: { readonly type: string; readonly data: Buffer }[] = [];
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    chunks.push({
      type: png.toString("latin1", at + 4, at + 8),
      data: png.subarray(at + 8, at + 8 + length),
    });
    at += 12 + length;
  }
  const header = chunks[0]?.data ?? Buffer.alloc(0);
  const pixels = inflateSync(
    Buffer.concat(chunks.filter(({ type }) => type === "IDAT").map(({ data }) => data)),
  );
  const data = deflateSync(withoutFilters(pixels, header.readUInt32BE(0), header[9] === 6 ? 4 : 3), {
    level: 9,
  });
  const kept = [
    { type: "IHDR", data: header },
    { type: "IDAT", data },
    { type: "IEND", data: Buffer.alloc(0) },
  ];
  return Buffer.concat([png.subarray(0, 8), ...kept.map(chunkOf)]);
}

/** Each row is a byte that names its filter, then what that left of its bytes. */
function withoutFilters(rows: Buffer, width: number, channels: number): Buffer {
  const row = width * channels;
  const plain = Buffer.alloc(rows.length);
  for (let start = 0; start < rows.length; start += row + 1) {
    const filter = rows[start];
    for (let at = start + 1; at <= start + row; at++) {
      const isFirst = at - start <= channels;
      const left = isFirst ? 0 : (plain[at - channels] ?? 0);
      const above = plain[at - row - 1] ?? 0;
      const corner = isFirst ? 0 : (plain[at - row - 1 - channels] ?? 0);
      plain[at] = (rows[at] ?? 0) + predicted(filter, left, above, corner);
    }
  }
  return plain;
}

function predicted(filter: number | undefined, left: number, above: number, corner: number): number {
  switch (filter) {
    case 1:
      return left;
    case 2:
      return above;
    case 3:
      return (left + above) >> 1;
    case 4: {
      const guess = left + above - corner;
      const [byLeft, byAbove, byCorner] = [left, above, corner].map((one) => Math.abs(guess - one));
      if (byLeft === undefined || byAbove === undefined || byCorner === undefined) return 0;
      return byLeft <= byAbove && byLeft <= byCorner ? left : byAbove <= byCorner ? above : corner;
    }
    default:
      return 0;
  }
}

function chunkOf({ type, data }: { readonly type: string; readonly data: Buffer }): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}
