// Loaded ahead of the worker: ends it by SIGKILL right after PostgreSQL has dealt with a certain message of the first
// transaction that credits something. DIE_AT says which one, counted from 1.
import { PGlite } from '@electric-sql/pglite'

const dieAt = Number(process.env['DIE_AT'])
// Called with the database it is called on.
// oxlint-disable-next-line typescript/unbound-method
const exec = PGlite.prototype.execProtocolRawSync
const decoder = new TextDecoder()
let sent = 0

PGlite.prototype.execProtocolRawSync = function (message) {
  const text = decoder.decode(message)
  if (sent > 0 || text.includes('BEGIN')) sent += 1
  const answer = exec.call(this, message)
  if (sent === dieAt) process.kill(process.pid, 'SIGKILL')
  return answer
}
