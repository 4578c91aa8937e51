import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  hash,
  type KeyObject,
  sign,
  verify,
} from "node:crypto";
import { AuditError } from "./audit-error.ts";
import { fromBase64 } from "./base64.ts";

/**
 * A signer of notes: a name and an Ed25519 key (C2SP signed-note; keys in the text forms of Go's
 * sumdb/note).
 */
export interface NoteSigner {
  /** `NAME+ID+KEY`: public; others check signatures with it. */
  readonly verifierKey: string;
  /** `PRIVATE+KEY+NAME+ID+KEY`: secret. */
  readonly signerKey: string;
  /** @returns the signature's line: em dash, name, base64 of id and signature, and a line feed */
  sign(text: string): string;
}

/** A trusted key. */
export interface NoteVerifier {
  readonly name: string;
  /** Four bytes in hex: distinguishes keys of the same name. */
  readonly id: string;
  isSignature(text: string, signature: Buffer): boolean;
}

/** A parsed signature line. */
export interface NoteSignature {
  readonly name: string;
  readonly id: string;
  readonly signature: Buffer;
}

/** Creates a key. @param name no spaces or plus signs */
export function newSigner(name: string): NoteSigner {
  const { privateKey } = generateKeyPairSync("ed25519");
  return signerOf(name, privateKey.export({ format: "der", type: "pkcs8" }).subarray(-KEY_BYTES));
}

/**
 * @throws AuditError `bad_key`: not a signer key; the text is not shown, since it may be a mistyped
 * secret
 */
export function readSigner(text: string): NoteSigner {
  const [, name, id, key] = /^PRIVATE\+KEY\+([^+\s]+)\+([0-9a-f]{8})\+(\S+)\n?$/.exec(text) ?? [];
  const bytes = fromBase64(key ?? "");
  if (name === undefined || bytes?.length !== 1 + KEY_BYTES || bytes[0] !== ED25519) {
    throw new AuditError(
      "bad_key",
      "This is not a private key: it must be one line, PRIVATE+KEY+NAME+ID+KEY, as `signalbox key` writes it.",
    );
  }
  const signer = signerOf(name, bytes.subarray(1));
  if (!signer.verifierKey.startsWith(`${name}+${id}+`)) {
    throw new AuditError(
      "bad_key",
      `The private key of ${name} is damaged: its id ${id} is not that of its bytes.`,
    );
  }
  return signer;
}

/** @throws AuditError `bad_key`: not a verifier key for Ed25519 */
export function readVerifier(text: string): NoteVerifier {
  const [, name, id, key] = /^([^+\s]+)\+([0-9a-f]{8})\+(\S+)$/.exec(text.trim()) ?? [];
  const bytes = fromBase64(key ?? "");
  if (name === undefined || id === undefined || bytes?.length !== 1 + KEY_BYTES || bytes[0] !== ED25519) {
    throw new AuditError(
      "bad_key",
      `"${text.slice(0, 100)}" is not a public key: it must be NAME+ID+KEY, as \`signalbox key\` prints it.`,
    );
  }
  const publicBytes = bytes.subarray(1);
  if (keyId(name, publicBytes) !== id) {
    throw new AuditError(
      "bad_key",
      `The public key of ${name} was altered: its id ${id} is not that of its bytes.`,
    );
  }
  const publicKey = createPublicKey({
    key: { kty: "OKP", crv: "Ed25519", x: publicBytes.toString("base64url") },
    format: "jwk",
  });
  return {
    name,
    id,
    isSignature: (note, signature) =>
      signature.length === SIGNATURE_BYTES && verify(null, Buffer.from(note), publicKey, signature),
  };
}

/** Undefined if the line is not a signature. */
export function readSignature(line: string): NoteSignature | undefined {
  const [, name, blob] = /^— ([^+\s]+) (\S+)$/u.exec(line) ?? [];
  const bytes = fromBase64(blob ?? "");
  if (name === undefined || bytes === undefined || bytes.length <= ID_BYTES) return undefined;
  return { name, id: bytes.toString("hex", 0, ID_BYTES), signature: bytes.subarray(ID_BYTES) };
}

const KEY_BYTES = 32;
const ID_BYTES = 4;
const SIGNATURE_BYTES = 64;
/** The signature type of the specification, before the key's bytes. */
const ED25519 = 0x01;

function signerOf(name: string, seed: Buffer): NoteSigner {
  const privateKey = createPrivateKey({
    key: Buffer.concat([PKCS8_HEAD, seed]),
    format: "der",
    type: "pkcs8",
  });
  const publicBytes = publicBytesOf(privateKey);
  const id = keyId(name, publicBytes);
  const asText = (bytes: Buffer) => Buffer.concat([Buffer.from([ED25519]), bytes]).toString("base64");
  return {
    verifierKey: `${name}+${id}+${asText(publicBytes)}`,
    signerKey: `PRIVATE+KEY+${name}+${id}+${asText(seed)}`,
    sign(text) {
      const signature = sign(null, Buffer.from(text), privateKey);
      return `— ${name} ${Buffer.concat([Buffer.from(id, "hex"), signature]).toString("base64")}\n`;
    },
  };
}

/** The PKCS #8 prefix of an Ed25519 key's 32 bytes (RFC 8410, §7). */
const PKCS8_HEAD = Buffer.from("302e020100300506032b657004220420", "hex");

function publicBytesOf(privateKey: KeyObject): Buffer {
  return createPublicKey(privateKey).export({ format: "der", type: "spki" }).subarray(-KEY_BYTES);
}

function keyId(name: string, publicBytes: Buffer): string {
  const bytes = Buffer.concat([Buffer.from(`${name}\n`), Buffer.from([ED25519]), publicBytes]);
  return hash("sha256", bytes, "hex").slice(0, 2 * ID_BYTES);
}
