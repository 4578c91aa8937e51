import { expect, test } from "vitest";
import { lookAt } from "../../../src/cli/watch/live.ts";
import { perform } from "../../../src/cli/watch/perform.ts";
import { initialState, itemsOf, type WatchState } from "../../../src/cli/watch/state.ts";
import { decide } from "../../../src/decisions/decide.ts";
import {
  createTask,
  dismissItem,
  endSession,
  type Project,
  recordGateAttempt,
  startSession,
} from "../../../src/index.ts";
import type { InboxItem } from "../../../src/queries/inbox-item.ts";
import { freshProject } from "../../support/project.ts";
import { afterKeys } from "./given.ts";
import { givenQuestion, says } from "./given-project.ts";

/** A project whose inbox has one item, of a kind. */
async function givenInboxOf(kind: InboxItem["kind"]): Promise<Project> {
  if (kind === "question") return (await givenQuestion()).project;
  const { project } = await freshProject();
  if (kind === "gate_approval") {
    const gates = [{ command: "npm test", max: 1, timeout_s: 30 }];
    await decide(project.store, createTask({ title: "Export", gates }), { actor: "agent" });
    return project;
  }
  const gates = kind === "gate" ? [{ command: "npm test", max: 1, timeout_s: 30 }] : [];
  await project.decide(
    createTask({ title: "Export", accept: kind === "acceptance" ? "human" : "auto", gates }),
  );
  await project.decide(startSession({ task: 1, session: "s-1" }));
  if (kind === "blocker") await says(project, "s-1", "blocked", { on: "The licence key", kind: "external" });
  if (kind === "proposal") {
    await says(project, "s-1", "suggest", { what: "Import", kind: "new_task", why: "Asked for." });
  }
  if (kind === "flag") {
    await says(project, "s-1", "flag", { what: "Prices are floats", severity: "blocking", category: "bug" });
  }
  if (kind === "gate") await project.decide(recordGateAttempt({ task: 1, gate: 1, exit_code: 1 }));
  await says(project, "s-1", "done", { summary: "All of it." });
  if (kind === "blocker") await says(project, "s-1", "partial", { summary: "Some.", remaining: "The rest." });
  await project.decide(endSession({ session: "s-1", exit: "exited" }));
  return project;
}

/** The view after keys that ask for one act or undo, once it is taken. */
async function acting(project: Project, state: WatchState, ...keys: readonly string[]): Promise<WatchState> {
  const { state: pressed, effect } = afterKeys(state, ...keys);
  if (effect?.kind !== "act" && effect?.kind !== "undo") throw new Error("an act was expected");
  const change = await perform(project, effect);
  return change(pressed);
}

test.each([
  ["question", ["a", ..."Tabs.", "enter"], "question.answered at #8; task 1 is pending."],
  ["question", ["2"], "question.answered at #8; task 1 is pending."],
  ["question", ["x"], "question.dismissed at #8; task 1 is pending."],
  ["blocker", ["r"], "blocker.resolved at #9; task 1 is pending."],
  ["blocker", ["x"], "blocker.dismissed at #9; task 1 is pending."],
  ["proposal", ["a"], "suggestion.approved at #8; task 2 is pending."],
  ["proposal", ["x"], "suggestion.rejected at #8; task 2 is skipped."],
  ["flag", ["a"], "flag.acknowledged at #8; task 1 is done."],
  ["gate_approval", ["a", "a"], "gate.approved at #4; task 1 is pending."],
  ["gate_approval", ["x"], "gate.rejected at #4; task 1 is pending."],
  ["gate", ["t"], "gate.acted at #8; task 1 is pending."],
  ["gate", ["s"], "gate.acted at #8; task 1 is done."],
  ["gate", ["b"], "gate.acted at #8; task 1 is failed."],
  ["acceptance", ["a"], "task.accepted at #7; task 1 is done."],
  ["acceptance", ["x", ..."No header.", "enter"], "task.sent_back at #7; task 1 is pending."],
] as const)("on a %s the keys %j are recorded: %s", async (kind, keys, said) => {
  const project = await givenInboxOf(kind);
  const before = initialState(await lookAt(project));
  expect(itemsOf(before).map((item) => item.kind)).toEqual([kind]);
  const after = await acting(project, before, ...keys);
  expect(after.message).toEqual({ tone: "good", text: said });
  expect(itemsOf(after)).toEqual([]);
});

test.each([
  ["question", "1"],
  ["question", "x"],
  ["blocker", "r"],
  ["proposal", "a"],
  ["proposal", "x"],
  ["flag", "a"],
  ["gate_approval", "x"],
] as const)("z undoes an act on a %s with %s", async (kind, key) => {
  const project = await givenInboxOf(kind);
  const before = initialState(await lookAt(project));
  const after = await acting(project, await acting(project, before, key), "z");
  expect(after.message).toMatchObject({ tone: "good", text: expect.stringMatching(/\.reopened at #/) });
  expect(itemsOf(after)).toEqual(itemsOf(before));
});

test("an act on an item that someone else has decided is refused with the reason", async () => {
  const project = await givenInboxOf("question");
  const before = initialState(await lookAt(project));
  await project.decide(dismissItem({ id: 5 }));
  const after = await acting(project, before, "1");
  expect(after.message).toEqual({
    tone: "bad",
    text: "Question 5 is already dismissed. To undo that, run `signalbox inbox undo 5`.",
  });
});

test("an answer that is too long is refused, and the draft is kept", async () => {
  const project = await givenInboxOf("question");
  const before = initialState(await lookAt(project));
  const long = { name: "paste", text: "x".repeat(200_000) };
  const { state, effect } = afterKeys(before, "a", long, "enter");
  if (effect?.kind !== "act") throw new Error("an act was expected");
  const head = await project.log.head();
  const after = (await perform(project, { ...effect, text: long.text }))(state);
  expect(after.message?.tone).toBe("bad");
  expect(itemsOf(after)).toHaveLength(1);
  expect([...after.drafts.values()].join("").length).toBeGreaterThan(1_000);
  expect(await project.log.head()).toBe(head);
});
