import type { ComponentChildren } from "preact";
import { useAddress } from "../../address.ts";
import { visible } from "../../core.ts";
import { isFiltered } from "../../filter.ts";
import { FilterBar } from "../../parts/chips.tsx";
import { SearchField } from "../../parts/search-field.tsx";
import { familyOf, logFilter, typesOf } from "./filter.ts";

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
  const chosen = typesOf(filter);
  const families = [...new Set(types.map(familyOf))];
  return (
    <FilterBar view="Log" clear={isFiltered(filter) ? logFilter.none : undefined} after={children}>
      <select
        aria-label="Type"
        value=""
        onChange={({ currentTarget }) => {
          address.go({ type: [...new Set([...chosen, currentTarget.value])].join(",") });
          currentTarget.value = "";
        }}
      >
        <option value="">{chosen.length === 0 ? "any type" : "another type"}</option>
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
      {chosen.map((type) => (
        <button
          key={type}
          type="button"
          class="chip"
          aria-label={`Remove type ${visible(type)}`}
          onClick={() => address.go({ type: chosen.filter((one) => one !== type).join(",") })}
        >
          {visible(type)} ×
        </button>
      ))}
      <SearchField name="task" label="Task" value={String(filter.task ?? "")} isNumber />
      <SearchField name="session" label="Session" value={filter.session ?? ""} />
      <SearchField name="actor" label="Actor" value={filter.actor ?? ""} />
      <SearchField name="text" label="Search event texts" value={filter.text ?? ""} />
    </FilterBar>
  );
}
