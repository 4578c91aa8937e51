import fc from "fast-check";
import { expect, test } from "vitest";
import { type OpenLog, withLog } from "../../../adapters/testing/log-contract/opened-log.ts";
import type { AppendCondition } from "../../../src/events/log.ts";
import { LogError } from "../../../src/lib/log-error.ts";
import { comment, everythingIn, id, positionsOf } from "../given.ts";

/** One event of a generated batch; few ids and few contents, so that all kinds of meeting happen. */
interface Item {
  readonly id: number;
  readonly task: number;
  readonly body: string;
}

interface Call {
  readonly batch: readonly Item[];
  readonly expectedHead: number | undefined;
  readonly expectedVersion: { readonly task: number; readonly version: number } | undefined;
}

/** A whole log as one list: what every implementation must agree with. */
class Model {
  readonly items: Item[] = [];

  append({ batch, expectedHead, expectedVersion }: Call): { outcome: string; positions: number[] } {
    if (new Set(batch.map((item) => item.id)).size < batch.length) return refusal("id_conflict");
    const known = batch.map((item) => this.items.findIndex((other) => other.id === item.id));
    if (known.some((index) => index >= 0)) {
      const same = batch.every((item, index) => sameItem(this.items[known[index] ?? -1], item));
      return same
        ? { outcome: "appended_before", positions: known.map((index) => index + 1) }
        : refusal("id_conflict");
    }
    if (expectedHead !== undefined && expectedHead !== this.items.length) return refusal("head_moved");
    if (expectedVersion && this.version(expectedVersion.task) !== expectedVersion.version) {
      return refusal("stream_moved");
    }
    this.items.push(...batch);
    const head = this.items.length;
    return { outcome: "appended", positions: batch.map((_, index) => head - batch.length + index + 1) };
  }

  version(task: number): number {
    return this.items.filter((item) => item.task === task).length;
  }
}

/**
 * Random calls of append (fresh, repeated, conflicting, conditional; several at once; from two handles) give what a
 * list of a few lines gives.
 */
export function describeModel(open: OpenLog): void {
  test("any sequence of appends, some concurrent, gives the result of a plain list", async () => {
    const outcomes = new Set<string>();
    await fc.assert(
      fc.asyncProperty(fc.array(turn, { minLength: 1, maxLength: 14 }), (turns) =>
        withLog(open, async ({ log, another, clock }) => {
          const handles = [log, await another()];
          const model = new Model();
          for (const { handle, calls, clockStep } of turns) {
            clock.now += clockStep;
            const concrete = calls.map((call) => aimed(call, model));
            const expected = concrete.map((call) => model.append(call));
            const actual = await Promise.all(concrete.map((call) => appendTo(handles[handle] ?? log, call)));
            expect(actual).toEqual(expected);
            for (const { outcome } of expected) outcomes.add(outcome);
          }
          const stored = (await everythingIn(log)).map(({ id, payload }) => ({ id, payload }));
          expect(stored).toEqual(model.items.map((item) => ({ id: idOf(item), payload: payloadOf(item) })));
        }),
      ),
      { numRuns: 60 },
    );
    expect([...outcomes].sort()).toEqual(
      ["appended", "appended_before", "head_moved", "id_conflict", "stream_moved"].sort(),
    );
  });
}

const item = fc.record({
  id: fc.integer({ min: 1, max: 25 }),
  task: fc.integer({ min: 1, max: 2 }),
  body: fc.constantFrom("a", "a", "a", "b"),
});
/** `off` 0 expects the truth at the time of the turn; null expects nothing. */
const off = fc.constantFrom(null, null, 0, 0, -1, 1);
const generated = fc.record({
  batch: fc.array(item, { maxLength: 4 }),
  /** Some calls repeat what is in the log: the items from here on. */
  repeat: fc.option(fc.record({ from: fc.nat({ max: 20 }), count: fc.integer({ min: 1, max: 3 }) }), {
    freq: 4,
  }),
  headOff: off,
  versionOff: off,
});
const turn = fc.record({
  handle: fc.nat({ max: 1 }),
  calls: fc.array(generated, { minLength: 1, maxLength: 3 }),
  clockStep: fc.constantFrom(0, 1, 1_000, -5),
});

type Generated = typeof generated extends fc.Arbitrary<infer Value> ? Value : never;

/** Makes a generated call concrete: conditions around the model's present head and versions. */
function aimed({ batch, repeat, headOff, versionOff }: Generated, model: Model): Call {
  const repeated = repeat ? model.items.slice(repeat.from, repeat.from + repeat.count) : [];
  return {
    batch: repeated.length > 0 ? repeated : batch,
    expectedHead: headOff === null ? undefined : model.items.length + headOff,
    expectedVersion: versionOff === null ? undefined : { task: 1, version: model.version(1) + versionOff },
  };
}

async function appendTo(
  log: Parameters<typeof everythingIn>[0],
  { batch, expectedHead, expectedVersion }: Call,
): Promise<{ outcome: string; positions: number[] }> {
  const condition: AppendCondition = {
    ...(expectedHead !== undefined && { expectedHead }),
    ...(expectedVersion && {
      expectedStreamVersion: { stream: `task-${expectedVersion.task}`, version: expectedVersion.version },
    }),
  };
  const events = batch.map((item) => ({ ...comment(item.body, item.task), id: idOf(item) }));
  try {
    const { outcome, events: stored } = await log.append(events, condition);
    return { outcome, positions: positionsOf(stored) };
  } catch (error) {
    if (error instanceof LogError) return refusal(error.code);
    throw error;
  }
}

const idOf = (item: Item) => id(item.id);
const payloadOf = ({ task, body }: Item) => comment(body, task).payload;
const refusal = (outcome: string) => ({ outcome, positions: [] });

function sameItem(a: Item | undefined, b: Item): boolean {
  return a?.id === b.id && a.task === b.task && a.body === b.body;
}
