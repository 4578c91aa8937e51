import { expect, onTestFinished, test } from "vitest";
import { type Decision, decide } from "../../src/decisions/decide.ts";
import { Refusal } from "../../src/decisions/refusal.ts";
import { closeStore, type Store } from "../../src/decisions/store.ts";
import type { Draft } from "../../src/events/types/index.ts";
import { idFromKey } from "../../src/lib/ids.ts";
import { LogError } from "../../src/lib/log-error.ts";
import { addComment } from "../../src/operations/comments.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { ReadModel } from "../../src/read-model/read-model.ts";
import { ReadModelError } from "../../src/read-model/read-model-error.ts";
import { givenProject } from "./given.ts";

const comment = addComment({ task: 1, author: "human", body: "Nice." });
const elsewhere: Draft = {
  type: "comment.added",
  actor: "other",
  payload: { task: 1, author: "other", body: "Wait." },
};

/** A decision during whose planning another process appends an event, this many times. */
function disturbed(store: Store, decision: Decision, times: number, draft: Draft = elsewhere) {
  const planned: number[] = [];
  const whenPlanned: Decision = {
    ...decision,
    plan(state) {
      planned.push(store.readModel.position());
      // The memory log appends at once; the promise only says so.
      if (planned.length <= times) void store.log.append([draft]);
      return decision.plan(state);
    },
  };
  return { decision: whenPlanned, planned };
}

const failureOf = (doing: Promise<unknown>) =>
  doing.then(
    () => undefined,
    (error: unknown) => error,
  );

test("a decision is planned again after each event that may have changed what it read", async () => {
  const { store, decides } = await givenProject();
  const head = await store.log.head();
  const moved: Draft = { type: "task.changed", actor: "other", payload: { task: 2, title: "Other" } };
  const { decision, planned } = disturbed(store, createTask({ title: "Four" }), 2, moved);
  const events = await decides(decision);
  expect(planned).toEqual([head, head + 1, head + 2]);
  expect(events.map(({ position }) => position)).toEqual([head + 3]);
});

test("a decision is planned once where what came meanwhile changes nothing that it read", async () => {
  const { store, decides } = await givenProject();
  const head = await store.log.head();
  const { decision, planned } = disturbed(store, createTask({ title: "Four" }), 1);
  const events = await decides(decision);
  expect(planned).toEqual([head]);
  expect(events.map(({ position }) => position)).toEqual([head + 2]);
});

test("a second plan sees the events that came between", async () => {
  const { store, decides } = await givenProject();
  const other: Draft = {
    type: "task.status_set",
    actor: "other",
    payload: { task: 1, status: "skipped" },
  };
  const statuses: (string | undefined)[] = [];
  const { decision } = disturbed(store, comment, 1, other);
  await decides({
    ...decision,
    plan(state) {
      statuses.push(state.tasks.get(1)?.status);
      return decision.plan(state);
    },
  });
  expect(statuses).toEqual(["needs_input", "skipped"]);
});

test("a decision gives up in the end where the log moves at every attempt", async () => {
  const { store } = await givenProject();
  let elapsed_ms = 500;
  const environment = {
    ...store.environment,
    elapsed_ms: () => elapsed_ms,
    jitter() {
      elapsed_ms += 1_000;
      return 0;
    },
  };
  const { decision, planned } = disturbed(store, comment, Number.POSITIVE_INFINITY);
  const failure = await failureOf(decide({ ...store, environment }, decision, { actor: "human" }));
  expect(failure).toBeInstanceOf(Refusal);
  expect(failure).toMatchObject({
    code: "contention",
    message: "The log kept changing for 10 seconds; try again.",
  });
  expect(planned).toHaveLength(10);
});

test("no decision is made while a projection is stopped", async () => {
  const { store, decides } = await givenProject();
  const [first] = store.readModel.checkpoints.list();
  const name = first?.name ?? "";
  store.readModel.checkpoints.stop(name, "position 3: it is afraid");
  const head = await store.log.head();
  const failure = await failureOf(decides(comment));
  expect(failure).toBeInstanceOf(ReadModelError);
  expect(failure).toMatchObject({
    code: "stopped",
    message:
      `Projection "${name}" stopped at position 3: it is afraid. No decision can be checked until it runs again: ` +
      "update signalbox, then run `signalbox rebuild`.",
  });
  expect(await store.log.head()).toBe(head);
});

test("a decision sent twice at once under a key is made once", async () => {
  const { store, decides } = await givenProject();
  const head = await store.log.head();
  const [one, other] = await Promise.all([decides(comment, "k-1"), decides(comment, "k-1")]);
  expect(one).toEqual(other);
  expect(await store.log.head()).toBe(head + 1);
});

test("a key that another decision takes during the planning was used for that one", async () => {
  const { store, decides } = await givenProject();
  const head = await store.log.head();
  const { decision, planned } = disturbed(store, comment, 1, { ...elsewhere, id: idFromKey("k-1", "0") });
  const failure = await failureOf(decides(decision, "k-1"));
  expect(failure).toBeInstanceOf(LogError);
  expect(failure).toMatchObject({
    code: "id_conflict",
    message: `The key "k-1" was already used for another decision, at position ${head + 1}. A new decision needs a new key.`,
  });
  expect(planned).toHaveLength(1);
});

test("an invalid event is reported with the log's message, and not retried", async () => {
  const { store, decides } = await givenProject();
  const { decision, planned } = disturbed(store, addComment({ task: 1, author: "human", body: " " }), 0);
  await expect(decides(decision)).rejects.toMatchObject({ name: "LogError", code: "invalid_event" });
  expect(planned).toHaveLength(1);
});

test("the read model shows the decision, and one that is sent again", async () => {
  const { store, decides } = await givenProject();
  const [event] = await decides(comment, "k-1");
  expect(store.readModel.position()).toBe(event?.position);
  const empty = { ...store, readModel: new ReadModel(":memory:") };
  onTestFinished(() => empty.readModel.close());
  await decide(empty, comment, { actor: "human", key: "k-1" });
  expect(empty.readModel.position()).toBe(event?.position);
});

test("the actor is who decides", async () => {
  const { store } = await givenProject();
  const [event] = await decide(store, comment, { actor: "somebody" });
  expect(event?.actor).toBe("somebody");
});

test("after closing, neither the log nor the read model is of use", async () => {
  const { store } = await givenProject();
  await closeStore(store);
  await expect(store.log.head()).rejects.toMatchObject({ code: "closed" });
  expect(() => store.readModel.position()).toThrow();
});

test("a decision is answered with its own first event, typed", async () => {
  const { store } = await givenProject();
  const [created, ...others] = await decide(store, createTask({ title: "Four" }), { actor: "human" });
  const { task }: { task: number } = created.payload;
  expect({ type: created.type, task, others }).toEqual({ type: "task.created", task: 4, others: [] });
});

test("a decision whose plan starts with another event type is our bug, and records nothing", async () => {
  const { store, decides } = await givenProject();
  const head = await store.log.head();
  const wrong: Decision = { ...createTask({ title: "Four" }), plan: comment.plan };
  await expect(decides(wrong)).rejects.toThrow(
    "The first event of the decision task.created is comment.added",
  );
  await expect(decides({ ...wrong, plan: () => [] })).rejects.toThrow("is undefined");
  expect(await store.log.head()).toBe(head);
});
