import { zone } from "../parts/zone.ts";
import { useStore } from "../store.ts";
import { theme } from "./theme.ts";

export function ZoneSwitch() {
  const current = useStore(zone);
  const next = current === "utc" ? "local" : "utc";
  return (
    <button
      type="button"
      onClick={() => zone.set(next)}
      title={`Show times in ${next === "utc" ? "UTC" : "your time zone"}`}
    >
      {current === "utc" ? "UTC" : "local"}
    </button>
  );
}

export function ThemeSwitch() {
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
