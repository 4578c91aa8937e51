import { Link } from "wouter-preact";
import { useAddress } from "../../address.ts";
import { type Filter, outcomes } from "./session-filter.ts";

/** Which sessions are shown: it all stands in the address. */
export function SessionFilters({ filter }: { readonly filter: Filter }) {
  const { with: to, go } = useAddress();
  const whether = [
    { name: "All", running: undefined },
    { name: "Running", running: "yes" },
    { name: "Ended", running: "no" },
  ] as const;
  return (
    <search class="session-filters">
      <ul aria-label="Running or ended">
        {whether.map(({ name, running }) => (
          <li key={name}>
            <Link href={to({ running })} aria-current={filter.running === running ? "true" : undefined}>
              {name}
            </Link>
          </li>
        ))}
      </ul>
      <label>
        Outcome{" "}
        <select
          value={filter.outcome ?? ""}
          onChange={({ currentTarget }) => go({ outcome: currentTarget.value })}
        >
          <option value="">any</option>
          {outcomes.map((outcome) => (
            <option key={outcome} value={outcome}>
              {outcome}
            </option>
          ))}
        </select>
      </label>
      <label>
        Task{" "}
        <input
          type="number"
          min={1}
          value={filter.task ?? ""}
          placeholder="any"
          onChange={({ currentTarget }) => go({ task: currentTarget.value })}
        />
      </label>
    </search>
  );
}
