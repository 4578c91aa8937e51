import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { readModelPathIn } from "../../../src/api/project.ts";
import { forgetLog } from "../../../src/config/known-log.ts";
import { planRedaction, takeRedaction } from "../../../src/decisions/rules/redact.ts";
import { checkpointText, readCheckpoint } from "../../../src/history/audit/checkpoint.ts";
import { checkProof } from "../../../src/history/audit/proof.ts";
import { headOf } from "../../../src/history/audit/tree.ts";
import { createTask } from "../../../src/operations/tasks.ts";
import { tamper, tamperWith } from "../../events/log-file.ts";
import { recomputedLeafHash, type StoredRow, storedRows } from "../../events/stored-rows.ts";
import { prove, readTree, verifyLog } from "../../support/audited-files.ts";
import { prints, signalbox, signalboxJson } from "../../support/cli.ts";
import { freshProject } from "../../support/project.ts";
import { proves } from "./second-verifier.ts";

const SECRET = "sk-live-7f3a9c0d";

/*
 * Catches: a redaction that is taken for damage, a payload that is gone without one, one that came back, a redaction of something
 * else, a proof that shows what was removed or does not hold.
 */
async function givenTasks() {
  const { project, folder } = await freshProject();
  for (const title of ["One", "Two", "Three"])
    await project.decide(createTask({ title, description: `${title}: ${SECRET}` }));
  const redact = async (position: number) => {
    const plan = await planRedaction(project.store, { position, reason: `its key is live ${position}` });
    return (await takeRedaction(project.store, plan, { actor: "human" })).position;
  };
  return { path: join(folder, ".ralph/db/events.db"), redact };
}

test("a redacted event is no damage, also where its redaction was redacted, and an older head is continued", async () => {
  const { path, redact } = await givenTasks();
  const head = readCheckpoint(checkpointText(headOf(await readTree(path))));
  const by = await redact(4);
  await redact(by);
  expect(await verifyLog(path, [head])).toMatchObject({ events: 7, damage: undefined });
});

test("verify lists redactions, and for each head those after it, forged or not", async () => {
  const { project, folder } = await freshProject();
  await project.decide(createTask({ title: "One", description: SECRET, priority: "low" }));
  const path = join(folder, ".ralph/db/events.db");
  const before = readCheckpoint(checkpointText(headOf(await readTree(path))));
  const plan = await planRedaction(project.store, { position: 3, reason: "its key is live" });
  const { position: by } = await takeRedaction(project.store, plan, { actor: "human" });
  await project.close();
  const after = readCheckpoint(checkpointText(headOf(await readTree(path))));
  tamperWith(path, (database) => {
    database.exec(
      `UPDATE events SET payload = json_set(payload, '$.kept.priority', 'critical') WHERE position = ${by}`,
    );
    const row = storedRows(database)[by - 1];
    const leaf = row && Buffer.from(recomputedLeafHash(row), "hex");
    database.prepare(`UPDATE events SET leaf_hash = ? WHERE position = ${by}`).run(leaf);
  });
  expect(await verifyLog(path, [before])).toMatchObject({
    damage: undefined,
    redacted: [{ position: 3, redaction: by }],
  });
  expect((await verifyLog(path, [before, after])).damage).toMatchObject({ check: "tree_head", position: by });

  // Else the head that was seen here last would find it.
  forgetLog(readModelPathIn(folder));
  const heads = join(folder, "heads");
  writeFileSync(heads, before.text);
  expect(await signalbox(["verify", "--since", heads], { cwd: folder })).toMatchObject(
    prints(/; redacted: 3\n[\s\S]*redacted since this head: 3;/),
  );
  expect(await signalboxJson(["verify", "--since", heads], { cwd: folder })).toMatchObject({
    redacted: [{ position: 3, redaction: by, heads: [3] }],
  });
  writeFileSync(heads, checkpointText(headOf(await readTree(path))));
  expect(await signalboxJson(["verify", "--since", heads], { cwd: folder })).toMatchObject({
    redacted: [{ position: 3, redaction: by, heads: [] }],
  });
});

test("a missing payload without a redaction is damage at its position, and nothing is proved there", async () => {
  const { path, redact } = await givenTasks();
  await redact(4);
  tamperWith(path, (database) => {
    const row = storedRows(database)[4];
    const hash = row && payloadHash(row);
    database
      .prepare("UPDATE events SET payload = NULL, salt = NULL, payload_hash = ? WHERE position = 5")
      .run(hash);
  });
  const what = "no event redacts it";
  expect((await verifyLog(path)).damage).toMatchObject({
    check: "redaction",
    position: 5,
    what: expect.stringContaining(what),
  });
  await expect(prove(path, 5)).rejects.toThrow(what);
});

test("a missing payload without a hash, or a payload with one, is damage", async () => {
  const { path, redact } = await givenTasks();
  await redact(4);
  tamper(path, "UPDATE events SET payload_hash = randomblob(32) WHERE position = 5");
  expect((await verifyLog(path)).damage).toMatchObject({ check: "row", position: 5 });
  tamper(path, "UPDATE events SET payload_hash = NULL WHERE position IN (4, 5)");
  expect((await verifyLog(path)).damage).toMatchObject({ check: "row", position: 4 });
});

test("another hash in the place of a payload is damage", async () => {
  const { path, redact } = await givenTasks();
  await redact(4);
  tamper(path, "UPDATE events SET payload_hash = randomblob(32) WHERE position = 4");
  expect((await verifyLog(path)).damage).toMatchObject({ check: "leaf_hash", position: 4 });
});

test("a payload that came back in spite of its redaction is damage at its position", async () => {
  const { path, redact } = await givenTasks();
  const reader = new Database(path, { readonly: true });
  const before = storedRows(reader)[3];
  reader.close();
  await redact(4);
  tamperWith(path, (database) =>
    database
      .prepare("UPDATE events SET payload = ?, salt = ?, payload_hash = NULL WHERE position = 4")
      .run(before?.payload, before?.salt),
  );
  expect((await verifyLog(path)).damage).toMatchObject({
    check: "redaction",
    position: 4,
    what: expect.stringContaining("it has its payload"),
  });
});

test.each([
  ["says more than its event may", "'$.kept.more', 'words'"],
  ["is of another type", "'$.type', 'comment.added'"],
  ["has the hash of another payload", `'$.payload_hash', '${"00".repeat(32)}'`],
  ["is of another stream", "'$.kept.task', 9"],
  ["names itself", "'$.position', 6"],
])("a redaction that %s is damage, even with a recomputed hash", async (_what, set) => {
  const { path, redact } = await givenTasks();
  const by = await redact(4);
  tamperWith(path, (database) => {
    database.exec(`UPDATE events SET payload = json_set(payload, ${set}) WHERE position = ${by}`);
    const row = storedRows(database)[by - 1];
    const leaf = row && Buffer.from(recomputedLeafHash(row), "hex");
    database.prepare("UPDATE events SET leaf_hash = ? WHERE position = ?").run(leaf, by);
  });
  const { damage } = await verifyLog(path);
  expect(damage?.check).toBe("redaction");
  expect([4, by]).toContain(damage?.position);
});

test("a redacted position is proved by its payload's hash, to both programs, and the proof names the redaction", async () => {
  const { path, redact } = await givenTasks();
  const by = await redact(4);
  for (const withhold of [false, true]) {
    const proof = await prove(path, 4, { withhold });
    const text = JSON.stringify(proof);
    expect(text).not.toMatch(/sk-live|"payload"|"salt"/);
    expect(checkProof(text)).toMatchObject({ proven: true, redaction: by });
    expect(proves(text)).toBe(true);
  }
  expect((await prove(path, 5)).redaction).toBeUndefined();
  expect((await prove(path, by)).event.payload).toContain("its key is live 4");
});

test.each<[string, (proof: Awaited<ReturnType<typeof prove>>) => object]>([
  ["a redaction that comes before the event", (proof) => ({ ...proof, redaction: 3 })],
  ["a redaction behind the head", (proof) => ({ ...proof, redaction: 99 })],
  ["a redaction that is no position", (proof) => ({ ...proof, redaction: "6" })],
])("a proof with %s is none", async (_what, change) => {
  const { path, redact } = await givenTasks();
  await redact(4);
  expect(checkProof(JSON.stringify(change(await prove(path, 4))))).toMatchObject({
    proven: false,
    why: expect.stringContaining("not a proof file"),
  });
});

const payloadHash = ({ salt, payload }: StoredRow) =>
  createHash("sha256").update(salt).update(payload).digest();
