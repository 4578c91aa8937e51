import { afterEach } from "vitest";
import { type Panel, type ServeOptions, servePanel } from "../../../adapters/page/server/serve.ts";
import type { Project } from "../../../src/api/project.ts";
import { controlLoops } from "../../../src/loop/starting/loop-control.ts";
import { freshProject } from "../../support/project.ts";

const panels: Panel[] = [];

/** Ends the panels of each test; to be called once at the top of a file. `useBrowser` does it, too. */
export function usePanels(): void {
  afterEach(async () => {
    for (const panel of panels.splice(0)) await panel.close();
  });
}

/** A panel of a project, on a port of its own, that ends with the test. */
export async function freshPanel(
  options: Partial<ServeOptions> & { readonly project?: Project } = {},
): Promise<{ project: Project; panel: Panel; origin: string }> {
  const { project = (await freshProject()).project, ...rest } = options;
  const loops = controlLoops(project);
  const panel = await servePanel(project, { port: 0, host: "127.0.0.1", readOnly: false, loops, ...rest });
  panels.push(panel);
  return { project, panel, origin: `http://127.0.0.1:${panel.port}` };
}
