import type { AnswerOf } from "../../../server/answers/index.ts";
import {
  counted,
  deniedWords,
  didInWords,
  dollars,
  findingInWords,
  kindsInWords,
  visible,
} from "../../core.ts";
import { EventLink } from "../../parts/links.tsx";
import { readable } from "../../parts/readable.ts";
import { Moment } from "../../parts/time.tsx";

type View = AnswerOf<"session">;

/** Claimed, worked, verified, accepted: four independent facts. */
export function ProofFacts({ proof }: Pick<View, "proof">) {
  if (!proof) {
    return (
      <p class="muted">Not available: a later session of the task has started, or the task was deleted.</p>
    );
  }
  const { claimed, worked, verified, gates, accept, accepted } = proof;
  return (
    <dl class="facts">
      <dt>claimed</dt>
      <dd>
        {claimed ? (
          <>
            done, <EventLink position={claimed.position} />
          </>
        ) : (
          "no"
        )}
      </dd>
      {worked && (
        <>
          <dt>worked</dt>
          <dd>
            {didInWords(worked)}, <EventLink position={worked.position} />
            {worked.findings.map((finding) => (
              <div key={finding.says}>{visible(findingInWords(finding))}</div>
            ))}
          </dd>
        </>
      )}
      <dt>verified</dt>
      <dd>
        {verified === "no_gates" ? "no gates" : verified}
        {gates.map(({ gate, state, position, evidence }) => (
          <div key={gate} class="muted">
            gate {gate} {state} {position !== null && <EventLink position={position} />}
            {evidence !== "" && `; ${visible(evidence)}`}
          </div>
        ))}
      </dd>
      {(accept === "human" || accepted) && (
        <>
          <dt>accepted</dt>
          <dd>
            {accepted ? (
              <>
                by {visible(accepted.by)} <Moment time={accepted.created} />
                {accepted.findings.length > 0 && `, with ${kindsInWords(accepted.findings)}`}
              </>
            ) : (
              "not yet"
            )}
          </dd>
        </>
      )}
    </dl>
  );
}

export function AgentFacts({ agent }: Pick<View, "agent">) {
  if (!agent) return <p class="muted">No agent details recorded</p>;
  const denied: { tool: string; times: number }[] = JSON.parse(agent.denied);
  const ended = agent.signal ?? (agent.exit_code === null ? null : `code ${agent.exit_code}`);
  const facts: readonly (readonly [string, string | null])[] = [
    ["agent", agent.agent],
    ["model", agent.model],
    ["version", agent.program_version],
    ["conversation", agent.conversation],
    ["MCP server", agent.server],
    ["denied", denied.length === 0 ? null : deniedWords(denied)],
    ["turns", agent.turns === null ? "–" : agent.turns.toLocaleString("en")],
    ["tokens in", agent.input_tokens === null ? "–" : agent.input_tokens.toLocaleString("en")],
    ["tokens out", agent.output_tokens === null ? "–" : agent.output_tokens.toLocaleString("en")],
    ["cost", dollars(agent.cost_micro_usd)],
    ["ended with", ended],
    ["result", agent.result],
  ];
  return (
    <>
      <dl class="facts">
        {facts.map(
          ([name, value]) =>
            value !== null && (
              <>
                <dt key={name}>{name}</dt>
                <dd>{visible(value)}</dd>
              </>
            ),
        )}
      </dl>
      {agent.stderr !== null && agent.stderr !== "" && <pre class="said">{readable(agent.stderr)}</pre>}
    </>
  );
}

export function WorkspaceFacts({ view }: { readonly view: View }) {
  const { workspace_start, workspace_end, files, files_in_all } = view;
  const left = files_in_all - files.length;
  return (
    <>
      <p class="muted">
        {workspace_start !== null && workspace_start === workspace_end
          ? "The session changed no files."
          : `Fingerprint ${shortHash(workspace_start)} at the start, ${shortHash(workspace_end)} at the end.`}
      </p>
      {files_in_all === 0 ? (
        <p class="muted">No changed files recorded</p>
      ) : (
        <ul class="mono">
          {files.map((path) => (
            <li key={path}>{visible(path)}</li>
          ))}
        </ul>
      )}
      {left > 0 && <p class="muted">and {left.toLocaleString("en")} more</p>}
    </>
  );
}

export function PromptFacts({ prompt }: Pick<View, "prompt">) {
  if (!prompt) return <p class="muted">signalbox built no prompt for this session</p>;
  const { position, characters, tokens, cut } = prompt;
  return (
    <p>
      <EventLink position={position} />: {counted(characters, "character")}, about {counted(tokens, "token")}
      {cut > 0 && `; ${counted(cut, "entry", "entries")} did not fit`}
    </p>
  );
}

function shortHash(fingerprint: string | null): string {
  return fingerprint === null ? "unknown" : visible(fingerprint.slice(0, 12));
}
