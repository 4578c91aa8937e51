import { useState } from "preact/hooks";
import { useAnswer } from "../answers.ts";
import { clockLength, type GateRunHead } from "../core.ts";
import { Output } from "./inbox-item/output.tsx";
import { PlainText } from "./plain-text.tsx";
import { readable } from "./readable.ts";
import { Fault, Loading } from "./states.tsx";
import "./gate-run.css";

/** A run of a gate on one line: its number, how it ended, its command and its duration. */
export function GateRunLine({ run }: { readonly run: GateRunHead }) {
  const { gate, kind, command, duration_ms, state } = run;
  return (
    <span class={`gate-run is-${state}`}>
      <strong>{kind === "baseline" ? `Baseline of gate ${gate}` : `Gate ${gate}`}</strong>{" "}
      <span class="gate-run-end">{runWords(run)}</span> {command !== null && <code>{readable(command)}</code>}
      {duration_ms !== null && <span class="muted"> {clockLength(duration_ms)}</span>}
    </span>
  );
}

/** What a run printed, and why it ended so; folded, and loaded when it is opened. */
export function GateRunOutput({
  run,
  isOpen = false,
}: {
  readonly run: GateRunHead;
  readonly isOpen?: boolean;
}) {
  const [wasOpened, setOpened] = useState(isOpen);
  if (run.state === "running") return null;
  return (
    <>
      {run.explanation !== null && (
        <p>
          <PlainText text={run.explanation} />
        </p>
      )}
      <details
        open={isOpen}
        class="gate-run-output"
        onToggle={({ currentTarget }) => setOpened(currentTarget.open)}
      >
        <summary>Output of gate {run.gate}</summary>
        {wasOpened && <Printed run={run.id} />}
      </details>
    </>
  );
}

function Printed({ run }: { readonly run: number }) {
  const { answer, error } = useAnswer("gate_output", { run });
  if (error) return <Fault error={error} />;
  return answer === undefined ? <Loading what="the output" /> : <Output text={answer} />;
}

/** How a run ended, in a few words: `exited with code 1`. */
function runWords({ state, exit_code, signal, timed_out }: GateRunHead): string {
  if (state !== "failed")
    return { passed: "passed", running: "is running", interrupted: "was interrupted" }[state];
  if (timed_out) return "timed out";
  if (exit_code !== null) return `exited with code ${exit_code}`;
  return signal === null ? "failed" : `was killed by ${signal}`;
}
