// @module-tag postgresql
import { describeAccepted } from "../properties/accepted.ts";
import { freshSchema } from "../support/postgres/given.ts";
import { openOnServer } from "./given-postgres.ts";

describeAccepted("PostgreSQL", openOnServer(freshSchema), 12);
