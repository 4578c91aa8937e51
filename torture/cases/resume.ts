import { type Case, count, firstLine, idOf, judge } from "../case.ts";
import { outputOf, perform, start } from "../process.ts";

export const resume: Case = {
  name: "resume",
  does: "An agent takes a task and writes three texts to it; its last command is killed as soon as it says that it is done, and the agent never comes back. Another one looks at the board, frees the task as the docs say, takes it and ends it.",
  holds:
    "The board shows the task as taken, with the texts that were acknowledged; it can be freed, taken again and ended.",
  async run({ open, scale }) {
    const faults: string[] = [];
    const rounds = Math.ceil(scale / 5);
    for (let round = 1; round <= rounds; round++) {
      const { folder, tracker } = await open();
      const take = (id: string, agent: string) => (tracker.claim ?? tracker.start).call(tracker, id, agent);
      try {
        await outputOf(tracker.add("work", "short"), folder);
        const id = await idOf(tracker, "work");
        await outputOf(take(id, "dead"), folder);
        const texts = tracker.note ? ["first-step.", "second-step.", "last-step."] : [];
        for (const text of texts) {
          const operation = tracker.note?.(id, text) ?? [];
          if (text !== texts.at(-1)) await outputOf(operation, folder);
          else {
            for (const command of operation) {
              const running = start(command, folder);
              await running.spoke;
              running.kill();
              await running.ended;
            }
          }
        }
        const status = (await tracker.list()).find((task) => task.id === id)?.status;
        if (status !== "taken") faults.push(`the task is ${status ?? "gone"} after the agent's death`);
        const text = await tracker.show(id);
        faults.push(
          ...texts
            .filter((each) => !text.includes(each))
            .map((each) => `"${each}" was acknowledged and is lost`),
        );
        const freed = await perform(tracker.release(id, "dead"), folder);
        if (!freed.ok) faults.push(`it cannot be freed (${firstLine(freed.output)})`);
        await outputOf(take(id, "living"), folder);
        await outputOf(tracker.done(id, "living"), folder);
        const end = (await tracker.list()).find((task) => task.id === id)?.status;
        if (end !== "done") faults.push(`it is ${end ?? "gone"} when the second agent has ended it`);
      } catch (error) {
        faults.push(firstLine(error));
      }
    }
    const { tracker } = await open();
    return judge(
      `${count(rounds, "agent")} that died${tracker.note ? ", 3 texts each" : ", without texts"}`,
      faults,
    );
  },
};
