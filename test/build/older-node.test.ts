import { execFile } from "node:child_process";
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { packagePath } from "../../src/lib/package-root.ts";
import { version } from "../../src/lib/version.ts";
import { freshFolder } from "../support/project.ts";

const run = promisify(execFile);

/** Has this Node say that it is another one, at its first process alone: what that starts is itself. */
function saying(found: string): string[] {
  const preload = join(freshFolder(), "preload.cjs");
  writeFileSync(
    preload,
    `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${found}", napi: "9" } });`,
  );
  return ["--require", preload];
}

const SENTENCE = /^signalbox: It needs Node\.js 22\.14 or newer; this is 20\.20\.2 \(.+\)\.\n$/;

test.each(["20.20.2", "22.13.1", "4.9.1"])(
  "in a checkout Node.js %s leads to the one that its scripts run by",
  async (found) => {
    const bin = packagePath("bin/signalbox.js");
    expect((await run(process.execPath, [...saying(found), bin, "--version"])).stdout).toBe(`${version}\n`);
    const refused = run(process.execPath, [...saying(found), bin, "bogus"]);
    await expect(refused).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining("unknown command"),
    });
  },
);

test("elsewhere an older Node.js is told in one sentence what signalbox needs", async () => {
  const folder = freshFolder();
  cpSync(packagePath("bin"), join(folder, "bin"), { recursive: true });
  cpSync(packagePath("package.json"), join(folder, "package.json"));
  const started = run(process.execPath, [...saying("20.20.2"), join(folder, "bin/signalbox.js"), "status"]);
  await expect(started).rejects.toMatchObject({
    code: 3,
    stdout: "",
    stderr: expect.stringMatching(SENTENCE),
  });
});

test("the library refuses an older Node.js before it opens a log", async () => {
  const library = pathToFileURL(packagePath("dist/index.js")).href;
  const code = `import(${JSON.stringify(library)}).then(({ openProject }) => openProject({ folder: "." }))
    .catch(({ message }) => console.log(message));`;
  const { stdout } = await run(process.execPath, [...saying("20.20.2"), "-e", code], { cwd: freshFolder() });
  expect(stdout).toBe("signalbox needs Node.js 22.14 or newer; this is 20.20.2.\n");
});
