import { expect, test } from "vitest";
import { timelineCards } from "../../src/queries/timeline-cards.ts";
import { reduced, task } from "./loop-drafts.ts";

test("programs are named in full: a person whose name begins as theirs is a person", async () => {
  const actors = ["Driverson", "signalboxer", "agent", "driver", "driver:d-1", "signalbox", "Signalbox:x"];
  const readModel = await reduced(
    task(1),
    ...actors.map((actor) => ({
      type: "task.status_set" as const,
      actor,
      payload: { task: 1, status: "skipped" as const },
    })),
  );
  const cards = timelineCards(readModel, 1, { kinds: ["act"] }, { row: 0, limit: 50 });
  const by = cards.flatMap(({ actor, by }) => (actors.includes(actor ?? "") ? [[actor, by]] : []));
  expect(Object.fromEntries(by)).toEqual({
    Driverson: "human",
    signalboxer: "human",
    agent: "agent",
    driver: null,
    "driver:d-1": null,
    signalbox: null,
    "Signalbox:x": null,
  });
});
