/** What is used of Node's Buffer, by a name that programs without Node's types understand as well. */
export interface Bytes extends Uint8Array {
  toString(encoding?: "hex" | "base64" | "binary"): string;
  equals(other: Uint8Array): boolean;
  copy(target: Uint8Array): number;
}
