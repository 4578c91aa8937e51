import { views } from "../../../test/web/support/views.ts";
import { below } from "../goals.ts";
import { quantile } from "../measure.ts";
import { formatTime } from "../report.ts";
import type { Measured } from "./measured.ts";
import type { WatchedPage } from "./watched.ts";

/**
 * Opens each view anew, several times: from the navigation until its first row is there.
 *
 * @param task whose timeline is opened
 */
export async function measureViews(watched: WatchedPage, task: number, turns: number): Promise<Measured[]> {
  const measured: Measured[] = [];
  for (const { name, path, shown } of views) {
    const times: number[] = [];
    let longest_ms = 0;
    for (let turn = 0; turn < turns; turn++) {
      await watched.goTo(path === "/tasks/" ? `/tasks/${task}` : path);
      const row = await watched.page.locator(shown).first().elementHandle();
      times.push(await watched.page.evaluate<number>("performance.now()"));
      await row?.dispose();
      longest_ms = Math.max(longest_ms, await watched.longestTask());
    }
    const goals = [below(`${name}, p95`, quantile(times, 0.95), 500, formatTime)];
    measured.push({ what: name, times, longest_ms, goals });
  }
  return measured;
}
