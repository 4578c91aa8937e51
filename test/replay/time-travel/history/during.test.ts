import { expect, test } from "vitest";
import { listTasks } from "../../../../src/queries/tasks.ts";
import { logOf, someEvents } from "../given.ts";
import { hashIn, historyOf, makeWhole } from "./given.ts";

test("an async question sees one position, whatever is asked meanwhile", async () => {
  const log = await logOf(await someEvents());
  const head = await log.head();
  const history = historyOf(log);
  await makeWhole(history);
  const positions = [head, 3, Math.floor(head / 2)];
  const answers = await Promise.all(
    positions.map((position) =>
      history.during(position, async (readModel) => {
        const before = readModel.contentHash();
        await log.read(0, 1);
        history.asOf(1, listTasks);
        return [before, readModel.contentHash()];
      }),
    ),
  );
  expect(answers).toEqual(positions.map((at) => [hashIn(history, at), hashIn(history, at)]));
  await expect(history.during(head + 1, () => 1)).rejects.toThrow(/built up to position/);
  await expect(
    history.during(1, () => {
      throw new Error("A question may fail.");
    }),
  ).rejects.toThrow("A question may fail.");
  expect(await history.during(2, (readModel) => readModel.contentHash())).toBe(hashIn(history, 2));
  history.close();
});
