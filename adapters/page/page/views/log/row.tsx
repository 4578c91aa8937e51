import { Link } from "wouter-preact";
import type { EventLine } from "../../../server/answers/log.ts";
import { useAddress } from "../../address.ts";
import { useChanged } from "../../changed.ts";
import { visible } from "../../core.ts";
import { SessionLink, TaskLink } from "../../parts/links.tsx";
import { oneLine } from "../../parts/readable.ts";
import { sessionName } from "../../parts/session-name.ts";
import { When } from "../../parts/time.tsx";

interface LogRowProps {
  readonly position: number;
  readonly line: EventLine | undefined;
  /** By task. */
  readonly titles: ReadonlyMap<number, string>;
  readonly isSelected: boolean;
}

export function LogRow({ position, line, titles, isSelected }: LogRowProps) {
  const { with: to } = useAddress();
  const changed = useChanged();
  return (
    <div class="log-line">
      <Link
        class="log-row"
        data-changed={changed.event(position)}
        href={to({ event: position })}
        aria-current={isSelected ? "true" : undefined}
      >
        <span class="position muted">#{position.toLocaleString("en")}</span>
        <span class="when muted">{line && <When time={line.recordedAt} />}</span>
        <span class="actor">
          {line && visible(line.actor)}
          {line?.recordedBy !== undefined && (
            <span class="recorded-by muted"> · {visible(line.recordedBy)}</span>
          )}
        </span>
        <span class="mono">{line?.type}</span>
        <span class="text">
          {line && oneLine(withShortSession(line))}
          {line?.via !== undefined && <span class="muted"> · {visible(line.via)}</span>}
        </span>
      </Link>
      {line && (line.task !== null || line.session !== null) && (
        <span class="log-of">
          {line.task !== null && (
            <TaskLink id={line.task}>
              #{line.task} {oneLine(titles.get(line.task) ?? "")}
            </TaskLink>
          )}
          {line.session !== null && <SessionLink class="session" id={line.session} />}
        </span>
      )}
    </div>
  );
}

/** The sentence of an event with its session as links name it. */
function withShortSession({ text, session }: EventLine): string {
  return session === null ? text : text.replaceAll(session, sessionName(session));
}
