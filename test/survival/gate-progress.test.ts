import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { expect } from "vitest";
import { initProject, openProject, readModelPathIn } from "../../src/api/project.ts";
import { stateVariables } from "../../src/config/state-folder.ts";
import { packagePath } from "../../src/lib/package-root.ts";
import { startSession } from "../../src/operations/sessions.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { temporaryFolder } from "../events/given.ts";
import { campaign } from "./campaign.ts";

/*
 * Catches: a client that waits for a long gate, hears nothing, and gives the call up.
 *
 * A gate runs until its client has been told so often, however long that takes: every ten seconds, so the small size waits
 * for the first message alone.
 */
const TOLD = process.env.SIGNALBOX_LONG === "gate-progress" ? 3 : 1;

campaign({
  line: "gate-progress",
  promise: "whoever waits for a gate at a server process is told how far it is, before the answer comes",
  small: 1,
  large: 2,
  open: () => {},
  async point() {
    const folder = temporaryFolder();
    await initProject(folder.path);
    const project = await openProject(folder.path);
    const command = "echo begun; while [ ! -f go ]; do sleep 0.05; done";
    await project.decide(createTask({ title: "Export", gates: [{ command, max: 1, timeout_s: 600 }] }));
    await project.decide(startSession({ task: 1, session: "s-1" }));
    await project.close();
    const agent = await serverOf(readModelPathIn(folder.path));
    const heard: string[] = [];
    const answer = await agent.callTool({ name: "verify", arguments: {} }, undefined, {
      onprogress({ progress, message = "" }) {
        heard.push(`${progress} ${message}`);
        if (heard.length === TOLD) writeFileSync(join(folder.path, "go"), "");
      },
      timeout: 600_000,
    });
    heard.push("the answer");
    await agent.close();
    folder.remove();
    expect(answer.structuredContent).toMatchObject({ verified: true });
    expect(heard.slice(0, TOLD)).toEqual([
      "0 The gates run one call at a time; the gates of this call have not started.",
      ...Array.from({ length: TOLD - 1 }, (_, place) =>
        expect.stringMatching(
          `^${place + 1} Gate 1 has been running for [0-9]+ s, 1 lines so far: echo begun;`,
        ),
      ),
    ]);
    expect(heard.indexOf("the answer")).toBe(heard.length - 1);
    return {};
  },
});

async function serverOf(db: string): Promise<Client> {
  const agent = new Client({ name: "test", version: "1" });
  const launch = { RALPH_TASK_ID: "1", RALPH_SESSION_ID: "s-1", RALPH_DB_PATH: db };
  await agent.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [packagePath("bin/signalbox.js"), "mcp"],
      env: { PATH: process.env.PATH ?? "", ...stateVariables(process.env), ...launch },
    }),
  );
  return agent;
}
