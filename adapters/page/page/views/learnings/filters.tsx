import type { AnswerOf } from "../../../server/answers/index.ts";
import { useAddress } from "../../address.ts";
import { isFiltered } from "../../filter.ts";
import { Chip, FilterBar } from "../../parts/chips.tsx";
import { SearchField } from "../../parts/search-field.tsx";
import { type Filter, NO_FILTER } from "./learning-filter.ts";

interface FiltersProps {
  readonly filter: Filter;
  readonly answer: AnswerOf<"learnings">;
}

/** The search, and chips for scope, kind and mark with their counts. */
export function Filters({ filter, answer }: FiltersProps) {
  const { found, total } = answer;
  return (
    <FilterBar
      view="Learnings"
      clear={isFiltered(filter) ? NO_FILTER : undefined}
      after={
        <span class="muted" role="status">
          {found === total
            ? total.toLocaleString("en")
            : `${found.toLocaleString("en")} of ${total.toLocaleString("en")}`}
        </span>
      }
    >
      <SearchField name="text" label="Search learnings" value={filter.text ?? ""} />
      <Chips name="scope" counts={answer.scopes} />
      <Chips name="kind" counts={answer.kinds} />
      <Chips name="mark" counts={answer.marks} />
    </FilterBar>
  );
}

interface ChipsProps {
  readonly name: string;
  /** By value. */
  readonly counts: Readonly<Record<string, number>>;
}

function Chips({ name, counts }: ChipsProps) {
  const address = useAddress();
  const chosen = address.get(name);
  return (
    <fieldset class="chip-group">
      <legend class="hidden-but-read">{name}</legend>
      {Object.entries(counts).map(([value, count]) => (
        <Chip
          key={value}
          isChosen={chosen === value}
          count={count}
          onChoose={() => address.go({ [name]: chosen === value ? undefined : value }, { replace: true })}
        >
          {value}
        </Chip>
      ))}
    </fieldset>
  );
}
