import { useRef } from "preact/hooks";
import type { AnswerOf } from "../../../server/answers/index.ts";
import { useAddress } from "../../address.ts";
import { useKeys } from "../../keys.ts";
import { readable } from "../../parts/readable.ts";
import { focusSearch, SearchField } from "../../parts/search-field.tsx";
import { VerbSymbol, verbWords } from "../../parts/verb.tsx";
import { filterIn, isFiltered, noFilter } from "./filter.ts";
import "../../parts/chips.css";

type Answer = AnswerOf<"timeline">;

/** Which cards are shown: chips with how many there are of each kind, whatever else is chosen. */
export function Filters({
  counts,
  sessions,
  shown,
}: Pick<Answer, "counts"> & { readonly sessions: readonly string[]; readonly shown: number }) {
  const address = useAddress();
  const filter = filterIn(address);
  const form = useRef<HTMLElement>(null);
  const clear = () => address.go(noFilter);
  useKeys("Timeline", [
    { key: "/", does: "search in the timeline", run: () => focusSearch(form.current) },
    ...(isFiltered(filter) ? [{ key: "Escape", does: "clear the filters", run: clear }] : []),
  ]);
  const sum = (of: (count: Answer["counts"][number]) => boolean) =>
    counts.filter(of).reduce((all, { cards }) => all + cards, 0);
  const all = sum(() => true);
  const chosen = filter.verb ?? [];
  return (
    <search ref={form} class="chips" aria-label="Filters">
      <button type="button" class="chip" aria-pressed={!isFiltered(filter)} onClick={clear}>
        all {all}
      </button>
      {verbs.map((verb) => {
        const cards = sum((count) => count.verb === verb);
        const others = chosen.filter((one) => one !== verb);
        const isChosen = others.length < chosen.length;
        if (cards === 0 && !isChosen) return null;
        return (
          <button
            key={verb}
            type="button"
            class="chip"
            aria-pressed={isChosen}
            onClick={() => address.go({ verb: (isChosen ? others : [...chosen, verb]).join(",") })}
          >
            <VerbSymbol verb={verb} /> {verbWords[verb].toLowerCase()} {cards}
          </button>
        );
      })}
      {(["human", "agent"] as const).map((by) => (
        <button
          key={by}
          type="button"
          class="chip"
          aria-pressed={filter.by === by}
          onClick={() => address.go({ by: filter.by === by ? undefined : by })}
        >
          {by} {sum((count) => count.by === by)}
        </button>
      ))}
      {(sum(({ late }) => late === 1) > 0 || filter.late) && (
        <button
          type="button"
          class="chip"
          aria-pressed={filter.late === "yes"}
          onClick={() => address.go({ late: filter.late ? undefined : "yes" })}
        >
          late {sum(({ late }) => late === 1)}
        </button>
      )}
      {(sessions.length > 0 || filter.session !== undefined) && (
        <select
          aria-label="Session"
          value={filter.session ?? ""}
          onChange={({ currentTarget }) => address.go({ session: currentTarget.value })}
        >
          <option value="">all sessions</option>
          {[...new Set([...sessions, ...(filter.session === undefined ? [] : [filter.session])])].map(
            (id) => (
              <option key={id} value={id}>
                {readable(id)}
              </option>
            ),
          )}
        </select>
      )}
      <SearchField
        name="text"
        label="Search in the timeline"
        value={filter.text ?? ""}
        placeholder="search (/)"
      />
      {isFiltered(filter) && (
        <>
          <span class="muted" role="status">
            {shown} of {all}
          </span>
          <button type="button" onClick={clear}>
            clear
          </button>
        </>
      )}
    </search>
  );
}

const verbs = Object.keys(verbWords) as (keyof typeof verbWords)[];
