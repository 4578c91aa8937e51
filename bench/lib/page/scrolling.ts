import { goTo } from "../../../test/web/support/views.ts";
import { atMost } from "../goals.ts";
import type { Measured } from "./measured.ts";
import type { WatchedPage } from "./watched.ts";

const LISTS = [
  { what: "scrolling the log", path: "/log", list: ".log-list .windowed", way_px: 20_000 },
  { what: "scrolling a column", path: "/board", list: ".board-column .windowed", way_px: 20_000 },
  // It opens at its end.
  {
    what: "scrolling a timeline",
    path: "/tasks/",
    list: ".timeline-list .windowed",
    way_px: -20_000,
  },
] as const;

const SPEED_PX_PER_S = 2_000;
const FRAME_MS = 1_000 / 60;

/**
 * Scrolls long lists with the wheel, and counts the frames in which the page could not draw.
 *
 * @param task whose timeline is scrolled; with a filter, so that all its sessions are open
 */
export async function measureScrolling(watched: WatchedPage, task: number): Promise<Measured[]> {
  const measured: Measured[] = [];
  for (const { what, path, list, way_px } of LISTS) {
    await goTo(watched.page, path === "/tasks/" ? `${path}${task}?by=agent` : path);
    const box = await watched.page.locator(list).first().boundingBox();
    if (!box) throw new Error(`There is no ${list} to scroll at ${path}.`);
    await watched.longestTask();
    await watched.page.evaluate(COUNT_FRAMES);
    await watched.devtools.send("Input.synthesizeScrollGesture", {
      x: box.x + box.width / 2,
      y: box.y + box.height / 2,
      yDistance: -way_px,
      speed: SPEED_PX_PER_S,
      gestureSourceType: "mouse",
    });
    const times = await watched.page.evaluate<number[]>("takeFrames()");
    const dropped = times.reduce((sum, time_ms) => sum + Math.max(0, Math.round(time_ms / FRAME_MS) - 1), 0);
    const share = dropped / (times.length + dropped);
    const goals = [atMost(`${what}, frames dropped`, share, 1 / 20, formatShare)];
    measured.push({ what: `${what}, a frame`, times, longest_ms: await watched.longestTask(), goals });
  }
  return measured;
}

function formatShare(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

const COUNT_FRAMES = `{
  const times = [];
  let last;
  let isOver = false;
  const count = (now) => {
    if (last !== undefined) times.push(now - last);
    last = now;
    if (!isOver) requestAnimationFrame(count);
  };
  requestAnimationFrame(count);
  window.takeFrames = () => {
    isOver = true;
    return times;
  };
}`;
