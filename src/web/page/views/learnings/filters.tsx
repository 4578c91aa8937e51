import { useAddress } from "../../address.ts";
import type { useAnswer } from "../../answers.ts";

type Answer = NonNullable<ReturnType<typeof useAnswer<"learnings">>["answer"]>;

/** The search, and chips for scope, kind and mark with what each would show; they stand in the address. */
export function Filters({ answer }: { readonly answer: Answer }) {
  const address = useAddress();
  return (
    <div class="learnings-filters">
      <input
        id="learnings-search"
        type="search"
        aria-label="Search learnings"
        placeholder="Search (/)"
        value={address.get("text") ?? ""}
        onInput={({ currentTarget }) => address.go({ text: currentTarget.value }, { replace: true })}
      />
      <Chips name="scope" counts={answer.scopes} />
      <Chips name="kind" counts={answer.kinds} />
      <Chips name="mark" counts={answer.marks} />
      <span class="muted" role="status">
        {answer.found === answer.total ? answer.total : `${answer.found} of ${answer.total}`}
      </span>
    </div>
  );
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
    <fieldset class="chips">
      <legend class="hidden-but-read">{name}</legend>
      {Object.entries(counts).map(([value, count]) => (
        <button
          key={value}
          type="button"
          class="chip"
          aria-pressed={chosen === value}
          onClick={() => address.go({ [name]: chosen === value ? undefined : value }, { replace: true })}
        >
          {value} {count}
        </button>
      ))}
    </fieldset>
  );
}
