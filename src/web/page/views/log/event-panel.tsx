import type { ComponentChildren } from "preact";
import { Link } from "wouter-preact";
import type { AnswerOf } from "../../../server/answers/index.ts";
import { useAddress } from "../../address.ts";
import { useAnswer } from "../../answers.ts";
import { useKeys } from "../../keys.ts";
import { Copy } from "../../parts/copy.tsx";
import { Json } from "../../parts/json.tsx";
import { readable } from "../../parts/readable.ts";
import { Fault, Loading } from "../../parts/states.tsx";
import { Moment } from "../../parts/time.tsx";

interface EventPanelProps {
  readonly position: number;
  /** Those beside it in the list. */
  readonly older: number | undefined;
  readonly newer: number | undefined;
  /** The last position. */
  readonly head: number;
}

/** One event with all that it says. */
export function EventPanel({ position, older, newer, head }: EventPanelProps) {
  const address = useAddress();
  const { answer: event, error, isOld, isLoading } = useAnswer("event", { position });
  const goTo = (next: number | undefined) =>
    next !== undefined && address.go({ event: next }, { replace: true });
  const close = () => address.go({ event: undefined });
  useKeys("Event", [
    { key: "ArrowLeft", does: "the event before", run: () => goTo(older) },
    { key: "ArrowRight", does: "the event after", run: () => goTo(newer) },
    { key: "Escape", does: "close the event", run: close },
  ]);
  return (
    <aside class="event" aria-label="Event">
      <header>
        <button
          type="button"
          disabled={older === undefined}
          onClick={() => goTo(older)}
          aria-label="The event before"
        >
          ←
        </button>
        <button
          type="button"
          disabled={newer === undefined}
          onClick={() => goTo(newer)}
          aria-label="The event after"
        >
          →
        </button>
        <h2>#{position.toLocaleString("en")}</h2>
        <button type="button" class="close" onClick={close} aria-label="Close">
          ✕
        </button>
      </header>
      {error && <Fault error={error} />}
      {isLoading && <Loading what="the event" />}
      {event === null && !isOld && (
        <p>
          There is no #{position.toLocaleString("en")} here; the last one is{" "}
          <Link href={address.with({ event: head })}>#{head.toLocaleString("en")}</Link>.
        </p>
      )}
      {/* What is still shown of another event would stand under the wrong heading. */}
      {event?.position === position && <Details key={position} event={event} />}
    </aside>
  );
}

function Details({ event }: { readonly event: NonNullable<AnswerOf<"event">> }) {
  const { with: to } = useAddress();
  const { position, type, recordedAt, actor, task, session, stream, stream_version } = event;
  return (
    <>
      <p class="mono">{readable(type)}</p>
      <dl>
        <Row name="recorded">
          <Moment time={recordedAt} />
        </Row>
        <Row name="actor">{readable(actor)}</Row>
        {task !== null && (
          <Row name="task">
            <Link href={`${to({}, `/tasks/${task}`)}#e${position}`}>#{task}</Link>
          </Row>
        )}
        {session !== null && (
          <Row name="session">
            <Link href={to({ session }, "/sessions")}>{readable(session)}</Link>
          </Row>
        )}
        <Row name="stream">
          {readable(stream)} · {stream_version}
        </Row>
        <Row name="id">{event.id}</Row>
        {event.causation !== null && (
          <Row name="causation">
            {event.caused_by === null ? (
              readable(event.causation)
            ) : (
              <Link href={to({ event: event.caused_by })}>#{event.caused_by.toLocaleString("en")}</Link>
            )}
          </Row>
        )}
        {event.correlation !== null && (
          <Row name="correlation">
            <Link href={to({ session: event.correlation, event: position })}>
              {readable(event.correlation)}
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

function Row({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}
