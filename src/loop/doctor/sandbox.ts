import { realpathSync } from "node:fs";
import { dirname } from "node:path";
import { loadSandboxes } from "../../adapters.ts";
import { sandboxOf } from "../../config/schema.ts";
import { ralphFolderOf } from "../../lib/project-folder.ts";
import { type Check, failed, ok } from "./check.ts";
import { usableConfig } from "./config.ts";

/** Whether the engine of the agents' sandboxes answers, and has their image; nothing if none is configured. */
export const sandboxCheck: Check = {
  name: "sandbox",
  async look(place) {
    const config = usableConfig(place);
    const settings = config && sandboxOf(config);
    if (place.readModelPath === undefined || !settings) return [];
    const { findEngine } = await loadSandboxes();
    const engine = await findEngine(settings, realpathSync(dirname(ralphFolderOf(place.readModelPath))));
    if ("found" in engine) return [failed("sandbox", `No agent can start: ${engine.found}`, engine.mend)];
    const image = settings.engine === "bwrap" ? "" : `, with the image ${settings.image}`;
    return [ok("sandbox", `agents can be kept in one by ${engine.file}${image}`)];
  },
};
