import { createKeptStore, createStore } from "../store.ts";

/** Light or dark; follows the system until a person chooses. */
export const theme = createKeptStore("signalbox-theme", ["system", "light", "dark"], "system");

/** The theme in use. */
export const shownTheme = createStore<"light" | "dark">("light");

const systemIsDark = matchMedia("(prefers-color-scheme: dark)");

export function applyTheme(): void {
  const apply = () => {
    const chosen = theme.get();
    const isDark = chosen === "dark" || (chosen === "system" && systemIsDark.matches);
    const shown = isDark ? "dark" : "light";
    document.documentElement.dataset.theme = shown;
    shownTheme.set(shown);
  };
  apply();
  theme.subscribe(apply);
  systemIsDark.addEventListener("change", apply);
}
