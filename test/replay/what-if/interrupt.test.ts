// @module-tag linux
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { packagePath } from "../../../src/lib/package-root.ts";
import { created, ended, started, stuck } from "../../projections/board/history.ts";
import { signalbox } from "../../support/cli.ts";
import { freshFolder, freshProject } from "../../support/project.ts";

/** A log so long that a what-if of it does not fit into memory, and its read model. */
async function givenLongLog() {
  const { project, folder } = await freshProject();
  for (let task = 1; task <= 6_000; task += 1_000) {
    const ids = Array.from({ length: 1_000 }, (_, index) => task + index);
    await project.store.log.append(
      ids.flatMap((id) => {
        const session = `s-${id}`;
        const fields = { description: "What is to be done. ".repeat(20) };
        return [
          created(id, fields),
          started(session, id),
          stuck("No GPU.", { task: id, session }),
          ended("exited", session),
        ];
      }),
    );
  }
  await project.close();
  await signalbox(["next"], { cwd: folder });
  return folder;
}

test("Ctrl-C ends a long what-if at once, and it leaves no temporary file", async () => {
  const cwd = await givenLongLog();
  const temporary = join(freshFolder(), "temporary");
  mkdirSync(temporary);
  const child = spawn(process.execPath, [packagePath("bin/signalbox.js"), "what-if", "--stuck-limit", "1"], {
    cwd,
    env: { PATH: process.env.PATH ?? "", TMPDIR: temporary },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let printed = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (printed += text));
  const pid = String(child.pid);
  await vi.waitFor(() => expect(filesOf(pid)).toContainEqual(expect.stringContaining(temporary)), 120_000);
  expect(readdirSync(temporary)).toEqual([]);
  const closed = once(child, "close");
  child.kill("SIGINT");
  expect(await closed).toEqual([null, "SIGINT"]);
  expect(printed).toBe("");
  expect(readdirSync(temporary)).toEqual([]);
});

/** What the files are that a process has open. */
function filesOf(pid: string): string[] {
  return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/${pid}/fd/${fd}`)];
    } catch {
      // It was closed meanwhile.
      return [];
    }
  });
}
