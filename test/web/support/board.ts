import type { Page } from "playwright-core";
import { created } from "../../projections/board/history.ts";

/** A task as it is created where nothing is said of its feature and discipline. */
export function task(id: number, fields: Parameters<typeof created>[1] = {}) {
  return created(id, { feature: "general", discipline: "general", ...fields });
}

export function columnOf(page: Page, name: string) {
  return page.getByRole("region", { name, exact: true });
}

export function cardOf(page: Page, id: number) {
  return page.locator(`.board-column [data-task="${id}"]`);
}
