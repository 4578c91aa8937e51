import { useRef } from "preact/hooks";
import { Link } from "wouter-preact";
import { priorities } from "../../../../events/types/task-words.ts";
import { useAddress } from "../../address.ts";
import { useKeys } from "../../keys.ts";
import { filterWords, NO_FILTER, TEXT_LIMIT, useFilter } from "./filter.ts";

interface FiltersProps {
  readonly features: readonly string[];
  readonly disciplines: readonly string[];
}

/** What the board shows: by feature, discipline, priority and text; and whether as cards or as a graph. */
export function Filters({ features, disciplines }: FiltersProps) {
  const address = useAddress();
  const filter = useFilter();
  const search = useRef<HTMLInputElement>(null);
  useKeys("Board", [{ key: "/", does: "filter by text", run: () => search.current?.focus() }]);
  const set = (name: string, value: string) => address.go({ [name]: value }, { replace: true });
  return (
    <search class="board-filters" aria-label="Filter">
      <Choice name="feature" value={filter.feature} choices={features} onChoose={set} />
      <Choice name="discipline" value={filter.discipline} choices={disciplines} onChoose={set} />
      <Choice name="priority" value={filter.priority} choices={priorities} onChoose={set} />
      <input
        ref={search}
        type="search"
        aria-label="Title or number"
        placeholder="title or #number ( / )"
        maxLength={TEXT_LIMIT}
        value={filter.text ?? ""}
        onInput={({ currentTarget }) => set("text", currentTarget.value)}
      />
      {filterWords(filter) !== "" && (
        <button type="button" onClick={() => address.go(NO_FILTER, { replace: true })}>
          Clear
        </button>
      )}
      <Shown />
    </search>
  );
}

function Shown() {
  const { get, with: to } = useAddress();
  const isGraph = get("show") === "graph";
  return (
    <nav class="board-shown" aria-label="Shown as">
      <Link href={to({ show: undefined })} aria-current={isGraph ? undefined : "true"}>
        Cards
      </Link>
      <Link href={to({ show: "graph" })} aria-current={isGraph ? "true" : undefined}>
        Graph
      </Link>
    </nav>
  );
}

interface ChoiceProps {
  readonly name: string;
  readonly value: string | undefined;
  readonly choices: readonly string[];
  onChoose(name: string, value: string): void;
}

/** One that the address names and that is not there stays to be seen, and to be taken away. */
function Choice({ name, value, choices, onChoose }: ChoiceProps) {
  const all = value === undefined || choices.includes(value) ? choices : [value, ...choices];
  return (
    <select
      aria-label={name}
      value={value ?? ""}
      class={value === undefined ? undefined : "is-set"}
      onChange={({ currentTarget }) => onChoose(name, currentTarget.value)}
    >
      <option value="">any {name}</option>
      {all.map((choice) => (
        <option key={choice} value={choice}>
          {choice}
        </option>
      ))}
    </select>
  );
}
