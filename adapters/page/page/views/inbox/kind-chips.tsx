import type { AnswerOf } from "../../../server/answers/index.ts";
import { useAddress } from "../../address.ts";
import { Chip } from "../../parts/chips.tsx";
import { headingOf, type Kind } from "../../parts/inbox-item/kinds.tsx";

/** Filters of the inbox by kind, each with its number of items. */
export function KindChips({
  kinds,
  chosen,
}: {
  readonly kinds: AnswerOf<"inbox">["kinds"];
  readonly chosen: Kind | undefined;
}) {
  const address = useAddress();
  const choose = (kind: Kind | undefined) => address.go({ kind, item: undefined });
  const isThere = kinds.some(({ kind }) => kind === chosen);
  if (chosen === undefined && kinds.length < 2) return null;
  return (
    <search class="kind-chips" aria-label="Filter by kind">
      <Chip isChosen={chosen === undefined} onChoose={() => choose(undefined)}>
        All
      </Chip>
      {[...kinds, ...(chosen && !isThere ? [{ kind: chosen, items: 0 }] : [])].map(({ kind, items }) => (
        <Chip
          key={kind}
          isChosen={kind === chosen}
          count={items}
          onChoose={() => choose(kind === chosen ? undefined : kind)}
        >
          {headingOf(kind)}
        </Chip>
      ))}
    </search>
  );
}
