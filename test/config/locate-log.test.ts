import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { readModelPathIn } from "../../src/api/read-model-path.ts";
import { confirmConfig, inspectConfig } from "../../src/config/confirmed.ts";
import { locationOf } from "../../src/config/locate-log.ts";
import { freshFolder, writeConfig } from "../support/project.ts";

/* Catches: a log that is looked for in another place than the project says, or in one that only a branch says; a told password. */
const SHOP = "postgres://shop@db.example/fleet?schema=shop";

const UNCONFIRMED = {
  name: "LogError",
  code: "bad_location",
  message: expect.stringContaining("Review and confirm them with `signalbox config trust`"),
};

function given(config?: unknown) {
  const folder = freshFolder();
  const db = readModelPathIn(folder);
  mkdirSync(dirname(db), { recursive: true });
  const env = { HOME: freshFolder() };
  const write = (value: unknown) =>
    writeConfig(folder, typeof value === "string" ? value : JSON.stringify(value));
  if (config !== undefined) write(config);
  return {
    db,
    write,
    file: { path: join(dirname(db), "events.db") },
    acknowledged: join(dirname(db), "acknowledged"),
    confirm: () => confirmConfig(inspectConfig(db, env)),
    locate: (variables: Record<string, string> = {}) => locationOf(db, { ...env, ...variables }),
  };
}

test.each([
  ["without a configuration", undefined],
  ["with a configuration that names no log", { jobs: 2 }],
  ["with an agent called log", { agents: { log: { kind: "codex" } } }],
  ["with a configuration that is not JSON and names no log", "{ jobs: 2"],
  ["with no more than settings of a server", { log: { patience_s: 5 } }],
])("%s the log is the file beside the read model", async (_, config) => {
  const { confirm, locate, file } = given(config);
  if (typeof config === "object") confirm();
  expect(await locate()).toEqual(file);
  expect(await locate({ SIGNALBOX_LOG_URL: "" })).toEqual(file);
});

test("a confirmed configuration says where the log is, and the environment comes first", async () => {
  const { confirm, locate, acknowledged } = given({
    log: { url: SHOP, patience_s: 5 },
  });
  confirm();
  const settings = { acknowledged, patience_ms: 5_000 };
  expect(await locate()).toEqual({ url: SHOP, ...settings });
  const named = "postgres://shop:secret@other.example/fleet";
  expect(await locate({ SIGNALBOX_LOG_URL: named })).toEqual({ url: named, ...settings });
  const other = given();
  expect(await other.locate({ SIGNALBOX_LOG_URL: named })).toEqual({
    url: named,
    acknowledged: other.acknowledged,
  });
});

test("a log that a branch names is not opened until a human confirms it", async () => {
  const { confirm, locate, write } = given({ log: { url: SHOP } });
  await expect(locate()).rejects.toMatchObject(UNCONFIRMED);
  confirm();
  // Other fields are asked for where something is started by them.
  write({ log: { url: SHOP }, jobs: 7 });
  expect(await locate()).toMatchObject({ url: SHOP });
  write({ log: { url: "postgres://stranger.example/fleet" }, jobs: 7 });
  await expect(locate()).rejects.toMatchObject(UNCONFIRMED);
});

test.each([
  ["front", { log: { url: "postgres://shop:canary@db.example/fleet" } }],
  ["query", { log: { url: "postgres://db.example/fleet?password=canary" } }],
])("a password in the configuration is refused and not repeated (%s)", async (_, config) => {
  const error: Error = await given(config)
    .locate()
    .then(
      () => new Error("located"),
      (refused) => refused,
    );
  expect(error.message).toMatch(
    /config\.json cannot be used\. log\.(read_)?url: contains a password; put that into ~\/\.pgpass, or name the whole URL with SIGNALBOX_LOG_URL\./,
  );
  expect(error.message).not.toContain("canary");
});

test.each([
  ["the environment", undefined, { SIGNALBOX_LOG_URL: "shop:canary@db.example" }],
  ["a text in place of the settings", { log: "postgres://shop:canary@db.example/fleet" }, {}],
  ["another key", { log: { urls: "postgres://shop:canary@db.example/fleet" } }, {}],
  ["a list", { log: { url: ["postgres://shop:canary@db.example/fleet"] } }, {}],
])("a fault in %s is told without its password", async (_, config, variables) => {
  const error: Error = await given(config)
    .locate(variables)
    .then(
      () => new Error("located"),
      (refused) => refused,
    );
  expect(error.message).toMatch(/SIGNALBOX_LOG_URL must be postgres|cannot be used\. log/);
  expect(error.message).not.toContain("canary");
});
