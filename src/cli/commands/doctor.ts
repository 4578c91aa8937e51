import { z } from "zod";
import { LogError } from "../../lib/log-error.ts";
import { examine } from "../../loop/doctor/index.ts";
import { type CommonOptions, readModelPath } from "../making/command.ts";
import { defineOutside } from "../making/project-command.ts";
import { exitByFindings, findingLines } from "../printing/findings.ts";
import { previewUpgrade } from "../upgrade/index.ts";

/** Looks at what may keep a project from being opened. */
export const doctor = defineOutside({
  input: z.strictObject({}),
  run: async (_input, options) => examine({ ...here(), ...projectOf(options) }),
  command: {
    name: "doctor",
    does: "check the whole installation and say how to fix each problem; changes nothing",
    takes: {},
    example: "",
    says: findingLines,
  },
  afterwards: exitByFindings,
});

/** Looks at a project before this version opens it. */
export const upgrade = defineOutside({
  input: z.strictObject({}),
  run: async (_input, options) =>
    previewUpgrade({ ...here(), noProject: "", readModelPath: readModelPath(options) }),
  command: {
    name: "upgrade",
    does: "say what this version does to the project when it first opens it; changes nothing",
    takes: {},
    note: "Before you install a version, ask that version:\n  npx signalbox@latest upgrade",
    example: "",
    says: findingLines,
  },
  afterwards: exitByFindings,
});

const here = () => ({ cwd: process.cwd(), env: process.env });

/** Without a project there is less to look at, and that is all. */
function projectOf(options: CommonOptions) {
  try {
    return { readModelPath: readModelPath(options), noProject: "" };
  } catch (error) {
    if (!(error instanceof LogError)) throw error;
    return {
      readModelPath: undefined,
      noProject: `There is no .ralph/ in ${process.cwd()} or in a folder above it`,
    };
  }
}
