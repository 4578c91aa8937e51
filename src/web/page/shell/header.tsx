import { useEffect } from "preact/hooks";
import { useAnswer } from "../answers.ts";
import { live } from "../live.ts";
import { Ago } from "../parts/time.tsx";
import { zone } from "../parts/zone.ts";
import { useStore } from "../store.ts";
import { theme } from "./theme.ts";

export function Header() {
  const { answer } = useAnswer("overview", {}, { at: undefined });
  const waiting = answer?.inbox ?? 0;
  useEffect(() => {
    document.title = waiting > 0 ? `(${waiting}) signalbox` : "signalbox";
  }, [waiting]);
  return (
    <header class="header">
      <span class="title">{answer?.title || "signalbox"}</span>
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
          <>
            {" · "}
            <Ago time={recordedAt} />
          </>
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

function ZoneSwitch() {
  const current = useStore(zone);
  const next = current === "utc" ? "local" : "utc";
  return (
    <button
      type="button"
      onClick={() => zone.set(next)}
      title={`Show times in ${next === "utc" ? "UTC" : "your zone"}`}
    >
      {current === "utc" ? "UTC" : "local"}
    </button>
  );
}

function ThemeSwitch() {
  const current = useStore(theme);
  const order = { system: "light", light: "dark", dark: "system" } as const;
  return (
    <button
      type="button"
      onClick={() => theme.set(order[current])}
      aria-label={`Theme: ${current}`}
      title={`Theme: ${current}`}
    >
      ◐
    </button>
  );
}
