import { goTo } from "../../../test/web/support/views.ts";
import { below } from "../goals.ts";
import { quantile } from "../measure.ts";
import { formatTime } from "../report.ts";
import type { Measured } from "./measured.ts";
import type { WatchedPage } from "./watched.ts";

/** Each field whose text the server searches for, and what is typed into it. */
const FIELDS = [
  { path: "/board", label: "Title or number", name: "text", text: "reminders" },
  { path: "/tasks/", label: "Search the timeline", name: "text", text: "reminders" },
  { path: "/learnings", label: "Search learnings", name: "text", text: "reminders" },
  { path: "/sessions", label: "Task", name: "task", text: "1234" },
  { path: "/log", label: "Task", name: "task", text: "1234" },
  { path: "/log", label: "Session", name: "session", text: "session-1234" },
  { path: "/log", label: "Actor", name: "actor", text: "human" },
  { path: "/log", label: "Search event texts", name: "text", text: "reminders" },
] as const;

/**
 * Types into each field of a filter: from each key until the first answer that it causes is drawn.
 *
 * @param task whose timeline is searched
 */
export async function measureKeys(watched: WatchedPage, task: number): Promise<Measured[]> {
  const measured: Measured[] = [];
  for (const { path, label, name, text } of FIELDS) {
    await goTo(watched.page, path === "/tasks/" ? `${path}${task}` : path);
    const field = watched.page.getByRole("searchbox", { name: label, exact: true });
    await field.focus();
    await watched.page.evaluate(WATCH_ANSWERS);
    await watched.longestTask();
    const times: number[] = [];
    for (let typed = 1; typed <= text.length; typed++) {
      const query = `${name}=${text.slice(0, typed)}`;
      await watched.page.keyboard.press(text.charAt(typed - 1));
      times.push(await watched.page.evaluate<number>(`drawnAfter(${JSON.stringify(query)})`));
    }
    const what = `a key, ${path === "/tasks/" ? "timeline" : path.slice(1)}, “${label}”`;
    const goals = [below(`${what}, p95`, quantile(times, 0.95), 100, formatTime)];
    measured.push({ what, times, longest_ms: await watched.longestTask(), goals });
  }
  return measured;
}

/**
 * `drawnAfter(query)` waits for an answer to a question with that parameter, until it stands there in the next frame, and
 * returns the milliseconds since the last key.
 */
const WATCH_ANSWERS = `{
  let pressed = 0;
  addEventListener("keydown", ({ timeStamp }) => { pressed = timeStamp; }, { capture: true });
  const answered = new Set();
  new PerformanceObserver((list) => {
    for (const { name, responseEnd } of list.getEntries()) {
      if (responseEnd > 0) for (const parameter of new URL(name).search.slice(1).split("&")) answered.add(parameter);
    }
  }).observe({ type: "resource" });
  const nextFrame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  window.drawnAfter = async (query) => {
    while (!answered.has(query) || document.querySelector(".is-old")) await new Promise((resolve) => setTimeout(resolve, 1));
    await nextFrame();
    return performance.now() - pressed;
  };
}`;
