import { Link } from "wouter-preact";
import { useAddress } from "../address.ts";
import { useAnswer } from "../answers.ts";
import { stopsIn, useFleet } from "../parts/fleet.ts";
import { MessageText } from "../parts/states.tsx";

/** Says on every view that the log's servers record nothing, and why. */
export function FleetBanner() {
  const { fleet } = useFleet();
  const { path, with: to } = useAddress();
  const stops = fleet ? stopsIn(fleet) : [];
  // The view of the hosts says it all.
  if (stops.length === 0 || path === "/hosts") return null;
  return (
    <p class="banner" role="alert">
      {stops.map(({ found }) => (
        <span key={found}>
          <MessageText text={`The log: ${found}.`} />{" "}
        </span>
      ))}
      <Link href={to({}, "/hosts")}>What to do</Link>
    </p>
  );
}

/** Says on every view that nothing runs from the log, or that git could replace what only signalbox writes. */
export function TrustBanner() {
  const { answer } = useAnswer("trust", {}, { at: undefined });
  if (!answer || answer.problems.length === 0) return null;
  return (
    <div class="banner" role="alert">
      {answer.problems.map((problem) => (
        <p key={problem}>
          <MessageText text={problem} />
        </p>
      ))}
    </div>
  );
}
