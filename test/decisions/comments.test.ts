import { expect, test } from "vitest";
import { type Decision, decide } from "../../src/decisions/decide.ts";
import { addComment, changeComment, deleteComment } from "../../src/operations/comments.ts";
import { listComments } from "../../src/queries/comments.ts";
import { givenProject } from "./given.ts";
import { FIRST } from "./note-cases.ts";

/* Catches: a human's words that an agent rewrites or takes away; a human who cannot correct an agent. */

const written = addComment({ task: 1, author: "backend", body: "Nice." });
const changed = changeComment({ task: 1, comment: FIRST, body: "Well." });
const deleted = deleteComment({ task: 1, comment: FIRST });

async function givenComment(writer: string) {
  const { store } = await givenProject();
  const by = (actor: string, decision: Decision) => decide(store, decision, { actor });
  await by(writer, written);
  return { by, store, comments: () => listComments(store.readModel, 1) };
}

test.each([
  ["changes", changed],
  ["deletes", deleted],
])("an agent never %s a human's words", async (_does, decision) => {
  const { by, store } = await givenComment("human");
  const head = await store.log.head();
  await expect(by("agent", decision)).rejects.toMatchObject({
    code: "not_possible",
    message:
      "Comment 11 was written by backend. An agent can change or delete only the comments of agents: add one of your own.",
  });
  expect(await store.log.head()).toBe(head);
});

test.each([
  ["agent", "agent"],
  ["agent", "human"],
  ["human", "ada"],
  ["driver", "human"],
])("what %s wrote, %s changes and deletes", async (writer, other) => {
  const { by, comments } = await givenComment(writer);
  await by(other, changed);
  expect(comments()).toMatchObject([{ id: FIRST, body: "Well.", actor: other }]);
  await by(other, deleted);
  expect(comments()).toEqual([]);
});

test("an agent's words that a human changed are a human's from then on", async () => {
  const { by, comments } = await givenComment("agent");
  await by("human", changed);
  expect(comments()).toMatchObject([{ author: "human", actor: "human" }]);
  for (const decision of [changed, deleted])
    await expect(by("agent", decision)).rejects.toMatchObject({ code: "not_possible" });
});

test("for an agent, a missing comment is reported before its ownership", async () => {
  const { by } = await givenComment("human");
  await expect(by("agent", deleteComment({ task: 1, comment: 99 }))).rejects.toMatchObject({
    code: "not_found",
  });
});
