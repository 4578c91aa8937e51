import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Installed, installed, useInstalled } from "./installed.ts";

useInstalled();

const NAMES = `
import { openTestProject } from "signalbox/testing";
import { defineEvent, defineProjection, defineTable, integer } from "signalbox/projections";
import { z } from "zod";

const event = <const Type extends \`\${string}.\${string}.\${string}\`>(type: Type, version = 1) => defineEvent({
  type, version, description: "It was.", payload: z.strictObject({}), stream: () => "acme", timeline: () => "It was.",
  example: {}, upcasters: Object.fromEntries(Array.from({ length: version - 1 }, (_, index) => [index + 1, () => ({})])),
});
const projection = (name: string, ...tables: readonly string[]) => defineProjection({
  name, version: 1, on: {},
  tables: Object.fromEntries(tables.map((table) => [table, defineTable(table, { columns: { id: integer }, key: ["id"] })])),
});

await refused(() => openTestProject({ projections: [projection("board")] }));
await refused(() => openTestProject({ projections: [projection("acme", "tasks")] }));
await refused(() => openTestProject({ projections: [projection("acme", "ready_tasks")] }));
await refused(() => openTestProject({ projections: [projection("acme_a", "acme"), projection("acme_b", "acme")] }));
await refused(() => openTestProject({ projections: [projection("acme"), projection("acme")] }));
await refused(() => openTestProject({ projections: [projection("acme", "Acme; DROP TABLE tasks")] }));
await refused(() => event("Acme.deploy.finished"));
await refused(() => openTestProject({ events: [event("acme.deploy.finished"), event("acme.deploy.finished", 2)] }));
await refused(() => event("acme.deploy.begun", 0));
await refused(() => defineTable("acme", { columns: { position: integer }, key: ["position"], search: ["position"] }));
await refused(() => defineEvent({ ...event("acme.deploy.begun"), version: 2 }));

async function refused(work: () => unknown) {
  try { await work(); tell("taken"); } catch (error) { tell((error as Error).message); }
}
`;

test("a name that is taken, or cannot be one, is refused with what to do", () => {
  const taken = (what: string, name: string) =>
    `The name of the ${what} "${name}" is already taken. Put an owner in front: "acme_${name}".`;
  const messages = installed().told(NAMES);
  expect(messages).toEqual([
    taken("projection", "board"),
    taken("table", "tasks"),
    taken("table", "ready_tasks"),
    taken("table", "acme"),
    taken("projection", "acme"),
    expect.stringContaining('"Acme; DROP TABLE tasks" is not a valid name for a table'),
    expect.stringContaining('"Acme.deploy.finished" is not a valid name for an event of your own'),
    "acme.deploy.finished is defined twice, with versions 1 and 2. Keep one of them.",
    "acme.deploy.begun has version 0. Versions are 1, 2, 3, …",
    'The table "acme" has `search`, which needs the key ["id"], an integer.',
    expect.stringContaining("no upcaster from version 1 to 2"),
  ]);
});

/** Deploys, counted by target; and, of our own events, what was learned. */
const FIRST = `
import { defineEvent, defineProjection, defineTable, integer, payloadOf, text } from "signalbox/projections";
import { createTask, initProject, openProject, redactEvent, reportSignal, startSession } from "signalbox";
import { z } from "zod";

const deployFinished = defineEvent({
  type: "acme.deploy.finished",
  version: 1,
  description: "A version was deployed.",
  payload: z.strictObject({ target: z.enum(["staging", "live"]), notes: z.string() }),
  stream: ({ target }) => "acme-deploys-" + target,
  timeline: ({ target }) => "Deployed to " + target,
  example: { target: "staging", notes: "Nothing new." },
});
const deploys = defineTable("acme_deploys", {
  columns: { id: integer, target: text, notes: text },
  key: ["id"],
  search: ["notes"],
});
const learned = defineTable("acme_learned", { columns: { position: integer, text }, key: ["position"] });
const projection = defineProjection({
  name: "acme",
  version: 1,
  events: [deployFinished],
  tables: { deploys, learned },
  on: {
    "acme.deploy.finished": ({ position, payload }, rows) => rows.deploys.insert({ id: position, ...payload }),
    "signal.learned": ({ position, payload }, rows) => rows.learned.insert({ position, text: payload.text }),
  },
});
await initProject("shop");
await using project = await openProject("shop", { projections: [projection] });
const tables = () => project.ask((view) => {
  const rows = view.rowsOf({ deploys, learned });
  return [rows.deploys.scan().map(({ target, notes }) => [target, notes]), rows.learned.scan().map(({ text }) => text)];
});
`;

const RECORDING = `${FIRST}
await project.decide(createTask({ title: "Export orders as CSV" }));
await project.decide(startSession({ task: 1, session: "s-1" }));
await project.record(deployFinished, { target: "staging", notes: "The password is hunter2-staging." });
await reportSignal(project, { session: "s-1", task: 1, verb: "learned", args: { text: "The token is hunter2-token.", kind: "discovery" } });
await project.record(deployFinished, { target: "live", notes: "All is well." });
tell(await tables());
`;

const LOOKING = `${FIRST} tell(await tables());`;

const STAGING = ["staging", "The password is hunter2-staging."];
const LIVE = ["live", "All is well."];
const TOKEN = "The token is hunter2-token.";

/** What a command prints in the project that the programs make. */
function printed({ folder, run }: Installed, ...args: readonly string[]): string {
  const bin = join("node_modules", "signalbox", "bin", "signalbox.js");
  const { stdout, stderr } = run(bin, ...args, "--db", join(folder, "shop"));
  expect(stderr, args.join(" ")).toBe("");
  return stdout;
}

const SECOND = FIRST.replace("version: 1,\n  description", "version: 2,\n  description")
  .replace("notes: z.string() }", "notes: z.string(), by: z.string() }")
  .replace(
    'notes: "Nothing new." }',
    'notes: "Nothing new.", by: "ann" }, upcasters: { 1: (old) => ({ ...old, by: "unknown" }) }',
  )
  .replace('name: "acme",\n  version: 1', 'name: "acme",\n  version: 2')
  .replace("target: text, notes: text }", "target: text, notes: text, by: text }")
  .replace("[target, notes]", "[target, notes, by]")
  .replace("({ target, notes })", "({ target, notes, by })");

test("an own event of an older schema version is brought up, and an own projection of a new version is made anew", () => {
  const one = installed();
  one.told(RECORDING);
  const said = one.told(`${SECOND}
tell((await project.log.read(0, 100)).flatMap((event) => payloadOf(deployFinished, event)?.by ?? []));
await project.record(deployFinished, { target: "live", notes: "Again.", by: "ben" });
tell(await tables());`);
  const rows = [
    [...STAGING, "unknown"],
    [...LIVE, "unknown"],
    ["live", "Again.", "ben"],
  ];
  expect(said).toEqual([
    ["unknown", "unknown"],
    [rows, [TOKEN]],
  ]);
  // An older program must not touch what a newer one has made, nor take its events for its own.
  expect(() => one.told(LOOKING)).toThrow(/version/);
});

test("programs without the definitions go on, and the one that has them catches up when it opens the project again", () => {
  const one = installed();
  expect(one.told(RECORDING)).toEqual([[[STAGING, LIVE], [TOKEN]]]);
  expect(
    printed(one, "signal", "learned", "--session", "s-1", "--text", "Use COPY.", "--kind", "convention"),
  ).not.toBe("");
  expect(printed(one, "task", "add", "Mail them")).toContain("Mail them");
  expect(printed(one, "status")).not.toBe("");
  expect(printed(one, "next")).toContain("Mail them");
  expect(printed(one, "verify")).toContain("all unchanged");
  expect(one.told(LOOKING)).toEqual([
    [
      [STAGING, LIVE],
      [TOKEN, "Use COPY."],
    ],
  ]);

  expect(printed(one, "rebuild")).not.toBe("");
  expect(printed(one, "history", "make")).not.toBe("");
  expect(printed(one, "log", "--at", "7")).toContain("acme.deploy.finished");
  expect(
    one.told(
      `${FIRST} await project.record(deployFinished, { target: "live", notes: "Again." }); tell(await tables());`,
    ),
  ).toEqual([
    [
      [STAGING, LIVE, ["live", "Again."]],
      [TOKEN, "Use COPY."],
    ],
  ]);
});

test("while a program without the definitions is at work beside it, own tables are kept by the one that has them", () => {
  const one = installed();
  const said = one.told(`${RECORDING}
import { openProject as openPlain } from "signalbox";
{
  // A connection of its own to both files, with our projections alone, as another process has.
  await using plain = await openPlain("shop");
  await plain.decide(createTask({ title: "Mail them" }));
  tell((await plain.queries.tasks()).length);
  await project.record(deployFinished, { target: "live", notes: "Again." });
  tell((await plain.queries.tasks()).length);
}
tell((await tables())[0]);`);
  expect(said.slice(1)).toEqual([2, 2, [STAGING, LIVE, ["live", "Again."]]]);
});

test("what is redacted is gone from own tables too, whoever redacts it", () => {
  const one = installed();
  one.told(RECORDING);
  const file = join(one.folder, "shop/.ralph/db/ralph.db");
  expect(readFileSync(file).includes("hunter2-token")).toBe(true);
  const learned = one.told(
    `${FIRST} tell((await project.log.read(0, 100)).find(({ type }) => type === "signal.learned")?.position);`,
  );
  // A program that does not know the own tables cannot clean them: it removes them, and they are made anew.
  printed(one, "redact", String(learned[0]), "--reason", "A token was in it.");
  expect(readFileSync(file).includes("hunter2-token")).toBe(false);
  const [[deploys, texts] = []] = one.told(LOOKING) as [[unknown, unknown]];
  expect(deploys).toEqual([STAGING, LIVE]);
  expect(texts).toEqual(["[redacted]"]);
});

test("an own event is redacted by a program that has its definition, and by no other", () => {
  const one = installed();
  one.told(RECORDING);
  const position = one.told(
    `${FIRST} tell((await project.log.read(0, 100)).find((event) => payloadOf(deployFinished, event))?.position);`,
  )[0];
  const bin = "node_modules/signalbox/bin/signalbox.js";
  const refused = one.run(
    bin,
    "redact",
    String(position),
    "--reason",
    "A word.",
    "--db",
    join(one.folder, "shop"),
  );
  expect(refused.stderr).toContain("Redact it there, with `redactEvent`");

  const said = one.told(`${FIRST}
const { fields, unclean, left } = await redactEvent(project, "shop", { position: ${position}, reason: "A password was in it." });
tell([fields, unclean, left]);
tell((await tables())[0]);
tell((await project.queries.sql("SELECT count(*) AS found FROM acme_deploys_search WHERE acme_deploys_search MATCH 'password'")));`);
  expect(said).toEqual([[["notes"], [], []], [["staging", "[redacted]"], LIVE], [{ found: 0 }]]);
  for (const name of ["ralph.db", "events.db"])
    expect(readFileSync(join(one.folder, "shop/.ralph/db", name)).includes("hunter2-staging")).toBe(false);
  expect(printed(one, "verify")).toContain("all unchanged");
  writeFileSync(join(one.folder, "log.jsonl"), printed(one, "export"));
  rmSync(join(one.folder, "shop/.ralph/db"), { recursive: true });
  mkdirSync(join(one.folder, "shop/.ralph/db"));
  printed(one, "import", join(one.folder, "log.jsonl"));
  expect(one.told(LOOKING)).toEqual([[[["staging", "[redacted]"], LIVE], [TOKEN]]]);
});
