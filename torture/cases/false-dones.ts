import { type Case, idOf, judge } from "../case.ts";
import { outputOf, perform } from "../process.ts";

export const falseDones: Case = {
  name: "false dones",
  does: "An agent reports a task done while its verification fails; then one whose verification passes at first, and fails before the session has ended.",
  holds: "Neither is settled, and one whose verification passes is.",
  async run({ open }) {
    const { folder, tracker } = await open();
    if (!tracker.addVerified)
      return { result: "not asked", what: "it runs no verification; whoever reports a task done settles it" };
    const faults: string[] = [];
    const { addVerified } = tracker;
    const report = async (title: string, command: string, between?: string) => {
      await outputOf(addVerified.call(tracker, title, command), folder);
      const id = await idOf(tracker, title);
      await outputOf(tracker.start(id, `of-${title}`), folder);
      const [first, ...rest] = tracker.done(id, `of-${title}`);
      if (first) await perform([first], folder);
      if (between !== undefined) await outputOf([{ argv: ["sh", "-c", between] }], folder);
      await perform(rest, folder);
      return (await tracker.list()).find((task) => task.id === id)?.status === "done";
    };
    if (await report("failing", "false"))
      faults.push("the done with a failing verification settled the task");
    if (await report("missing", "no-such-program-here"))
      faults.push("the done whose verification could not be run settled the task");
    if (!(await report("passing", "true")))
      faults.push("the done with a passing verification did not settle the task");
    const tried = "dones with a failing, a missing and a passing verification";
    // Where the done itself settles, there is no time between the two.
    if (tracker.done("", "").length === 1) return judge(tried, faults);
    await outputOf([{ argv: ["touch", "proof"] }], folder);
    if (await report("undone", "test -f proof", "rm proof"))
      faults.push("a done settled the task though what had verified it was removed before the session ended");
    return judge(`${tried}, and one that passes first and fails later`, faults);
  },
};
