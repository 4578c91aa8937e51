import { useEffect, useState } from "preact/hooks";
import { useAnswer } from "../answers.ts";
import { visible } from "../core.ts";
import { boundKeys, EVERYWHERE, useKeys } from "../keys.ts";
import { live } from "../live.ts";
import { Dialog } from "../parts/dialog.tsx";
import { lazily } from "../parts/lazily.tsx";
import { Loading } from "../parts/states.tsx";
import { AgoInPresent } from "../parts/time.tsx";
import { request } from "../request.ts";
import { useStore } from "../store.ts";
import { shownName } from "../title.ts";
import { PALETTE_KEY } from "./palette/key.ts";
import { ThemeSwitch, ZoneSwitch } from "./switches.tsx";

export function Header() {
  const { answer } = useAnswer("overview", {}, { at: undefined });
  const waiting = answer?.inbox ?? 0;
  const visitor = answer?.visitor;
  const shown = useStore(shownName);
  const isKnown = answer !== undefined;
  const project = visible(answer?.title || "signalbox");
  useEffect(() => {
    const name = [shown, project].filter((part) => part !== "").join(" · ");
    document.title = waiting > 0 ? `(${waiting}) ${name}` : name;
  }, [waiting, shown, project]);
  useEffect(() => {
    const icon = document.querySelector<HTMLLinkElement>("link[rel=icon]");
    if (icon && isKnown) icon.href = iconOf(project);
  }, [project, isKnown]);
  return (
    <header class="header">
      <span class="title">{project}</span>
      <LiveState />
      {visitor && visitor.by !== "address" && (
        <span class="visitor" title={`You act as ${visitor.name}, with the role ${visitor.role}.`}>
          {visible(visitor.name)} · {visitor.role}{" "}
          <button type="button" onClick={() => void logOut()}>
            Log out
          </button>
        </span>
      )}
      <PaletteOpener />
      <ZoneSwitch />
      <ThemeSwitch />
    </header>
  );
}

/** Forgets who looks at the page, and shows how to log in. */
async function logOut(): Promise<void> {
  await request("/logout", { method: "POST" }).catch(() => undefined);
  location.assign("/");
}

/** An icon with the project's initial, so that the tabs of several projects differ. */
function iconOf(name: string): string {
  const [initial = "s"] = name.trim();
  const drawn = encodeURIComponent(initial.replace(/[<&]/, "·").toUpperCase());
  return `data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="royalblue"/><text x="16" y="23" font-family="sans-serif" font-size="20" font-weight="700" text-anchor="middle" fill="white">${drawn}</text></svg>`;
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

const Palette = lazily(
  async () => (await import("./palette/palette.tsx")).Palette,
  () => <Loading what="the palette" />,
);

/** The button of the command palette, which also opens on Ctrl-K. */
function PaletteOpener() {
  const [areas, setAreas] = useState<ReturnType<typeof boundKeys>>();
  // Before the dialog takes the focus: some shortcuts are about the focused item.
  const open = () => setAreas(boundKeys());
  useKeys(EVERYWHERE, [{ key: PALETTE_KEY, does: "views, tasks and actions", run: open }]);
  return (
    <>
      <button
        type="button"
        class="palette-opener"
        aria-label="Go to …"
        title="Views, tasks and actions (Ctrl-K)"
        onClick={open}
      >
        <span aria-hidden="true">⌕</span>
        <span class="palette-word"> Go to …</span>
      </button>
      <Dialog
        label="Views, tasks and actions"
        isOpen={areas !== undefined}
        opening={areas}
        class="palette"
        onClose={() => setAreas(undefined)}
      >
        {(close) => <Palette areas={areas ?? []} close={close} />}
      </Dialog>
    </>
  );
}
