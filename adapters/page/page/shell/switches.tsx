import { EVERYWHERE, useKeys } from "../keys.ts";
import { zone } from "../parts/zone.ts";
import { useStore } from "../store.ts";
import { theme } from "./theme.ts";

export function ZoneSwitch() {
  const current = useStore(zone);
  const next = current === "utc" ? "local" : "utc";
  const does = `show times in ${next === "utc" ? "UTC" : "your time zone"}`;
  useKeys(EVERYWHERE, [{ does, run: () => zone.set(next) }]);
  return (
    <button type="button" onClick={() => zone.set(next)} title={`S${does.slice(1)}`}>
      {current === "utc" ? "UTC" : "local"}
    </button>
  );
}

export function ThemeSwitch() {
  const current = useStore(theme);
  const others = (["light", "dark", "system"] as const).filter((one) => one !== current);
  useKeys(
    EVERYWHERE,
    others.map((one) => ({ does: `theme: ${one}`, run: () => theme.set(one) })),
  );
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
