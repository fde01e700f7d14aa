// Preloaded into the worker: kills it with SIGKILL right after PostgreSQL has processed a query. KILL_AT is the number of the
// query, counted from the first one on payouts, starting at 1.
import pg from 'pg'

const killAt = Number(process.env['KILL_AT'])
// Called with its original `this` below.
// oxlint-disable-next-line typescript/unbound-method
const query = pg.Client.prototype.query
let sent = 0

pg.Client.prototype.query = async function (
  /** @type {string} */ sql,
  /** @type {unknown[]} */ values,
) {
  if (sent > 0 || sql.includes('FROM payouts')) sent += 1
  const number = sent
  // The types of `query` do not know that it returns a promise here.
  // oxlint-disable-next-line typescript/await-thenable
  const result = await query.call(this, sql, values)
  if (number === killAt) process.kill(process.pid, 'SIGKILL')
  return result
}
