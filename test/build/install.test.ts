import { execFile } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { packagePath } from "../../src/lib/package-root.ts";
import { makeRepository } from "../loop/given-loop.ts";
import { firstMinutes } from "../support/first-minutes.ts";
import { freshFolder } from "../support/project.ts";
import { onTerminal } from "../support/terminal.ts";

/* Catches: a package that only works in the clone it was made from, or that carries more than it needs. */

const run = promisify(execFile);
const packed = z.tuple([z.object({ filename: z.string(), unpackedSize: z.number() })]);

const UNPACKED_LIMIT = 6_600_000;
/** Compiles better-sqlite3 where no binary can be fetched. */
const INSTALL_MS = 500_000;

let home: string;
let unpackedSize: number;
const bin = () => join(home, "npm", "bin");
const installed = () => join(home, "npm", "lib", "node_modules", "signalbox");

afterAll(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), "signalbox-installed-"));
  for (const name of ["bin", "lib"]) mkdirSync(join(home, "npm", name), { recursive: true });
  const pack = ["pack", "--json", "--ignore-scripts", "--pack-destination", home];
  const { stdout } = await run("npm", pack, { cwd: packagePath(".") });
  const [{ filename, unpackedSize: size }] = packed.parse(JSON.parse(stdout));
  unpackedSize = size;
  const install = firstMinutes().install.replace(/ signalbox$/, ` --omit=dev '${join(home, filename)}'`);
  const env = { ...process.env, npm_config_prefix: join(home, "npm"), npm_config_jobs: "max" };
  await run("bash", ["-c", install], { cwd: home, env });
}, INSTALL_MS);

test("the package unpacks to less than 6.6 MB, and brings three packages with their own dependencies", () => {
  expect(unpackedSize).toBeLessThan(UNPACKED_LIMIT);
  const { dependencies } = JSON.parse(readFileSync(join(installed(), "package.json"), "utf8"));
  expect(Object.keys(dependencies)).toEqual(["better-sqlite3", "rxjs", "zod"]);
  const there = readdirSync(join(installed(), "node_modules"));
  expect(there).toEqual(expect.arrayContaining(["better-sqlite3", "rxjs", "zod"]));
  expect(there).not.toContain("typescript");
});

test("what the README types first leads from the installed package to a finished task, without an agent's model", {
  tags: "script",
}, async () => {
  const folder = freshFolder();
  makeRepository(folder);
  const env = { HOME: home, PATH: `${bin()}:${process.env.PATH}` };
  const script = join(home, "typed.sh");
  writeFileSync(script, `set -e\n${firstMinutes().inRepository.join("\n")}\necho all is typed\n`);
  const typed = onTerminal(`bash ${script}`, { cwd: folder, env, rows: 60 });
  await typed.shows("Which agent should run your tasks?");
  typed.type("pretend\r");
  await typed.shows("First task");
  typed.type("Write hello.txt\r\r");
  expect(await typed.shows("all is typed")).toContain("Done");
  expect(await typed.ended()).toBe(0);
});

test("the installed package replays the 83 recorded simulations that it brings", async () => {
  const args = ["sims", "--in-process", "--json"];
  const { stdout } = await run(join(bin(), "signalbox"), args, { cwd: freshFolder() });
  const results = stdout
    .trim()
    .split("\n")
    .map((line): unknown => JSON.parse(line));
  expect(results).toHaveLength(83);
  for (const result of results) expect(result).toMatchObject({ ok: true });
});

test("without a binary of better-sqlite3, a command says for what there is one", async () => {
  const native = join(
    installed(),
    `node_modules/better-sqlite3/prebuilds/${process.platform}-${process.arch}.node`,
  );
  renameSync(native, `${native}.away`);
  const init = run(join(bin(), "signalbox"), ["init"], { cwd: freshFolder() });
  await expect(init).rejects.toMatchObject({
    code: 3,
    stderr: expect.stringMatching(
      /^signalbox: better-sqlite3 has no binary that loads here.*Linux, macOS and Windows on x64 and arm64/s,
    ),
  });
});
