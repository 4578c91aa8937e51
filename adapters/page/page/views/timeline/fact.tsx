import type { ComponentChildren } from "preact";
import { counted, visible } from "../../core.ts";
import { GateRunLine } from "../../parts/gate-run.tsx";
import { irregularSentence } from "../../parts/irregular.ts";
import { SessionSign } from "../../parts/outcome.tsx";
import { Phase } from "../../parts/phase.tsx";
import { oneLine } from "../../parts/readable.ts";
import { changeWords } from "../../parts/status-words.ts";
import { Links, RuleText } from "../../parts/why.tsx";
import { endingOf } from "./session-head.tsx";
import type { Card } from "./use-cards.ts";

/** What happened, on one line; nothing for a mere change of the status, which `StatusChanges` tells. */
export function FactLine({ card }: { readonly card: Card }): ComponentChildren {
  const { kind, run, phase, of_session, prompt, actor, by, body } = card;
  if (run) return <GateRunLine run={run} />;
  if (phase) return <PhaseLine phase={phase} />;
  if (of_session) return <SessionLine session={of_session} reason={body} />;
  if (prompt) {
    const { characters, tokens, cut } = prompt;
    return (
      <>
        Prompt built: {counted(characters, "character")}, about {counted(tokens, "token")}
        {cut > 0 && `; ${counted(cut, "entry", "entries")} did not fit`}
      </>
    );
  }
  if (kind !== "act" && kind !== "merge") return null;
  return (
    <>
      {actor !== null && by !== null && <strong>{visible(actor)}</strong>} {oneLine(body)}
    </>
  );
}

function PhaseLine({ phase }: { readonly phase: NonNullable<Card["phase"]> }) {
  return (
    <>
      <Phase state={phase.state} />
      {phase.irregular === 1 && <span class="muted"> ! {irregularSentence(phase)}</span>}
    </>
  );
}

function SessionLine({
  session,
  reason,
}: {
  readonly session: NonNullable<Card["of_session"]>;
  readonly reason: string;
}) {
  if (session.is === "start") return <>Session started{session.forced === 1 && " by force"}</>;
  const ending = endingOf(session);
  return (
    <>
      Session ended <SessionSign state="done" outcome={session.outcome} />
      {ending !== "" && ` · ${ending}`}
      {reason !== "" && <span class="muted"> {oneLine(reason)}</span>}
    </>
  );
}

/** How an event changed the task's status: the rule in words, and the events that caused it. */
export function StatusChanges({ changes }: Pick<Card, "changes">) {
  return changes.map(({ from, to, means, causes }, nth) => (
    <p class="status-change" key={nth}>
      <strong>{changeWords({ from, to })}</strong> <RuleText rule={means} /> <Links positions={causes} />
    </p>
  ));
}
