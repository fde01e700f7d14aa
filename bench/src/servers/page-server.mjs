// Serves prepared pages of getTransactions. Sends its port to the parent process and, on request, its counters.
import { createServer } from 'node:http'
import { makePage } from '../page.mjs'

const pages = new Map([10, 100].map((limit) => [limit, Buffer.from(makePage(limit))]))

const counts = { connections: 0, requests: 0 }

const server = createServer((request, response) => {
  counts.requests++
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    const page = pages.get(limitOf(request.url, Buffer.concat(chunks).toString()))
    response.writeHead(page === undefined ? 422 : 200, {
      'content-type': 'application/json',
      'content-length': page?.length ?? 0,
    })
    response.end(page)
  })
})
server.on('connection', () => counts.connections++)
server.keepAliveTimeout = 60_000
process.on('message', (what) => process.send(counts[what]))
server.listen(0, '127.0.0.1', () => process.send(server.address().port))

/** Returns the limit from the query, or from the body of a JSON-RPC request. */
function limitOf(url, body) {
  if (body !== '') return Number(JSON.parse(body).params.limit)
  return Number(new URL(url, 'http://localhost').searchParams.get('limit'))
}
