import { useQueries } from "@tanstack/preact-query";
import { useState } from "preact/hooks";
import { useAddress } from "../../address.ts";
import { askServer, useAnswer } from "../../answers.ts";
import { Empty, Fault, Loading } from "../../parts/states.tsx";
import { Ago } from "../../parts/time.tsx";
import { Windowed } from "../../parts/windowed.tsx";
import "./log.css";

const PAGE = 200;

/** All events, the newest first; pages of them are asked for as they come into sight. */
export function LogView() {
  const { at } = useAddress();
  const { answer: overview, position: head = 0, error } = useAnswer("overview", {});
  const [shown, setShown] = useState({ first: 0, last: 0 });
  const pages = pagesOf(head - shown.last, head - shown.first);
  const asked = useQueries({
    queries: pages.map((page) => ({
      // Events never change: a page that is full stays as it is.
      queryKey: ["log", page, isFull(page, head) ? "full" : head, at],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        askServer("log", { after: page * PAGE, limit: PAGE }, undefined, signal),
    })),
  });
  const lines = new Map(asked.flatMap(({ data }) => data?.answer ?? []).map((line) => [line.position, line]));
  if (error) return <Fault error={error} />;
  if (!overview) return <Loading what="the log" />;
  if (head === 0) return <Empty>Nothing has happened yet.</Empty>;
  return (
    <Windowed
      label="Events, the newest first"
      count={head}
      rowHeight={32}
      keyOf={(index) => head - index}
      onWindow={(first, last) => setShown({ first, last })}
      row={(index) => {
        const position = head - index;
        const line = lines.get(position);
        return (
          <div class="log-row">
            <span class="position muted">#{position}</span>
            <span class="muted">{line && <Ago time={line.recordedAt} />}</span>
            <span>{line?.actor}</span>
            <span class="mono">{line?.type}</span>
            <span>{line?.text}</span>
          </div>
        );
      }}
    />
  );
}

/** The pages on which positions from one to another stand. */
function pagesOf(from: number, to: number): number[] {
  const first = Math.floor(Math.max(from - 1, 0) / PAGE);
  const last = Math.floor(Math.max(to - 1, 0) / PAGE);
  return Array.from({ length: last - first + 1 }, (_, nth) => first + nth);
}

function isFull(page: number, head: number): boolean {
  return (page + 1) * PAGE <= head;
}
