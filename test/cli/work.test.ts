import { expect, test } from "vitest";
import { signalbox } from "../support/cli.ts";
import { freshProject } from "../support/project.ts";

test("work pause and work stop need no reason", async () => {
  const { project, folder: cwd } = await freshProject();
  const payload = { driver: "d-1", agent: "claude", jobs: 1 };
  await project.log.append([{ type: "loop.started", payload, actor: "driver" }]);
  const head = await project.log.head();
  for (const args of [["pause"], ["resume"], ["stop", "d-1"]])
    expect(await signalbox(["work", ...args], { cwd })).toMatchObject({ exitCode: 0, stderr: "" });
  expect((await project.log.read(head, 9)).map(({ type, payload }) => [type, payload])).toEqual([
    ["work.paused", {}],
    ["work.resumed", {}],
    ["loop.stop_asked", { driver: "d-1" }],
  ]);
});
