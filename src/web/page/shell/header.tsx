import { useEffect } from "preact/hooks";
import { visible } from "../../../events/visible.ts";
import { useAnswer } from "../answers.ts";
import { live } from "../live.ts";
import { AgoInPresent } from "../parts/time.tsx";
import { useStore } from "../store.ts";
import { shownName } from "../title.ts";
import { ThemeSwitch, ZoneSwitch } from "./switches.tsx";

export function Header() {
  const { answer } = useAnswer("overview", {}, { at: undefined });
  const waiting = answer?.inbox ?? 0;
  const shown = useStore(shownName);
  useEffect(() => {
    const name = shown === "" ? "signalbox" : `${shown} · signalbox`;
    document.title = waiting > 0 ? `(${waiting}) ${name}` : name;
  }, [waiting, shown]);
  return (
    <header class="header">
      <span class="title">{visible(answer?.title || "signalbox")}</span>
      <LiveState />
      <ZoneSwitch />
      <ThemeSwitch />
    </header>
  );
}

/** Whether the page is live, and the last event that it knows. */
function LiveState() {
  const { state, head, recordedAt } = useStore(live);
  const position = head === undefined ? "" : `#${head.toLocaleString("en")}`;
  const isLive = state === "live";
  return (
    <span class={`live ${isLive ? "is-live" : "is-away"}`}>
      {/* Only the state is announced to screen readers: the rest changes with each event. */}
      <span role="status">{state === "unknown_address" ? "link expired" : state}</span>
      {isLive ? position && ` · last event ${position}` : position && `, last event ${position}`}
      {isLive && recordedAt && (
        <span class="recorded">
          {", "}
          <AgoInPresent time={recordedAt} />
        </span>
      )}
    </span>
  );
}
