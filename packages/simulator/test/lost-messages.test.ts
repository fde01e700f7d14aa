import { createFakeClock } from '@tonplug/testing'
import { MessageRejectedError } from '@tonplug/simulator'
import { describe, expect, it } from 'vitest'
import { openShop } from './shop.js'

/** A shop whose buyer has sent a payment that stays in the pool. */
async function openHolding() {
  const clock = createFakeClock()
  const { simulator, order } = await openShop({ clock })
  const { chain } = simulator
  chain.isHolding = true
  const before = await chain.snapshot()
  const payment = simulator.pay(order({ rawAmount: 2_000_000n }), { delivery: 'none' })
  // The promise may be rejected before the test awaits it.
  payment.catch(() => undefined)
  await expect.poll(() => chain.pool).toHaveLength(1)
  return { simulator, order, clock, before, payment }
}

describe('a payment whose message the chain dropped', () => {
  it.for([
    ['the pool was dropped', async ({ simulator }) => simulator.chain.dropPool()],
    ['the chain was restored', ({ simulator, before }) => simulator.chain.restore(before)],
    [
      'the chain was restored after its first block',
      async ({ simulator, before }) => {
        await simulator.chain.mineBlock()
        await simulator.chain.restore(before)
      },
    ],
    [
      'it expired in the pool',
      async ({ simulator, clock }) => {
        await clock.advance(3_600_000)
        await simulator.chain.mine()
      },
    ],
  ] satisfies [string, (held: Awaited<ReturnType<typeof openHolding>>) => Promise<void>][])(
    'is rejected when %s, and the wallet can pay the next one',
    async ([, lose]) => {
      const held = await openHolding()
      await lose(held)
      await expect(held.payment).rejects.toThrow("the chain dropped the wallet's message")
      const { simulator, order } = held
      simulator.chain.isHolding = false
      const next = order({ rawAmount: 2_000_000n })
      await simulator.pay(next, { delivery: 'none' })
      expect(simulator.gateway.transfer(next).status).toBe('success')
    },
  )

  it('continues when the chain is restored to a state in which it was pending', async () => {
    const { simulator, order } = await openShop()
    const { chain, gateway } = simulator
    chain.isHolding = true
    const reference = order({ rawAmount: 2_000_000n })
    const payment = simulator.pay(reference, { delivery: 'none' })
    await expect.poll(() => chain.pool).toHaveLength(1)
    await chain.restore(await chain.snapshot())
    await chain.mine()
    await payment
    expect(gateway.transfer(reference).status).toBe('success')
  })

  it('is also rejected when a wallet sends it directly', async () => {
    const { simulator } = await openShop()
    const { chain, buyer } = simulator
    chain.isHolding = true
    const sent = buyer.send([])
    await expect.poll(() => chain.pool).toHaveLength(1)
    chain.dropPool()
    await expect(sent).rejects.toThrow(MessageRejectedError)
  })

  it('is rejected when the simulator closes, as are queued payments', async () => {
    const { simulator, order } = await openShop()
    simulator.chain.isHolding = true
    const payments = [1, 2].map(() => simulator.pay(order({ rawAmount: 2_000_000n })))
    const ends = Promise.allSettled(payments)
    await expect.poll(() => simulator.chain.pool).toHaveLength(1)
    await simulator.close()
    for (const end of await ends) {
      expect(end).toMatchObject({ reason: { message: 'the simulator was closed' } })
    }
  })
})

it('emits no warning for a hundred concurrent deliveries', async () => {
  const warnings: string[] = []
  const listen = ({ name }: Error): void => void warnings.push(name)
  process.on('warning', listen)
  const clock = createFakeClock()
  const { simulator } = await openShop({ clock })
  const report = simulator.gateway.deliver({}, { times: 100, secret: 'other' })
  await expect.poll(() => clock.pendingTimers().length).toBeGreaterThanOrEqual(100)
  await simulator.close()
  await report
  process.off('warning', listen)
  expect(warnings).toEqual([])
})
