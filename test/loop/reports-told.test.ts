import { NEVER } from "rxjs";
import { expect, test, vi } from "vitest";
import { recordSignal } from "../../src/decisions/rules/reports.ts";
import { loopHere } from "./loop-here.ts";

test("an agent's reports are shown even if it ends before any notice of the log arrives", async () => {
  const { project, run } = await loopHere();
  const decide = project.decide.bind(project);
  vi.spyOn(project, "follow").mockReturnValue(NEVER);
  vi.spyOn(project, "decide").mockImplementation(async (decision, key) => {
    const events = await decide(decision, key);
    const [first] = events;
    if (first?.type === "session.started") {
      const { task, session } = first.payload;
      const signal = {
        verb: "done",
        args: { summary: "Exported." },
        id: first.id.replace(/^./, "f"),
      } as const;
      await recordSignal(project.store, { task: task ?? 0, session, actor: "agent" }, signal);
    }
    return events;
  });
  const { steps } = await run();
  expect(steps.filter(({ step }) => step === "reported")).toMatchObject([
    { type: "signal.done", text: expect.stringContaining("Exported.") },
  ]);
});
