import { createHash } from "node:crypto";

/** SHA-256 in hex of the JSON of `[...first, rows]`, streamed: there can be millions of rows. */
export function hashOfJson(first: readonly string[], rows: Iterable<unknown>): string {
  const hashing = createHash("sha256");
  let text = `[${first.map((part) => `${JSON.stringify(part)},`).join("")}[`;
  let comma = "";
  for (const row of rows) {
    text += comma + JSON.stringify(row);
    comma = ",";
    if (text.length < CHUNK) continue;
    hashing.update(text);
    text = "";
  }
  return hashing.update(`${text}]]`).digest("hex");
}

/** In UTF-16 units. */
const CHUNK = 65_536;
