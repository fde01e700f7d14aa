// Preloaded into the worker: kills it with SIGKILL right after PostgreSQL has processed a message of the first statement
// that credits a deposit. KILL_AT is the number of the message, counted from 1.
import { PGlite } from '@electric-sql/pglite'

const killAt = Number(process.env['KILL_AT'])
// Called with its original `this` below.
// oxlint-disable-next-line typescript/unbound-method
const exec = PGlite.prototype.execProtocolRawSync
const decoder = new TextDecoder()
let sent = 0

PGlite.prototype.execProtocolRawSync = function (message) {
  const statement = decoder.decode(message)
  if (sent > 0 || statement.includes('WITH fresh')) sent += 1
  const response = exec.call(this, message)
  if (sent === killAt) process.kill(process.pid, 'SIGKILL')
  return response
}
