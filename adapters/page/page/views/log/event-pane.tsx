import type { ComponentChildren } from "preact";
import { Link } from "wouter-preact";
import type { AnswerOf } from "../../../server/answers/index.ts";
import { positionIn, useAddress } from "../../address.ts";
import { useAnswer } from "../../answers.ts";
import { visible } from "../../core.ts";
import { useKeys } from "../../keys.ts";
import { Copy } from "../../parts/copy.tsx";
import { Json } from "../../parts/json.tsx";
import { numbered, SessionLink, TaskLink } from "../../parts/links.tsx";
import { Pane } from "../../parts/pane.tsx";
import { sessionName } from "../../parts/session-name.ts";
import { Fault, Loading } from "../../parts/states.tsx";
import { Moment } from "../../parts/time.tsx";

interface EventPaneProps {
  readonly position: number;
  /** Its neighbours in the list. */
  readonly older: number | undefined;
  readonly newer: number | undefined;
  /** The last position. */
  readonly last: number;
}

/** An event with its payload. */
export function EventPane({ position, older, newer, last }: EventPaneProps) {
  const address = useAddress();
  const { answer: event, error, isOld, isLoading } = useAnswer("event", { position });
  const goTo = (next: number | undefined) =>
    next !== undefined && address.go({ event: next }, { replace: true });
  useKeys("Event", [
    { key: "ArrowLeft", does: "older event", run: () => goTo(older) },
    { key: "ArrowRight", does: "newer event", run: () => goTo(newer) },
  ]);
  const head = (
    <>
      <button
        type="button"
        disabled={older === undefined}
        onClick={() => goTo(older)}
        aria-label="Older event"
      >
        ←
      </button>
      <button
        type="button"
        disabled={newer === undefined}
        onClick={() => goTo(newer)}
        aria-label="Newer event"
      >
        →
      </button>
      <h2>{numbered(position)}</h2>
    </>
  );
  return (
    <Pane class="event" label="Event" view="Log" close={{ event: undefined }} head={head}>
      {error && <Fault error={error} />}
      {isLoading && <Loading what="the event" />}
      {event === null && !isOld && (
        <p>
          Event {numbered(position)} does not exist here. The last one is{" "}
          <Link href={address.with({ event: last })}>{numbered(last)}</Link>.
        </p>
      )}
      {/* The old answer may be of another event. */}
      {event?.position === position && <Details key={position} event={event} />}
    </Pane>
  );
}

function Details({ event }: { readonly event: NonNullable<AnswerOf<"event">> }) {
  const { with: to } = useAddress();
  const { position, type, recordedAt, recordedBy, actor, via, task, session, stream, stream_version } = event;
  const redacted = redactedBy(event);
  return (
    <>
      <p class="mono">{visible(type)}</p>
      <dl>
        <Row name="recorded">
          <Moment time={recordedAt} />
        </Row>
        <Row name="actor">{visible(actor)}</Row>
        {via !== undefined && <Row name="channel">{visible(via)}</Row>}
        {recordedBy !== undefined && <Row name="recorded by">{visible(recordedBy)}</Row>}
        {task !== null && (
          <Row name="task">
            <TaskLink id={task} card={position}>
              #{task}
            </TaskLink>
          </Row>
        )}
        {session !== null && (
          <Row name="session">
            <SessionLink id={session} />
          </Row>
        )}
        <Row name="stream">
          {visible(stream)} · {stream_version}
        </Row>
        {redacted !== undefined && (
          <Row name="redacted">
            <Link href={to({ event: redacted })}>{numbered(redacted)}</Link>
          </Row>
        )}
        <Row name="id">{event.id}</Row>
        {event.causation !== null && (
          <Row name="causation">
            {event.caused_by === null ? (
              visible(event.causation)
            ) : (
              <Link href={to({ event: event.caused_by })}>{numbered(event.caused_by)}</Link>
            )}
          </Row>
        )}
        {event.correlation !== null && (
          <Row name="correlation">
            <Link
              href={to({ session: event.correlation, event: position })}
              title={visible(event.correlation)}
            >
              {sessionName(event.correlation)}
            </Link>
          </Row>
        )}
        <Row name="leaf hash">{event.leaf_hash}</Row>
      </dl>
      <Json name="payload" value={event.payload} />
      <p>
        <Copy what="JSON" text={() => JSON.stringify(event, null, 2)} />
      </p>
    </>
  );
}

/** The position of the event that an `event.redacted` redacted. */
function redactedBy({ type, payload }: NonNullable<AnswerOf<"event">>): number | undefined {
  return type === "event.redacted" ? positionIn(String(Object(payload).position)) : undefined;
}

function Row({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}
