// @module-tag postgresql
import { describeLog } from "../events/log-contract.ts";
import { freshSchema } from "../support/postgres/given.ts";
import { openOnServer } from "./given-postgres.ts";

describeLog("the PostgreSQL log", openOnServer(freshSchema));
