import { createKeptStore } from "../store.ts";

/** Light or dark: as the system has it, until a person chooses. */
export const theme = createKeptStore("signalbox-theme", ["system", "light", "dark"], "system");

const systemIsDark = matchMedia("(prefers-color-scheme: dark)");

export function applyTheme(): void {
  const apply = () => {
    const chosen = theme.get();
    const isDark = chosen === "dark" || (chosen === "system" && systemIsDark.matches);
    document.documentElement.dataset.theme = isDark ? "dark" : "light";
  };
  apply();
  theme.subscribe(apply);
  systemIsDark.addEventListener("change", apply);
}
