import { useMemo, useState } from "preact/hooks";
import { useAddress } from "../../address.ts";
import type { SessionLine } from "../../core.ts";
import { useLastComplete } from "../../last-complete.ts";
import { useAnswers } from "../../several.ts";
import type { SessionFilter } from "./session-filter.ts";

const PAGE = 100;

/** The visible sessions, loaded in pages. */
export function useSessionLines(filter: SessionFilter) {
  const { at } = useAddress();
  const [sight, setSight] = useState({ first: 0, last: 0 });
  const pages = Array.from(
    { length: Math.floor(sight.last / PAGE) - Math.floor(sight.first / PAGE) + 1 },
    (_, nth) => Math.floor(sight.first / PAGE) + nth,
  );
  const asked = useAnswers(
    "sessions",
    pages.map((page) => ({ ...filter, row: page * PAGE, limit: PAGE })),
    at,
  );
  const isComplete = asked.every(({ data }) => data !== undefined);
  const found: ReadonlyMap<number, SessionLine> = useMemo(
    () =>
      new Map(
        asked.flatMap(({ data }, nth) =>
          (data?.answer ?? []).map((line, row) => [(pages[nth] ?? 0) * PAGE + row, line] as const),
        ),
      ),
    [pages[0], ...asked.map(({ data }) => data)],
  );
  // At another position the old lines stay until the new ones are complete.
  const lines = useLastComplete(JSON.stringify(filter), isComplete, found) ?? found;
  return {
    lines,
    isOld: !isComplete && lines !== found,
    error: asked.find(({ error }) => error)?.error ?? undefined,
    see: (first: number, last: number) => setSight({ first, last }),
  };
}
