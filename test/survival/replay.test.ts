import fc from "fast-check";
import { expect } from "vitest";
import { Random } from "../../bench/lib/random.ts";
import type { Event } from "../../src/events/types/index.ts";
import { fromIsoTime } from "../../src/lib/time.ts";
import { temporaryFolder } from "../events/given.ts";
import { type History, histories } from "../properties/commands.ts";
import { PRESENT_US } from "../properties/executor.ts";
import { hashOf, timelessRowsOf } from "../properties/reducing.ts";
import { eventsUnder } from "../properties/runs.ts";
import { campaign, type Figures } from "./campaign.ts";
import { variations } from "./replay-variations.ts";

/*
 * A point is one history, replayed in one way. Catches: a reducer that asks for the time, for chance or for a
 * language, rows that depend on where a batch ends, a checkpoint that does not change together with its rows, two
 * workers that reduce an event twice or leave it out.
 */
campaign({
  line: "replay",
  promise:
    "a log reduces to the same content however it is cut, restarted, shared by workers or rebuilt, whatever the clock, chance, time zone and language",
  small: 60,
  large: 50_000,
  // The log that was made last, with its content: two points are about one history.
  open: () => ({ seed: -1, log: given(0) }),
  async point(number, last): Promise<Figures> {
    const seed = Math.floor(number / 2);
    if (last.seed !== seed) Object.assign(last, { seed, log: given(seed) });
    const { history, events, hash } = await last.log;
    // The second point of a history stands half of the list further.
    const way = ways[(seed + (number % 2) * (ways.length / 2)) % ways.length] ?? "";
    const replay = variations[way];
    if (!replay) {
      await checkBackwards(history, events, new Random(seed));
      return { events: events.length };
    }
    const folder = temporaryFolder();
    try {
      expect(await replay({ events, seed, folder: folder.path }), `the content, ${way}`).toBe(hash);
    } finally {
      folder.remove();
    }
    return { events: events.length };
  },
});

async function given(seed: number): Promise<{ history: History; events: readonly Event[]; hash: string }> {
  const [history] = fc.sample(histories, { seed, numRuns: 1 });
  if (!history) throw new Error("fast-check gave no history.");
  const events = await eventsUnder(history);
  return { history, events, hash: hashOf(events) };
}

const ways = [...Object.keys(variations), "under a clock that runs backwards"];

/** Under another clock the log is another one; the rows are the same but for their times, and times increase. */
async function checkBackwards(history: History, standing: readonly Event[], random: Random): Promise<void> {
  let present = PRESENT_US;
  const backwards = await eventsUnder(history, () => {
    // Back by a second at each look, and a jump besides.
    present += random.below(2_000_000) - 2_000_000;
    return present;
  });
  const timeless = (events: readonly Event[]) =>
    events.map(({ recordedAt: _, leafHash: __, ...event }) => event);
  expect(timeless(backwards), "the events, under a clock that runs backwards").toEqual(timeless(standing));
  expect(timelessRowsOf(backwards), "the rows, under a clock that runs backwards").toEqual(
    timelessRowsOf(standing),
  );
  const times = backwards.map(({ recordedAt }) => fromIsoTime(recordedAt));
  const increase = times.every((time, index) => time > (times[index - 1] ?? 0));
  expect(increase, "times increase under a clock that runs backwards").toBe(true);
}
