import { expect, test } from "vitest";
import type { Draft } from "../../src/events/types/index.ts";
import { renderLearnings } from "../../src/workspace/state-files/render-learnings.ts";
import { renderProgress } from "../../src/workspace/state-files/render-progress.ts";
import { reduced, task } from "../projections/loop-drafts.ts";

/* Catches: a note that is nowhere to be read, notes that grow without end, a note that passes for a section. */

const noted = (text: string, actor = "agent"): Draft<"progress.noted"> => ({
  type: "progress.noted",
  actor,
  payload: { text },
});

const bodyOf = (text: string) => text.slice(text.indexOf("Tasks: "));

test("progress.txt ends with the notes, the newest last", async () => {
  const readModel = await reduced(task(1), noted("Half.\n## Done\nSo much.", "human"), noted("All of it."));
  expect(bodyOf(renderProgress(readModel))).toBe(`Tasks: 1 pending

## Open

#1 Task 1 (pending)

## Notes

2026-02-11 10:23 UTC, human
  Half.
  ## Done
  So much.
2026-02-11 10:23 UTC, agent
  All of it.
`);
});

test("of many notes the last 50 are there, and how many are older", async () => {
  const notes = Array.from({ length: 52 }, (_, index) => noted(`Note ${index + 1}.`));
  const text = renderProgress(await reduced(...notes));
  expect(text.match(/ {2}Note \d+/g)).toEqual(
    Array.from({ length: 50 }, (_, index) => `  Note ${index + 3}`),
  );
  expect(text).toContain("## Notes\n\n(2 older ones are in the log.)\n2026-");
  expect(renderProgress(await reduced(...notes.slice(1)))).toContain("(1 older one is in the log.)");
  expect(renderProgress(await reduced(...notes.slice(2)))).not.toContain("older");
});

test("the same log renders to the same bytes", async () => {
  const events = [task(1), noted("One."), noted("Two.")];
  expect(renderProgress(await reduced(...events))).toBe(renderProgress(await reduced(...events)));
});

test("learnings.txt has the learnings added without a session, with or without a feature and a task", async () => {
  const added = (payload: Partial<Draft<"learning.added">["payload"]>): Draft<"learning.added"> => ({
    type: "learning.added",
    actor: "human",
    payload: { text: "Times are in UTC.", kind: "convention", source: "human", ...payload },
  });
  const readModel = await reduced(
    task(1, { feature: "reports" }),
    added({}),
    added({ text: "times are in utc" }),
    added({ feature: "audit", text: "Hashes are hex.", reason: "So they can be read." }),
    added({ text: "Logs are JSON.", task: 1 }),
  );
  const text = renderLearnings(readModel);
  expect(text.slice(text.indexOf("## "))).toBe(`## The project

- (convention) Logs are JSON.
- (convention, confirmed 2 times) Times are in UTC.

## Feature audit

- (convention) Hashes are hex.
  Why: So they can be read.
`);
});

test("of many tasks the last 2,000 that are done and the first 2,000 that are open are there, and how many more", async () => {
  const ids = Array.from({ length: 2_001 }, (_, index) => index + 1);
  const done = ids.map((id) => task(id, { status: "done" }));
  const open = ids.map((id) => task(2_001 + id));
  const text = renderProgress(await reduced(...done, ...open));
  expect(text.match(/^#\d+/gm)).toEqual([
    ...ids.slice(1).map((id) => `#${id}`),
    ...ids.slice(0, 2_000).map((id) => `#${2_001 + id}`),
  ]);
  expect(text).toContain("## Done\n\n(1 earlier: `signalbox task list --status done`.)\n#2 ");
  expect(text).toContain("## Open\n\n(1 more: `signalbox task list`.)\n#2002 ");
});
