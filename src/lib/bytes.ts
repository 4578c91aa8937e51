/**
 * The part of Node's Buffer that we use, under a name that programs without Node's types
 * understand.
 */
export interface Bytes extends Uint8Array {
  toString(encoding?: "hex" | "base64" | "binary"): string;
  equals(other: Uint8Array): boolean;
  copy(target: Uint8Array): number;
}
