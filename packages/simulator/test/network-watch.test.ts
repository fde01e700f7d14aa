import { Address, Cell, internal } from '@ton/core'
import { createTransport, createV3Client } from '@tonplug/core/toncenter'
import {
  createMockGateway,
  createFakeClock,
  findJettonWalletBy,
  createTestLogger,
  watchNetwork,
  type MockGateway,
  type FakeClock,
  type NetworkWatch,
  type TestLogger,
} from '@tonplug/testing'
import { startSimulator, type Simulator } from '@tonplug/simulator'
import { describe, expect, it, onTestFinished } from 'vitest'

const secret = 'whsec_network'

interface Watching {
  /** A network that is independent of the gateway. */
  network: Simulator
  gateway: MockGateway
  /** The time of the gateway. */
  url: string
  watch: NetworkWatch
  clock: FakeClock
  logger: TestLogger
}

/** A gateway that watches the chain of a simulator through API v3, as it would watch the testnet. */
async function watchSimulator(): Promise<Watching> {
  const clock = createFakeClock()
  const network = await startSimulator({ secret, clock })
  onTestFinished(() => network.close())
  const transport = createTransport({
    baseUrl: network.urls.chain,
    rps: Infinity,
    retry: { maxAttempts: 1 },
  })
  const v3 = createV3Client({ transport })
  const logger = createTestLogger()
  const gateway = createMockGateway({
    secret,
    clock,
    recipientAddr: network.merchant.address.toString(),
    senderAddr: network.buyer.address.toString(),
    jettonWallet: findJettonWalletBy(v3),
  })
  onTestFinished(() => gateway.close())
  const watch = watchNetwork(gateway, { v3, clock, logger })
  onTestFinished(() => watch.close())
  return { network, gateway, url: await gateway.listen(), watch, clock, logger }
}

/** Pays a transfer as a wallet app does. */
async function pay({ buyer }: Simulator, message: ReturnType<MockGateway['message']>) {
  const { address, amount, payload } = message
  const to = Address.parse(address)
  return buyer.send([internal({ to, value: BigInt(amount), body: Cell.fromBase64(payload) })])
}

describe('watchNetwork', () => {
  it('detects a payment in the native coin, with the hashes of the network', async () => {
    const { network, gateway, watch, clock } = await watchSimulator()
    const { reference, message } = gateway.createTransfer({ rawAmount: 2_000_000n })
    const wallet = await pay(network, message)
    await clock.advance(2000)
    await watch.look()
    expect(gateway.transfer(reference)).toMatchObject({
      status: 'success',
      rawAmount: '2000000',
      traceId: wallet.transaction.hash().toString('base64'),
      txHash: wallet.children[0]?.transaction.hash().toString('base64'),
      senderAddr: network.buyer.address.toString(),
      recipientAddr: network.merchant.address.toString(),
    })
  })

  it("detects a payment in a jetton that was sent through the buyer's jetton wallet", async () => {
    const { network, gateway, url, watch } = await watchSimulator()
    const { usdt, buyer } = network
    network.chain.v3Server.indexesJettons = true
    const asset = usdt.master.toString()
    expect(() => gateway.createTransfer({ rawAmount: 2_000_000n, asset })).toThrow(/over HTTP/)
    const answer = await fetch(`${url}/api/merchant/v1/create-transfer`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ amount: 2, asset, senderAddr: buyer.address.toString() }),
    })
    // The API returns the same response as `createTransfer`.
    const created = (await answer.json()) as ReturnType<MockGateway['createTransfer']>
    expect(Address.parse(created.message.address).equals(usdt.walletOf(buyer.address))).toBe(true)
    const wallet = await pay(network, created.message)
    await watch.look()
    expect(gateway.transfer(created.reference)).toMatchObject({
      status: 'success',
      rawAmount: '2000000',
      asset,
      txHash: wallet.children[0]?.transaction.hash().toString('base64'),
    })
  })

  it.each([
    [
      'responds with a rate limit',
      { status: 429, body: '{"ok":false,"result":"Ratelimit exceed"}' },
    ],
    ['fails', { status: 500, body: '{"error":"timeout"}' }],
  ])('continues after the network %s', async (_, fault) => {
    const { network, gateway, watch, clock, logger } = await watchSimulator()
    const { reference, message } = gateway.createTransfer({ rawAmount: 2_000_000n })
    await pay(network, message)
    network.chain.v3Server.fault = () => fault
    await watch.look()
    expect(gateway.transfer(reference).status).toBe('pending')
    expect(logger.lines).toMatchObject([{ level: 'warn' }])
    network.chain.v3Server.fault = () => undefined
    await clock.advance(2000)
    await watch.look()
    expect(gateway.transfer(reference).status).toBe('success')
  })

  it('waits for the index and for the end of the trace', async () => {
    const { network, gateway, watch, clock } = await watchSimulator()
    const { reference, message } = gateway.createTransfer({ rawAmount: 2_000_000n })
    await pay(network, message)
    for (const [lagBlocks, status] of [
      [2, 'pending'],
      [1, 'pending'],
      [0, 'success'],
    ] as const) {
      network.chain.v3Server.lagBlocks = lagBlocks
      await clock.advance(2000)
      await watch.look()
      expect(gateway.transfer(reference).status).toBe(status)
    }
  })

  it('polls less often for an unpaid transfer over time, and no longer for a paid one', async () => {
    const { network, gateway, watch, clock } = await watchSimulator()
    const { requests } = network.chain.v3Server
    const { message } = gateway.createTransfer({ rawAmount: 2_000_000n })
    const requested = async (looks: number): Promise<number> => {
      const before = requests.length
      for (let count = 0; count < looks; count++) {
        await clock.advance(2000)
        await watch.look()
      }
      return requests.length - before
    }
    const first = await requested(10)
    await clock.advance(600_000)
    await watch.look()
    expect(await requested(10)).toBeLessThan(first)
    await pay(network, message)
    await clock.advance(600_000)
    await watch.look()
    expect(gateway.transfers()).toMatchObject([{ status: 'success' }])
    expect(await requested(10)).toBe(0)
  })
})
