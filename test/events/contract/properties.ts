import fc from "fast-check";
import { expect, test } from "vitest";
import {
  appendsInOrder,
  countsVersions,
  increasesTimes,
} from "../../../adapters/testing/log-contract/appending.ts";
import { followsFrom } from "../../../adapters/testing/log-contract/following.ts";
import { type GivenLog, type OpenLog, withLog } from "../../../adapters/testing/log-contract/opened-log.ts";
import { isBlank } from "../../../src/lib/blank.ts";
import { codeOf, comment, stateReport } from "../given.ts";

/** The cases with random values: they need fast-check, so the exported contract lacks them. */
export function describeProperties(open: OpenLog): void {
  test("positions are 1, 2, 3, … over batches of any size, from two handles", () =>
    holdsForAll(
      open,
      fc.array(fc.integer({ min: 0, max: 7 }), { minLength: 1, maxLength: 8 }),
      appendsInOrder,
    ));

  test("versions of each stream are 1, 2, 3, …, however the streams are mixed", () =>
    holdsForAll(
      open,
      fc.array(fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 6 }), { maxLength: 6 }),
      countsVersions,
    ));

  test("recordedAt strictly increases, whether the clock runs, stops or jumps back", () =>
    holdsForAll(
      open,
      fc.array(fc.integer({ min: -5, max: 5 }), { minLength: 2, maxLength: 12 }),
      increasesTimes,
    ));

  test("follow emits existing events, then new ones, from any start, without gaps or duplicates", () =>
    holdsForAll(
      open,
      fc.record({
        before: fc.integer({ min: 0, max: 5 }),
        after: fc.integer({ min: 0, max: 12 }),
        batches: fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 6 }),
      }),
      followsFrom,
    ));

  test("any payload is either refused or read back unchanged", () =>
    withLog(open, async ({ log, another }) => {
      const reader = await another();
      const value = fc.anything({
        withBigInt: true,
        withDate: true,
        withMap: true,
        withSet: true,
        withSparseArray: true,
        withTypedArray: true,
        withUnicodeString: true,
        withBoxedValues: true,
        maxDepth: 4,
      });
      const outcomes = { taken: 0, refused: 0 };
      await fc.assert(
        fc.asyncProperty(
          fc.dictionary(fc.string({ unit: "binary" }), value, { maxKeys: 3, noNullPrototype: true }),
          async (metadata) => {
            const head = await log.head();
            const code = await codeOf(log.append([stateReport(metadata)]));
            if (code === "none") {
              outcomes.taken += 1;
              const [event] = await reader.read(head, 1);
              expect(event?.payload).toStrictEqual({ session: "s-1", state: "testing", metadata });
            } else {
              outcomes.refused += 1;
              expect(code).toBe("invalid_event");
              expect(await log.head()).toBe(head);
            }
          },
        ),
        { numRuns: 300 },
      );
      expect(outcomes.taken).toBeGreaterThan(20);
      expect(outcomes.refused).toBeGreaterThan(20);
    }));

  test("any well-formed text is read back unchanged, with NUL and emoji", () =>
    withLog(open, async ({ log, another }) => {
      const reader = await another();
      const text = fc.string({ unit: "binary", minLength: 1 }).filter((body) => !isBlank(body));
      await fc.assert(
        fc.asyncProperty(
          fc.oneof(text, fc.constantFrom("a\u0000", "🧨", "a\u0000b", "a\u2028b")),
          async (body) => {
            const { events } = await log.append([comment(body)]);
            const [event] = await reader.read((events[0]?.position ?? 0) - 1, 1);
            expect(event?.payload).toEqual({ task: 7, author: "human", body });
          },
        ),
      );
    }));
}

/** Tries a case with 25 random plans, each on a log of its own. */
function holdsForAll<Plan>(
  open: OpenLog,
  plans: fc.Arbitrary<Plan>,
  check: (given: GivenLog, plan: Plan) => Promise<void>,
): Promise<void> {
  return fc.assert(
    fc.asyncProperty(plans, (plan) => withLog(open, (given) => check(given, plan))),
    { numRuns: 25 },
  );
}
