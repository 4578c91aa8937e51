import { expect, test } from "vitest";
import { sumUp } from "../../../src/history/what-if/corpus.ts";
import {
  accepted,
  approved,
  created,
  done,
  ended,
  partial,
  set,
  started,
  stuck,
  suggest,
} from "../../projections/board/history.ts";
import { inWords, whatIfOf } from "./given.ts";

const stuckOnce = [started("a"), stuck("No GPU.", { session: "a" }), ended("exited", "a")];
const doneThen = [started("b"), done({ session: "b" }), ended("exited", "b")];
const failsAtOnce = { stuck_limit: 1 };

test("the consequences of an unknown history are unknown too: a task that waited for it", async () => {
  const report = await whatIfOf(
    failsAtOnce,
    created(1),
    created(2, { depends_on: [1] }),
    ...stuckOnce,
    ...doneThen,
    started("c", 2),
    done({ task: 2, session: "c" }),
    ended("exited", "c"),
  );
  expect(inWords(report)).toEqual([
    "1 done 0 → failed 1, parts at 5, status at 5 by settlement 7d → settlement 7a, unknown from 6",
    "2 done 0 → pending 0, parts at 8, unknown from 8",
  ]);
  expect(report.tasks[1]?.other_history?.was).toEqual({ status: "pending", stuck_count: 0 });
  expect(sumUp(failsAtOnce, [{ simulation: "this", ...report }])).toMatchObject({
    parted: 2,
    other_status: 1,
    unknown: 2,
  });
  expect(report.tasks[1]?.other_history?.left_out).toEqual({ events: 3, sessions: 1 });
  expect(report.counts).toEqual({ was: { done: 2 }, would_be: { failed: 1, pending: 1 } });
});

test("a proposal of a session that would not have been is not there, and the next one keeps its number", async () => {
  const report = await whatIfOf(
    failsAtOnce,
    created(1),
    created(2),
    ...stuckOnce,
    started("b"),
    suggest("Split it", { session: "b" }),
    ended("exited", "b"),
    started("c", 2),
    suggest("Rename it", { task: 2, session: "c" }),
    done({ task: 2, session: "c" }),
    ended("exited", "c"),
    approved(7, 3),
    approved(10, 4),
  );
  expect(inWords(report)).toEqual([
    "1 pending 2 → failed 1, parts at 5, status at 5 by settlement 7d → settlement 7a, unknown from 6",
    "3 pending 0 → nothing, parts at 8, status at 8 by settlement 9 → nothing, unknown from 8",
  ]);
});

test("a status that a human set by hand could have been set there too, and the session after it started", async () => {
  const report = await whatIfOf(failsAtOnce, created(1), ...stuckOnce, set(1, "pending"), ...doneThen);
  expect(inWords(report)).toEqual([
    "1 done 0 → done 0, parts at 4, status at 4 by settlement 7d → settlement 7a",
  ]);
});

test("a human act on something that would not have waited makes the history unknown", async () => {
  const report = await whatIfOf(
    { closing: "first" },
    created(1, { accept: "human" }),
    started(),
    partial(),
    done(),
    ended(),
    accepted(),
  );
  expect(inWords(report)).toEqual([
    "1 done 0 → pending 0, parts at 4, status at 5 by humans: accept → settlement 7d, unknown from 6",
  ]);
  expect(report.tasks[0]?.other_history?.why).toBe("task 1 is not waiting for acceptance");
});

test("a start by force could have been forced there too", async () => {
  const forced = [started("b", 1, { forced: true }), done({ session: "b" }), ended("exited", "b")];
  const report = await whatIfOf(failsAtOnce, created(1), ...stuckOnce, ...forced);
  expect(inWords(report)).toEqual([
    "1 done 0 → done 0, parts at 4, status at 4 by settlement 7d → settlement 7a",
  ]);
});

test("a task that would not have failed would have been the next one again", async () => {
  const report = await whatIfOf(
    { stuck_limit: 9 },
    created(1),
    created(2),
    ...["a", "b", "c"].flatMap((name) => [
      started(name),
      stuck("No GPU.", { session: name }),
      ended("exited", name),
    ]),
    started("d", 2),
    done({ task: 2, session: "d" }),
    ended("exited", "d"),
  );
  expect(report.order).toEqual({ sessions: 1, first: { position: 12, was: 2, would_be: 1 } });
});
