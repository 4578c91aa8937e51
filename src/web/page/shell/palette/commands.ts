import { useAct, useDisabledReason } from "../../acts.ts";
import { useAnswer } from "../../answers.ts";
import { zone } from "../../parts/zone.ts";
import { theme } from "../theme.ts";

/** What the palette offers that has no key: the page's switches, and the work of all drivers. */
export interface Command {
  readonly does: string;
  run(): void;
}

export function useCommands(): readonly Command[] {
  const { answer } = useAnswer("overview", {}, { at: undefined });
  const resume = useAct("resume_work");
  const disabledReason = useDisabledReason();
  const isPaused = answer?.paused != null && disabledReason === undefined;
  return [
    ...(isPaused ? [{ does: "resume the work", run: () => void resume.run({}) }] : []),
    ...THEMES.filter((one) => one !== theme.get()).map((one) => ({
      does: `theme: ${one}`,
      run: () => theme.set(one),
    })),
    zone.get() === "utc"
      ? { does: "show times in your time zone", run: () => zone.set("local") }
      : { does: "show times in UTC", run: () => zone.set("utc") },
  ];
}

const THEMES = ["light", "dark", "system"] as const;
