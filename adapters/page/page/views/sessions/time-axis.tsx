import { useLayoutEffect, useRef } from "preact/hooks";
import { clockLength } from "../../core.ts";

/** The column headings, with the axis that all bars share: time since the session's start. */
export function TimeAxis({ axis, onWidth }: { readonly axis: number; onWidth(pixels: number): void }) {
  const cell = useRef<HTMLSpanElement>(null);
  const tell = useRef(onWidth);
  tell.current = onWidth;
  useLayoutEffect(() => {
    const element = cell.current;
    if (!element) return;
    const observer = new ResizeObserver(() => tell.current(element.clientWidth));
    observer.observe(element);
    tell.current(element.clientWidth);
    return () => observer.disconnect();
  }, []);
  return (
    <div class="session-row session-head muted" aria-hidden="true">
      <span class="session-phase">Phase</span>
      <span class="session-time">Time</span>
      <span class="session-task">Task</span>
      <span class="session-bar" ref={cell}>
        <span>0</span>
        <span>{clockLength(axis / 2)}</span>
        <span>{clockLength(axis)}</span>
      </span>
      <span class="session-loops">⇄</span>
      <span class="session-marks">!</span>
      <span class="session-cost">Cost</span>
      <span class="session-turns">Turns</span>
      <span class="session-said">Last signal</span>
    </div>
  );
}
