import { boardFaults, type Case, firstLine, judge } from "../case.ts";
import { canRecord, Disk, readFiles, recordChanges, writeFiles } from "../disk.ts";

export const powerCuts: Case = {
  name: "power cuts",
  does: "Tasks are added under strace; then the folder is set to what a disk holds for sure if the power goes right after each acknowledgement, and to what it may hold at moments between, when some unsynced writes got through.",
  holds: "The board can be read, and each acknowledged task is there once.",
  async run({ open, random, scale }) {
    if (!canRecord()) return { result: "not asked", what: "strace is missing on this machine" };
    const { folder, tracker } = await open();
    const disk = new Disk(readFiles(folder));
    const acknowledged: string[] = [];
    const faults: string[] = [];
    let syncs = 0;
    let lossy = 0;
    let between = 0;
    const adds = 1 + Math.ceil(scale / 2);
    for (let add = 1; add <= adds; add++) {
      const title = `task-${add}`;
      const { ok, changes } = await recordChanges(tracker.add(title, "short"), folder);
      if (!ok) return { result: "failed", what: `${title} could not be added under strace` };
      const whole = readFiles(folder);
      const cut = random.below(changes.length + 1);
      for (const [index, change] of changes.entries()) {
        if (index === cut) {
          writeFiles(
            folder,
            disk.afterCut(() => random.chance(1 / 2)),
          );
          faults.push(
            ...(await faultsOf(`${title}, at change ${index} of ${changes.length}`, acknowledged, [title])),
          );
          between++;
        }
        disk.apply(change);
      }
      syncs += changes.filter(({ kind }) => kind === "sync").length;
      acknowledged.push(title);
      writeFiles(folder, disk.afterCut());
      const lost = await faultsOf(`cut right after task-${add}`, acknowledged, []);
      if (lost.length > 0) lossy++;
      faults.push(...lost.slice(0, 1));
      writeFiles(folder, whole);
    }
    return judge(
      `${adds} cuts after an acknowledgement, ${lossy} of them with a loss; ${between} between changes; ${syncs} fsyncs for ${adds} tasks`,
      faults,
    );

    async function faultsOf(
      moment: string,
      there: readonly string[],
      others: readonly string[],
    ): Promise<string[]> {
      return (await boardFaults(tracker, there, others)).map((fault) => `${moment}: ${firstLine(fault)}`);
    }
  },
};
