import type { ComponentChildren } from "preact";
import { useAddress } from "../../address.ts";
import { isFiltered } from "../../filter.ts";
import { FilterBar } from "../../parts/chips.tsx";
import { SearchField } from "../../parts/search-field.tsx";
import { familyOf, logFilter } from "./filter.ts";

/** The filters of the log. @param types the known event types */
export function Filters({
  types,
  children,
}: {
  readonly types: readonly string[];
  readonly children: ComponentChildren;
}) {
  const address = useAddress();
  const { filter } = logFilter.read(address);
  const families = [...new Set(types.map(familyOf))];
  return (
    <FilterBar view="Log" clear={isFiltered(filter) ? logFilter.none : undefined} after={children}>
      <select
        aria-label="Type"
        value={filter.type ?? ""}
        class={filter.type === undefined ? undefined : "is-set"}
        onChange={({ currentTarget }) => address.go({ type: currentTarget.value })}
      >
        <option value="">any type</option>
        {filter.type !== undefined && ![...families, ...types].includes(filter.type) && (
          <option value={filter.type}>{filter.type}</option>
        )}
        {families.map((family) => (
          <optgroup key={family} label={family}>
            <option value={family}>{family}: all</option>
            {types
              .filter((type) => familyOf(type) === family)
              .map((type) => (
                <option key={type} value={type}>
                  {type}
                </option>
              ))}
          </optgroup>
        ))}
      </select>
      <SearchField name="task" label="Task" value={String(filter.task ?? "")} isNumber />
      <SearchField name="session" label="Session" value={filter.session ?? ""} />
      <SearchField name="actor" label="Actor" value={filter.actor ?? ""} />
      <SearchField name="text" label="Search event texts" value={filter.text ?? ""} />
    </FilterBar>
  );
}
