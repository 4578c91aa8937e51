import { expect, test } from "vitest";
import type { Decision } from "../../src/decisions/decide.ts";
import { idFromKey } from "../../src/lib/ids.ts";
import { LogError } from "../../src/lib/log-error.ts";
import { addComment } from "../../src/operations/comments.ts";
import { catalogueCases } from "./catalogue-cases.ts";
import { gateCases } from "./gate-cases.ts";
import { type Given, givenProject } from "./given.ts";
import { noteCases } from "./note-cases.ts";
import { runCases } from "./run-cases.ts";
import { workCases } from "./work-cases.ts";

const cases = [...catalogueCases, ...workCases, ...runCases, ...noteCases, ...gateCases];

const failureOf = (doing: Promise<unknown>) =>
  doing.then(
    () => undefined,
    (error: unknown) => error,
  );

async function commentBodies({ store }: Given): Promise<unknown[]> {
  const events = await store.log.read(0, 1_000);
  return events.flatMap(({ type, payload }) =>
    type === "comment.added" && "body" in payload ? [payload.body] : [],
  );
}

test.each(cases)("$what, repeated under its key, gets the first answer", async (one) => {
  const { store, does, decides } = await givenProject();
  await does(...(one.before ?? []));
  const { asked } = one;
  const first = await decides(asked, "k-1");
  const head = await store.log.head();
  expect(first).toHaveLength(1);
  expect(await decides(asked, "k-1")).toEqual(first);
  expect(await store.log.head()).toBe(head);
});

test.each(cases)("$what needs a new key for another request", async (one) => {
  const { store, does, decides } = await givenProject();
  await does(...(one.before ?? []));
  const [first] = await decides(one.asked, "k-1");
  const head = await store.log.head();
  for (const other of one.others) {
    const failure = await failureOf(decides(other, "k-1"));
    expect(failure).toBeInstanceOf(LogError);
    expect(failure).toMatchObject({
      code: "id_conflict",
      message: `The key "k-1" was already used for another decision, at position ${first?.position}. A new decision needs a new key.`,
    });
  }
  expect(await store.log.head()).toBe(head);
});

const comment = addComment({ task: 1, author: "human", body: "Nice." });

test("the same decision under two keys, or without one, is made each time", async () => {
  const given = await givenProject();
  for (const key of ["k-1", "k-2", undefined, undefined]) await given.decides(comment, key);
  expect(await commentBodies(given)).toEqual(["Nice.", "Nice.", "Nice.", "Nice."]);
});

test("the event's id derives from the key, and its causation from the whole request", async () => {
  const { decides } = await givenProject();
  const [event] = await decides(comment, "k-1");
  expect(event).toMatchObject({
    id: idFromKey("k-1", "0"),
    causation: idFromKey("command", "comment.added", '{"task":1,"author":"human","body":"Nice."}'),
  });
});

test("a decision of several events is answered with all of them, in order", async () => {
  const { decides } = await givenProject();
  const both: Decision = {
    ...comment,
    plan: (state) => [comment, comment].flatMap((one) => one.plan(state)),
  };
  const first = await decides(both, "k-1");
  expect(first.map(({ id }) => id)).toEqual([idFromKey("k-1", "0"), idFromKey("k-1", "1")]);
  expect(await decides(both, "k-1")).toEqual(first);
});
