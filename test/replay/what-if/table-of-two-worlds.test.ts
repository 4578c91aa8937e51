import Database from "better-sqlite3";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type AnyRows,
  TableOfTwoWorlds,
  type Turn,
} from "../../../src/history/what-if/table-of-two-worlds.ts";
import { defineTable, integer } from "../../../src/projections/table.ts";

const columns = { list: integer, item: integer, state: integer };
const table = defineTable("items", { columns, key: ["list", "item"], lookups: { by_state: ["state"] } });

const number = fc.integer({ min: 1, max: 3 });
const write = fc.record({
  /** In both worlds, in the recorded one and left out in the other, or what only the other policy writes. */
  where: fc.constantFrom("both", "was", "would be"),
  list: number,
  item: number,
  /** Undefined: the row is deleted. */
  state: fc.option(number, { nil: undefined }),
  evicts: fc.boolean(),
});
const question = fc.oneof(fc.record({ list: number }), fc.record({ state: number }), fc.constant({}));

test("a query that read no differing row has the same answer in both worlds, and each world has its own rows", () => {
  const answers = { same: 0, met: 0 };
  fc.assert(
    fc.property(fc.array(write, { maxLength: 20 }), question, (writes, match) => {
      const database = new Database(":memory:");
      const turn: Turn = { metWhatDiffers: false, was: [], wouldBe: [] };
      const two = new TableOfTwoWorlds(database, "tasks", table, turn, 2);
      const [was, wouldBe] = [new Map<string, object>(), new Map<string, object>()];
      for (const { where, evicts, ...row } of writes) {
        begin(turn);
        if (where !== "would be") {
          put(two.noted, row);
          note(was, row);
        }
        if (turn.metWhatDiffers || where === "was") for (const written of turn.was) two.keep(written);
        if (where === "would be" || (where === "both" && turn.metWhatDiffers)) put(two.wouldBe, row);
        if (where !== "was") note(wouldBe, row);
        for (const written of [...turn.was, ...turn.wouldBe]) two.settle(written);
        if (evicts) database.transaction(() => two.evict())();
        expect(two.was.scan()).toEqual(inOrder(was));
        expect(two.wouldBe.scan()).toEqual(inOrder(wouldBe));
      }
      for (const ask of [(rows: AnyRows) => rows.where(match), (rows: AnyRows) => rows.first(1, match)]) {
        begin(turn);
        const answer = ask(two.noted);
        if (!turn.metWhatDiffers) expect(ask(two.wouldBe)).toEqual(answer);
        answers[turn.metWhatDiffers ? "met" : "same"] += 1;
      }
      database.close();
    }),
    { numRuns: 300 },
  );
  expect(Math.min(answers.met, answers.same)).toBeGreaterThan(20);
});

function begin(turn: Turn): void {
  turn.metWhatDiffers = false;
  turn.was.length = 0;
  turn.wouldBe.length = 0;
}

type Item = { readonly list: number; readonly item: number; readonly state: number | undefined };

/** As a reducer does it: a row that is there is changed. */
function put(rows: AnyRows, { list, item, state }: Item): void {
  if (state === undefined) rows.delete(list, item);
  else if (rows.get(list, item)) rows.update([list, item], { state });
  else rows.insert({ list, item, state });
}

function note(world: Map<string, object>, row: Item): void {
  if (row.state === undefined) world.delete(`${row.list} ${row.item}`);
  else world.set(`${row.list} ${row.item}`, row);
}

function inOrder(world: ReadonlyMap<string, object>): object[] {
  return [...world].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}
