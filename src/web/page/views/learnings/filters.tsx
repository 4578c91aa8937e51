import { visible } from "../../../../events/visible.ts";
import type { AnswerOf } from "../../../server/answers/index.ts";
import { type Address, useAddress } from "../../address.ts";
import { Chip, FilterBar } from "../../parts/chips.tsx";
import { SearchField } from "../../parts/search-field.tsx";

export const NO_FILTER = { text: undefined, scope: undefined, kind: undefined, mark: undefined };

/** The search, and chips for scope, kind and mark with what each would show. */
export function Filters({ answer }: { readonly answer: AnswerOf<"learnings"> }) {
  const { get } = useAddress();
  const isFiltered = Object.keys(NO_FILTER).some((name) => get(name) !== undefined);
  const { found, total } = answer;
  return (
    <FilterBar view="Learnings" clear={isFiltered ? NO_FILTER : undefined}>
      <SearchField name="text" label="Search learnings" value={get("text") ?? ""} />
      <Chips name="scope" counts={answer.scopes} />
      <Chips name="kind" counts={answer.kinds} />
      <Chips name="mark" counts={answer.marks} />
      <span class="muted" role="status">
        {found === total
          ? total.toLocaleString("en")
          : `${found.toLocaleString("en")} of ${total.toLocaleString("en")}`}
      </span>
    </FilterBar>
  );
}

/** The filters in words: `with “utc” of the kind convention`. */
export function filterInWords({ get }: Pick<Address, "get">): string {
  const [text, mark] = [get("text"), get("mark")];
  return [
    text && `with “${visible(text)}”`,
    ...(["scope", "kind"] as const).map((name) => get(name) && `of the ${name} ${get(name)}`),
    mark && `that is marked ${mark}`,
  ]
    .filter(Boolean)
    .join(" ");
}

interface ChipsProps {
  readonly name: string;
  /** By the value that is chosen. */
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
