import { useMemo, useRef, useState } from "preact/hooks";
import { Link } from "wouter-preact";
import { positionIn, useAddress } from "../../../address.ts";
import { bytes } from "../../../core.ts";
import { useKeys } from "../../../keys.ts";
import { Searched } from "../../../parts/marked.tsx";
import { SearchField } from "../../../parts/search-field.tsx";
import { Empty, Fault, Loading } from "../../../parts/states.tsx";
import { Unseen } from "../../../parts/unseen.tsx";
import { useSettled } from "../../../parts/use-settled.ts";
import { Windowed } from "../../../parts/windowed.tsx";
import { createKeptStore, useStore } from "../../../store.ts";
import { Entry } from "./entry.tsx";
import { Hits } from "./hits.tsx";
import type { Loaded } from "./loaded.ts";
import { rowsOf } from "./rows.ts";
import { useOutput } from "./use-output.ts";
import { useTail } from "./use-tail.ts";
import "./output.css";

interface OutputProps {
  readonly session: string;
  readonly isRunning: boolean;
}

/** What a session's agent printed, as it comes, with a search. */
export function Output({ session, isRunning }: OutputProps) {
  const { at, get } = useAddress();
  const wrap = useStore(wraps);
  const find = get("find") ?? "";
  const text = useSettled(find);
  const root = useRef<HTMLDivElement>(null);
  useKeys("Output", [
    { key: "/", does: "search the output", run: () => root.current?.querySelector("input")?.focus() },
  ]);
  return (
    <div ref={root} class={`output${wrap === "on" ? " is-wrapped" : ""}`}>
      <div class="output-tools">
        <SearchField name="find" label="Search the output" value={find} placeholder="search (/)" />
        <button
          type="button"
          aria-pressed={wrap === "on"}
          class="chip"
          onClick={() => wraps.set(wrap === "on" ? "off" : "on")}
        >
          Wrap lines
        </button>
      </div>
      {at !== undefined && (
        <p class="muted">
          This is the whole output, from its file, and not as it was at #{at.toLocaleString("en")}.
        </p>
      )}
      {text.trim() === "" ? (
        <Stream key={`${session} ${get("byte")}`} session={session} isRunning={isRunning} />
      ) : (
        <Searched.Provider value={text}>
          <Hits session={session} text={text} />
        </Searched.Provider>
      )}
    </div>
  );
}

const wraps = createKeptStore("signalbox-wrap", ["on", "off"], "on");

function Stream({ session, isRunning }: OutputProps) {
  const { get, with: to } = useAddress();
  const origin = positionIn(get("byte"));
  const tail = useTail(origin === undefined);
  const seen = useRef({ top: 0, bottom: 0, count: 0 });
  const { output, error, load } = useOutput(session, {
    isRunning,
    origin,
    sight() {
      if (tail.isFollowing.current && origin === undefined) return "end";
      const { top, bottom, count } = seen.current;
      if (bottom <= count - NEAR) return "before the end";
      return top < NEAR ? "all" : "end";
    },
  });
  const rows = useMemo(() => rowsOf(output.entries), [output.entries]);
  const [wholes, setWholes] = useState<ReadonlyMap<string, string>>(new Map());
  const [first, setFirst] = useState<string>();
  seen.current.count = rows.length;
  const fault = error && (
    <Fault error={error} onRetry={() => load(!output.isRead ? "last" : output.isEnd ? "tail" : "newer")} />
  );
  if (fault && !output.isRead) return fault;
  if (output.missing) return <Empty>{MISSING[output.missing]}</Empty>;
  if (!output.isRead) return <Loading what="the output" />;
  if (rows.length === 0)
    return <Empty>{isRunning ? "Nothing printed yet." : "The agent printed nothing."}</Empty>;
  const pointed = origin === undefined ? -1 : rows.findIndex(({ entry }) => entry.at >= origin);
  const isFollowing = tail.isFollowing.current && origin === undefined;
  const unseen = tail.unseen(rows);
  const goToEnd = () => {
    if (!output.isEnd) load("last");
    tail.follow();
  };
  return (
    <>
      <p class="muted output-extent">
        {extentInWords(output, isRunning)}
        {origin !== undefined ? (
          <>
            {" · "}
            <Link href={to({ byte: undefined })}>go to the end</Link>
          </>
        ) : (
          !output.isEnd && (
            <>
              {" · "}
              <button type="button" onClick={goToEnd}>
                go to the end
              </button>
            </>
          )
        )}
      </p>
      {fault}
      <div class="output-list" {...tail.events}>
        <Windowed
          key={`${session} ${origin}`}
          label="Output, newest at the bottom"
          count={rows.length}
          rowHeight={48}
          show={isFollowing ? rows.length - 1 : pointed < 0 ? undefined : pointed}
          align={isFollowing ? "end" : "center"}
          still={isFollowing ? rows.at(-1)?.key : first}
          keyOf={(index) => rows[index]?.key ?? index}
          onWindow={(top, bottom) => {
            setFirst(rows[top]?.key);
            seen.current = { top, bottom, count: rows.length };
            // At first, the list has not scrolled to its end yet.
            if (top < NEAR && (!isFollowing || bottom === rows.length - 1)) load("older");
            if (bottom > rows.length - NEAR) load("newer");
          }}
          row={(index) => {
            const row = rows[index];
            if (!row) return null;
            const { key, entry } = row;
            return (
              <Entry
                session={session}
                entry={entry}
                whole={wholes.get(key)}
                isPointed={index === pointed}
                onWhole={(text) => setWholes(new Map(wholes).set(key, text))}
              />
            );
          }}
        />
        <Unseen count={unseen} where="↓" onGo={goToEnd} />
      </div>
    </>
  );
}

const NEAR = 8;

const MISSING: Readonly<Record<NonNullable<Loaded["missing"]>, string>> = {
  no_loop: "No loop ran this session, so its output was not kept.",
  other_host: "This session ran on another host. Open the panel there to read its output.",
  not_begun: "The agent has not started yet.",
  removed: "The output was removed: only that of the last 100 sessions is kept.",
};

function extentInWords({ start, size, isEnd }: Loaded, isRunning: boolean): string {
  const all = start === 0 && isEnd ? bytes(size) : `${bytes(size)}, scroll to load more`;
  return isRunning && isEnd ? `live · ${all}` : all;
}
