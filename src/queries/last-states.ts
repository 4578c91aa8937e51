import { expressionBuilder } from "kysely";
import type { Session } from "../projections/board/tables.ts";
import type { Schema } from "../read-model/question.ts";

/** As `p`, the last states of a session `s`, in their order. */
export const LAST_STATES = expressionBuilder<Schema & { s: Session }, "s">()
  .selectFrom((ordered) =>
    ordered
      .selectFrom("session_states")
      .selectAll()
      .whereRef("session_id", "=", "s.id")
      .orderBy("ordinal", "desc")
      .limit(200)
      .as("last"),
  )
  .selectAll()
  .orderBy("ordinal")
  .as("p");
