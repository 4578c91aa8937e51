import { useAddress } from "./address.ts";
import { useFixed } from "./answers.ts";

/** What the event at the shown position of the past changed; nothing in the present. */
export function useChanged() {
  const { at } = useAddress();
  const { answer, isOld } = useFixed("position", { position: at ?? 0 }, at !== undefined);
  const changed = at === undefined || isOld ? undefined : answer?.changed;
  const mark = (isChanged: boolean | undefined) => (isChanged ? "" : undefined);
  return {
    /** Values of the attribute `data-changed`. */
    task: (id: number) => mark(changed?.tasks.includes(id)),
    session: (id: string) => mark(changed?.sessions.includes(id)),
    learning: (id: number) => mark(changed?.learnings.includes(id)),
    event: (position: number) => mark(position === at),
  };
}
