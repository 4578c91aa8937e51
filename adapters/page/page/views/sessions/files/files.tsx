import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { AnswerOf } from "../../../../server/answers/index.ts";
import { useAddress } from "../../../address.ts";
import { useAnswer, useFixed } from "../../../answers.ts";
import { counted, oneLine, visible } from "../../../core.ts";
import { useKeys } from "../../../keys.ts";
import { useLastComplete } from "../../../last-complete.ts";
import { SearchField } from "../../../parts/search-field.tsx";
import { Empty, Fault, Loading } from "../../../parts/states.tsx";
import { useSettled } from "../../../parts/use-settled.ts";
import { WorkspaceFacts } from "../facts.tsx";
import { FileDiff } from "./file-diff.tsx";
import { filesToAsk, MOST_OPEN, withFile } from "./open-files.ts";
import "./files.css";

type View = AnswerOf<"session">;

/** The files that a session changed, each with its diff. */
export function Files({ view }: { readonly view: View }) {
  const { at } = useAddress();
  if (at === undefined) return <Changes view={view} />;
  return (
    <Recorded view={view}>
      Diffs are shown only in the present. The files recorded by #{at.toLocaleString("en")}:
    </Recorded>
  );
}

/** In place of the diffs: the list of files, and why there is only that. */
function Recorded({ view, children }: { readonly view: View; readonly children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: lets keyboard users scroll
    <section class="files" aria-label="Recorded files" tabIndex={0}>
      <p class="muted">{children}</p>
      <WorkspaceFacts view={view} />
    </section>
  );
}

function Changes({ view }: { readonly view: View }) {
  const { get } = useAddress();
  const find = get("find") ?? "";
  const [open, setOpen] = useState<readonly string[]>([]);
  const [closed, setClosed] = useState<string>();
  const asked = filesToAsk(open);
  const { answer, error, isOld } = useChanges(view, asked, useSettled(find));
  useKeys("Files", [
    {
      key: "/",
      does: "search the changes",
      run: () => document.querySelector<HTMLInputElement>(".files-tools input")?.focus(),
    },
  ]);
  const fault = error && <Fault error={error} />;
  if (!answer) return fault ?? <Loading what="the changes" />;
  const { changes } = answer;
  if (!changes) {
    return <Recorded view={view}>{missingInWords(answer)} The files that were recorded:</Recorded>;
  }
  const toggle = (path: string, isOpen: boolean) => {
    // A search hides files that stay open; without one, those that are not listed are gone.
    const left =
      find === "" && !isOld ? open.filter((one) => changes.files.some((file) => file.path === one)) : open;
    const next = withFile(left, path, isOpen);
    setOpen(next);
    setClosed(isOpen ? left.find((one) => !next.includes(one)) : undefined);
  };
  return (
    <div class="files">
      <p class="muted">{comparedInWords(changes)}</p>
      <div class="files-tools">
        <SearchField
          name="find"
          label="Search the changes"
          value={find}
          placeholder="path or changed line (/)"
        />
      </div>
      {fault}
      <div class="muted">
        <p>
          {counted(changes.files.length + changes.more, "file")} <Lines lines={changes} />
          {changes.more > 0 && `; the first ${changes.files.length.toLocaleString("en")} are listed`}
        </p>
        <p role="status">
          {closed !== undefined &&
            `${visible(closed)} was closed: at most ${MOST_OPEN} diffs are open at once.`}
        </p>
      </div>
      {changes.files.length === 0 && (
        <Empty>{find === "" ? "No file differs." : "No path and no changed line has this text."}</Empty>
      )}
      <ul class={isOld ? "files-list is-old" : "files-list"}>
        {changes.files.map((file) => (
          <li key={file.path}>
            <details
              open={open.includes(file.path)}
              onToggle={({ currentTarget }) => {
                if (currentTarget.open !== open.includes(file.path)) toggle(file.path, currentTarget.open);
              }}
            >
              <summary>
                <span class="mono">{visible(file.path)}</span> <span class="muted">{file.kind}</span>{" "}
                {file.lines ? <Lines lines={file.lines} /> : <span class="muted">no text</span>}
              </summary>
              {open.includes(file.path) && (
                <FileDiff
                  file={changes.opened.find(({ path }) => path === file.path)}
                  isAsked={asked.includes(file.path)}
                />
              )}
            </details>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Lines({
  lines: { added, removed },
}: {
  readonly lines: { readonly added: number; readonly removed: number };
}) {
  return (
    <span class="files-lines">
      <span class="is-added">+{added.toLocaleString("en")}</span>{" "}
      <span class="is-removed">−{removed.toLocaleString("en")}</span>
    </span>
  );
}

type Compared = NonNullable<AnswerOf<"session_changes">["changes"]>;

function comparedInWords({ from, to, worktree, clean }: Compared): string {
  const place = worktree ? "the task's worktree" : "the project's folder";
  const now = to === null ? `The files in ${place}` : `Its last commit, ${to.slice(0, 8)},`;
  const others =
    to === null && !clean
      ? " Some changes are older: there were uncommitted ones when the agent started."
      : "";
  const left = to !== null && !worktree ? " Changes that were not committed are not shown." : "";
  const shared = to === null && !worktree ? " Others may change files there, too." : "";
  return `${now} compared with ${from.slice(0, 8)}, the commit at which the agent started.${others}${left}${shared}`;
}

function missingInWords(answer: Extract<AnswerOf<"session_changes">, { changes: null }>): string {
  switch (answer.missing) {
    case "not_kept":
      return "The commits between which this session worked are unknown here, so there is no diff.";
    case "gone":
      return "The commits, or the folder, are gone, so there is no diff.";
    case "failed":
      return `The changes could not be read: ${visible(oneLine(answer.reason)).replace(/\.$/, "")}.`;
  }
}

/**
 * The changes of a session in the present. Those of an ended one stay the same, and are asked for
 * once. After an error the last answer stays.
 *
 * @param open the files whose diffs are asked for
 */
function useChanges({ id, completed_at }: AnswerOf<"session">, open: readonly string[], text: string) {
  const isRunning = completed_at === null;
  const query = {
    session: id,
    open: open.length === 0 ? undefined : JSON.stringify(open),
    text: text === "" ? undefined : text,
  };
  const running = useAnswer("session_changes", query, { enabled: isRunning, every_ms: EVERY_MS });
  const ended = useFixed("session_changes", query, !isRunning);
  const { answer, error, isOld } = isRunning ? running : ended;
  const last = useLastComplete(id, answer !== undefined, answer);
  return { answer: answer ?? last, error, isOld: isOld || answer === undefined };
}

const EVERY_MS = 3_000;
