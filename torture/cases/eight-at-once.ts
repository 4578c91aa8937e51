import type { Operation } from "../adapter.ts";
import { boardFaults, type Case, firstLine, idOf, judge } from "../case.ts";
import { outputOf, perform } from "../process.ts";

const AGENTS = Array.from({ length: 8 }, (_, index) => `agent-${index + 1}`);

export const eightAtOnce: Case = {
  name: "eight at once",
  does: "Eight agents, each in processes of its own, add tasks at once, and write to one task that they share; where a tool has no such text, each starts a task of its own.",
  holds:
    "Each acknowledged task, text and status is there once; no two tasks have one id; who is refused gets through within ten tries.",
  async run({ open, scale }) {
    const { folder, tracker } = await open();
    await outputOf(tracker.add("shared", "short"), folder);
    const shared = await idOf(tracker, "shared");
    const rounds = Math.ceil(scale / 2);
    const acknowledged = ["shared"];
    const faults: string[] = [];
    const notes: string[] = [];
    const refused: string[] = [];
    let retries = 0;
    const persist = async (operation: Operation) => {
      let ended = await perform(operation, folder);
      for (let tries = 1; !ended.ok && tries < 10; tries++, retries++)
        ended = await perform(operation, folder);
      return ended;
    };
    await Promise.all(
      AGENTS.map(async (agent) => {
        for (let round = 1; round <= rounds; round++) {
          const title = `${agent}-task-${round}`;
          const added = await persist(tracker.add(title, "short"));
          if (added.ok) acknowledged.push(title);
          else refused.push(`${title} was refused (${firstLine(added.output)})`);
          if (!tracker.note) continue;
          const text = `note-${round}-of-${agent}.`;
          const noted = await persist(tracker.note(shared, text));
          if (noted.ok) notes.push(text);
          else refused.push(`${text} was refused (${firstLine(noted.output)})`);
        }
      }),
    );
    const doubtful = AGENTS.flatMap((agent) =>
      Array.from({ length: rounds }, (_, index) => `${agent}-task-${index + 1}`),
    );
    faults.push(...(await boardFaults(tracker, acknowledged, doubtful)));
    const tasks = await tracker.list();
    const ids = new Set(tasks.map(({ id }) => id));
    if (ids.size < tasks.length) faults.unshift(`${tasks.length} tasks share ${ids.size} ids`);
    const tried = `${acknowledged.length - 1} of ${AGENTS.length * rounds} adds acknowledged`;
    if (tracker.note) {
      const text = await tracker.show(shared).catch(firstLine);
      const lost = notes.filter((note) => !text.includes(note));
      if (lost.length > 0) faults.unshift(`${lost.length} of ${notes.length} acknowledged texts are lost`);
      return judge(`${tried}, ${notes.length} texts, ${retries} retries`, [...faults, ...refused]);
    }
    const own = tasks.filter(({ title }) => title !== "shared").slice(0, AGENTS.length);
    const starts = await Promise.all(
      own.map(({ id }, index) => persist(tracker.start(id, AGENTS[index] ?? ""))),
    );
    const after = await tracker.list();
    const undone = own.filter(
      ({ id }, index) => starts[index]?.ok && after.find((task) => task.id === id)?.status !== "taken",
    );
    if (undone.length > 0)
      faults.unshift(
        `${undone.length} of ${starts.filter(({ ok }) => ok).length} acknowledged starts are lost`,
      );
    return judge(`${tried}, ${starts.length} starts, ${retries} retries`, [...faults, ...refused]);
  },
};
