import { useId, useState } from "preact/hooks";
import { useAddress } from "../../address.ts";
import { isFiltered } from "../../filter.ts";
import { SearchField } from "../../parts/search-field.tsx";
import { MessageText } from "../../parts/states.tsx";
import { type Bounds, logFilter, type Order, partsOf } from "./filter.ts";
import "./range-filters.css";

export const ORDER_WORDS = { newest_first: "newest first", oldest_first: "oldest first" } as const;

const FIELDS = [
  { name: "since", label: "Since", placeholder: "2 hours ago" },
  { name: "until", label: "Until", placeholder: "2026-11-21" },
  { name: "from", label: "From", placeholder: "position" },
  { name: "to", label: "To", placeholder: "position" },
  { name: "after", label: "After", placeholder: "position" },
] as const;

/** The bounds of the log, as `signalbox log list` takes them, and its order. @param wrong what the server says of each */
export function RangeFilters({ wrong }: { readonly wrong: Partial<Record<keyof Bounds, string>> }) {
  const address = useAddress();
  const { bounds, order } = partsOf(logFilter.read(address).filter);
  const isSet = isFiltered(bounds) || order !== "newest_first";
  const [isOpen, setOpen] = useState(isSet);
  return (
    <details
      class="log-range"
      open={isOpen || isSet}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>Range and order</summary>
      <div class="log-bounds">
        {FIELDS.map((field) => (
          <BoundField
            key={field.name}
            {...field}
            value={bounds[field.name] ?? ""}
            wrong={wrong[field.name]}
          />
        ))}
        <label class="log-bound">
          Order
          <select
            value={order}
            onChange={({ currentTarget }) => {
              const chosen = currentTarget.value as Order;
              address.go({ order: chosen === "newest_first" ? undefined : chosen });
            }}
          >
            {Object.entries(ORDER_WORDS).map(([one, words]) => (
              <option key={one} value={one}>
                {words}
              </option>
            ))}
          </select>
        </label>
      </div>
    </details>
  );
}

interface BoundFieldProps {
  readonly name: keyof Bounds;
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly wrong: string | undefined;
}

function BoundField({ name, label, placeholder, value, wrong }: BoundFieldProps) {
  const id = useId();
  return (
    <div class="log-bound">
      <span aria-hidden="true">{label}</span>
      <SearchField
        name={name}
        label={label}
        placeholder={placeholder}
        value={value}
        isWhole
        wrong={wrong === undefined ? undefined : id}
      />
      {wrong !== undefined && (
        <span id={id} class="fault" role="alert">
          <MessageText text={wrong} />
        </span>
      )}
    </div>
  );
}
