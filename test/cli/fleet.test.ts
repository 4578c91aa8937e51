import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ownHost } from "../../src/events/own-host.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { signalbox, signalboxJson } from "../support/cli.ts";
import { freshProject } from "../support/project.ts";

/* Catches: a host that is declared lost by mistake, or without a word of what ends with it. */
test("a host is declared lost by hand: what ends is said first, its sessions are cancelled, and a second time there is nothing to do", async () => {
  const { project, folder, db } = await freshProject();
  await project.decide(createTask({ title: "Export" }));
  await signalboxJson(["session", "start", "1", "--session", "s-1"], { cwd: folder });
  const { host } = ownHost(db);
  // From here on it is another host's.
  rmSync(join(folder, ".ralph/host.json"));
  const own = ownHost(db).host;
  const { hosts: views } = (await signalboxJson(["fleet", "status"], { cwd: folder })) as { hosts: object[] };
  expect(views).toHaveLength(2);
  expect(views).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ host: own, state: "own", sessions: [] }),
      expect.objectContaining({
        host,
        state: "unknown",
        sessions: [expect.objectContaining({ session: "s-1", task: 1, task_title: "Export" })],
      }),
    ]),
  );
  const refused = async (...args: readonly string[]) => {
    const { exitCode, stderr } = await signalbox(["fleet", "lost", ...args], { cwd: folder });
    expect(exitCode).toBe(1);
    return stderr;
  };
  expect(await refused(own, "--yes")).toMatch(/is the host that you are on/);
  expect(await refused("nobody", "--yes")).toMatch(/There is no host nobody\. Run `signalbox fleet status`/);
  expect(await refused(host)).toMatch(/This ends session s-1\. Add --yes/);
  expect(await project.queries.sessions({ open: true })).toHaveLength(1);

  expect(await signalboxJson(["fleet", "lost", host, "--yes"], { cwd: folder })).toEqual({
    ...{ host, epoch: 1, ended: ["s-1"] },
  });
  expect(await project.queries.sessions()).toMatchObject([
    { exit: "cancelled", cause: "driver", end_reason: `its host ${host} was declared lost` },
  ]);
  expect(await project.queries.taskRow(1)).toMatchObject({ status: "pending", stuck_count: 0 });
  expect(await refused(host, "--yes")).toMatch(/was declared lost already/);
});
