import type { Connection } from "./connection.ts";
import type { HostBeats, HostSign } from "./core.ts";

/** The signs of life in a log's table `hosts`, by the server's clock. A beat waits for no disk and no standby. */
export function hostBeats(look: <T>(use: (connection: Connection) => Promise<T>) => Promise<T>): HostBeats {
  return {
    beat: ({ host, name, epoch, level }) =>
      look(async (connection) => {
        await connection.query(`SELECT ${connection.schema}.beat($1, $2, $3, $4)`, [
          host,
          name,
          epoch,
          level,
        ]);
      }),
    list: () => look(hostSigns),
  };
}

/** The last sign of each host. */
export async function hostSigns(connection: Connection): Promise<HostSign[]> {
  const { rows } = await connection.query(
    `SELECT host, name, epoch, level, greatest(0, extract(epoch FROM clock_timestamp() - beat_at) * 1000)::bigint
     FROM ${connection.schema}.hosts ORDER BY host`,
  );
  return rows.map(([host, name, epoch, level, silent_ms]) => ({
    host: host ?? "",
    name: name ?? "",
    epoch: Number(epoch),
    level: Number(level),
    silent_ms: Number(silent_ms),
  }));
}
