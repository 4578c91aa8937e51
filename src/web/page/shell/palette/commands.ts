import { zone } from "../../parts/zone.ts";
import { theme } from "../theme.ts";
import { useLoopActs, useLoops } from "../use-loops.ts";

/** What the palette offers that has no key: the page's switches, and the work of all loops. */
export interface Command {
  readonly does: string;
  run(): void;
}

export function useCommands(): readonly Command[] {
  const loops = useLoops();
  const { pause, resume, noPause } = useLoopActs(loops);
  const work = loops?.paused
    ? { does: "resume the work of all loops", run: () => void resume.run({}) }
    : { does: "pause the work of all loops", run: () => void pause.run({}) };
  return [
    ...(loops && noPause === undefined ? [work] : []),
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
