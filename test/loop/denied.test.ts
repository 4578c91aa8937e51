import { expect, test } from "vitest";
import { examine } from "../../src/loop/doctor/index.ts";
import { endSession, startSession } from "../../src/operations/sessions.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { signalbox, signalboxJson } from "../support/cli.ts";
import { givenConfig } from "../support/project.ts";
import { givenInstallation, onProject } from "./doctor-given.ts";

/* Catches: an agent whose client denied it something, of whom neither doctor nor who looks at its question hears. */
const DENIED = [
  { tool: "Write", times: 1 },
  { tool: "Bash", times: 3 },
];

async function givenDenials(denied: typeof DENIED) {
  const place = await givenInstallation();
  await onProject(place, async (project) => {
    await project.decide(createTask({ title: "Export" }));
    await project.decide(startSession({ task: 1, session: "s-1" }));
    const [started, asked, ended] = [
      { session: "s-1", agent: "claude", server: "connected" },
      { task: 1, session: "s-1", question: "May I write?", blocking: true },
      { session: "s-1", exit_code: 0, ...(denied.length > 0 && { denied }) },
    ];
    await project.log.append([
      { type: "agent.started", actor: "driver", payload: started },
      { type: "signal.ask", actor: "agent", payload: asked },
      { type: "agent.ended", actor: "driver", payload: ended },
    ]);
    await project.decide(endSession({ session: "s-1", exit: "exited" }));
  });
  return place;
}

test.each([
  ["read", '"permissions": "edit" of agents.claude'],
  [undefined, '"permissions": "full" of agents.claude in .ralph/config.json in a container'],
  ["full", "allow it in the client's own settings"],
])(
  "doctor lists the tools denied in recent sessions, and with permissions %s the setting to change",
  async (permissions, mend) => {
    const place = await givenDenials(DENIED);
    if (permissions) givenConfig(place.folder, { agents: { claude: { kind: "claude", permissions } } });
    const finding = (await examine(place)).find(({ name }) => name === "agent claude denied");
    expect(finding).toMatchObject({ state: "warning", mend: expect.stringContaining(mend) });
    expect(finding?.found).toBe("Write, Bash (3×), in 1 of the last 1 session (task 1)");
  },
);

test("doctor does not mention denials if there were none", async () => {
  const findings = await examine(await givenDenials([]));
  expect(findings.filter(({ name }) => name.includes("denied"))).toEqual([]);
});

test("an inbox item shows the tools denied in its session", async () => {
  const { folder: cwd } = await givenDenials(DENIED);
  expect(await signalboxJson(["inbox"], { cwd })).toMatchObject({
    inbox: [{ kind: "question", denied: DENIED }],
  });
  expect((await signalbox(["inbox"], { cwd })).stdout).toContain("denied: Write, Bash (3×)");
});
