import { expect, test } from "vitest";
import { createTask } from "../../../src/operations/tasks.ts";
import { freshProject } from "../../support/project.ts";
import { connectProcess } from "./processes.ts";

const CALL = {
  name: "done",
  arguments: { summary: "It exports." },
  _meta: { "claudecode/toolUseId": "toolu_1" },
};

test.each(["sdk 1", "sdk 2 pinned"] as const)(
  "a call of %s whose server is killed half-way is recorded once, however often it is repeated",
  async (name) => {
    const { project, db } = await freshProject();
    await project.decide(createTask({ title: "Export as CSV" }));
    const env = { RALPH_TASK_ID: "1", RALPH_SESSION_ID: "s-1", RALPH_DB_PATH: db };
    const pidOf = ({ transport }: { transport?: object | undefined }) =>
      transport && "pid" in transport && typeof transport.pid === "number" ? transport.pid : 0;
    const first = await connectProcess(name, env);
    await first.listTools();
    const lost = first.callTool(CALL).catch((error: unknown) => error);
    process.kill(pidOf(first), "SIGKILL");
    await lost;
    const second = await connectProcess(name, env);
    const answer = await second.callTool(CALL);
    process.kill(pidOf(second), "SIGKILL");
    const third = await connectProcess(name, env);
    expect(await third.callTool(CALL)).toMatchObject({ structuredContent: answer.structuredContent });
    const recorded = (await project.log.read(0, 100)).filter(({ type }) => type === "signal.done");
    expect(recorded).toHaveLength(1);
  },
);
