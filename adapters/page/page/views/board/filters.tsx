import { Link } from "wouter-preact";
import { useAddress } from "../../address.ts";
import { priorities } from "../../core.ts";
import { Choice, FilterBar } from "../../parts/chips.tsx";
import { SearchField } from "../../parts/search-field.tsx";
import { NewTaskButton } from "../../parts/task-form/new-task-button.tsx";
import { filterWords, NO_FILTER, useFilter } from "./filter.ts";

interface FiltersProps {
  readonly features: readonly string[];
  readonly disciplines: readonly string[];
}

/** The board's filters, and the switch between cards and graph. */
export function Filters({ features, disciplines }: FiltersProps) {
  const { feature, discipline, priority, text } = useFilter();
  const { get } = useAddress();
  if (get("show") === "graph") {
    // The graph ignores the filters.
    return (
      <div class="filter-bar">
        <After />
      </div>
    );
  }
  const isFiltered = filterWords({ feature, discipline, priority, text }) !== "";
  return (
    <FilterBar view="Board" clear={isFiltered ? NO_FILTER : undefined} after={<After />}>
      <Choice name="feature" value={feature} choices={features} any="any feature" />
      <Choice name="discipline" value={discipline} choices={disciplines} any="any discipline" />
      <Choice name="priority" value={priority} choices={priorities} any="any priority" />
      <SearchField
        name="text"
        label="Title or number"
        value={text ?? ""}
        placeholder="title or #number (/)"
      />
    </FilterBar>
  );
}

function After() {
  return (
    <>
      <Shown />
      <NewTaskButton />
    </>
  );
}

function Shown() {
  const { get, with: to } = useAddress();
  const isGraph = get("show") === "graph";
  return (
    <nav class="board-shown" aria-label="Show as">
      <Link href={to({ show: undefined })} aria-current={isGraph ? undefined : "true"}>
        Cards
      </Link>
      <Link href={to({ show: "graph" })} aria-current={isGraph ? "true" : undefined}>
        Graph
      </Link>
    </nav>
  );
}
