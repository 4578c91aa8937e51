import type { AnswerOf } from "../../../server/answers/index.ts";
import { useAddress } from "../../address.ts";
import type { CardKind } from "../../core.ts";
import { isFiltered } from "../../filter.ts";
import { useKeys } from "../../keys.ts";
import { Chip, Choice, FilterBar } from "../../parts/chips.tsx";
import { SearchField } from "../../parts/search-field.tsx";
import { sessionName } from "../../parts/session-name.ts";
import { VerbSymbol, verbWords } from "../../parts/verb.tsx";
import { cardFilter } from "./filter.ts";
import { factWords, isVerb } from "./kinds.ts";

type Answer = AnswerOf<"timeline">;

/** The filters: chips with the total of each kind, whatever else is chosen. */
export function Filters({
  counts,
  sessions,
  shown,
}: Pick<Answer, "counts"> & { readonly sessions: readonly string[]; readonly shown: number }) {
  const address = useAddress();
  const { filter } = cardFilter.read(address);
  const clear = () => address.go(cardFilter.none);
  useKeys("Timeline", isFiltered(filter) ? [{ key: "Escape", does: "clear the filters", run: clear }] : []);
  const sum = (of: (count: Answer["counts"][number]) => boolean) =>
    counts.filter(of).reduce((all, { cards }) => all + cards, 0);
  const phases = sum(({ kind }) => kind === "phase");
  const all = sum(() => true) - phases;
  const chosen = filter.kind ?? [];
  return (
    <FilterBar
      view="Timeline"
      clear={isFiltered(filter) ? cardFilter.none : undefined}
      after={
        isFiltered(filter) && (
          <span class="muted" role="status">
            {shown} of {all + phases}
          </span>
        )
      }
    >
      <Chip isChosen={!isFiltered(filter)} count={all} onChoose={clear}>
        {phases === 0 ? "all" : "all but phases"}
      </Chip>
      {kinds.map((kind) => {
        const cards = sum((count) => count.kind === kind || (kind === "status" && count.changed === 1));
        const others = chosen.filter((one) => one !== kind);
        const isChosen = others.length < chosen.length;
        if (cards === 0 && !isChosen) return null;
        return (
          <Chip
            key={kind}
            isChosen={isChosen}
            count={cards}
            onChoose={() => address.go({ kind: (isChosen ? others : [...chosen, kind]).join(",") })}
          >
            {isVerb(kind) ? (
              <>
                <VerbSymbol verb={kind} /> {verbWords[kind].toLowerCase()}
              </>
            ) : (
              factWords[kind]
            )}
          </Chip>
        );
      })}
      {(["human", "agent"] as const).map((by) => (
        <Chip
          key={by}
          isChosen={filter.by === by}
          count={sum((count) => count.by === by)}
          onChoose={() => address.go({ by: filter.by === by ? undefined : by })}
        >
          {by}
        </Chip>
      ))}
      {(sum(({ late }) => late === 1) > 0 || filter.late) && (
        <Chip
          isChosen={filter.late === "yes"}
          count={sum(({ late }) => late === 1)}
          onChoose={() => address.go({ late: filter.late ? undefined : "yes" })}
        >
          late
        </Chip>
      )}
      {(sessions.length > 0 || filter.session !== undefined) && (
        <Choice
          name="session"
          label="Session"
          value={filter.session}
          choices={sessions}
          nameOf={sessionName}
          any="any session"
        />
      )}
      <SearchField name="text" label="Search the timeline" value={filter.text ?? ""} />
    </FilterBar>
  );
}

const kinds = Object.keys({ ...verbWords, ...factWords }) as CardKind[];
