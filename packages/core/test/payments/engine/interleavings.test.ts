import {
  handlerTaskKey,
  memoryInbox,
  memoryOrderRepository,
  type WebhookResponse,
  type HandlerEvent,
} from '@tonplug/core'
import { createRandom } from '@tonplug/test-support/random'
import { createFakeClock, transferCompleted } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { openShop, order } from '../shop.js'

const SEEDS = 300

/** A store whose calls take their time and, while `faults` are on, fail before or after they did their work. */
function unreliable<Store extends object>(
  store: Store,
  random: () => number,
  faults: { areOn: boolean },
): Store {
  const wait = async (): Promise<void> => {
    for (let turns = Math.floor(random() * 6); turns > 0; turns--) await Promise.resolve()
  }
  const failSometimes = (): void => {
    if (faults.areOn && random() < 0.08) throw new Error('connection lost')
  }
  return new Proxy(store, {
    get(target, name, receiver) {
      const real: unknown = Reflect.get(target, name, receiver)
      if (typeof real === 'object' && real !== null) return unreliable(real, random, faults)
      if (typeof real !== 'function') return real
      return async (...call: unknown[]): Promise<unknown> => {
        await wait()
        failSometimes()
        const result: unknown = await Reflect.apply(real, target, call)
        await wait()
        failSometimes()
        return result
      }
    },
  })
}

/** Two payments for one order, one of them in two reports, each delivered several times by two processes. */
async function play(seed: number): Promise<{ keys: Set<string>; winner: string | undefined }> {
  const random = createRandom(seed)
  const faults = { areOn: true }
  const repository = memoryOrderRepository([order()])
  const orders = unreliable(repository, random, faults)
  const clock = createFakeClock()
  const inbox = unreliable(memoryInbox({ clock }), random, faults)
  const keys = new Set<string>()
  const note = (_: unknown, { idempotencyKey }: { idempotencyKey: string }): void => {
    if (random() < 0.2) throw new Error('carrier is closed')
    keys.add(idempotencyKey)
  }
  const shops = [1, 2].map(() =>
    openShop([], { orders, inbox, clock, onPaid: note, onExtraPayment: note }),
  )
  const payloads = [
    transferCompleted({ txHash: 'tx-1' }),
    transferCompleted({ txHash: 'tx-1', senderAddr: 'other' }),
    transferCompleted({ txHash: 'tx-2' }),
  ]
  const deliver = async (payload: object): Promise<WebhookResponse | undefined> => {
    const shop = shops[random() < 0.5 ? 0 : 1]
    for (let turns = Math.floor(random() * 20); turns > 0; turns--) await Promise.resolve()
    return shop?.send(payload)
  }
  for (let attempt = 0; attempt < 3; attempt++) {
    await Promise.all([...payloads, ...payloads].map(deliver))
  }
  faults.areOn = false
  for (let minutes = 0; minutes < 4; minutes++) {
    await clock.advance(60_000)
  }
  await Promise.all(payloads.map(deliver))
  await clock.advance(0)
  return { keys, winner: repository.all()[0]?.payment?.txHash }
}

function keyOf(handler: HandlerEvent, txHash = ''): string {
  return handlerTaskKey(handler, { name: 'default', merchant: '', reference: 'order-1', txHash })
}

describe('random interleavings', () => {
  it(`S38 S40 S45 S46 schedule the right handlers, for ${SEEDS} seeds with faults`, async () => {
    for (let seed = 1; seed <= SEEDS; seed++) {
      const { keys, winner } = await play(seed)
      const loser = winner === 'tx-1' ? 'tx-2' : 'tx-1'
      const right = new Set([keyOf('onPaid', winner), keyOf('onExtraPayment', loser)])
      expect(keys, `seed ${seed}`).toEqual(right)
    }
  })
})
