import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { PGlite } from '@electric-sql/pglite'
import { createInvoice, HANDLER_EVENTS, systemClock } from '@tonplug/core'
import { createV3Client } from '@tonplug/core/toncenter'
import { startSimulator } from '@tonplug/simulator'
import { createTestLogger, signPayload, transferCompleted } from '@tonplug/testing'
import { createShop, type Shop } from './shop.js'

const SECRET = 'whsec_of_the_demo'

/** A chain with a buyer, a gateway that watches it, and a shop. */
export type World = Awaited<ReturnType<typeof openWorld>>

/** Starts all of it on free ports of this machine, with a database in memory. */
export async function openWorld() {
  let [url, aheadMs, failures] = ['', 0, 0]
  const simulator = await startSimulator({ url: () => url, secret: SECRET })
  const { merchant, usdt, gateway, urls } = simulator
  const wallet = merchant.address.toString({ bounceable: false })
  const v3 = createV3Client({ baseUrl: urls.chain, rps: Infinity })
  const clock = { ...systemClock, nowMs: () => Date.now() + aheadMs }
  const db = await PGlite.create()
  const logger = createTestLogger()
  const shop = await createShop({ db, v3, wallet, secret: SECRET, clock, logger })
  const seen = record(shop)
  const server = createServer((request, response) => {
    response.on('finish', () => seen.answers.push(`${response.statusCode}`))
    if (failures-- > 0) response.writeHead(500).end()
    else shop.handle(request, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  // An address of a listening TCP server is always an object.
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks/ton`

  return {
    ...simulator,
    /** Creates an invoice and stores its order. */
    async sell(amount: string, coin: 'TON' | 'USDT') {
      const asset = coin === 'TON' ? 'TON' : usdt.master.toString()
      const invoice = await createInvoice({ wallet, asset, amount, v3 })
      await shop.orders.create({ ...invoice.order, data: null })
      return invoice
    },
    /** Creates a transfer at the gateway and stores its order. @returns its reference */
    async sellByGateway() {
      const price = { rawAmount: 10_500_000_000n, asset: 'TON' }
      const { reference, bodyBase64Hash } = gateway.createTransfer(price)
      await shop.orders.create({ ...price, reference, bodyBase64Hash, data: null })
      return reference
    },
    /** Posts a webhook as anybody on the internet can, who signs it with a secret of his own. */
    async postForged(reference: string) {
      const payload = signPayload(transferCompleted({ reference }), 'whsec_of_a_stranger')
      await fetch(url, { method: 'POST', ...payload })
    },
    /** The next webhooks get 500. */
    failNext: (webhooks: number) => void (failures = webhooks),
    moveClock: (ms: number) => void (aheadMs += ms),
    /** Waits until the shop has no open work: `'answers · decisions · order · handlers'` since the last call. */
    async outcome(reference: string) {
      await shop.watcher.checkNow()
      while (!(await isIdle(shop))) await sleep(20)
      const order = await shop.orders.find({ reference })
      const parcels = await db.query('SELECT FROM parcels WHERE reference = $1', [reference])
      const count = parcels.rows.length
      return [
        ...seen.take('answers'),
        ...seen.take('decisions'),
        `${order?.status}, ${count} ${count === 1 ? 'parcel' : 'parcels'}`,
        ...seen.take('handlers'),
      ].join(' · ')
    },
    async close() {
      server.close()
      await shop.close()
      await simulator.close()
      await db.close()
    },
  }
}

async function isIdle({ inbox, payments: { name } }: Shop): Promise<boolean> {
  const { undecided, parked, open } = await inbox.stats({ name })
  return undecided + parked + open === 0
}

/** Records what a shop answers, decides and runs. */
function record({ payments }: Shop) {
  const seen = { answers: [] as string[], decisions: [] as string[], handlers: [] as string[] }
  payments.onDecision(({ decision }) => {
    // A proof has a result later, and a repetition changes nothing.
    if (decision.kind !== 'verifying' && decision.kind !== 'duplicate')
      seen.decisions.push(decision.kind)
  })
  for (const event of HANDLER_EVENTS) {
    payments.addHandler(event, () => void seen.handlers.push(event), { name: 'demo' })
  }
  return {
    ...seen,
    /** Returns the entries, with the number of equal ones, and forgets them. */
    take(kind: keyof typeof seen): string[] {
      const counts = new Map<string, number>()
      for (const entry of seen[kind].splice(0)) counts.set(entry, (counts.get(entry) ?? 0) + 1)
      const parts = [...counts].map(([entry, count]) => (count > 1 ? `${entry} ×${count}` : entry))
      return parts.length === 0 ? [] : [parts.join(', ')]
    },
  }
}
