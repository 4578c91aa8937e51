import type { OpenedLog } from "../../adapters/testing/log-contract/opened-log.ts";
import type { EventLog } from "../../src/events/log.ts";

/** A log of which each handle is made by `open`; `remove` takes the log away once all of them are closed. */
export async function openedHandles(
  open: () => EventLog | Promise<EventLog>,
  remove = () => {},
): Promise<OpenedLog> {
  const handles: EventLog[] = [];
  const another = async () => {
    const log = await open();
    handles.push(log);
    return log;
  };
  const closeAll = () => Promise.all(handles.map((log) => log.close()));
  return {
    log: await another(),
    another,
    async reopen() {
      await closeAll();
      return another();
    },
    async dispose() {
      await closeAll();
      remove();
    },
  };
}
