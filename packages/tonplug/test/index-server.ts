import { createHash } from 'node:crypto'
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

/** A payment like this one, a block later: the same message, and other transactions. */
export function anotherPayment(payment: Payment): Payment {
  const names = [...JSON.stringify(payment.trace).matchAll(/"[A-Za-z0-9+/]{43}="/g)]
  let text = JSON.stringify(payment).replaceAll('60000003', '60000004')
  for (const [name] of new Set(names)) {
    if (name !== JSON.stringify(payment.bodyHash)) text = text.replaceAll(name, anotherHash(name))
  }
  // The same fields as before.
  return JSON.parse(text) as Payment
}

function anotherHash(name: string): string {
  return JSON.stringify(createHash('sha256').update(name).digest('base64'))
}

/** Serves an index that has these payments alone, of one time, until the test ends. @returns its address */
export async function startIndex(payment: Payment, ...more: Payment[]): Promise<string> {
  const { block, utime } = payment
  const all = [payment, ...more]
  const none = { address_book: {}, metadata: {} }
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost')
    const offset = Number(searchParams.get('offset') ?? 0)
    const isInside =
      Number(searchParams.get('start_utime') ?? 0) <= utime &&
      utime <= Number(searchParams.get('end_utime') ?? Infinity)
    const answers: Readonly<Record<string, object>> = {
      masterchainInfo: { last: { ...block, gen_utime: String(utime + 600) }, first: block },
      transactions: {
        transactions: isInside ? all.slice(offset).map(({ transaction }) => transaction) : [],
        ...none,
      },
      transfers: { jetton_transfers: [], ...none },
      messages: { messages: [], ...none },
      traces: { traces: all.map(({ trace }) => trace), ...none },
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
