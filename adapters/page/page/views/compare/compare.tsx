import { useEffect, useRef } from "preact/hooks";
import { Link } from "wouter-preact";
import type { AnswerOf } from "../../../server/answers/index.ts";
import { positionIn, useAddress } from "../../address.ts";
import { useAnswer } from "../../answers.ts";
import { counted, type StateChange } from "../../core.ts";
import { live } from "../../live.ts";
import { numbered } from "../../parts/links.tsx";
import { PlainText } from "../../parts/plain-text.tsx";
import { oneLine } from "../../parts/readable.ts";
import { blockerWords, questionWords } from "../../parts/state-words.ts";
import { Empty, Unanswered } from "../../parts/states.tsx";
import { statusWords } from "../../parts/status-words.ts";
import { Moment } from "../../parts/time.tsx";
import { writtenPosition } from "../../parts/written-position.ts";
import { useStore } from "../../store.ts";
import "./compare.css";

type Comparison = AnswerOf<"compare">;

/** Differences from A to B: A is the page's position, B is `to` in the address, or the last event. */
export function CompareView() {
  const { at, get } = useAddress();
  const head = useStore(live, (value) => value.head);
  const written = get("to");
  const to = positionIn(written);
  const after = usePageOffset(at, to);
  const { answer, error, isOld } = useAnswer(
    "compare",
    { to: to ?? head ?? 0, after },
    { enabled: to !== undefined || head !== undefined },
  );
  if (error || !answer) return <Unanswered view="Compare" what="the comparison" error={error} />;
  const { a, b, total } = answer;
  return (
    <div class={`compare scroll${isOld ? " is-old" : ""}`}>
      <h1>
        <End end={a} /> → <End end={b} />
      </h1>
      {!isOld && <EndNotice written={written} to={to} b={b.position} />}
      <Ends key={`${a.position}-${b.position}`} a={a.position} b={b.position} />
      <p class="muted">
        {inWords(answer.counts) || "No tasks, sessions, questions, gates or learnings changed."}
      </p>
      {total === 0 ? (
        <Empty>No differences. {counted(Math.abs(b.position - a.position), "event")} between.</Empty>
      ) : (
        <>
          <Changes answer={answer} />
          <Pages answer={answer} />
        </>
      )}
    </div>
  );
}

/** The offset of the page of lines, from the address. It is reset when A or B changes. */
function usePageOffset(at: number | undefined, to: number | undefined): number | undefined {
  const { get, go } = useAddress();
  const after = positionIn(get("after"));
  const now = { ends: `${at}-${to}`, after };
  const last = useRef(now);
  const isLeftOver = after !== undefined && after === last.current.after && now.ends !== last.current.ends;
  useEffect(() => {
    last.current = now;
    if (isLeftOver) go({ after: undefined }, { replace: true });
  }, [now.ends, after]);
  return isLeftOver ? undefined : after;
}

function End({ end: { position, time } }: { readonly end: Comparison["a"] }) {
  return (
    <span>
      {numbered(position)}
      {time !== null && (
        <span class="muted">
          {" "}
          (<Moment time={time} />)
        </span>
      )}
    </span>
  );
}

interface EndNoticeProps {
  /** The address's value for B. */
  readonly written: string | undefined;
  readonly to: number | undefined;
  /** The shown B. */
  readonly b: number;
}

/** Explains why B is not the one in the address. */
function EndNotice({ written, to, b }: EndNoticeProps) {
  if (written === undefined || to === b) return null;
  const why =
    to === undefined ? `“${oneLine(written)}” is not a position.` : `${numbered(to)} does not exist yet.`;
  return (
    <p role="status">
      {why} B is the last event, {numbered(b)}.
    </p>
  );
}

/** A form for both positions. */
function Ends({ a, b }: { readonly a: number; readonly b: number }) {
  const { go } = useAddress();
  const from = useRef<HTMLInputElement>(null);
  const until = useRef<HTMLInputElement>(null);
  const field = (name: string, position: number, ref: typeof from) => (
    <label>
      {name} <input ref={ref} inputMode="numeric" defaultValue={position.toLocaleString("en")} />
    </label>
  );
  return (
    <form
      class="compare-ends"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const at = from.current ? writtenPosition(from.current) : undefined;
        if (at === undefined) return;
        const to = until.current ? writtenPosition(until.current) : undefined;
        if (to !== undefined) go({ at, to, after: undefined });
      }}
    >
      {field("A", a, from)}
      {field("B", b, until)}
      <button type="submit">Compare</button>
    </form>
  );
}

function Changes({ answer: { a, b, after, rows } }: { readonly answer: Comparison }) {
  const heads = [`A ${numbered(a.position)}`, `B ${numbered(b.position)}`, "Events between"];
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Changed</th>
          {heads.map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, nth) => (
          <Row key={after + nth} row={row} heads={heads} isFirst={rows[nth - 1]?.task !== row.task} />
        ))}
      </tbody>
    </table>
  );
}

interface RowProps {
  readonly row: StateChange;
  /** Column headings; on a phone each cell shows its own. */
  readonly heads: readonly string[];
  readonly isFirst: boolean;
}

function Row({ row, heads, isFirst }: RowProps) {
  const { with: to } = useAddress();
  const { task, title, what, events } = row;
  return (
    <tr class={isFirst ? "is-first" : undefined}>
      <th scope="row">
        {task !== null && isFirst && (
          <Link href={to({}, `/tasks/${task}`)}>
            #{task} {oneLine(title)}
          </Link>
        )}
        <span class="compare-what">{oneLine(what)}</span>
      </th>
      <td data-head={heads[0]}>
        <Value row={row} value={row.from} />
      </td>
      <td data-head={heads[1]}>
        <Value row={row} value={row.to} />
      </td>
      <td data-head={heads[2]}>
        {events.slice(0, SHOWN).map((position) => (
          <>
            <Link href={to({ event: position, at: undefined }, "/log")}>{numbered(position)}</Link>{" "}
          </>
        ))}
        {events.length > SHOWN && <span class="muted">and {events.length - SHOWN} more</span>}
      </td>
    </tr>
  );
}

function Value({
  row: { states, answer },
  value,
}: {
  readonly row: StateChange;
  readonly value: string | null;
}) {
  if (value === null) return <span class="muted">–</span>;
  const word = (states && WORDS[states][value]) ?? value;
  return <PlainText text={value === "answered" && answer !== null ? `${word}: ${answer}` : word} />;
}

/** States as the other views name them. */
const WORDS: Readonly<Record<NonNullable<StateChange["states"]>, Readonly<Record<string, string>>>> = {
  task: statusWords,
  question: questionWords,
  blocker: blockerWords,
};

/** Linked events per row. */
const SHOWN = 8;

function Pages({ answer: { total, after, previous, next, rows } }: { readonly answer: Comparison }) {
  const { go } = useAddress();
  if (previous === null && next === null) return null;
  const turn = (page: number | null, name: string) => (
    <button type="button" disabled={page === null} onClick={() => go({ after: page || undefined })}>
      {name}
    </button>
  );
  return (
    <p class="compare-pages">
      {turn(previous, "Previous page")} {(after + 1).toLocaleString("en")} to{" "}
      {(after + rows.length).toLocaleString("en")} of {total.toLocaleString("en")} {turn(next, "Next page")}
    </p>
  );
}

function inWords(counts: Comparison["counts"]): string {
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${name.replaceAll("_", " ")}: ${count.toLocaleString("en")}`)
    .join(" · ");
}
