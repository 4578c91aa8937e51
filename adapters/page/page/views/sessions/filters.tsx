import { useAddress } from "../../address.ts";
import { isFiltered } from "../../filter.ts";
import { Chip, Choice, FilterBar } from "../../parts/chips.tsx";
import { SearchField } from "../../parts/search-field.tsx";
import { outcomes, type SessionFilter, sessionFilter } from "./session-filter.ts";

/** The filters of the sessions. */
export function SessionFilters({ filter }: { readonly filter: SessionFilter }) {
  const { go } = useAddress();
  const whether = [
    { name: "all", running: undefined },
    { name: "running", running: "yes" },
    { name: "ended", running: "no" },
  ] as const;
  return (
    <FilterBar view="Sessions" clear={isFiltered(filter) ? sessionFilter.none : undefined}>
      <fieldset class="chip-group">
        <legend class="hidden-but-read">Running or ended</legend>
        {whether.map(({ name, running }) => (
          <Chip key={name} isChosen={filter.running === running} onChoose={() => go({ running })}>
            {name}
          </Chip>
        ))}
      </fieldset>
      <Choice name="outcome" label="Outcome" value={filter.outcome} choices={outcomes} any="any outcome" />
      <SearchField name="task" label="Task" value={String(filter.task ?? "")} isNumber />
    </FilterBar>
  );
}
