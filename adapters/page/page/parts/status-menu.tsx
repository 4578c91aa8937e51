import { useEffect, useId, useRef, useState } from "preact/hooks";
import { useAct, useDisabledReason } from "../acts.ts";
import { type Card, type TaskStatus, taskStatuses } from "../core.ts";
import { Popover } from "./popover.tsx";
import { sessionName } from "./session-name.ts";
import { statusWords } from "./status-words.ts";
import "./status-menu.css";

type MenuCard = Pick<Card, "id" | "status"> & { readonly session: { readonly id: string } | null };

interface StatusMenuProps {
  readonly card: MenuCard;
  readonly children?: string;
  /** Called with a message after the status was set. */
  onSet?(words: string): void;
}

/** A menu that sets a task's status. If that is not possible now, the menu says why. */
export function StatusMenu({ card, children = "⋯", onSet }: StatusMenuProps) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  return (
    <span class="status-menu">
      <button
        ref={button}
        type="button"
        data-act="status"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-label={`Set status of #${card.id}`}
        title="Set status (s)"
        onClick={() => setOpen(!isOpen)}
      >
        {children}
      </button>
      {isOpen && (
        <Popover anchor={() => button.current} id={id} label={`Status of #${card.id}`} onClose={close}>
          <Statuses
            card={card}
            onSet={(words) => {
              onSet?.(words);
              close();
            }}
            onLeave={close}
          />
        </Popover>
      )}
    </span>
  );
}

interface StatusesProps {
  readonly card: MenuCard;
  onSet(words: string): void;
  onLeave(): void;
}

function Statuses({ card, onSet, onLeave }: StatusesProps) {
  const { run, isBusy, problem } = useAct("set_status");
  const noActs = useDisabledReason();
  const list = useRef<HTMLDivElement>(null);
  const reason = useId();
  const disabledReason = noActs ?? whyNotByHand(card);
  useEffect(() => itemsIn(list.current)[0]?.focus(), []);
  const set = async (status: TaskStatus) => {
    if (disabledReason !== undefined || isBusy) return;
    if (!(await run({ task: card.id, status }))) return;
    onSet(`#${card.id} is now ${statusWords[status].toLowerCase()}.`);
  };
  return (
    <>
      {disabledReason && (
        <p id={reason} class="why-not">
          {disabledReason}
        </p>
      )}
      <div
        ref={list}
        class="statuses"
        role="menu"
        aria-label="Statuses"
        tabIndex={-1}
        onKeyDown={(event) => {
          // Tab continues after the menu's button.
          if (event.key === "Tab") onLeave();
          else moveFocus(event, list.current);
        }}
      >
        {taskStatuses.map((status) => (
          <button
            key={status}
            type="button"
            role="menuitem"
            tabIndex={-1}
            aria-disabled={disabledReason !== undefined}
            aria-describedby={disabledReason === undefined ? undefined : reason}
            onClick={() => set(status)}
          >
            <b>
              {statusWords[status]}
              {status === card.status && " (now)"}
            </b>
            <span class="muted">{EFFECTS[status]}</span>
          </button>
        ))}
      </div>
      {problem && <p role="alert">{problem}</p>}
    </>
  );
}

/** While a session of the task is open, its status cannot be set by hand (docs/rules.md, Humans). */
function whyNotByHand({ id, session }: MenuCard): string | undefined {
  return session
    ? `Session ${sessionName(session.id)} of #${id} is still running. Its outcome sets the status.`
    : undefined;
}

const RETRY = "retry: the stuck count restarts, open questions and blockers are dismissed";
const EFFECTS: Readonly<Record<TaskStatus, string>> = {
  draft: "not ready to start",
  pending: RETRY,
  in_progress: "someone is working on it outside a session",
  needs_input: "waiting for a human",
  blocked: "waiting for something else",
  done: "finished: tasks that depend on it can start",
  failed: "given up: no session will work on it",
  skipped: "left out: tasks that depend on it can start",
};

function itemsIn(list: HTMLElement | null): HTMLElement[] {
  return [...(list?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])];
}

/** Arrow keys, Home, End, and a letter for the next item that begins with it (ARIA menu pattern). */
function moveFocus(event: KeyboardEvent, list: HTMLElement | null): void {
  const { key, ctrlKey, altKey, metaKey } = event;
  if (ctrlKey || altKey || metaKey) return;
  const items = itemsIn(list);
  const at = items.findIndex((item) => item.matches(":focus"));
  const letter = key.length === 1 && key !== " " ? key.toLowerCase() : undefined;
  const to =
    letter === undefined
      ? {
          ArrowDown: items[at + 1] ?? items[0],
          ArrowUp: items.at(at - 1),
          Home: items[0],
          End: items.at(-1),
        }[key]
      : [...items.slice(at + 1), ...items.slice(0, at + 1)].find((item) =>
          item.textContent?.toLowerCase().startsWith(letter),
        );
  if (!to && letter === undefined) return;
  // In a menu, letters are not shortcuts of the page.
  event.preventDefault();
  to?.focus();
}
