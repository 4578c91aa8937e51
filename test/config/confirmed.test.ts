import { cpSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { readModelPathIn } from "../../src/api/project.ts";
import { parseConfig } from "../../src/config/config.ts";
import {
  confirmConfig,
  confirmedConfig,
  inspectConfig,
  UnconfirmedConfigError,
} from "../../src/config/confirmed.ts";
import { differences } from "../../src/config/differences.ts";
import { stateFolder, stateVariables } from "../../src/config/state-folder.ts";
import { freshFolder, writeConfig } from "../support/project.ts";

/* Catches: a configuration that a branch has brought and that is used, a confirmation that holds for something else. */
function given(config?: string) {
  const folder = freshFolder();
  mkdirSync(join(folder, ".ralph"));
  if (config !== undefined) writeConfig(folder, config);
  const env = { HOME: freshFolder() };
  const db = readModelPathIn(folder);
  return {
    folder,
    db,
    env,
    config: join(folder, ".ralph", "config.json"),
    use: (path = db) => confirmedConfig(path, env),
    confirm: (path = db) => confirmConfig(inspectConfig(path, env)),
    /** Where the confirmation is kept. */
    record: () => {
      const { record } = inspectConfig(db, env);
      return "path" in record ? record.path : record.problem;
    },
  };
}

const TWO_JOBS = '{"jobs": 2, "worktrees": true}';

test("without a file the defaults need no confirmation, not even a place to keep one", () => {
  const { db, use } = given();
  expect(use()).toEqual(parseConfig({}, ""));
  expect(confirmedConfig(db, {})).toEqual(parseConfig({}, ""));
  expect(confirmedConfig(readModelPathIn("/no/such/folder"), {})).toEqual(parseConfig({}, ""));
});

test("an unconfirmed file is refused, with the command that confirms it", () => {
  const { folder, config, use, confirm } = given(TWO_JOBS);
  expect(() => use()).toThrow(UnconfirmedConfigError);
  expect(() => use()).toThrow(
    `${config} has changes that no human has confirmed, so signalbox runs and sends nothing. Review and confirm them with \`signalbox config trust\` in ${folder}.`,
  );
  confirm();
  expect(use()).toMatchObject({ jobs: 2, worktrees: true });
});

test("a confirmation is valid only for exactly the confirmed bytes", () => {
  const { config, use, confirm } = given(TWO_JOBS);
  confirm();
  writeFileSync(config, TWO_JOBS.replace("2", "3"));
  expect(() => use()).toThrow(UnconfirmedConfigError);
  writeFileSync(config, `${TWO_JOBS}\n`);
  expect(() => use()).toThrow(UnconfirmedConfigError);
  writeFileSync(config, TWO_JOBS);
  expect(use()).toMatchObject({ jobs: 2 });
});

test("a change between the display and the confirmation is not confirmed", () => {
  const { db, env, config, use } = given(TWO_JOBS);
  const inspected = inspectConfig(db, env);
  writeFileSync(config, '{"jobs": 99}');
  confirmConfig(inspected);
  expect(() => use()).toThrow(UnconfirmedConfigError);
});

test("deleting a confirmed file is a change too: the defaults have to be confirmed again", () => {
  const { config, use, confirm } = given('{"gates": {"isolation": true}}');
  confirm();
  rmSync(config);
  expect(() => use()).toThrow(UnconfirmedConfigError);
  confirm();
  expect(use()).toMatchObject({ gates: { isolation: false } });
});

test("a project is identified by its real path, and a copy is another project", () => {
  const { folder, use, confirm } = given(TWO_JOBS);
  const link = join(freshFolder(), "link");
  symlinkSync(folder, link);
  confirm(readModelPathIn(link));
  expect(use()).toMatchObject({ jobs: 2 });
  const copy = join(freshFolder(), "copy");
  cpSync(folder, copy, { recursive: true });
  expect(() => use(readModelPathIn(copy))).toThrow(UnconfirmedConfigError);
  const worktree = join(folder, ".ralph", "worktrees", "task-1");
  cpSync(join(folder, ".ralph", "config.json"), join(worktree, ".ralph", "config.json"));
  expect(() => use(readModelPathIn(worktree))).toThrow(UnconfirmedConfigError);
});

test("a read model elsewhere has its configuration beside it, and the command names it", () => {
  const folder = freshFolder();
  writeFileSync(join(folder, "config.json"), TWO_JOBS);
  expect(() => confirmedConfig(join(folder, "my.db"), { HOME: freshFolder() })).toThrow(
    `\`signalbox config trust --db ${join(folder, "my.db")}\`.`,
  );
});

test("a confirmation is kept outside of the project, for its owner alone", () => {
  const { folder, env, confirm, record } = given(TWO_JOBS);
  confirm();
  expect(record()).toMatch(`${join(env.HOME, ".local/state/signalbox/config")}/`);
  expect(record().startsWith(folder)).toBe(false);
  expect(JSON.parse(readFileSync(record(), "utf8"))).toMatchObject({ text: TWO_JOBS });
  expect(statSync(record()).mode & 0o777).toBe(0o600);
  expect(statSync(dirname(record())).mode & 0o777).toBe(0o700);
});

test("a record that is none counts as no confirmation, and one that is a link is refused by its name", () => {
  const { use, confirm, record, folder } = given(TWO_JOBS);
  confirm();
  const good = readFileSync(record(), "utf8");
  for (const text of ["", "{}", good.slice(0, 20)]) {
    writeFileSync(record(), text);
    expect(() => use()).toThrow(/ that no human has confirmed/);
  }
  writeFileSync(join(folder, "brought"), good);
  const path = record();
  rmSync(path);
  symlinkSync(join(folder, "brought"), path);
  expect(() => use()).toThrow(UnconfirmedConfigError);
  expect(() => use()).toThrow(`cannot be read in ${path}: it is not a file of yours`);
});

test.each([
  ["HOME is not there", {}, "HOME is not set. Set it, or set SIGNALBOX_STATE to a folder of your own."],
  ["HOME is empty", { HOME: "" }, "HOME is not set."],
  [
    "the variable is relative",
    { SIGNALBOX_STATE: "state" },
    'SIGNALBOX_STATE is "state". Set it to an absolute path.',
  ],
])("if %s, a file is not used, and the error names the setting", (_what, env, message) => {
  const { db } = given(TWO_JOBS);
  expect(() => confirmedConfig(db, env)).toThrow(UnconfirmedConfigError);
  expect(() => confirmedConfig(db, env)).toThrow(message);
});

test("a state folder inside the project is not used: git could have brought its content", () => {
  const { db, folder } = given(TWO_JOBS);
  const link = join(freshFolder(), "link");
  symlinkSync(folder, link);
  for (const inside of [folder, join(folder, "state"), join(folder, "a", "b"), join(link, "c")])
    expect(() => confirmedConfig(db, { SIGNALBOX_STATE: inside })).toThrow(`${inside} is inside the project`);
  expect(() => confirmedConfig(db, { HOME: folder })).toThrow("is inside the project");
});

test("an unwritable state folder is named, with the remedy", () => {
  const { db, confirm, record } = given(TWO_JOBS);
  const HOME = join(freshFolder(), "home");
  writeFileSync(HOME, "a file");
  expect(() => confirmedConfig(db, { HOME })).toThrow(UnconfirmedConfigError);
  expect(() => confirmedConfig(db, { HOME })).toThrow(
    `cannot be read in ${HOME}/.local/state/signalbox/config/`,
  );
  const folder = dirname(record());
  mkdirSync(dirname(folder), { recursive: true });
  symlinkSync(freshFolder(), folder);
  expect(() => confirm()).toThrow(
    new RegExp(
      `cannot be saved in ${folder}: ${folder} is a symbolic link.*set SIGNALBOX_STATE to one that is`,
    ),
  );
});

test("the state folder is that of the variable, else of the base directories, else of HOME", () => {
  const project = freshFolder();
  const all = { SIGNALBOX_STATE: "/s", XDG_STATE_HOME: "/x", HOME: "/h" };
  expect(stateFolder(project, all)).toEqual({ folder: "/s" });
  expect(stateFolder(project, { ...all, SIGNALBOX_STATE: "" })).toEqual({ folder: "/x/signalbox" });
  expect(stateFolder(project, { XDG_STATE_HOME: "relative", HOME: "/h" })).toEqual({
    folder: "/h/.local/state/signalbox",
  });
});

test("another process gets the state folder if HOME does not lead to it", () => {
  expect(stateVariables({ HOME: "/h" })).toEqual({});
  expect(stateVariables({ HOME: "/h", XDG_STATE_HOME: "/x" })).toEqual({ SIGNALBOX_STATE: "/x/signalbox" });
  expect(stateVariables({ SIGNALBOX_STATE: "/s", XDG_STATE_HOME: "/x" })).toEqual({ SIGNALBOX_STATE: "/s" });
});

test("every field in which two configurations differ is found, agents and names of JavaScript's own too", () => {
  const before = parseConfig({ jobs: 2, agents: { old: { kind: "claude", args: ["-a"] } } }, "");
  const text = '{"agents": {"a.b": {"kind": "command", "command": "x"}}, "gates": {"environment": ["A"]}}';
  expect(differences(before, parseConfig(JSON.parse(text), ""))).toEqual([
    { path: 'agents."a.b".kind', before: undefined, now: "command" },
    { path: 'agents."a.b".command', before: undefined, now: "x" },
    { path: "jobs", before: 2, now: 1 },
    { path: "gates.environment", before: [], now: ["A"] },
    { path: "agents.old.kind", before: "claude", now: undefined },
    { path: "agents.old.command", before: "claude", now: undefined },
    { path: "agents.old.args", before: ["-a"], now: undefined },
  ]);
  expect(differences(before, before)).toEqual([]);
});
