import { useRef } from "preact/hooks";
import { useRoute } from "wouter-preact";
import { useAddress } from "../../address.ts";
import { useAnswer } from "../../answers.ts";
import { visible } from "../../core.ts";
import { handling } from "../../parts/inbox-item/handling.ts";
import { KindOf, keyOf } from "../../parts/inbox-item/kinds.tsx";
import { useUndoOfTask } from "../../parts/inbox-item/undo-of-task.tsx";
import { useOpenItemsLoaded } from "../../parts/inbox-item/use-open-items.ts";
import { InvalidAddress } from "../../parts/invalid-address.tsx";
import { oneLine } from "../../parts/readable.ts";
import { State, Unanswered } from "../../parts/states.tsx";
import { useStore } from "../../store.ts";
import { useTitle } from "../../title.ts";
import { CardList } from "./card-list.tsx";
import { Composer } from "./composer.tsx";
import { cardFilter } from "./filter.ts";
import { Filters } from "./filters.tsx";
import { pointTo } from "./hash.ts";
import type { PlacedItem } from "./placed-items.ts";
import { usePlacedItems } from "./placed-items.ts";
import { countOf } from "./rows.ts";
import { TaskHead } from "./task-head.tsx";
import "./timeline.css";

/** The history of a task in one list. */
export function TimelineView() {
  const [, params] = useRoute("/tasks/:id");
  const id = params?.id ?? "";
  // Keyed, so that no state of another task is kept.
  return /^[1-9]\d{0,14}$/.test(id) ? <Timeline key={id} id={Number(id)} /> : <NoTask id={id} />;
}

function Timeline({ id }: { readonly id: number }) {
  const { filter, wrong } = cardFilter.read(useAddress());
  const { answer, position, error, isOld } = useAnswer("timeline", { task: id, ...filter });
  useTitle(answer?.task ? `#${id} ${oneLine(answer.task.title)}` : `Task ${id}`);
  const items = usePlacedItems(id, answer?.added ?? 0);
  // The old answer belongs to the previous filter.
  const shownFilter = useRef(filter);
  if (!isOld) shownFilter.current = filter;
  const isLoaded = useOpenItemsLoaded(id);
  if (error || !answer || !isLoaded)
    return <Unanswered view={`Task ${id}`} what={`the timeline of task ${id}`} error={error} />;
  const { sections, counts } = answer;
  return (
    <div class="timeline">
      <TaskHead id={id} answer={answer} />
      <WaitingLines task={id} items={items} />
      <Filters
        counts={counts}
        sessions={sections.flatMap(({ session }) => (session ? [session.id] : []))}
        shown={countOf(sections)}
      />
      {wrong === undefined ? (
        <CardList
          key={JSON.stringify(shownFilter.current)}
          id={id}
          items={items}
          sections={sections}
          position={position}
          filter={shownFilter.current}
          isOld={isOld}
        />
      ) : (
        <InvalidAddress clear={cardFilter.none}>{wrong}</InvalidAddress>
      )}
      {answer.task && <Composer task={id} onSent={pointTo} />}
    </div>
  );
}

function NoTask({ id }: { readonly id: string }) {
  return (
    <State look="fault" role="alert">
      “{visible(id)}” is not a task number. Use an address such as <code>/tasks/7</code>.
    </State>
  );
}

/** A line for each open item of the task, which leads to its card; below them what can be undone. */
function WaitingLines({ task, items }: { readonly task: number; readonly items: readonly PlacedItem[] }) {
  const { with: to } = useAddress();
  const announcement = useStore(handling, (state) => state.announcement);
  const undo = useUndoOfTask(task, () => {});
  return (
    <section class="waiting-lines" aria-label={`Task ${task} needs you`}>
      <p class="hidden-but-read" role="status">
        {announcement}
      </p>
      <ul>
        {items.slice(0, SHOWN).map((item) => (
          <li key={keyOf(item)}>
            <a href={`${to(cardFilter.none)}#e${item.place}`}>
              <KindOf kind={item.kind} /> {oneLine(item.text)}
            </a>
          </li>
        ))}
        {items.length > SHOWN && <li class="muted">and {items.length - SHOWN} more below</li>}
      </ul>
      {undo}
    </section>
  );
}

const SHOWN = 4;
