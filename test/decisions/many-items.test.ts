import { expect, test } from "vitest";
import { decide } from "../../src/decisions/decide.ts";
import { Refusal } from "../../src/decisions/refusal.ts";
import { createGeneral } from "../../src/operations/general.ts";
import { actOnItem } from "../../src/operations/inbox-acts.ts";
import { acknowledgeFlag } from "../../src/operations/inbox-flags.ts";
import { approveItem, rejectItem } from "../../src/operations/inbox-proposals.ts";
import { undo } from "../../src/operations/inbox-undo.ts";
import { endSession, startSession } from "../../src/operations/sessions.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { countInbox, listInbox } from "../../src/queries/inbox.ts";
import { undoableActs } from "../../src/queries/undoable-acts.ts";
import { givenStore } from "./given.ts";

const agent = "agent";
const suggest = (what: string) => ({
  session: "s-1",
  task: 1,
  verb: "suggest" as const,
  args: { what, kind: "new_task", why: "It was asked for." },
});
const flag = (what: string) => ({
  session: "s-1",
  task: 1,
  verb: "flag" as const,
  args: { what, severity: "blocking", category: "bug" },
});

/** Proposals at 5 to 7, which became tasks 2 to 4, flags at 8 and 9, and a gate that an agent declared. */
async function givenMany() {
  const given = givenStore();
  await given.does(
    createGeneral(),
    createTask({ title: "One" }),
    startSession({ task: 1, session: "s-1" }),
    ...["CSV", "XML", "JSON"].map(suggest),
    ...["Prices are floats", "No index"].map(flag),
    endSession({ session: "s-1", exit: "exited" }),
  );
  const gates = [{ command: "npm test", max: 1, timeout_s: 60 }];
  await decide(given.store, createTask({ title: "Checked", gates }), { actor: agent });
  return given;
}

const typesAfter = async ({ store }: Awaited<ReturnType<typeof givenMany>>, position: number) =>
  (await store.log.read(position, 100)).map(({ type }) => type);

test("several proposals are approved in one batch, and one undo takes all of them back", async () => {
  const given = await givenMany();
  const { decides, store } = given;
  const head = await store.log.head();
  await decides(approveItem({ id: 5, others: [6, 7] }), "key-1");
  await decides(approveItem({ id: 5, others: [6, 7] }), "key-1");
  expect(await typesAfter(given, head)).toEqual(Array(3).fill("suggestion.approved"));
  const [act, ...more] = undoableActs(store.readModel, 10);
  expect(more).toEqual([]);
  expect([act?.id, ...(act?.others ?? [])].toSorted()).toEqual([5, 6, 7]);
  await decides(undo({ id: 5, others: [6, 7] }));
  expect(undoableActs(store.readModel, 10)).toEqual([]);
  expect(listInbox(store.readModel, { kind: "proposal" }).map(({ id }) => id)).toEqual([5, 6, 7]);
});

test("a batch is refused as a whole if one item has changed, and the refusal names that item", async () => {
  const { decides, store } = await givenMany();
  await decides(rejectItem({ id: 6 }));
  const head = await store.log.head();
  const refused = decides(approveItem({ id: 5, others: [6, 7] }));
  await expect(refused).rejects.toThrow(/^Suggestion 6 is already rejected\./);
  await expect(refused).rejects.toBeInstanceOf(Refusal);
  expect(await store.log.head()).toBe(head);
});

test("an item that is named twice is acted on once", async () => {
  const given = await givenMany();
  const head = await given.store.log.head();
  await given.decides(acknowledgeFlag({ id: 8, others: [9, 8] }));
  expect(await typesAfter(given, head)).toEqual(["flag.acknowledged", "flag.acknowledged"]);
  expect(countInbox(given.store.readModel).kinds.map(({ kind }) => kind)).not.toContain("flag");
});

test("an item that the page names twice is acted on once, and each must belong to the task that was seen", async () => {
  const given = await givenMany();
  const head = await given.store.log.head();
  const act = { id: 5, kind: "proposal", task: 2, act: "approve" } as const;
  const others = [
    { id: 5, task: 2 },
    { id: 6, task: 3 },
  ];
  await expect(given.decides(actOnItem({ ...act, others: [{ id: 6, task: 4 }] }))).rejects.toThrow(
    "Item 6 belongs to task 1, not to task 4.",
  );
  expect(await typesAfter(given, head)).toEqual([]);
  await expect(given.decides(actOnItem({ ...act, task: null }))).rejects.toThrow("not to none");
  await given.decides(actOnItem({ ...act, others }));
  expect(await typesAfter(given, head)).toEqual(Array(2).fill("suggestion.approved"));
});

test("gates are never among several items: their commands must be read", async () => {
  const { decides, store } = await givenMany();
  const [{ id = 0 } = {}] = listInbox(store.readModel, { kind: "gate_approval" });
  await expect(decides(approveItem({ id: 5, others: [id] }))).rejects.toThrow(
    `${id} is a declaration of gates. Read their commands, and decide on it by itself.`,
  );
  const many = { id: 5, task: 2, others: [{ id: 6, task: 3 }] } as const;
  await decides(actOnItem({ ...many, kind: "proposal", act: "reject" }));
  expect(() => actOnItem({ id, kind: "gate_approval", task: 5, act: "approve", others: [many] })).toThrow(
    `"approve" is for one gate_approval at a time.`,
  );
});
