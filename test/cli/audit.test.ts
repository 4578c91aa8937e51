import { execFileSync } from "node:child_process";
import { chmodSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { initProject, openProject, type Project, readModelPathIn } from "../../src/api/project.ts";
import { forgetLog } from "../../src/config/known-log.ts";
import { signingKeyPath } from "../../src/config/project-state.ts";
import { packagePath } from "../../src/lib/package-root.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { tamper } from "../events/log-file.ts";
import { fails, prints, type Ran, runProgram, signalbox, signalboxJson } from "../support/cli.ts";
import { freshFolder, freshProject } from "../support/project.ts";

/** A project at rest: nobody has its files open. */
async function givenProject(tasks = 0): Promise<{ folder: string; log: string }> {
  const folder = freshFolder();
  await initProject(folder);
  if (tasks > 0) await addTasks(folder, tasks);
  return { folder, log: join(folder, ".ralph/db/events.db") };
}

async function addTasks(folder: string, count: number): Promise<void> {
  const project: Project = await openProject(folder);
  for (let each = 0; each < count; each++) await project.decide(createTask({ title: "Export as CSV" }));
  await project.close();
}

const signalboxVerify = (args: readonly string[], cwd: string): Promise<Ran> =>
  runProgram(packagePath("bin/signalbox-verify.js"), args, { cwd });

test("verify and head answer on a fresh project, without a key, and write nothing", async () => {
  const { folder, log } = await givenProject();
  const before = readFileSync(log);
  const verified = await signalboxJson(["verify"], { cwd: folder });
  expect(verified).toMatchObject({ ok: true, events: 2, continues: [], damage: null });
  const head = await signalbox(["head"], { cwd: folder });
  expect(head).toMatchObject(prints(/^signalbox\/[0-9a-f-]{36}\n2\n\S{44}\n$/));
  expect(head.stdout).toContain(Object(verified).head.root);
  expect(await signalbox(["verify"], { cwd: folder })).toMatchObject({
    stdout: expect.stringContaining("continues the head of 2 events that was seen here last"),
  });
  forgetLog(readModelPathIn(folder));
  expect(await signalbox(["verify"], { cwd: folder })).toMatchObject({
    stdout: expect.stringContaining("kept elsewhere"),
  });
  expect(readFileSync(log).equals(before)).toBe(true);
  expect(readdirSync(join(folder, ".ralph/db"))).toEqual(["events.db", "ralph.db"]);
});

test("verify reads one moment of a log that others append to", async () => {
  const { project, folder } = await freshProject();
  const appending = (async () => {
    for (let count = 1; count <= 200; count++) await project.decide(createTask({ title: `Task ${count}` }));
  })();
  const [verified] = await Promise.all([signalboxJson(["verify"], { cwd: folder }), appending]);
  expect(verified).toMatchObject({ ok: true });
});

test("verify names the first bad position and the fault, with exit code 1", async () => {
  const { folder, log } = await givenProject(5);
  tamper(log, "UPDATE events SET actor = 'agent' WHERE position IN (4, 6)");
  expect(await signalbox(["verify"], { cwd: folder })).toMatchObject({
    ...fails(1, /Position 4: it was changed after it was appended.*\[leaf_hash\]/),
    stdout: "",
  });
  const ran = await signalbox(["verify", "--json"], { cwd: folder });
  expect(ran.exitCode).toBe(1);
  expect(JSON.parse(ran.stdout)).toMatchObject({
    ok: false,
    events: 3,
    damage: { check: "leaf_hash", position: 4 },
  });
});

test("verify tells where reading a file that is not a log ends, and reports a missing file as missing", async () => {
  const { folder, log } = await givenProject();
  writeFileSync(log, "once upon a time\n".repeat(500));
  expect(await signalbox(["verify"], { cwd: folder })).toMatchObject(
    fails(1, "Position 1: it cannot be read"),
  );
  rmSync(log);
  expect(await signalbox(["verify"], { cwd: folder })).toMatchObject(fails(3, "[disk]"));
});

test("a witness file gathers heads, each once, and a log that was cut or rewritten is found by it", async () => {
  const { folder, log } = await givenProject(3);
  const heads = join(freshFolder(), "shop.heads");
  const commit = () => signalbox(["head", "--commit", heads], { cwd: folder });
  expect(await commit()).toMatchObject(prints("The head of 5 events was added"));
  expect(await commit()).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("nothing was added") });
  await addTasks(folder, 4);
  await commit();
  const since = ["verify", "--since", heads];
  expect(await signalboxJson(since, { cwd: folder })).toMatchObject({ ok: true, continues: [5, 9] });

  tamper(
    log,
    "DELETE FROM events WHERE position > 7; DELETE FROM streams WHERE key NOT IN (SELECT stream FROM events)",
  );
  expect(await signalbox(["verify"], { cwd: folder }), "by the head that was seen last").toMatchObject(
    fails(1, "[tail]"),
  );
  expect(await signalbox(since, { cwd: folder })).toMatchObject(
    fails(1, /Position 8: it is missing: the log ends at 7.*\[tail\]/),
  );
  const kept = readFileSync(heads, "utf8");
  expect(await commit()).toMatchObject(fails(1, "[head_contradicted]"));
  expect(readFileSync(heads, "utf8")).toBe(kept);

  const other = await givenProject(20);
  expect(await signalbox(since, { cwd: other.folder })).toMatchObject(
    fails(1, /Position 1: the head belongs to the log.*\[origin\]/),
  );
});

test("a head is added to a witness file behind the last line, also where that has no end", async () => {
  const { folder, log } = await givenProject();
  const heads = join(freshFolder(), "heads");
  await signalbox(["key", "make"], { cwd: folder });
  const { stdout: first } = await signalbox(["head"], { cwd: folder });
  await addTasks(folder, 2);
  for (const kept of [first, first.split("\n\n")[0] ?? ""]) {
    writeFileSync(heads, kept.trimEnd());
    expect(await signalbox(["head", "--commit", heads], { cwd: folder })).toMatchObject({ exitCode: 0 });
    const verified = await signalboxJson(["verify", "--since", heads], { cwd: folder });
    expect(verified).toMatchObject({ ok: true, continues: [2, 4] });
  }
  tamper(log, "DELETE FROM events WHERE position = 4; DELETE FROM streams WHERE name = 'task-2'");
  expect(await signalbox(["verify", "--since", heads], { cwd: folder })).toMatchObject({ exitCode: 1 });
  tamper(log, "DELETE FROM events; DELETE FROM streams");
  expect(await signalbox(["verify", "--since", heads], { cwd: folder })).toMatchObject(
    fails(1, /Position 1: it is missing: the log ends at 0.*\[tail\]/),
  );
});

test("several processes can add heads to a new witness file at once", async () => {
  const heads = join(freshFolder(), "heads");
  const { folder } = await givenProject(1);
  const sizes = [1, 2, 3];
  const ran = await Promise.all(
    sizes.map((size) => signalbox(["head", "--commit", heads, "--at", `${size}`], { cwd: folder })),
  );
  expect(ran).toMatchObject(sizes.map(() => ({ exitCode: 0 })));
  const { continues } = Object(await signalboxJson(["verify", "--since", heads], { cwd: folder }));
  expect([...continues].sort()).toEqual(sizes);
});

test("head --at prints the head that the log had then, and refuses one that it never had", async () => {
  const { folder } = await givenProject(1);
  const { stdout } = await signalbox(["head"], { cwd: folder });
  await addTasks(folder, 2);
  expect(await signalbox(["head", "--at", "3"], { cwd: folder })).toMatchObject({ exitCode: 0, stdout });
  expect(await signalbox(["head", "--at", "6"], { cwd: folder })).toMatchObject(
    fails(1, "the positions 1 to 5"),
  );
});

test("heads are kept in git notes, from where verify reads them again", async () => {
  const { folder, log } = await givenProject(1);
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...args], {
      cwd: folder,
      encoding: "utf8",
      stdio: "pipe",
    });
  git("init", "--quiet");
  git("config", "user.name", "t");
  git("config", "user.email", "t@example.com");
  expect(await signalbox(["head", "--commit"], { cwd: folder })).toMatchObject(fails(3, "[git]"));
  git("commit", "--quiet", "--allow-empty", "-m", "First");
  await signalbox(["key", "make"], { cwd: folder });
  await signalbox(["head", "--commit"], { cwd: folder });
  await addTasks(folder, 1);
  expect(await signalbox(["head", "--commit"], { cwd: folder })).toMatchObject(
    prints("added to the git note on"),
  );
  const notes = git("notes", "--ref=signalbox", "show", "HEAD");
  const key = (await signalbox(["key"], { cwd: folder })).stdout.trim();
  const ran = await signalbox(["verify", "--since", "-", "--key", key, "--json"], {
    cwd: folder,
    input: notes,
  });
  expect(JSON.parse(ran.stdout)).toMatchObject({ ok: true, continues: [3, 4] });

  git("commit", "--quiet", "--allow-empty", "-m", "Second");
  tamper(log, "DELETE FROM events WHERE position = 4; DELETE FROM streams WHERE name = 'task-2'");
  expect(
    await signalbox(["head", "--commit"], { cwd: folder }),
    "the note on the commit before",
  ).toMatchObject(fails(1, "[head_contradicted]"));
});

test("a key is readable by its owner only, never overwritten, and never in a folder that git tracks", async () => {
  const { folder } = await givenProject();
  expect(await signalbox(["key"], { cwd: folder })).toMatchObject(fails(3, "signalbox key make"));
  const made = await signalbox(["key", "make"], { cwd: folder });
  const file = signingKeyPath(readModelPathIn(folder));
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect((await signalbox(["key"], { cwd: folder })).stdout).toBe(made.stdout);
  expect(made.stdout + made.stderr).not.toContain(readFileSync(file, "utf8").trim());
  const before = readFileSync(file);
  expect(await signalbox(["key", "make"], { cwd: folder })).toMatchObject(fails(1, "[key_exists]"));
  expect(readFileSync(file).equals(before)).toBe(true);

  execFileSync("git", ["init", "--quiet"], { cwd: folder });
  expect(await signalbox(["key", "make", "--key-file", "shop.key"], { cwd: folder })).toMatchObject(
    fails(1, "[key_in_git]"),
  );
  expect(readdirSync(folder)).not.toContain("shop.key");

  chmodSync(file, 0o644);
  expect(await signalbox(["head"], { cwd: folder })).toMatchObject(fails(2, "chmod 600"));
  expect(await signalbox(["head", "--no-sign"], { cwd: folder })).toMatchObject({ exitCode: 0 });
  expect(await signalbox(["head", "--key-file", folder], { cwd: folder })).toMatchObject(
    fails(2, "is not a file"),
  );
});

test("verify --key believes only heads that this key has signed", async () => {
  const { folder } = await givenProject(2);
  const heads = join(freshFolder(), "heads");
  await signalbox(["head", "--commit", heads], { cwd: folder });
  const key = (await signalbox(["key", "make"], { cwd: folder })).stdout.trim();
  const verify = () => signalbox(["verify", "--since", heads, "--key", key], { cwd: folder });
  expect(
    await signalbox(["verify", "--key", key], { cwd: folder }),
    "signed by whom, of which head?",
  ).toMatchObject(fails(2, "--since"));
  expect(await verify()).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("[unsigned_head]") });
  rmSync(heads);
  await signalbox(["head", "--commit", heads], { cwd: folder });
  expect(await verify()).toMatchObject(prints(`signed by ${key.slice(0, 50)}`));
});

test("signalbox-verify and verify --proof accept a proof on a machine without the log", async () => {
  const { folder } = await givenProject(6);
  const elsewhere = freshFolder();
  const at = (name: string) => join(elsewhere, name);
  const key = (await signalbox(["key", "make"], { cwd: folder })).stdout.trim();
  writeFileSync(at("head"), (await signalbox(["head", "--at", "5"], { cwd: folder })).stdout);
  const made = ["prove", "4", "--out", at("4.proof"), "--since", at("head")];
  expect(await signalbox(made, { cwd: folder })).toMatchObject({ exitCode: 0 });
  expect(await signalbox(made, { cwd: folder }), "it is there already").toMatchObject(
    fails(1, "[file_exists]"),
  );

  const checked = await signalboxVerify(["4.proof", "--key", key, "--head", "head"], elsewhere);
  expect(checked).toMatchObject({
    exitCode: 0,
    stderr: "",
    stdout: expect.stringMatching(/Position 4 of 8[\s\S]*Export as CSV[\s\S]*signed by[\s\S]*of 5 events/),
  });
  expect(
    await signalbox(["verify", "--proof", "4.proof", "--key", key, "--since", "head"], { cwd: elsewhere }),
  ).toEqual(checked);
  expect(await signalboxVerify(["4.proof"], elsewhere)).toMatchObject(prints("Nothing vouches"));

  writeFileSync(at("4.proof"), readFileSync(at("4.proof"), "utf8").replace("Export as CSV", "Import as CSV"));
  const refused = { exitCode: 1, stdout: "", stderr: expect.stringContaining("not the one at position 4") };
  expect(await signalboxVerify(["4.proof"], elsewhere)).toMatchObject(refused);
  expect(await signalbox(["verify", "--proof", "4.proof"], { cwd: elsewhere })).toMatchObject(refused);
  expect(JSON.parse((await signalboxVerify(["4.proof", "--json"], elsewhere)).stdout)).toMatchObject({
    proven: false,
  });
});

test("signalbox-verify exits with 2 on wrong usage, and with 3 on unreadable input", async () => {
  const folder = freshFolder();
  writeFileSync(join(folder, "x"), "{}");
  for (const args of [[], ["x", "y"], ["x", "--colour"], ["x", "--key", "mine"], ["x", "--head", "x"]])
    expect(await signalboxVerify(args, folder), args.join(" ")).toMatchObject({ exitCode: 2, stdout: "" });
  expect(await signalboxVerify(["nowhere"], folder)).toMatchObject({ exitCode: 3 });
  expect(await signalboxVerify(["x"], folder)).toMatchObject({ exitCode: 1 });
  expect(await signalboxVerify(["--help"], folder)).toMatchObject({ exitCode: 0 });
  writeFileSync(join(folder, "huge"), "");
  truncateSync(join(folder, "huge"), 600 * 1024 * 1024);
  const refused = { exitCode: 3, stdout: "", stderr: expect.stringContaining("larger than") };
  expect(await signalboxVerify(["huge"], folder)).toMatchObject(refused);
  expect(await signalboxVerify(["x", "--head", "huge"], folder)).toMatchObject(refused);
  expect(await signalbox(["verify", "--proof", "huge"], { cwd: folder })).toMatchObject(refused);
  expect(await signalbox(["verify", "--since", "huge"], { cwd: folder })).toMatchObject(refused);
});

test("prove refuses a missing position and a changed event", async () => {
  const { folder, log } = await givenProject(2);
  expect(await signalbox(["prove", "9"], { cwd: folder })).toMatchObject(fails(1, "1 to 4"));
  tamper(log, "UPDATE events SET actor = 'agent' WHERE position = 3");
  expect(await signalbox(["prove", "3"], { cwd: folder })).toMatchObject(fails(3, "position 3"));
  expect(await signalbox(["prove", "2", "--withhold"], { cwd: folder })).toMatchObject({ exitCode: 0 });
});
