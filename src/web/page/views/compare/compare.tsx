import { useState } from "preact/hooks";
import { Link } from "wouter-preact";
import type { StateChange } from "../../../../replay/time-travel/compare-states.ts";
import { positionIn, useAddress } from "../../address.ts";
import { useAnswer } from "../../answers.ts";
import { live } from "../../live.ts";
import { BadAddress } from "../../parts/bad-address.tsx";
import { oneLine } from "../../parts/readable.ts";
import { Empty, Fault, Loading } from "../../parts/states.tsx";
import { Moment } from "../../parts/time.tsx";
import { useStore } from "../../store.ts";
import "./compare.css";

const PAGE = 200;

/** What is otherwise at one position than at another: the position of the page, and `to` in the address. */
export function CompareView() {
  const address = useAddress();
  const head = useStore(live, (value) => value.head);
  const to = positionIn(address.get("to")) ?? head;
  const [offset, setOffset] = useState(0);
  const { answer, error, isOld } = useAnswer(
    "compare",
    { to: to ?? 0, offset: offset || undefined },
    { enabled: to !== undefined },
  );
  const asked = address.get("to");
  if (asked !== undefined && positionIn(asked) === undefined) {
    return (
      <BadAddress clear={{ to: undefined }}>
        “{oneLine(asked)}” is no position: that is a number from 0.
      </BadAddress>
    );
  }
  if (error) return <Fault error={error} />;
  if (!answer) return <Loading what="both moments" />;
  const { from, to: last, times, total, rows } = answer;
  return (
    <div class={`compare scroll${isOld ? " is-old" : ""}`}>
      <h1>
        <End position={from} time={times[0]} /> → <End position={last} time={times[1]} />
      </h1>
      <Ends from={from} to={last} />
      <p class="muted">{inWords(answer.counts) || "No task, session, question, gate or learning differs."}</p>
      {total === 0 ? (
        <Empty>
          Nothing that is compared is otherwise: {(last - from).toLocaleString("en")} events between.
        </Empty>
      ) : (
        <>
          <table>
            <thead>
              <tr>
                <th scope="col">What</th>
                <th scope="col">#{from.toLocaleString("en")}</th>
                <th scope="col">#{last.toLocaleString("en")}</th>
                <th scope="col">Events between</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row, nth) => (
                <Row key={answer.offset + nth} row={row} isFirst={rows[nth - 1]?.task !== row.task} />
              ))}
            </tbody>
          </table>
          {total > PAGE && (
            <p class="compare-pages">
              <button
                type="button"
                disabled={offset === 0}
                onClick={() => setOffset(Math.max(0, offset - PAGE))}
              >
                Before
              </button>{" "}
              {(answer.offset + 1).toLocaleString("en")} to{" "}
              {(answer.offset + rows.length).toLocaleString("en")} of {total.toLocaleString("en")}{" "}
              <button
                type="button"
                disabled={offset + PAGE >= total}
                onClick={() => setOffset(offset + PAGE)}
              >
                After
              </button>
            </p>
          )}
        </>
      )}
    </div>
  );
}

function End({ position, time }: { readonly position: number; readonly time: string | null | undefined }) {
  return (
    <span>
      #{position.toLocaleString("en")}
      {time && (
        <span class="muted">
          {" "}
          (<Moment time={time} />)
        </span>
      )}
    </span>
  );
}

/** Both positions, to write others. */
function Ends({ from, to }: { readonly from: number; readonly to: number }) {
  const { go } = useAddress();
  return (
    <form
      key={`${from}-${to}`}
      class="compare-ends"
      onSubmit={(event) => {
        event.preventDefault();
        const form = new FormData(event.currentTarget);
        const [first, last] = ["from", "to"].map((name) =>
          positionIn(String(form.get(name)).replace(/^#/, "")),
        );
        if (first !== undefined && last !== undefined) go({ at: first, to: last });
      }}
    >
      <label>
        A <input name="from" inputMode="numeric" defaultValue={String(from)} />
      </label>
      <label>
        B <input name="to" inputMode="numeric" defaultValue={String(to)} />
      </label>
      <button type="submit">Compare</button>
    </form>
  );
}

function Row({ row, isFirst }: { readonly row: StateChange; readonly isFirst: boolean }) {
  const { with: to } = useAddress();
  const { task, title, what, from, events } = row;
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
      <td>{from === null ? <span class="muted">–</span> : oneLine(from)}</td>
      <td>{row.to === null ? <span class="muted">–</span> : oneLine(row.to)}</td>
      <td>
        {events.slice(0, SHOWN).map((position) => (
          <>
            <Link href={to({ event: position, at: undefined }, "/log")}>
              #{position.toLocaleString("en")}
            </Link>{" "}
          </>
        ))}
        {events.length > SHOWN && <span class="muted">and {events.length - SHOWN} more</span>}
      </td>
    </tr>
  );
}

/** Of the events of one row, so many are links. */
const SHOWN = 8;

function inWords(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${name.replaceAll("_", " ")}: ${count.toLocaleString("en")}`)
    .join(" · ");
}
