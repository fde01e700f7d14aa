import { createFakeClock } from '@tonplug/testing'
import { startSimulator } from '@tonplug/simulator'
import { freePort } from '@tonplug/test-support/free-port'
import { expect, it } from 'vitest'

const secret = 'whsec_isolation'

/** Ports that no server of another test takes after a close. */
async function freePorts() {
  return { chain: await freePort(), gateway: await freePort() }
}

it('shares nothing between two simulators of one process', async () => {
  const clock = createFakeClock()
  const [one, other] = await Promise.all([
    startSimulator({ secret }),
    startSimulator({ secret, clock }),
  ])
  const { reference } = one.gateway.createTransfer({ rawAmount: 2_000_000n })
  // The wallets are equal, so the same message is valid on both chains.
  expect(one.buyer.address.equals(other.buyer.address)).toBe(true)
  const blocks = other.chain.blocks.length
  await one.pay(reference)
  expect(one.gateway.transfer(reference).status).toBe('success')
  expect(other.gateway.transfers()).toEqual([])
  expect(other.chain.blocks).toHaveLength(blocks)
  expect(other.chain.now).toBe(clock.nowMs() / 1000)
  expect(new Set([...Object.values(one.urls), ...Object.values(other.urls)]).size).toBe(4)
  await one.close()
  const again = other.gateway.createTransfer({ rawAmount: 2_000_000n })
  await other.pay(again.reference)
  expect(other.gateway.transfer(again.reference).status).toBe('success')
  await other.close()
})

it('leaves no timer and no port after close, and rejects calls', async () => {
  const clock = createFakeClock()
  const url = 'http://127.0.0.1:9/webhooks/ton'
  const simulator = await startSimulator({ secret, clock, url, ports: await freePorts() })
  const { reference } = simulator.gateway.createTransfer({ rawAmount: 2_000_000n })
  const payment = simulator.pay(reference, { delivery: { drop: true } })
  await clock.waitForTimer(({ delayMs }) => delayMs === 10_000)
  await simulator.close()
  expect((await payment).report.isDelivered).toBe(false)
  expect(clock.pendingTimers()).toEqual([])
  for (const url of Object.values(simulator.urls)) {
    await expect(fetch(url)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } })
  }
  expect(() => simulator.gateway.createTransfer({ rawAmount: 1n })).toThrow('was closed')
})

it('listens on the requested ports', async () => {
  const ports = await freePorts()
  for (const _ of ['first', 'second']) {
    const simulator = await startSimulator({ secret, ports })
    const used = Object.entries(simulator.urls).map(([name, url]) => [
      name,
      Number(new URL(url).port),
    ])
    expect(Object.fromEntries(used)).toEqual(ports)
    await simulator.close()
  }
})

it('keeps idle connections for a minute, so that none is closed while a request is sent', async () => {
  const simulator = await startSimulator({ secret, clock: createFakeClock() })
  const response = await fetch(`${simulator.urls.chain}/api/v3/masterchainInfo`)
  await response.text()
  expect(response.headers.get('keep-alive')).toBe('timeout=60')
  await simulator.close()
})
