import { useState } from "preact/hooks";
import { useAddress } from "../../address.ts";
import { visible } from "../../core.ts";
import { type boundKeys, GO_TO, runBound } from "../../keys.ts";
import { Combobox } from "../../parts/combobox.tsx";
import { useFoundTasks } from "../../parts/found-tasks.ts";
import { Fault } from "../../parts/states.tsx";
import { statusWords } from "../../parts/status-words.ts";
import { Keys } from "../key-sheet.tsx";
import { PALETTE_KEY } from "./key.ts";
import { rankGroups } from "./match.ts";
import "./palette.css";

interface PaletteProps {
  /** The shortcuts that worked where it was opened. */
  readonly areas: ReturnType<typeof boundKeys>;
  close(): void;
}

/** Views, tasks and actions by name. */
export function Palette({ areas, close }: PaletteProps) {
  const [text, setText] = useState("");
  const { go } = useAddress();
  const { tasks, isWaiting, error } = useFoundTasks(text);
  const items = [
    ...viewsFirst(areas).flatMap(({ area, bindings }) =>
      bindings
        .filter(({ key }) => key !== PALETTE_KEY)
        .map(({ key, does }) => ({
          id: `${area}-${does}`,
          group: area,
          text: does,
          isFound: false,
          note: key !== undefined && <Keys of={key} />,
          run: () => runBound(area, does),
        })),
    ),
    ...tasks.map(({ id, title, status }) => ({
      id: `task-${id}`,
      group: "Tasks",
      isFound: !isWaiting,
      text: `#${id} ${title}`,
      note: statusWords[status],
      run: () => go({}, { path: `/tasks/${id}` }),
    })),
  ];
  const ranked = rankGroups(text, items);
  return (
    <>
      <Combobox
        label="Views, tasks and actions"
        placeholder="A view, an action, a task's title or number"
        takesFocus
        text={text}
        isWaiting={isWaiting}
        none={isWaiting ? undefined : "Nothing matches."}
        options={ranked.map((item) => ({
          id: item.id.replaceAll(/\W+/g, "-"),
          group: item.group,
          content: (
            <span class="palette-item">
              <span>{visible(item.text)}</span>
              <span class="muted">{item.note}</span>
            </span>
          ),
          choose() {
            // First, so that the action finds the focus where it was.
            close();
            item.run();
          },
        }))}
        onText={setText}
      />
      {error && <Fault error={error} />}
    </>
  );
}

function viewsFirst(areas: PaletteProps["areas"]) {
  const isViews = ({ area }: PaletteProps["areas"][number]) => area === GO_TO;
  return [...areas.filter(isViews), ...areas.filter((area) => !isViews(area))];
}
