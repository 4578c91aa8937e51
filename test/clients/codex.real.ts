import { tryCases } from "./client-cases.ts";

tryCases("codex");
