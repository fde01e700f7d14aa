// Preloaded into the worker: kills it with SIGKILL right after PostgreSQL has processed a message. KILL_AT is the number of the
// message, counted from the first query of payouts, starting at 1.
import { PGlite } from '@electric-sql/pglite'

const killAt = Number(process.env['KILL_AT'])
// Called with its original `this` below.
// oxlint-disable-next-line typescript/unbound-method
const exec = PGlite.prototype.execProtocolRawSync
const decoder = new TextDecoder()
let sent = 0

PGlite.prototype.execProtocolRawSync = function (message) {
  if (sent > 0 || decoder.decode(message).includes('FROM payouts')) sent += 1
  const response = exec.call(this, message)
  if (sent === killAt) process.kill(process.pid, 'SIGKILL')
  return response
}
