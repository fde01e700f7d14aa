import { AsyncLocalStorage } from 'node:async_hooks'
import { memoryOrderRepository } from '@tonplug/core'
import { signPayload, transferCompleted } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { scriptedProof } from '../proof/scripted-proof.js'
import { openShop, order, SECRET, type ShopOptions } from '../shop.js'

/** A value of the current request, for example its tenant. */
const current = new AsyncLocalStorage<string>()

/** Returns options whose functions record their async context. */
function observe(): { seen: string[]; options: ShopOptions } {
  const seen: string[] = []
  const note = (name: string): void => void seen.push(`${name} in ${current.getStore()}`)
  const orders = memoryOrderRepository([
    order({ recipient: transferCompleted().data.recipientAddr }),
  ])
  const proof = scriptedProof()
  const options: ShopOptions = {
    secrets: () => {
      note('secrets')
      return { merchant: '', secrets: SECRET }
    },
    orders: {
      ...orders,
      find: (key) => {
        note('find')
        return orders.find(key)
      },
      complete: (key, payment) => {
        note('complete')
        return orders.complete(key, payment)
      },
    },
    amounts: () => {
      note('amounts')
      return true
    },
    wallets: [],
    rules: [
      () => {
        note('rule')
        return undefined
      },
    ],
    onPaid: () => note('onPaid'),
    verifyOnChain: {
      ...proof,
      verify: (...claim) => {
        note('prove')
        return proof.verify(...claim)
      },
    },
  }
  return { seen, options }
}

describe('the async context', () => {
  it('is the context of start in handlers, whichever requests and handlers have woken the pollers', async () => {
    const references = Array.from({ length: 40 }, (_, index) => `order-${index}`)
    const ran: unknown[] = []
    const shop = current.run('the start', () =>
      openShop(
        references.map((reference) => order({ reference })),
        {
          handlerRetry: { minDelayMs: 1000 },
          onPaid: async ({ order: { reference } }, { attempt }) => {
            ran.push([reference, attempt, current.getStore()])
            current.enterWith(`the handler of ${reference}`)
            await Promise.resolve()
            if (attempt === 1 && reference === 'order-7') throw new Error('carrier is closed')
          },
        },
      ),
    )
    const sendIn = (reference: string): Promise<unknown> =>
      current.run(reference, () => shop.send(transferCompleted({ reference, txHash: reference })))
    await Promise.all(references.slice(1).map(sendIn))
    await current.run('the timers', () => shop.clock.advance(2000))
    await sendIn('order-0')
    await current.run('the end', () => shop.close())
    const expected = references.map((reference) => [reference, 1, 'the start'])
    expect(ran).toHaveLength(41)
    expect(ran).toEqual(expect.arrayContaining([...expected, ['order-7', 2, 'the start']]))
  })

  it('is the context of its request in a decision, and the context of start in later work', async () => {
    const { seen, options } = observe()
    const shop = current.run('the start', () => openShop([], options))
    await current.run('the request', () => shop.send(transferCompleted()))
    await current.run('the timers', () => shop.clock.advance(0))
    const first = ['secrets', 'find', 'amounts', 'rule']
    const later = ['find', 'amounts', 'rule', 'prove', 'complete', 'find', 'onPaid']
    expect(seen).toEqual([
      ...first.map((name) => `${name} in the request`),
      ...later.map((name) => `${name} in the start`),
    ])
  })

  it('is the context of start in a decision in the background', async () => {
    const { seen, options } = observe()
    const { verifyOnChain: _, ...unproven } = options
    const shop = current.run('the start', () => openShop([], unproven))
    await current.run('the request', () => shop.send(transferCompleted({ reference: 'order-2' })))
    seen.splice(0)
    await current.run('the timers', () => shop.clock.advance(6000))
    expect(new Set(seen)).toEqual(new Set(['find in the start']))
  })

  it('is the context of the request in a decision for a Fetch request', async () => {
    const { seen, options } = observe()
    const shop = openShop([], options)
    const { body, headers } = signPayload(transferCompleted(), SECRET)
    const request = new Request('http://localhost/', { method: 'POST', headers, body })
    const { status } = await current.run('the request', () => shop.receiver.handle(request))
    expect(status).toBe(200)
    expect(seen.slice(0, 4)).toEqual(
      ['secrets', 'find', 'amounts', 'rule'].map((name) => `${name} in the request`),
    )
  })
})
