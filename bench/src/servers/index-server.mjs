// Serves an index of 100 000 transactions of one account, newest first, with lookup by lt in constant time. Sends
// its port to the parent process.
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import { makeIndexPage } from '../index-page.mjs'

const COUNT = 100_000
const FIRST_LT = 60_000_000_000_000n
const [template] = JSON.parse(makeIndexPage(1)).transactions
// One row as JSON, split at the values that differ between rows.
const FIELDS = ['lt', 'prev_trans_lt', 'now', 'hash']
const marked = Object.fromEntries(FIELDS.map((name) => [name, `<${name}>`]))
const pieces = JSON.stringify({ ...template, ...marked }).split(/"<(\w+)>"/)

const server = createServer((request, response) => {
  const query = new URL(request.url, 'http://localhost').searchParams
  const newest = Math.min(COUNT - 1, numberBelow(query.get('end_lt')))
  const first = newest - Number(query.get('offset') ?? 0)
  const last = Math.max(0, first - Number(query.get('limit') ?? 10) + 1)
  const rows = []
  for (let number = first; number >= last; number--) rows.push(writeRow(number))
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(`{"transactions":[${rows.join(',')}],"address_book":{}}`)
})
server.listen(0, '127.0.0.1', () => process.send(server.address().port))

function numberBelow(lt) {
  return lt === null ? Infinity : Number((BigInt(lt) - FIRST_LT) / 1_000_000n)
}

function writeRow(number) {
  const lt = FIRST_LT + BigInt(number) * 1_000_000n
  const values = {
    lt: `"${lt}"`,
    prev_trans_lt: `"${lt - 1_000_000n}"`,
    now: String(1_700_000_000 + number),
    hash: `"${createHash('sha256').update(String(number)).digest('base64')}"`,
  }
  return pieces.map((piece, index) => (index % 2 === 0 ? piece : values[piece])).join('')
}
