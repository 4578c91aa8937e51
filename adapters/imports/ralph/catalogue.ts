import { z } from "zod";
import {
  AGENT,
  addLearning,
  changeFeature,
  createDiscipline,
  createFeature,
  type Decision,
  ExchangeError,
  type LeftOut,
  type Place,
  parsedJson,
  Refusal,
  type Row,
} from "../core.ts";
import { parseRow } from "../row-schema.ts";
import { contentOf, listColumn, listsIn, refColumn, textColumn } from "./columns.ts";
import type { Columns, ForeignDatabase } from "./database.ts";

/** The features, disciplines and learnings of a Ralph database, as rows. */
export function catalogueRows(database: ForeignDatabase): (Row | LeftOut)[] {
  return [
    ...database
      .rows("disciplines")
      .map((row) => each("disciplines", "discipline", row, () => disciplineRow(database, row))),
    ...featureRows(database),
  ];
}

/** A row, or why it cannot be imported. */
function each(
  table: string,
  what: string,
  row: Columns,
  make: (place: Place) => Row | LeftOut,
): Row | LeftOut {
  const created = textColumn.safeParse(row.created);
  const place = {
    at: `${table} ${row.id ?? row.name}`,
    what,
    time: created.success ? created.data : undefined,
  };
  try {
    return { ...make(place), ...place };
  } catch (error) {
    if (!(error instanceof ExchangeError)) throw error;
    return { ...place, leftOut: "refused", why: error.message };
  }
}

/** Builds a row from a decision's events. */
function planned({ type, plan }: Decision): Pick<Row, "type" | "plan"> {
  return { type, plan: ({ state }) => plan(state) };
}

function disciplineRow(database: ForeignDatabase, row: Columns): Row {
  const { id, name, disabled, skills, ...fields } = parseRow(disciplineSchema, row);
  const listed = [...skills, ...listsIn(database, "discipline_skills", "discipline_id", "skill")(id)];
  const changes: string[] = [];
  const servers = listsIn(database, "discipline_mcp_servers", "discipline_id", "name")(id);
  if (servers.length > 0 || row.mcp_servers) {
    changes.push(
      "left out: its MCP servers, which are commands; review them, then add them with `discipline set`",
    );
  }
  const decision = createDiscipline({
    name,
    ...fields,
    ...(listed.length > 0 && { skills: listed }),
    ...(disabled.length > 0 && { disabled_tools: disabled }),
  });
  return {
    ...namedRow("discipline", name, row, changes),
    type: decision.type,
    plan({ state }) {
      if (state.disciplines.get(name))
        throw new Refusal("nothing_to_do", `There is a discipline "${name}" already; it was not changed.`);
      return decision.plan(state);
    },
  };
}

function featureRows(database: ForeignDatabase): (Row | LeftOut)[] {
  const features = database.rows("features");
  const nameOf = namesOf(features);
  const learnings = [...database.rows("feature_learnings"), ...database.rows("feature_comments")];
  return [
    ...features.map((row) => each("features", "feature", row, () => featureRow(database, row))),
    ...features.flatMap((row) => dependencyRow(database, row, nameOf)),
    ...features.flatMap((row) => columnLearnings(row)),
    ...learnings.map((row) =>
      each(row.category === undefined ? "feature_learnings" : "feature_comments", "learning", row, () =>
        learningRow(row, nameOf),
      ),
    ),
  ];
}

/** The name of the row with this id. */
export function namesOf(rows: readonly Columns[]): (id: unknown) => string | undefined {
  const names = new Map(rows.map(({ id, name }) => [String(id), String(name)]));
  return (id) => (id === undefined || id === null ? undefined : names.get(String(id)));
}

function featureRow(database: ForeignDatabase, row: Columns): Row {
  const { id, name, knowledge_paths, context_files, ...fields } = parseRow(featureSchema, row);
  const paths = [
    ...knowledge_paths,
    ...listsIn(database, "feature_knowledge_paths", "feature_id", "path")(id),
  ];
  const files = [
    ...context_files,
    ...listsIn(database, "feature_context_files", "feature_id", "file_path")(id),
  ];
  const decision = createFeature({
    name,
    ...fields,
    ...(paths.length > 0 && { knowledge_paths: paths }),
    ...(files.length > 0 && { context_files: files }),
  });
  return {
    ...namedRow("feature", name, row, []),
    type: decision.type,
    plan({ state }) {
      if (state.features.get(name))
        throw new Refusal("nothing_to_do", `There is a feature "${name}" already; it was not changed.`);
      return decision.plan(state);
    },
  };
}

/** Features can only depend on each other once all exist. */
function dependencyRow(
  database: ForeignDatabase,
  row: Columns,
  nameOf: (id: unknown) => string | undefined,
): (Row | LeftOut)[] {
  const listed = listsIn(database, "feature_dependencies", "feature_id", "depends_on_feature_id")(row.id);
  const own = listColumn.safeParse(row.dependencies);
  const names = [...(own.success ? own.data : []), ...listed.flatMap((id) => nameOf(id) ?? [])];
  if (names.length === 0) return [];
  const make = () => ({
    ...namedRow("feature dependencies", String(row.name), { ...row, depends_on: names }, []),
    ...planned(changeFeature({ name: String(row.name), dependencies: names })),
  });
  return [each("features", "dependencies", row, make)];
}

/** Learnings stored in a feature's column. */
function columnLearnings(row: Columns): Row[] {
  const said = listColumn.safeParse(row.learnings);
  return (said.success ? said.data : []).map((text, index) => ({
    ...namedRow("learning", `${row.name} ${index + 1}`, { text }, []),
    at: `features ${row.id ?? row.name}, learning ${index + 1}`,
    what: "learning",
    ...planned(addLearning({ feature: String(row.name), text, source: "auto" })),
  }));
}

const KINDS: Readonly<Record<string, "convention" | "decision">> = {
  convention: "convention",
  "design-decision": "decision",
};

function learningRow(row: Columns, nameOf: (id: unknown) => string | undefined): Row {
  const { id, feature_id, learning, body, category, reason } = parseRow(learningSchema, row);
  const feature = nameOf(feature_id);
  const text = learning ?? body;
  if (text === undefined) throw new ExchangeError("malformed", "it is empty");
  const input = {
    text,
    source: "auto" as const,
    kind: KINDS[category ?? ""] ?? ("discovery" as const),
    reason,
    feature,
  };
  return {
    ...namedRow("learning", `${category === undefined ? "" : "comment "}${id}`, row, []),
    actor: AGENT,
    ...planned(addLearning(input)),
  };
}

function namedRow(what: string, name: string, row: Columns, changes: readonly string[]) {
  return { at: "", what, key: `${what} ${name}`, content: contentOf(row), changes };
}

const named = {
  id: refColumn.optional(),
  name: z.string(),
  display_name: textColumn,
  acronym: textColumn,
  description: textColumn,
};

const disciplineSchema = z
  .object({
    ...named,
    icon: textColumn,
    color: textColumn,
    system_prompt: textColumn,
    conventions: textColumn,
    skills: listColumn,
    /** Tools that the discipline removes. */
    mcp_tool_overrides: textColumn,
  })
  .transform(({ mcp_tool_overrides, ...row }) => ({ ...row, disabled: disabledIn(mcp_tool_overrides) }));

function disabledIn(overrides: string | undefined): string[] {
  const parsed = z
    .object({ additional_disabled: z.array(z.string()) })
    .safeParse(parsedJson(overrides ?? "null"));
  return parsed.success ? parsed.data.additional_disabled : [];
}

const featureSchema = z.object({
  ...named,
  architecture: textColumn,
  boundaries: textColumn,
  knowledge_paths: listColumn,
  context_files: listColumn,
});

const learningSchema = z.object({
  id: refColumn,
  feature_id: refColumn,
  learning: textColumn,
  body: textColumn,
  category: textColumn,
  reason: textColumn,
});
