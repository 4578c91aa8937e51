import { expect, test, vi } from "vitest";
import { ReadModel } from "../../../../src/read-model/read-model.ts";
import { logOf, someEvents } from "../given.ts";
import { hashIn, historyOf, makeWhole } from "./given.ts";

const THROWS_AT = 20;
/** Once the events are there, which need a whole board to be decided on. */
const fault = vi.hoisted(() => ({ isThere: false }));

vi.mock("../../../../src/projections/all.ts", async (original) => {
  const { projections, ...others } = await original<typeof import("../../../../src/projections/all.ts")>();
  return {
    ...others,
    projections: projections.map((projection) => {
      if (projection.name !== "board") return projection;
      const on = Object.entries(projection.on).map(([type, reducer]) => [
        type,
        (...[event, rows]: Parameters<typeof reducer>) => {
          reducer(event, rows);
          if (fault.isThere && event.position >= THROWS_AT) throw new Error("boom");
        },
      ]);
      return { ...projection, on: Object.fromEntries(on) };
    }),
  };
});

test("a reducer that throws stops its projection there, as in the read model, and no other", async () => {
  const events = await someEvents();
  const log = await logOf(events);
  fault.isThere = true;
  const history = historyOf(log);
  await makeWhole(history);
  for (const position of [0, 10, THROWS_AT - 1, THROWS_AT, THROWS_AT + 5, events.length]) {
    const expected = new ReadModel(":memory:");
    expected.advance(events.slice(0, position), position);
    expect(hashIn(history, position), `as of ${position}`).toBe(expected.contentHash());
    expect(history.asOf(position, ({ checkpoints }) => checkpoints.list())).toEqual(
      expected.checkpoints.list(),
    );
    expected.close();
  }
  const board = history
    .asOf(events.length, ({ checkpoints }) => checkpoints.list())
    .find(({ name }) => name === "board");
  expect(board).toMatchObject({ state: "stopped", error: expect.stringContaining("boom") });
  history.close();
});
