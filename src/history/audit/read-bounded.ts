import { closeSync, openSync, readSync } from "node:fs";
import { AuditError } from "./audit-error.ts";

/** A proof holds one event, a witness file some 300 bytes for each head. */
const LIMIT_BYTES = 64 * 1024 * 1024;

/**
 * Reads a file of heads or a proof, which may be a pipe or a device, up to the limit.
 *
 * @throws AuditError `too_large`; Error from the system
 */
export function readBounded(path: string): string {
  const file = openSync(path, "r");
  try {
    const pieces: Buffer[] = [];
    for (let total = 0; ; ) {
      const piece = Buffer.allocUnsafe(PIECE_BYTES);
      const length = readSync(file, piece, 0, PIECE_BYTES, null);
      if (length === 0) return Buffer.concat(pieces, total).toString("utf8");
      total += length;
      if (total > LIMIT_BYTES) throw tooLarge(path);
      pieces.push(piece.subarray(0, length));
    }
  } finally {
    closeSync(file);
  }
}

/** The same for chunks. @param name their source, for the error */
export async function gatherBounded(chunks: AsyncIterable<Buffer>, name: string): Promise<string> {
  const pieces: Buffer[] = [];
  let total = 0;
  for await (const piece of chunks) {
    total += piece.length;
    if (total > LIMIT_BYTES) throw tooLarge(name);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString("utf8");
}

const PIECE_BYTES = 64 * 1024;

function tooLarge(name: string): AuditError {
  return new AuditError(
    "too_large",
    `${name} is larger than ${LIMIT_BYTES} bytes, the limit for proofs and tree heads.`,
  );
}
