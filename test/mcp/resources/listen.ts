import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import {
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";

/** What the server tells a client from now on: `updated URI` and `list changed`, in the order in which it comes. */
export interface Heard {
  readonly told: readonly string[];
  /** Resolves when this was told so often. */
  until(notice: string, times?: number): Promise<void>;
}

export function listenTo(client: Client): Heard {
  const told: string[] = [];
  const waiting = new Set<() => void>();
  const hear = (notice: string) => {
    told.push(notice);
    for (const look of waiting) look();
  };
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) =>
    hear(`updated ${params.uri}`),
  );
  client.setNotificationHandler(ResourceListChangedNotificationSchema, () => hear("list changed"));
  return {
    told,
    until: (notice, times = 1) =>
      new Promise((resolve) => {
        const look = () => {
          if (told.filter((one) => one === notice).length >= times) resolve();
        };
        waiting.add(look);
        look();
      }),
  };
}
