import fc from "fast-check";
import { expect, test } from "vitest";
import { ReadModel } from "../../src/read-model/read-model.ts";
import { histories } from "./commands.ts";
import { eventsOf, runs } from "./runs.ts";
import { openModel } from "./settlement-model.ts";
import { viewerOf, viewOfModel } from "./views.ts";

test("after every event the board matches docs/rules.md", async () => {
  await fc.assert(
    fc.asyncProperty(histories, async (history) => {
      const events = await eventsOf(history);
      const readModel = new ReadModel(":memory:");
      const model = openModel();
      const look = viewerOf(readModel);
      for (const event of events) {
        model.apply(event);
        readModel.advance([event], event.position);
        expect(look(), `at ${event.position}, ${event.type}`).toEqual(viewOfModel(model.board));
      }
      readModel.close();
    }),
    runs(60),
  );
});
