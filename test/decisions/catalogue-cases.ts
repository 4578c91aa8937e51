import { changeDiscipline, createDiscipline, deleteDiscipline } from "../../src/operations/disciplines.ts";
import {
  addContextFile,
  changeFeature,
  createFeature,
  deleteFeature,
} from "../../src/operations/features.ts";
import type { Case } from "./cases.ts";

const core = createFeature({ name: "core" });
const backend = createDiscipline({ name: "backend" });

const allOfFeature = {
  display_name: "Web",
  description: "Pages.",
  acronym: "WEB",
  context_files: ["a.md"],
  knowledge_paths: ["docs/"],
  architecture: "Islands.",
  boundaries: "No mail.",
  dependencies: ["core", "general"],
};

const allOfDiscipline = {
  display_name: "Web",
  description: "Pages.",
  acronym: "WEB",
  icon: "🕸",
  color: "#00ff00",
  system_prompt: "You make pages.",
  skills: ["HTML"],
  conventions: "Tabs.",
  disabled_tools: ["create_task"],
  mcp_servers: { shadcn: { command: "npx", args: ["-y", "shadcn"] } },
};

/** Decisions on features and disciplines. */
export const catalogueCases: readonly Case[] = [
  {
    what: "a feature with all there is to say",
    before: [core],
    asked: createFeature({ name: "web", ...allOfFeature, dependencies: ["core", "general", "core"] }),
    event: { type: "feature.created", payload: { feature: "web", ...allOfFeature } },
    others: [createFeature({ name: "web", display_name: "Web", description: "Pages." })],
  },
  {
    what: "a feature with its name alone",
    asked: createFeature({ name: "web" }),
    event: { type: "feature.created", payload: { feature: "web", display_name: "web", description: "" } },
    others: [createFeature({ name: "core" }), createFeature({ name: "web", description: "x" })],
  },
  {
    what: "all of a feature changed",
    before: [core],
    asked: changeFeature({ name: "core", ...allOfFeature, dependencies: ["general"] }),
    event: {
      type: "feature.changed",
      payload: { feature: "core", ...allOfFeature, dependencies: ["general"] },
    },
    others: [changeFeature({ name: "core", display_name: "Core" })],
  },
  {
    what: "a feature's lists emptied",
    before: [core],
    asked: changeFeature({
      name: "core",
      display_name: undefined,
      context_files: [],
      knowledge_paths: [],
      dependencies: [],
    }),
    event: {
      type: "feature.changed",
      payload: { feature: "core", context_files: [], knowledge_paths: [], dependencies: [] },
    },
    others: [changeFeature({ name: "core", context_files: ["a.md"] })],
  },
  {
    what: "a feature's display name and files changed",
    before: [core],
    asked: changeFeature({ name: "core", display_name: "Core", context_files: ["a.md"] }),
    event: {
      type: "feature.changed",
      payload: { feature: "core", display_name: "Core", context_files: ["a.md"] },
    },
    others: [changeFeature({ name: "core", display_name: "Kern", context_files: ["a.md"] })],
  },
  {
    what: "a feature's description changed alone",
    before: [core],
    asked: changeFeature({ name: "core", description: "" }),
    event: { type: "feature.changed", payload: { feature: "core", description: "" } },
    others: [changeFeature({ name: "core", description: "x" })],
  },
  {
    what: "a discipline with all there is to say",
    asked: createDiscipline({ name: "web", ...allOfDiscipline }),
    event: { type: "discipline.created", payload: { discipline: "web", ...allOfDiscipline } },
    others: [createDiscipline({ name: "web", display_name: "Web" })],
  },
  {
    what: "a discipline with its name alone",
    asked: createDiscipline({ name: "web" }),
    event: {
      type: "discipline.created",
      payload: { discipline: "web", display_name: "web", description: "" },
    },
    others: [createDiscipline({ name: "data" })],
  },
  {
    what: "all of a discipline changed",
    before: [backend],
    asked: changeDiscipline({ name: "backend", ...allOfDiscipline }),
    event: { type: "discipline.changed", payload: { discipline: "backend", ...allOfDiscipline } },
    others: [changeDiscipline({ name: "backend", display_name: "Servers" })],
  },
  {
    what: "a discipline's display name changed alone",
    before: [backend],
    asked: changeDiscipline({ name: "backend", display_name: "Servers" }),
    event: { type: "discipline.changed", payload: { discipline: "backend", display_name: "Servers" } },
    others: [changeDiscipline({ name: "backend", description: "Servers" })],
  },
  {
    what: "a context file added to those that are there",
    before: [createFeature({ name: "core", context_files: ["a.md"] })],
    asked: addContextFile({ name: "core", path: "b.md" }),
    event: { type: "feature.changed", payload: { feature: "core", context_files: ["a.md", "b.md"] } },
    others: [
      addContextFile({ name: "core", path: "c.md" }),
      addContextFile({ name: "general", path: "b.md" }),
    ],
  },
  {
    what: "a feature deleted",
    before: [core, createFeature({ name: "web" })],
    asked: deleteFeature({ name: "core" }),
    event: { type: "feature.deleted", payload: { feature: "core" } },
    others: [deleteFeature({ name: "web" })],
  },
  {
    what: "a discipline without disabled tools and servers of its own",
    before: [createDiscipline({ name: "web", ...allOfDiscipline })],
    asked: changeDiscipline({ name: "web", disabled_tools: [], mcp_servers: {} }),
    event: {
      type: "discipline.changed",
      payload: { discipline: "web", disabled_tools: [], mcp_servers: {} },
    },
    others: [changeDiscipline({ name: "web", mcp_servers: {} })],
  },
  {
    what: "a discipline deleted",
    before: [backend, createDiscipline({ name: "web" })],
    asked: deleteDiscipline({ name: "backend" }),
    event: { type: "discipline.deleted", payload: { discipline: "backend" } },
    others: [deleteDiscipline({ name: "web" })],
  },
];
