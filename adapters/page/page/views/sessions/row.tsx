import { Link } from "wouter-preact";
import { useAddress } from "../../address.ts";
import { useChanged } from "../../changed.ts";
import { clockLength, counted, dollars, type SessionLine } from "../../core.ts";
import { irregularSentence } from "../../parts/irregular.ts";
import { SessionSign } from "../../parts/outcome.tsx";
import { PhaseBar } from "../../parts/phase-bar.tsx";
import type { Step } from "../../parts/phase-segments.ts";
import { oneLine } from "../../parts/readable.ts";
import { selectSession } from "../../parts/select-session.ts";
import { sessionName } from "../../parts/session-name.ts";
import { Tip } from "../../parts/tip.tsx";
import { VerbLabel } from "../../parts/verb.tsx";
import { failureInWords } from "./failure.ts";

interface SessionRowProps {
  readonly line: SessionLine;
  readonly steps: readonly Step[];
  /** When it ended, or now: milliseconds since 1970. */
  readonly end: number;
  readonly axis: number;
  /** The width of the axis in pixels. */
  readonly width: number;
  readonly isSelected: boolean;
}

export function SessionRow({ line, steps, end, axis, width, isSelected }: SessionRowProps) {
  const { with: to } = useAddress();
  const changed = useChanged();
  const { session, task, task_title, state, returns, turns, cost_micro_usd } = line;
  const isOpen = line.completed_at === null;
  const from = isOpen ? steps.at(-1)?.from : steps[0]?.from;
  const irregular = steps.filter((step) => step.irregular);
  return (
    <div
      class="session-row"
      aria-current={isSelected ? "true" : undefined}
      data-changed={changed.session(session)}
    >
      <span class="session-phase">
        <SessionSign state={state} outcome={line.outcome} />
      </span>
      <span class="session-time" title={isOpen ? "in this phase" : "from start to end"}>
        {clockLength(end - (from ?? end))}
        <span class="hidden-but-read">{isOpen ? " in this phase" : " from start to end"}</span>
      </span>
      <span class="session-task">
        <Link class="session-link" href={to(selectSession(session))}>
          {task === null ? "no task" : `#${task} ${oneLine(task_title)}`}
          <span class="hidden-but-read">, session {sessionName(session)}</span>
        </Link>
      </span>
      <span class="session-bar">
        <PhaseBar
          label={`Phases of session ${sessionName(session)}`}
          steps={steps}
          axis={axis}
          width={width}
          before={line.phases_before}
        />
      </span>
      <span class="session-loops">
        {returns > 0 && (
          <span title={`implementing ⇄ testing × ${returns}`}>
            <span aria-hidden="true">⇄ {returns}</span>
            <span class="hidden-but-read">implementing ⇄ testing × {returns}</span>
          </span>
        )}
      </span>
      <span class="session-marks">
        {line.irregular > 0 && (
          <Tip
            tip={
              <ul>
                {irregular.map((step) => (
                  <li key={step.position}>
                    ! {irregularSentence(step)} <span class="muted">#{step.position}</span>
                  </li>
                ))}
                {line.irregular > irregular.length && (
                  <li>and {line.irregular - irregular.length} earlier</li>
                )}
              </ul>
            }
          >
            <span aria-hidden="true">! {line.irregular}</span>
            <span class="hidden-but-read">{counted(line.irregular, "irregular step")}</span>
          </Tip>
        )}
      </span>
      <span class="session-cost">
        {dollars(cost_micro_usd)}
        <span class="hidden-but-read">{cost_micro_usd === null ? " unknown cost" : " cost"}</span>
      </span>
      <span class="session-turns">
        {turns ?? "–"}
        <span class="hidden-but-read">{turns === null ? " turns unknown" : " turns"}</span>
      </span>
      <span class="session-said">{line.failure ? <Failed line={line} /> : <Said line={line} />}</span>
    </div>
  );
}

function Said({ line: { last_signals, outcome } }: { readonly line: SessionLine }) {
  const [last] = last_signals;
  if (!last) return <span class="muted">{outcome === null ? "no signal yet" : "no signal"}</span>;
  return (
    <>
      <VerbLabel verb={last.verb} /> {oneLine(last.text)}
    </>
  );
}

/** Where it got stuck, on one line; the tip has the last three signals. */
function Failed({ line: { failure, last_signals, outcome } }: { readonly line: SessionLine }) {
  if (!failure) return null;
  return (
    <Tip
      class="is-failure"
      tip={
        <>
          <p>
            {outcome} while {failure.phase}: {oneLine(failure.reason)}
          </p>
          {last_signals.length === 0 ? (
            <p class="muted">It sent no signals.</p>
          ) : (
            <ul aria-label="Its last signals">
              {last_signals.map(({ id, verb, text }) => (
                <li key={id}>
                  <VerbLabel verb={verb} /> {oneLine(text)} <span class="muted">#{id}</span>
                </li>
              ))}
            </ul>
          )}
        </>
      }
    >
      {failureInWords(failure, outcome)}
    </Tip>
  );
}
