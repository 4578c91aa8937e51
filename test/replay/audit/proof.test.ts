import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { checkpointText, readCheckpoint } from "../../../src/history/audit/checkpoint.ts";
import { checkProof, type Proof, type Trusted } from "../../../src/history/audit/proof.ts";
import { newSigner, readVerifier } from "../../../src/history/audit/signed-note.ts";
import { headOf } from "../../../src/history/audit/tree.ts";
import { packagePath } from "../../../src/lib/package-root.ts";
import { createTask } from "../../../src/operations/tasks.ts";
import { prove, readTree } from "../../support/audited-files.ts";
import { anotherFolder, freshProject } from "../../support/project.ts";
import { proves } from "./second-verifier.ts";

/** A log with so many events. */
async function givenLog(events: number): Promise<string> {
  const { project, folder } = await freshProject(await anotherFolder());
  for (let position = 3; position <= events; position++)
    await project.decide(createTask({ title: `Grüße 🚂 ${position}`, description: "Semicolons." }));
  return join(folder, ".ralph/db/events.db");
}

/** The head that somebody kept when there were so many events. */
async function keptHead(path: string, size: number): Promise<string> {
  return checkpointText(headOf(await readTree(path, [size]), size));
}

const signer = newSigner("example.com/shop");
const key = signer.verifierKey;

/** Both programs must say the same. */
function bothSay(proof: Proof, trusted: { key?: string; head?: string } = {}): boolean {
  const text = JSON.stringify(proof);
  const given: Trusted = {
    key: trusted.key === undefined ? undefined : readVerifier(trusted.key),
    head: trusted.head === undefined ? undefined : readCheckpoint(trusted.head),
  };
  const { proven } = checkProof(text, given);
  expect(proves(text, trusted)).toBe(proven);
  return proven;
}

test("every position is proved to a second program that was written from the docs, and so is every older head", async () => {
  const size = 13;
  const path = await givenLog(size);
  for (let position = 1; position <= size; position++) {
    for (const withhold of [false, true]) {
      const proof = await prove(path, position, { signer, withhold });
      expect(bothSay(proof, { key, head: await keptHead(path, size) })).toBe(true);
      expect(proof.event.payload === undefined).toBe(withhold);
    }
    const head = await keptHead(path, position);
    const since = readCheckpoint(head);
    expect(bothSay(await prove(path, 5, { since }), { head })).toBe(true);
  }
});

test("a withheld payload is nowhere in the proof", async () => {
  const path = await givenLog(4);
  expect(JSON.stringify(await prove(path, 4))).toContain("Semicolons");
  expect(JSON.stringify(await prove(path, 4, { withhold: true }))).not.toMatch(/Semicolons|"salt"/);
});

test("no proof holds in which anything was changed", async () => {
  const path = await givenLog(11);
  const head = await keptHead(path, 6);
  const proof = await prove(path, 7, { signer, since: readCheckpoint(head) });
  const trusted = { key: readVerifier(key), head: readCheckpoint(head) };
  const text = JSON.stringify(proof);
  expect(checkProof(text, trusted).proven).toBe(true);
  fc.assert(
    fc.property(fc.nat(text.length - 1), fc.string({ minLength: 1, maxLength: 1 }), (at, by) => {
      const changed = `${text.slice(0, at)}${by}${text.slice(at + 1)}`;
      fc.pre(changed !== text && JSON.stringify(parsed(changed)) !== text);
      expect(checkProof(changed, trusted).proven).toBe(false);
    }),
    { numRuns: 2_000 },
  );
});

test("a proof with a duplicate field is invalid, whichever value is right", async () => {
  const text = JSON.stringify(await prove(await givenLog(4), 3));
  expect(checkProof(text.replaceAll(/"(actor|event)":/g, '"$1" :\n')).proven, "blanks are as good").toBe(
    true,
  );
  for (const twice of [
    text.replace('"actor":', '"actor":"nobody","actor":'),
    text.replace('{"format"', '{"event":{},"format"'),
    text.replace('"actor":', '"\\u0061ctor":"nobody","actor":'),
  ]) {
    expect(checkProof(twice)).toMatchObject({ proven: false, why: expect.stringContaining("twice") });
  }
});

test("a proof may be nested without end: it is none", () => {
  const deep = `{"format":"signalbox-proof/1","inclusion":${"[".repeat(1e5)}${"]".repeat(1e5)}}`;
  expect(checkProof(deep)).toMatchObject({ proven: false });
});

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

test.each<[string, (proof: Proof) => unknown, string]>([
  ["another event", ({ event }) => ({ event: { ...event, actor: "nobody" } }), "not the one at position 3"],
  [
    "a byte moved from the payload to the salt",
    ({ event }) => ({ event: { ...event, salt: `${event.salt}7b`, payload: event.payload?.slice(1) } }),
    "salt is not 16 bytes",
  ],
  [
    "an empty correlation for none",
    ({ event }) => ({ event: { ...event, correlation: "" } }),
    "correlation is not text",
  ],
  [
    "payload and hash",
    ({ event }) => ({ event: { ...event, payloadHash: "00".repeat(32) } }),
    "a payload and a payloadHash",
  ],
  ["no payload", ({ event: { payload: _, ...event } }) => ({ event }), "has no payload"],
  ["another field", () => ({ extra: 1 }), "other fields"],
  ["another format", () => ({ format: "signalbox-proof/2" }), "format is not signalbox-proof/1"],
  [
    "a path of thousands",
    () => ({ inclusion: Array(5_000).fill("00".repeat(32)) }),
    "inclusion is not a list",
  ],
  ["a checkpoint that is none", () => ({ checkpoint: "x" }), "its checkpoint is invalid: Line 2"],
  ["half a surrogate pair", ({ event }) => ({ event: { ...event, stream: "\ud800" } }), "stream is not text"],
])("with %s it is no proof, and why is said", async (_what, change, why) => {
  const proof = await prove(await givenLog(3), 3);
  const verdict = checkProof(JSON.stringify({ ...proof, ...Object(change(proof)) }));
  expect(verdict).toMatchObject({ proven: false, why: expect.stringContaining(why) });
});

test("a proof is not believed under another key, with the head of another log, or without a way from the kept head", async () => {
  const [path, other] = [await givenLog(9), await givenLog(9)];
  const proof = await prove(path, 2, { signer });
  expect(bothSay(proof, { key: newSigner("example.com/shop").verifierKey })).toBe(false);
  expect(bothSay(await prove(path, 2), { key })).toBe(false);
  expect(bothSay(proof, { head: await keptHead(other, 9) })).toBe(false);
  expect(bothSay(proof, { head: await keptHead(path, 4) })).toBe(false);
  await expect(prove(path, 2, { since: readCheckpoint(await keptHead(other, 4)) })).rejects.toThrow(
    "the one that you kept belongs to",
  );
  await expect(prove(path, 10)).rejects.toThrow("the positions 1 to 9");
});

test("signalbox-verify only needs Node", () => {
  const program = readFileSync(packagePath("dist/signalbox-verify.js"), "utf8");
  const imports = [...program.matchAll(/\bfrom\s*"([^"]+)"|\bimport\s*\(?\s*"([^"]+)"/g)].map(
    ([, one, two]) => one ?? two,
  );
  expect(imports.length).toBeGreaterThan(0);
  expect(imports.filter((name) => !["node:crypto", "node:fs", "node:util"].includes(name ?? ""))).toEqual([]);
});
