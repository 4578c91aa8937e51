import { useRef } from "preact/hooks";
import { useAct, useDisabledReason } from "../../acts.ts";
import { isBlank } from "../../core.ts";
import { useDraft } from "../../drafts.ts";
import { useKeys } from "../../keys.ts";
import { ActButton } from "../../parts/act-button.tsx";

/** The comment form. An unsent draft is kept in the browser. */
export function Composer({ task, onSent }: { readonly task: number; onSent(position: number): void }) {
  const [body, setBody] = useDraft(`comment-${task}`);
  const { run, isBusy, problem } = useAct("comment");
  const field = useRef<HTMLTextAreaElement>(null);
  const disabledReason = useDisabledReason("answer");
  useKeys("Timeline", [{ key: "c", does: "write a comment", run: () => field.current?.focus() }]);
  const write = (text: string) => {
    setBody(text);
  };
  const cannot = disabledReason !== undefined || isBusy || isBlank(body);
  const send = async () => {
    if (cannot) return;
    const sent = await run({ task, body });
    if (!sent) return;
    write("");
    onSent(sent.position);
  };
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <textarea
        ref={field}
        aria-label={`Comment on task ${task}`}
        aria-describedby="composer-hint"
        placeholder="Write a comment …"
        rows={2}
        maxLength={TEXT_LIMIT}
        value={body}
        onInput={({ currentTarget }) => write(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          void send();
        }}
      />
      <div class="composer-foot">
        <span id="composer-hint" class="muted">
          {disabledReason ?? `Goes into the next prompt of task ${task}.`}
        </span>
        {problem !== undefined && <span role="alert">{problem}</span>}
        <span class="muted keys">Ctrl-Enter</span>
        <ActButton
          class="main"
          isBusy={isBusy}
          disabledReason={disabledReason ?? (isBlank(body) ? "Write a comment first." : undefined)}
        >
          Send
        </ActButton>
      </div>
    </form>
  );
}

/** Keeps the request below the server's limit, whatever characters the comment has. */
const TEXT_LIMIT = 20_000;
