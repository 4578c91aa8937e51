import { expect, test } from "vitest";
import type { Draft } from "../../src/events/types/index.ts";
import { costSince } from "../../src/queries/costs.ts";
import { overview } from "../../src/queries/overview.ts";
import { runningSessions } from "../../src/queries/running-sessions.ts";
import { ask, event, flag } from "./board/history.ts";
import { givenReduced } from "./given.ts";
import { end, start, task } from "./loop-drafts.ts";

const started = (session: string, task: number) => start(task, session, "d-1");
const cost = (session: string, cost_usd?: number) =>
  event("agent.ended", { session, exit_code: 0, ...(cost_usd !== undefined && { cost_usd }) }, "driver");
const files = (session: string, task: number, ...paths: string[]) =>
  event("workspace.reported", { session, task, files: paths, more: 0 }, "driver");
const loop = (driver: string, jobs: number) =>
  event("loop.started", { driver, agent: "claude", jobs }, "driver");

async function givenReadModel(...events: readonly Draft[]) {
  const { readModel, log } = await givenReduced(events);
  return { readModel, stored: await log.read(0, 100) };
}

test("a running session is shown with its phase, its last signal, and what its agent has used", async () => {
  const { readModel, stored } = await givenReadModel(
    task(7),
    started("s-1", 7),
    event("agent.started", { session: "s-1", agent: "claude", model: "m-1", server: "connected" }, "driver"),
    event("session.state_reported", { session: "s-1", state: "analyzing" }, "agent"),
    event("session.state_reported", { session: "s-1", state: "testing" }, "agent"),
    flag({ task: 7 }),
    ask({ task: 7, question: "Why?", blocking: false }),
    event("agent.progressed", { session: "s-1", turns: 3, input_tokens: 10 }, "driver"),
  );
  const at = (position: number) => stored[position - 1]?.recordedAt;
  expect(runningSessions(readModel)).toEqual([
    {
      session: "s-1",
      task: 7,
      task_title: "Task 7",
      state: "testing",
      entered_at: at(5),
      phases: [
        { state: "idle", entered_at: at(2) },
        { state: "analyzing", entered_at: at(4) },
        { state: "testing", entered_at: at(5) },
      ],
      irregular: 1,
      signals: 2,
      driver: "d-1",
      last_verb: "ask",
      last_text: "Why?",
      agent: "claude",
      model: "m-1",
      turns: 3,
      input_tokens: 10,
      output_tokens: null,
      cost_micro_usd: null,
    },
  ]);
});

test("ended sessions are left out; running ones are ordered by start", async () => {
  const { readModel } = await givenReadModel(
    ...[1, 2, 3].map((id) => task(id)),
    started("s-9", 1),
    started("s-5", 2),
    started("s-7", 3),
    end("s-5"),
  );
  expect(runningSessions(readModel).map(({ session }) => session)).toEqual(["s-9", "s-7"]);
});

test("a cost sum covers the sessions ended since a time and the running ones, and counts those of unknown cost", async () => {
  const { readModel, stored } = await givenReadModel(
    ...[1, 2, 3, 4].map((id) => task(id)),
    started("early", 1),
    cost("early", 5),
    end("early"),
    started("told", 2),
    cost("told", 0.25),
    end("told"),
    started("silent", 3),
    cost("silent"),
    end("silent"),
    started("running", 4),
  );
  const endOf = (session: string) =>
    (
      stored.find((event) => event.type === "session.ended" && event.payload.session === session)
        ?.recordedAt ?? ""
    )
      .replace("T", " ")
      .slice(0, -1);
  expect(costSince(readModel, endOf("told"))).toEqual({ cost_micro_usd: 250_000, sessions: 3, unknown: 2 });
  expect(costSince(readModel, endOf("early"))).toEqual({
    cost_micro_usd: 5_250_000,
    sessions: 4,
    unknown: 2,
  });
  expect(costSince(readModel, "2999")).toEqual({ cost_micro_usd: null, sessions: 1, unknown: 1 });
});

test("an overview is consistent as of one position: counts, overlaps, running loops", async () => {
  const { readModel } = await givenReadModel(
    ...[1, 2, 3].map((id) => task(id)),
    loop("d-0", 1),
    event("loop.stopped", { driver: "d-0", ending: "once", reason: "once", sessions: 0 }, "driver"),
    loop("d-1", 2),
    started("s-1", 1),
    started("s-2", 2),
    files("s-1", 1, "a.ts", "b.ts"),
    files("s-2", 2, "b.ts", "c.ts"),
  );
  expect(overview(readModel, "")).toMatchObject({
    position: 10,
    sessions: [{ session: "s-1" }, { session: "s-2" }],
    counts: { pending: 1, in_progress: 2 },
    ready: 1,
    inbox: [],
    overlaps: [{ path: "b.ts", session_id: "s-1", task_id: 1, other_session_id: "s-2", other_task_id: 2 }],
    loops: [
      { driver: "d-1", agent: "claude", jobs: 2, waits_for: null, waits_until: null, waits_reason: null },
    ],
    stopped: [],
  });
});
