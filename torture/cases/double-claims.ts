import { type Case, count, idOf, judge } from "../case.ts";
import { outputOf, perform } from "../process.ts";

export const doubleClaims: Case = {
  name: "double claims",
  does: "Eight agents claim one task at once, then a ninth; then the ninth reports it done, though another has it.",
  holds: "Exactly one is told that it has the task, and the report of another does not settle it.",
  async run({ open, scale }) {
    const { folder, tracker } = await open();
    const { claim } = tracker;
    const faults: string[] = [];
    const rounds = Math.ceil(scale / 2);
    for (let round = 1; round <= rounds; round++) {
      await outputOf(tracker.add(`task-${round}`, "short"), folder);
      const id = await idOf(tracker, `task-${round}`);
      const take = (agent: number) =>
        perform((claim ?? tracker.start).call(tracker, id, `agent${agent}-${round}`), folder);
      const claims = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(take));
      const winners = claims.filter(({ ok }) => ok).length;
      if (winners !== 1) faults.push(`${winners} of 8 were told that they have it`);
      if ((await take(9)).ok) faults.push("a ninth was told so later");
      await perform(tracker.done(id, `agent9-${round}`), folder);
      const status = (await tracker.list()).find((task) => task.id === id)?.status;
      if (status === "done") faults.push("the done of an agent that does not have it settled it");
    }
    const seen = judge(`${count(rounds, "task")}, 9 claims each`, faults);
    return claim ? seen : { ...seen, result: "not asked" };
  },
};
