import { useAddress } from "../../address.ts";
import { isFiltered } from "../../filter.ts";
import { EventLink, numbered } from "../../parts/links.tsx";
import { cardFilter } from "./filter.ts";
import type { Pointed } from "./use-pointed.ts";

/** Explains where the card in the address is, if it is not in the list. */
export function PointedElsewhere({
  pointed: { position, elsewhere },
  task,
}: {
  readonly pointed: Pointed;
  readonly task: number;
}) {
  const address = useAddress();
  const { with: to } = address;
  // Without a filter only phases are hidden.
  const isAll = !isFiltered(cardFilter.read(address).filter);
  if (position === undefined || !elsewhere) return null;
  const { isCard, nearest } = elsewhere;
  const name = numbered(position);
  return (
    <p class="timeline-notice" role="status">
      {isCard ? (
        <>
          {name} is hidden by the filters.{" "}
          <a href={`${to({ ...cardFilter.none, ...(isAll && { kind: "phase" }) })}#e${position}`}>Show it</a>
        </>
      ) : (
        <>
          {name} is not a card of task {task}.{" "}
          {nearest !== null && (
            <>
              The nearest card is <a href={`${to(cardFilter.none)}#e${nearest}`}>{numbered(nearest)}</a>.{" "}
            </>
          )}
          <EventLink position={position}>Open it in the log</EventLink>
        </>
      )}
    </p>
  );
}
