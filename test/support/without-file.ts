import type { EventLog } from "../../src/events/log.ts";

/** A log that gives no file, as one on a server: whoever opens its file behind the port's back fails. */
export function withoutFile(log: EventLog): EventLog {
  return new Proxy(log, {
    get(target, key) {
      if (key === "path") return undefined;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
