/** The chunk in which a person acts on items: loaded as a whole when one of these is first shown. */

export { TaskPane } from "./board/task-pane.tsx";
export { InboxView } from "./inbox/inbox.tsx";
