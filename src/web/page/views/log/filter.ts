import type { Address, Changes } from "../../address.ts";

/** Which events are wanted, as the address has it and the server is asked. */
export interface LogFilter {
  readonly type: string | undefined;
  readonly task: number | undefined;
  readonly session: string | undefined;
  readonly actor: string | undefined;
  readonly text: string | undefined;
}

export function filterIn({ get }: Address): LogFilter {
  const task = get("task") ?? "";
  return {
    type: get("type"),
    task: /^[1-9]\d{0,14}$/.test(task) ? Number(task) : undefined,
    session: get("session"),
    actor: get("actor"),
    text: get("text"),
  };
}

export function isFiltered(filter: LogFilter): boolean {
  return Object.values(filter).some((value) => value !== undefined);
}

export const noFilter: Changes = {
  type: undefined,
  task: undefined,
  session: undefined,
  actor: undefined,
  text: undefined,
};
