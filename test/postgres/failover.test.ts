// @module-tag postgresql-standbys
import { expect, test } from "vitest";
import { type Child, useChild } from "../children.ts";
import { everythingIn } from "../events/given.ts";
import { givenFleet, givenHandles } from "./given-log.ts";

const appendAndFollow = useChild("test/postgres/children/append-and-follow.ts");

/** What a process said of an append that was acknowledged to it. */
interface Acknowledged {
  readonly body: string;
  readonly id: string;
  readonly position: number;
  /** When the call began and ended, by a clock that all processes of a machine share: nanoseconds. */
  readonly began: bigint;
  readonly ended: bigint;
}

test("64 handles, kill -9 of the primary at random, ten times: nothing acknowledged is lost, doubled or out of place", async () => {
  const seed = Number(process.env.SIGNALBOX_SEED ?? Math.floor(Math.random() * 2 ** 31));
  const why = `SIGNALBOX_SEED=${seed}`;
  const random = randomFrom(seed);
  const { cluster, url } = await givenFleet();
  const acknowledged: Acknowledged[] = [];
  const seen: (readonly [position: number, id: string])[] = [];
  const faults: string[] = [];
  const writers = ["a", "b", "c", "d"].map((label) => appendAndFollow(url, label, "16"));
  const reading = writers.map((writer) => remember(writer, { acknowledged, seen, faults }));

  for (let round = 1; round <= 10; round++) {
    const until = acknowledged.length + 64 + (random() % 600);
    await expect
      .poll(() => faults.length > 0 || acknowledged.length > until, { timeout: 120_000, interval: 5 })
      .toBe(true);
    expect(faults, why).toEqual([]);
    const dead = cluster.primary;
    await cluster.kill(dead);
    await cluster.promote();
    await cluster.rejoin(dead);
  }
  for (const writer of writers) writer.tell("end");
  await Promise.all(reading);

  expect(faults, why).toEqual([]);
  const [log] = await givenHandles(url, 1);
  if (!log) throw new Error("No handle.");
  const events = await everythingIn(log);
  expect(
    events.map(({ position }) => position),
    why,
  ).toEqual(events.map((_, index) => index + 1));
  const stored = events.map(({ id, position, payload }) => [position, id, "body" in payload && payload.body]);
  const told = acknowledged.toSorted((a, b) => a.position - b.position);
  expect(
    told.map(({ position, id, body }) => [position, id, body]),
    why,
  ).toEqual(stored);
  expect(outOfOrder(told), why).toEqual([]);
  const idAt = new Map(events.map(({ position, id }) => [position, id]));
  expect(
    seen.filter(([position, id]) => idAt.get(position) !== id),
    why,
  ).toEqual([]);
  // Each record is checked against its leaf hash.
  expect((await log.records(0, 10_000)).length).toBe(Math.min(events.length, 10_000));
});

interface Told {
  readonly acknowledged: Acknowledged[];
  readonly seen: (readonly [position: number, id: string])[];
  readonly faults: string[];
}

/** Keeps what a process says until it ends. */
async function remember(writer: Child, { acknowledged, seen, faults }: Told): Promise<void> {
  for await (const line of writer.lines) {
    const said = JSON.parse(line);
    if (said.fault) faults.push(said.fault);
    if (said.seen) seen.push(...said.seen);
    if (said.body) acknowledged.push({ ...said, began: BigInt(said.began), ended: BigInt(said.ended) });
  }
  await writer.finish();
}

/** The appends that were acknowledged before one began that stands before them. @param told by position */
function outOfOrder(told: readonly Acknowledged[]): Acknowledged[] {
  let latest = 0n;
  return told.filter(({ began, ended }) => {
    const isLate = ended < latest;
    if (began > latest) latest = began;
    return isLate;
  });
}

/** Numbers that follow from a seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
}
