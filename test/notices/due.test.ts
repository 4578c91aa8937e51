import { expect, test } from "vitest";
import { noticeSettings } from "../../src/config/notice-settings.ts";
import { dueOn } from "../../src/outside/notices/due.ts";

/* Catches: a notice at night, one that a wrong clock keeps back, and one that no rule wanted. */

const MINUTE = 60_000;
const at = (time: string) => Date.parse(`2026-11-26T${time}:00Z`);
const candidate = (position: number, time: string, kind: "question" | "gate" | "loop" = "question") => ({
  kind,
  position,
  recorded_ms: at(time),
});

function due(
  rules: object[] | undefined,
  candidates: ReturnType<typeof candidate>[],
  now: string,
  last?: string,
) {
  const parsed = noticeSettings.parse({ channels: {}, ...(rules && { rules }) });
  const { single, digest, next_ms } = dueOn("phone", parsed, candidates, {
    now_ms: at(now),
    lastDigest_ms: last === undefined ? undefined : at(last),
  });
  return {
    single: single.map(({ position }) => position),
    digest: digest.map(({ position }) => position),
    next: next_ms === undefined ? undefined : new Date(next_ms).toISOString().slice(11, 16),
  };
}

const PHONE = { channels: ["phone"] };

test("without rules everything is told at once", () => {
  expect(due(undefined, [candidate(1, "10:00"), candidate(2, "10:00", "loop")], "10:00")).toMatchObject({
    single: [1, 2],
  });
});

test("the first rule that names channel and kind holds, and what none names is not told", () => {
  const rules = [
    { ...PHONE, kinds: ["question"], after_s: 600 },
    { channels: ["mail"], kinds: ["loop"] },
    { ...PHONE, kinds: ["question", "gate"] },
  ];
  expect(
    due(
      rules,
      [candidate(1, "10:00"), candidate(2, "10:00", "gate"), candidate(3, "10:00", "loop")],
      "10:05",
    ),
  ).toEqual({ single: [2], digest: [], next: "10:10" });
});

test.each([
  ["22:00", "07:00", "UTC", "23:30", "07:00"],
  ["22:00", "07:00", "UTC", "06:59", "07:00"],
  ["22:00", "07:00", "UTC", "07:00", undefined],
  ["12:00", "13:00", "UTC", "12:30", "13:00"],
  ["22:00", "07:00", "Europe/Berlin", "21:30", "06:00"],
  ["22:00", "07:00", "Asia/Kolkata", "20:15", "01:30"],
])("quiet from %s to %s in %s: at %s it waits until %s", (from, to, zone, now, next) => {
  const rules = [{ ...PHONE, quiet: { from, to, zone } }];
  expect(due(rules, [candidate(1, "05:00")], now)).toEqual(
    next === undefined ? { single: [1], digest: [], next } : { single: [], digest: [], next },
  );
});

test("a digest waits for its time since the last message, and then has all", () => {
  const rules = [{ ...PHONE, digest_s: (30 * MINUTE) / 1_000 }];
  const two = [candidate(1, "10:00"), candidate(2, "10:20")];
  expect(due(rules, two, "10:20", "10:00")).toEqual({ single: [], digest: [], next: "10:30" });
  expect(due(rules, two, "10:30", "10:00")).toEqual({ single: [], digest: [1, 2], next: undefined });
});
