import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** A payment of one TON, as an index of a sandbox told it. */
export interface Payment {
  recipient: string
  bodyHash: string
  /** When it took place, Unix seconds. */
  utime: number
  block: object
  transaction: { hash: string }
  trace: object
}

/** The recorded payment. */
export function readPayment(): Payment {
  const file = new URL('fixtures/payment.json', import.meta.url)
  // Recorded from the servers of core's tests.
  return JSON.parse(readFileSync(file, 'utf8')) as Payment
}

/** Serves an index that has this payment alone, until the test ends. @returns its address */
export async function startIndex({ block, transaction, trace, utime }: Payment): Promise<string> {
  const none = { address_book: {}, metadata: {} }
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost')
    const isInside =
      Number(searchParams.get('start_utime') ?? 0) <= utime &&
      utime <= Number(searchParams.get('end_utime') ?? Infinity)
    const answers: Readonly<Record<string, object>> = {
      masterchainInfo: { last: { ...block, gen_utime: String(utime + 600) }, first: block },
      transactions: { transactions: isInside ? [transaction] : [], ...none },
      transfers: { jetton_transfers: [], ...none },
      messages: { messages: [], ...none },
      traces: { traces: [trace], ...none },
    }
    const answer = answers[pathname.split('/').at(-1) ?? '']
    response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answer ?? { error: 'Not Found' }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  // It listens on a port.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
