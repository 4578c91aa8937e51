import { expect, test } from "vitest";
import { openTestProject } from "../../adapters/testing/testing.ts";
import { decide } from "../../src/decisions/decide.ts";
import { planRedaction, takeRedaction } from "../../src/decisions/rules/redact.ts";
import type { Via } from "../../src/events/event.ts";
import { leavesAllButTexts } from "../../src/events/redaction/redact.ts";
import { viaInWords } from "../../src/events/types/via.ts";
import { matching } from "../../src/history/log/filter.ts";
import { createTask } from "../../src/operations/tasks.ts";

/*
 * Catches: an act that no longer says how it came once it is read, redacted or sent again; a redaction that changes that; a channel in the
 * payload that readers get; a channel that nobody has defined.
 */

const SECRET = "sk-live-7f3a9c0d";
const AT_TERMINAL: Via = { channel: "terminal", tty: "pts/3", program: "bash" };
const ON_PAGE: Via = { channel: "page" };

test("an act says how it came, beside its payload; one without a channel has no such field", async () => {
  await using project = await openTestProject();
  const [task] = await decide(project.store, createTask({ title: "One" }), {
    actor: "ada",
    via: AT_TERMINAL,
  });
  const [other] = await decide(project.store, createTask({ title: "Two" }), { actor: "driver" });
  expect(await project.log.read(2, 2)).toEqual([task, other]);
  expect(task).toMatchObject({ actor: "ada", via: AT_TERMINAL, payload: { title: "One" } });
  expect(task.payload).not.toHaveProperty("via");
  expect(other).not.toHaveProperty("via");
});

test("a redaction keeps how the act came, also a redaction of a redaction; it cannot change it", async () => {
  await using project = await openTestProject();
  const { store, log } = project;
  await decide(store, createTask({ title: "One", description: SECRET }), { actor: "ada", via: AT_TERMINAL });
  const redact = async (position: number, reason: string) =>
    takeRedaction(store, await planRedaction(store, { position, reason }), { actor: "bob", via: ON_PAGE });
  const first = await redact(3, `a key of ${AT_TERMINAL.program}`);
  await redact(first.position, "the reason says too much");
  const [task, redaction] = await log.read(2, 2);
  expect(task).toMatchObject({ redacted: 4, via: AT_TERMINAL });
  expect(JSON.stringify(task)).not.toContain(SECRET);
  expect(redaction).toMatchObject({ actor: "bob", redacted: 5, via: ON_PAGE });

  await decide(store, createTask({ title: "Two", description: SECRET }), { actor: "ada", via: AT_TERMINAL });
  const { decision } = await planRedaction(store, { position: 6, reason: "its key is live" });
  const forged = {
    ...decision,
    plan: (state: Parameters<typeof decision.plan>[0]) =>
      decision.plan(state).map((event) => {
        const { kept, ...payload } = event.payload as { readonly kept: object };
        return {
          ...event,
          payload: { ...payload, kept: { ...kept, via: ON_PAGE } },
        } as unknown as typeof event;
      }),
  };
  await expect(decide(store, forged, { actor: "bob" })).rejects.toThrow("it may only remove free texts");
});

test("what is left of an act is not another act's, by another way or by none", () => {
  const whole = { payload: { task: 1 }, via: AT_TERMINAL };
  expect(leavesAllButTexts("task.accepted", whole, whole)).toBe(true);
  expect(leavesAllButTexts("task.accepted", { ...whole, via: ON_PAGE }, whole)).toBe(false);
  expect(leavesAllButTexts("task.accepted", { payload: whole.payload }, whole)).toBe(false);
});

test("an act sent again another way is the same act, and the first way stays", async () => {
  await using project = await openTestProject();
  const event = { id: "0190d9a0-0000-7000-8000-000000000001", type: "task.created", actor: "ada" } as const;
  const [task] = await decide(project.store, createTask({ title: "One" }), { actor: "ada" });
  const again = { ...event, payload: { ...task.payload, task: 2 } };
  await project.log.append([{ ...again, via: AT_TERMINAL }]);
  expect((await project.log.append([{ ...again, via: ON_PAGE }])).events).toMatchObject([
    { via: AT_TERMINAL },
  ]);
});

test("a channel that there is not is refused, and so is a text of it without end", async () => {
  await using project = await openTestProject();
  for (const via of [{ channel: "telepathy" }, { channel: "page", program: "x".repeat(101) }])
    await expect(
      decide(project.store, createTask({ title: "One" }), { actor: "ada", via: via as Via }),
    ).rejects.toThrow("via must be a channel (terminal, page, notice, tracker, program)");
});

test("acts of humans are those of people, and those that came by a channel", async () => {
  await using project = await openTestProject({ actor: "driver" });
  const by = async (actor: string, via?: Via) =>
    (await decide(project.store, createTask({ title: "One" }), { actor, via }))[0];
  const isHumans = matching({ humans: true }, () => ({}) as never);
  const events = [
    await by("ada"),
    await by("driver:night"),
    await by("agent"),
    await by("program:importer", { channel: "program", program: "importer" }),
    // A stranger's act, and one of the people.
    await by("github"),
    await by("github", { channel: "tracker", program: "github" }),
  ];
  expect(events.map(isHumans)).toEqual([true, false, false, true, false, true]);
});

test.each([
  [AT_TERMINAL, "terminal pts/3, bash"],
  [ON_PAGE, "page"],
  [{ channel: "notice", program: "slack" } as const, "notice slack"],
  [{ channel: "terminal", tty: "pts/3" } as const, "terminal pts/3"],
])("%j in words is %s", (via, words) => {
  expect(viaInWords(via)).toBe(words);
});
