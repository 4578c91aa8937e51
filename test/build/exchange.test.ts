import { existsSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { exchange, isBuilt } from "../../scripts/exchange.mjs";
import { startProcess, useChild } from "../children.ts";
import { freshFolder } from "../support/project.ts";
import { staged } from "./staged.ts";

const builder = useChild("test/build/children/exchange.ts");

const freshDist = () => join(freshFolder(), "dist");
const readIn = (dist: string, name: string) => readFileSync(join(dist, name), "utf8");
const current = (dist: string): string => JSON.parse(readIn(dist, "build.json")).folder;
const buildsIn = (dist: string) => readdirSync(dist).filter((name) => name.startsWith("build-"));

/** Exchanges a build of this name. @returns its folder */
async function build(dist: string, name: string): Promise<string> {
  await exchange(staged(dist, name), dist, name);
  return current(dist);
}

/** A process that has started the program, and loads the rest of it when it is told to. */
function start(dist: string) {
  const url = pathToFileURL(join(dist, "cli.cjs"));
  const script = `
    const { main } = await import(${JSON.stringify(url)});
    console.log("started");
    process.stdin.once("data", async () => console.log(await main()) ?? process.exit());`;
  return startProcess(process.execPath, ["--input-type=module", "-e", script]);
}

function makeOld(dist: string): void {
  const then = new Date(Date.now() - 2 * 3_600_000);
  for (const name of buildsIn(dist)) utimesSync(join(dist, name), then, then);
}

test("when builds are swapped concurrently, one complete build remains", async () => {
  const dist = freshDist();
  const builders = [builder(dist), builder(dist), builder(dist)];
  for (let round = 0; round < 12; round++) {
    for (const [index, { tell }] of builders.entries()) tell(`${index}-${round}`);
    for (const builder of builders) await builder.says();
    for (const { tell } of builders) tell("now");
    for (const builder of builders) await builder.says();
    const { inputs } = JSON.parse(readIn(dist, "build.json"));
    for (const name of ["index.js", "index.d.ts", "signalbox-verify.js"]) {
      expect(readIn(dist, name), name).toContain(`// ${inputs}\n`);
    }
    expect(readIn(dist, "cli.cjs")).toContain(`"./${current(dist)}/start.cjs"`);
    expect(readdirSync(join(dist, current(dist)))).toContain(`chunk-${inputs}.cjs`);
  }
});

test("the program starts at every moment of an exchange", async () => {
  const dist = freshDist();
  await build(dist, "0");
  const { tell, lines } = builder(dist);
  let building = true;
  const builds = (async () => {
    for (let count = 1; building; count++) {
      for (const line of [`${count}`, "now"]) {
        tell(line);
        await lines.next();
      }
    }
  })();
  for (let count = 0; count < 8; count++) {
    const started = start(dist);
    started.tell("load");
    expect(await started.finish()).toEqual(["started", expect.stringMatching(/^\d+$/)]);
  }
  building = false;
  await builds;
});

test("an old build stays while a process runs from it, and is removed afterwards", async () => {
  const dist = freshDist();
  const first = await build(dist, "a");
  const running = start(dist);
  await running.says();
  const further = [await build(dist, "b"), await build(dist, "c")];
  makeOld(dist);
  const last = await build(dist, "d");
  expect(buildsIn(dist).sort()).toEqual([first, further[1], last].sort());
  running.tell("load");
  expect(await running.finish()).toEqual(["a"]);
  makeOld(dist);
  expect([last, await build(dist, "e")].sort()).toEqual(buildsIn(dist).sort());
});

test("a build that is replaced just now stays, since a process may be starting from it", async () => {
  const dist = freshDist();
  const first = await build(dist, "a");
  makeOld(dist);
  expect([first, await build(dist, "b")].sort()).toEqual(buildsIn(dist).sort());
});

test("a build is repeated if its files were changed or removed", async () => {
  const dist = freshDist();
  const folder = await build(dist, "a");
  const chunk = join(dist, folder, "chunk-a.cjs");
  const content = readFileSync(chunk, "utf8");
  writeFileSync(chunk, "broken");
  expect(await build(dist, "a")).toBe(folder);
  expect(readFileSync(chunk, "utf8")).toBe(content);
});

test("old leftovers of an earlier build are removed", async () => {
  const dist = freshDist();
  await build(dist, "a");
  const [old, fresh] = [join(dist, "server-1a2b.js"), join(dist, "example-1")];
  for (const path of [old, fresh]) writeFileSync(path, "");
  utimesSync(old, 0, 0);
  await build(dist, "b");
  expect([existsSync(old), existsSync(fresh)]).toEqual([false, true]);
});

test("a build counts as there while its inputs are the same and nothing of it was changed or removed", async () => {
  const dist = freshDist();
  expect(isBuilt(dist, "a")).toBe(false);
  const folder = await build(dist, "a");
  expect(isBuilt(dist, "a")).toBe(true);
  expect(isBuilt(dist, "b")).toBe(false);
  for (const name of [`${folder}/chunk-a.cjs`, "index.js", ".npmignore", "../THIRD-PARTY-LICENSES", folder]) {
    rmSync(join(dist, name), { recursive: true });
    expect(isBuilt(dist, "a"), name).toBe(false);
    await build(dist, "a");
    expect(isBuilt(dist, "a"), name).toBe(true);
  }
});
