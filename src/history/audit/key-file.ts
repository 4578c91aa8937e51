import { closeSync, openSync, readFileSync, statSync, writeSync } from "node:fs";
import { platform } from "../../lib/platform/here.ts";
import { AuditError } from "./audit-error.ts";
import { type NoteSigner, newSigner, readSigner } from "./signed-note.ts";

/**
 * Creates a key in a file that only its owner can read.
 *
 * @param name the log's origin, which names the signer in signatures
 * @throws AuditError `key_exists`: the file exists and is never overwritten; Error from the system
 */
export function makeKeyFile(path: string, name: string): NoteSigner {
  const signer = newSigner(name);
  let file: number;
  try {
    file = openSync(path, "wx", 0o600);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    throw new AuditError(
      "key_exists",
      `The file ${path} exists already, and a key is never overwritten: its public key could not check new heads. Move it away first, or choose another file with --key-file.`,
    );
  }
  try {
    writeSync(file, `${signer.signerKey}\n`);
  } finally {
    closeSync(file);
  }
  return signer;
}

/**
 * Reads a key file; undefined if it does not exist.
 *
 * @throws AuditError `bad_key`: not a key, or readable by others; Error from the system
 */
export function readKeyFile(path: string): NoteSigner | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return undefined;
  if (!found.isFile()) {
    throw new AuditError("bad_key", `${path} is not a file. Name the private key's file.`);
  }
  if (platform().hasModes && (found.mode & 0o077) !== 0) {
    throw new AuditError(
      "bad_key",
      `Others can read the key ${path} and sign with it. Run \`chmod 600 ${path}\`, or create another key.`,
    );
  }
  return readSigner(readFileSync(path, "utf8"));
}
