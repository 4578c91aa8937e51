import { useId, useRef, useState } from "preact/hooks";
import { budgetWords, limitWords, visible } from "../core.ts";
import { ActButton } from "../parts/act-button.tsx";
import { Cost } from "../parts/cost.tsx";
import { lazily } from "../parts/lazily.tsx";
import { useIsNarrow } from "../parts/narrow.ts";
import { Popover } from "../parts/popover.tsx";
import { MessageText } from "../parts/states.tsx";
import { Ago } from "../parts/time.tsx";
import { PauseOrResume, StartLoop, StopLoop } from "./loop-acts.tsx";
import { StateWords } from "./loop-state.tsx";
import { type LoopActs, type Loops, useLoopActs, useLoopKeys, useLoops } from "./use-loops.ts";
import "./loop-bar.css";

const LoopDetails = lazily(
  () => import("./loop-details.tsx").then(({ LoopDetails: loaded }) => loaded),
  () => <p>…</p>,
);

/** Says on every view whether agents are started, why not, and what they cost; starts, pauses and stops loops. */
export function LoopBar() {
  const { loops, error } = useLoops();
  const acts = useLoopActs(loops);
  useLoopKeys(loops, acts);
  const isNarrow = useIsNarrow();
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  return (
    <section class="loop-area" aria-label="Loop">
      <div class="loop-bar">
        {error && (
          <p class="loop-now" role="status">
            <MessageText text={error.message} />
          </p>
        )}
        {loops && !error && (
          <>
            <p class="loop-now">
              <StateWords {...loops.view.all} isAnnounced />
              {loops.view.all.state === "stopped" && loops.view.ended?.at && (
                <span class="muted">
                  {" · "}
                  <Ago time={loops.view.ended.at} />
                </span>
              )}
            </p>
            {!isNarrow && <Figures loops={loops} />}
            {!isNarrow && <MainActs loops={loops} acts={acts} onMore={() => setOpen(true)} />}
          </>
        )}
        {!error && (
          <button
            ref={button}
            type="button"
            aria-haspopup="dialog"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            Loop …
          </button>
        )}
      </div>
      {acts.problem !== undefined && (
        <p class="banner" role="alert">
          <MessageText text={acts.problem} />{" "}
          <button type="button" onClick={acts.dismiss}>
            Close
          </button>
        </p>
      )}
      {isOpen && loops && !error && (
        <Popover anchor={() => button.current} id={id} label="Loop" onClose={close}>
          <LoopDetails loops={loops} acts={acts} />
        </Popover>
      )}
    </section>
  );
}

/** Agent, cost of the day, budget. */
function Figures({ loops: { view, plan, cost } }: { readonly loops: Loops }) {
  const [one, ...more] = view.live;
  const planned = plan && !("problem" in plan) ? plan : undefined;
  const agent = one ? one.agent : planned?.agent;
  const budget = one ? budgetWords(one) : planned && limitWords(planned.budget);
  return (
    <p class="loop-figures muted">
      {more.length === 0 && agent !== undefined && `${visible(agent)} · `}
      <span title="The cost of the current day in UTC">today</span> <Cost microUsd={cost.cost_micro_usd} />
      {more.length === 0 && budget !== undefined && ` · ${budget}`}
    </p>
  );
}

/** The actions that the state calls for. */
function MainActs({
  loops: { view, plan, paused },
  acts,
  onMore,
}: {
  readonly loops: Loops;
  readonly acts: LoopActs;
  onMore(): void;
}) {
  const [one, ...more] = view.live;
  return (
    <>
      {!one && <StartLoop plan={plan} acts={acts} />}
      <PauseOrResume isPaused={paused !== null} acts={acts} />
      {one && more.length === 0 && <StopLoop loop={one} acts={acts} />}
      {more.length > 0 && (
        <ActButton disabledReason={acts.noStop} onAct={onMore}>
          Stop …
        </ActButton>
      )}
    </>
  );
}
