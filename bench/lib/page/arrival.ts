import type { Project } from "../../../src/api/project.ts";
import { createTask } from "../../../src/operations/tasks.ts";
import { goTo } from "../../../test/web/support/views.ts";
import { below } from "../goals.ts";
import { quantile } from "../measure.ts";
import { formatTime } from "../report.ts";
import type { Measured } from "./measured.ts";
import type { WatchedPage } from "./watched.ts";

/** Events of this process while the board is open: from the decision until the header has it. */
export async function measureArrival(
  watched: WatchedPage,
  project: Project,
  turns: number,
): Promise<Measured> {
  await goTo(watched.page, "/board");
  await watched.longestTask();
  const times: number[] = [];
  for (let turn = 0; turn < turns; turn++) {
    const begin = performance.now();
    const [event] = await project.decide(createTask({ title: `Come ${turn}` }));
    await watched.page.getByText(`live · last event #${event?.position.toLocaleString("en")}`).waitFor();
    times.push(performance.now() - begin);
  }
  const goals = [below("an event that comes, p95", quantile(times, 0.95), 500, formatTime)];
  return { what: "an event that comes", times, longest_ms: await watched.longestTask(), goals };
}
