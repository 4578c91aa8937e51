import { useEffect } from "preact/hooks";
import { visible } from "../../../events/visible.ts";
import { useAnswer } from "../answers.ts";
import { live } from "../live.ts";
import { Ago } from "../parts/time.tsx";
import { useStore } from "../store.ts";
import { ThemeSwitch, ZoneSwitch } from "./switches.tsx";

export function Header() {
  const { answer } = useAnswer("overview", {}, { at: undefined });
  const waiting = answer?.inbox ?? 0;
  useEffect(() => {
    document.title = waiting > 0 ? `(${waiting}) signalbox` : "signalbox";
  }, [waiting]);
  return (
    <header class="header">
      <span class="title">{visible(answer?.title || "signalbox")}</span>
      <LiveState />
      <ZoneSwitch />
      <ThemeSwitch />
    </header>
  );
}

/** Never a page that looks live and is not. */
function LiveState() {
  const { state, head, recordedAt } = useStore(live);
  const position = head === undefined ? "" : `#${head.toLocaleString("en")}`;
  if (state === "live") {
    return (
      <span class="live is-live" role="status">
        live · {position}
        {recordedAt && (
          <span class="recorded">
            {" · "}
            <Ago time={recordedAt} />
          </span>
        )}
      </span>
    );
  }
  const words =
    state === "connecting" ? "connecting" : state === "reconnecting" ? "reconnecting" : "not known here";
  return (
    <span class="live is-away" role="status">
      {words}
      {position && `, last ${position}`}
    </span>
  );
}
