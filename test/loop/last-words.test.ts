import { expect, test } from "vitest";
import type { PayloadOf } from "../../src/events/types/index.ts";
import { whySession } from "../../src/history/why/why-session.ts";
import { endSession, startSession } from "../../src/operations/sessions.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { type Given, givenProject } from "./given.ts";

/* Catches: an agent whose client denied it something, or that only talked, of whom neither the next one nor the human hears. */
const WORDS = {
  last_words: "I may not write\nthe file.",
  denied: [
    { tool: "Write", times: 1 },
    { tool: "Bash", times: 3 },
  ],
};

async function givenSession(ended: Partial<PayloadOf<"agent.ended">>, exit: "exited" | "cancelled") {
  const given = await givenProject();
  await given.decides(createTask({ title: "Export", feature: "core", discipline: "backend" }));
  await given.decides(startSession({ task: 1, session: "s-1" }));
  await given.appends({
    type: "agent.ended",
    actor: "driver",
    payload: { session: "s-1", exit_code: 0, ...ended },
  });
  await given.decides(endSession({ session: "s-1", exit }));
  return given;
}

const reasons = ({ store }: Given) => whySession(store.readModel, store.log, "s-1");

test.each(["exited", "cancelled"] as const)(
  "after a session without a closing verb that %s, its last message and its denied tools are in the next prompt and in why",
  async (exit) => {
    const given = await givenSession(WORDS, exit);
    const { text, positions } = given.prompt(1);
    expect(text).toContain("Its client did not let it use Write, Bash (3×).");
    expect(text).toContain("> I may not write\n> the file.");
    const told = (await reasons(given))?.events.find(({ type }) => type === "agent.ended");
    expect(told?.text).toContain("denied: Write, Bash (3×)");
    expect(told?.text).toContain("I may not write the file.");
    expect(positions).toContain(told?.position);
  },
);

test("without denials and last message, neither is there", async () => {
  const given = await givenSession({}, "cancelled");
  expect(given.prompt(1).text).not.toContain("last words");
  expect((await reasons(given))?.events.map(({ type }) => type)).not.toContain("agent.ended");
});
