import { createHash, createPublicKey, verify } from "node:crypto";

/*
 * A second program that checks proofs, written from docs/trust.md#proofs alone: it shares nothing with src.
 * It throws where the file is no proof, and says by its answer whether it proves anything.
 */

interface File {
  format: string;
  event: Record<string, string | number>;
  inclusion: string[];
  checkpoint: string;
  consistency?: { size: number; path: string[] };
}

export function proves(text: string, trusted: { key?: string; head?: string } = {}): boolean {
  const { format, event, inclusion, checkpoint, consistency }: File = JSON.parse(text);
  if (format !== "signalbox-proof/1") return false;
  const [body = "", signatures = ""] = checkpoint.split("\n\n");
  const [origin, size, root] = headIn(body);
  let node = leaf(event);
  const sides = way(Number(event.position) - 1, size);
  if (Number(event.position) > size || sides.length !== inclusion.length) return false;
  for (const hash of inclusion) {
    const sibling = Buffer.from(hash, "hex");
    node = sides.pop() === "left" ? inner(sibling, node) : inner(node, sibling);
  }
  if (!node.equals(root)) return false;
  if (trusted.key !== undefined && !signed(`${body}\n`, signatures, trusted.key)) return false;
  if (trusted.head === undefined) return true;
  const [oldOrigin, oldSize, oldRoot] = headIn(trusted.head);
  if (oldOrigin !== origin) return false;
  if (oldSize === size) return oldRoot.equals(root);
  if (consistency?.size !== oldSize || oldSize > size) return false;
  return continues(
    oldSize,
    size,
    consistency.path.map((hash) => Buffer.from(hash, "hex")),
    oldRoot,
    root,
  );
}

function headIn(text: string): [string, number, Buffer] {
  const [origin = "", size = "", root = ""] = text.split("\n");
  return [origin, Number(size), Buffer.from(root, "base64")];
}

function leaf(event: Record<string, string | number>): Buffer {
  const order = [
    "position",
    "id",
    "stream",
    "streamVersion",
    "type",
    "schemaVersion",
    "recordedAt",
    "actor",
    "causation",
    "correlation",
  ];
  const parts = order.flatMap((name) => {
    const bytes = Buffer.from(String(event[name] ?? ""));
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.length);
    return [length, bytes];
  });
  const salt = Buffer.from(String(event.salt ?? ""), "hex");
  if (event.payloadHash === undefined && salt.length !== 16) throw new Error("The salt is not 16 bytes.");
  const payloadHash =
    event.payloadHash === undefined
      ? sha256(salt, Buffer.from(String(event.payload)))
      : Buffer.from(String(event.payloadHash), "hex");
  return sha256(Buffer.of(0), ...parts, payloadHash);
}

/** On which side the siblings are, from the root down. */
function way(index: number, size: number): string[] {
  if (size <= 1) return [];
  const k = below(size);
  return index < k ? ["right", ...way(index, k)] : ["left", ...way(index - k, size - k)];
}

function continues(m: number, n: number, path: Buffer[], oldRoot: Buffer, newRoot: Buffer): boolean {
  const sides: string[] = [];
  let [start, end] = [0, n];
  while (end !== m) {
    const middle = start + below(end - start);
    sides.push(m > middle ? "left" : "right");
    if (m > middle) start = middle;
    else end = middle;
  }
  const first = start === 0 ? oldRoot : path.shift();
  if (!first || sides.length !== path.length) return false;
  let [before, after] = [first, first];
  for (const sibling of path) {
    const side = sides.pop();
    if (side === "left") before = inner(sibling, before);
    after = side === "left" ? inner(sibling, after) : inner(after, sibling);
  }
  return before.equals(oldRoot) && after.equals(newRoot);
}

function signed(text: string, signatures: string, key: string): boolean {
  const [name = "", id = "", ...rest] = key.split("+");
  const publicKey = Buffer.from(rest.join("+"), "base64").subarray(1);
  const own = signatures.split("\n").filter((line) => {
    const [, signer, blob = ""] = line.split(" ");
    return signer === name && Buffer.from(blob, "base64").toString("hex", 0, 4) === id;
  });
  const jwk = { kty: "OKP", crv: "Ed25519", x: publicKey.toString("base64url") };
  const loaded = createPublicKey({ key: jwk, format: "jwk" });
  return (
    own.length > 0 &&
    own.every((line) =>
      verify(null, Buffer.from(text), loaded, Buffer.from(line.split(" ")[2] ?? "", "base64").subarray(4)),
    )
  );
}

function below(n: number): number {
  let k = 1;
  while (2 * k < n) k *= 2;
  return k;
}

const inner = (left: Buffer, right: Buffer) => sha256(Buffer.of(1), left, right);
const sha256 = (...parts: Buffer[]) => createHash("sha256").update(Buffer.concat(parts)).digest();
