import { expect, test } from "vitest";
import { recordSignal, reportState } from "../../src/decisions/rules/reports.ts";
import { stateOf } from "../../src/decisions/state.ts";
import type { ReportedState } from "../../src/events/types/sessions.ts";
import { idFromKey } from "../../src/lib/ids.ts";
import { endSession, startSession } from "../../src/operations/sessions.ts";
import { givenProject } from "./given.ts";

const reporter = { task: 2, session: "s-2", actor: "agent" };
const idOf = (key: string) => idFromKey("report", key);

/** A project in which session s-2 of task 2 is open. */
async function givenOpen() {
  const given = await givenProject();
  await given.does(startSession({ task: 2, session: "s-2", force: true }));
  const reports = (state: ReportedState, key: string, metadata?: Record<string, unknown>) =>
    reportState(given.store, reporter, { state, id: idOf(key), metadata });
  return { ...given, reports };
}

test("a signal is recorded with its session, and empty or absent fields are left out", async () => {
  const { store } = await givenOpen();
  const args = { question: "Tabs?", blocking: true, options: [], preferred: undefined };
  const head = await store.log.head();
  const { outcome, events } = await recordSignal(store, reporter, { verb: "ask", args, id: idOf("a") });
  expect(outcome).toBe("appended");
  expect(events).toEqual([
    expect.objectContaining({
      id: idOf("a"),
      type: "signal.ask",
      actor: "agent",
      correlation: "s-2",
      position: head + 1,
      payload: { question: "Tabs?", blocking: true, task: 2, session: "s-2" },
    }),
  ]);
});

test("the same signal sent again is not recorded twice, and another under its id is refused", async () => {
  const { store } = await givenOpen();
  const signal = { verb: "stuck", args: { reason: "No host." }, id: idOf("a") } as const;
  const first = await recordSignal(store, reporter, signal);
  const { outcome, events } = await recordSignal(store, reporter, signal);
  expect({ outcome, events }).toEqual({ outcome: "appended_before", events: first.events });
  const other = recordSignal(store, reporter, { ...signal, args: { reason: "No time." } });
  await expect(other).rejects.toMatchObject({ name: "LogError", code: "id_conflict" });
});

test("a report says which state was left, and whether the step is irregular", async () => {
  const { reports } = await givenOpen();
  expect([
    await reports("analyzing", "1"),
    await reports("implementing", "2"),
    await reports("reviewing", "3"),
    await reports("testing", "4"),
  ]).toMatchObject([
    { previousState: "idle", newState: "analyzing", irregular: false },
    { previousState: "analyzing", newState: "implementing", irregular: false },
    { previousState: "implementing", newState: "reviewing", irregular: true },
    { previousState: "reviewing", newState: "testing", irregular: true },
  ]);
});

test.each([[{ files: ["a.ts"] }], [undefined]])(
  "a report is recorded with its extra fields: %o",
  async (metadata) => {
    const { store, reports } = await givenOpen();
    const head = await store.log.head();
    const { transitionedAt } = await reports("analyzing", "1", metadata);
    const [event, ...more] = await store.log.read(head, 10);
    expect(more).toEqual([]);
    expect(event).toMatchObject({
      id: idOf("1"),
      type: "session.state_reported",
      actor: "agent",
      correlation: "s-2",
      recordedAt: transitionedAt,
    });
    expect(event?.payload).toEqual({
      session: "s-2",
      state: "analyzing",
      ...(metadata && { metadata }),
    });
  },
);

test("a repeated report gets the first answer, even after the session has moved on or ended", async () => {
  const { store, reports, does } = await givenOpen();
  const first = await reports("implementing", "1");
  const second = await reports("testing", "2");
  expect(first).toMatchObject({ previousState: "idle", irregular: true });
  await does(endSession({ session: "s-2", exit: "exited" }));
  const head = await store.log.head();
  expect(await reports("implementing", "1")).toEqual(first);
  expect(await reports("testing", "2")).toEqual(second);
  expect(await store.log.head()).toBe(head);
});

test("another report under a known id is refused", async () => {
  const { reports } = await givenOpen();
  await reports("analyzing", "1");
  await expect(reports("testing", "1")).rejects.toMatchObject({ name: "LogError", code: "id_conflict" });
});

test("an illegal report is thrown as the log says it", async () => {
  const { reports } = await givenOpen();
  const illegal = reports("analyzing", "1", { files: [1] });
  await expect(illegal).rejects.toMatchObject({ name: "LogError", code: "invalid_event" });
});

test("the second of two simultaneous reports follows the first", async () => {
  const { store, reports } = await givenOpen();
  const both = await Promise.all([reports("analyzing", "1"), reports("implementing", "2")]);
  expect(both).toMatchObject([
    { previousState: "idle", newState: "analyzing", irregular: false },
    { previousState: "analyzing", newState: "implementing", irregular: false },
  ]);
  const events = await store.log.readStream("session-s-2", 0, 100);
  expect(events.filter(({ type }) => type === "session.state_reported")).toHaveLength(2);
});

test("reports of two sessions do not mix", async () => {
  const { store, reports, does } = await givenOpen();
  await does(startSession({ task: 1, session: "s-0", force: true }));
  await reports("analyzing", "1");
  const other = { task: 1, session: "s-0", actor: "agent" };
  const first = await reportState(store, other, { state: "implementing", id: idOf("2") });
  expect(first).toMatchObject({ previousState: "idle", irregular: true });
  expect(await reportState(store, other, { state: "implementing", id: idOf("2") })).toEqual(first);
  expect(stateOf(store.readModel).sessions.get("s-2")?.current_state).toBe("analyzing");
});

test("a session that was never started has no state to report", async () => {
  const { store } = await givenOpen();
  const head = await store.log.head();
  const report = reportState(store, { ...reporter, session: "s-9" }, { state: "analyzing", id: idOf("1") });
  await expect(report).rejects.toMatchObject({
    name: "Refusal",
    code: "not_found",
    message: "Session s-9 never started, so it has no state to change.",
  });
  expect(await store.log.head()).toBe(head);
});

test("a session that has ended keeps its last state", async () => {
  const { store, reports, does } = await givenOpen();
  await does(endSession({ session: "s-2", exit: "timed_out" }));
  const head = await store.log.head();
  await expect(reports("analyzing", "1")).rejects.toMatchObject({
    name: "Refusal",
    code: "session_ended",
    message: "Session s-2 has ended (timed_out); its state can no longer change.",
  });
  expect(await store.log.head()).toBe(head);
});
