import { Cell, external, internal, SendMode, toNano } from '@ton/core'
import { expect, it, describe } from 'vitest'
import { parseTrace } from '../../../src/toncenter/chain/parse-trace.js'
import { createSendCheckpoint } from '../../../src/toncenter/chain/send-checkpoint.js'
import { sendAndWait } from '../../../src/toncenter/chain/send-and-wait.js'
import { createTransport } from '../../../src/toncenter/transport/transport.js'
import { createV2Client } from '../../../src/toncenter/v2/client.js'
import { createV3Client } from '../../../src/toncenter/v3/client.js'
import { messageCell, walletV4 } from '@tonplug/simulator'
import { serveChain } from '../chain/served-chain.js'
import { createDrivenClock } from './driven-clock.js'

const payer = walletV4(1)
const shop = walletV4(2)

/** A payment of 1 TON, signed by the wallet's owner. */
function payment(seqno: number, validForSeconds = 60, now = 0) {
  const { wallet, keys } = payer
  const body = wallet.createTransfer({
    seqno,
    secretKey: keys.secretKey,
    sendMode: SendMode.PAY_GAS_SEPARATELY,
    timeout: now + validForSeconds,
    messages: [
      internal({ to: shop.wallet.address, value: toNano(1), bounce: false, body: 'Nr. 7' }),
    ],
  })
  const init = seqno === 0 ? wallet.init : undefined
  return messageCell(external({ to: wallet.address, body, ...(init && { init }) })).toBoc()
}

async function startShop(funds = toNano(5)) {
  const driven = createDrivenClock()
  const { clock } = driven
  const nowSeconds = Math.floor(clock.nowMs() / 1000)
  const served = await serveChain({ now: nowSeconds })
  const common = { clock, rps: Infinity, fetch: driven.fetch }
  const v2 = createV2Client({
    transport: createTransport({ ...common, baseUrl: served.v2Server.url }),
  })
  const v3 = createV3Client({
    transport: createTransport({ ...common, baseUrl: served.v3Server.url }),
  })
  await served.chain.fund(payer.wallet.address, funds)
  return { ...driven, ...served, nowSeconds, clients: { v2, v3 } }
}

describe('a real wallet', () => {
  it('pays, and the trace describes the payment', async () => {
    const { clients, run, nowSeconds, chain } = await startShop()
    const boc = payment(0, 60, nowSeconds)
    const landed = await run(sendAndWait(clients, boc))
    expect(landed).toMatchObject({ status: 'finalized', outcome: 'success' })
    expect(landed.transactions.map(({ account }) => account)).toEqual([
      payer.wallet.address.toRawString().toUpperCase(),
      shop.wallet.address.toRawString().toUpperCase(),
    ])
    const { transfers, accounts, fees } = parseTrace(landed.trace)
    expect(transfers).toMatchObject([
      { kind: 'native', amount: toNano(1), comment: 'Nr. 7', outcome: 'arrived' },
    ])
    const spent = accounts[payer.wallet.address.toRawString().toUpperCase()]?.change ?? 0n
    expect((await chain.account(payer.wallet.address)).balance).toBe(toNano(5) + spent)
    expect(spent).toBe(-toNano(1) - fees)
  })

  it('has failed when its funds ran out after it had counted the message', async () => {
    const { clients, run, nowSeconds, chain } = await startShop(4_840_000n)
    const landed = await run(sendAndWait(clients, payment(0, 60, nowSeconds)))
    expect(landed).toMatchObject({ status: 'finalized', outcome: 'failure' })
    expect(landed.reason).toContain('exit code -14 (out of gas)')
    const { stack } = await chain.runGetMethod(payer.wallet.address, 'seqno', [])
    expect(stack).toEqual([{ type: 'int', value: 1n }])
  })

  it('has paid by a message that it executed again once it had funds', async () => {
    const { clients, run, nowSeconds, chain } = await startShop(4_500_000n)
    const boc = payment(0, 60, nowSeconds)
    const checkpoint = await createSendCheckpoint(boc)
    expect(await run(sendAndWait(clients, checkpoint))).toMatchObject({ outcome: 'failure' })
    await chain.fund(payer.wallet.address, toNano(5))
    await chain.send(Cell.fromBoc(boc)[0]!)
    expect(await run(sendAndWait(clients, checkpoint))).toMatchObject({ outcome: 'success' })
  })

  it('pays once, although the message is sent again until the index has caught up', async () => {
    const { clients, run, at, nowSeconds, chain, v3Server } = await startShop()
    chain.isHolding = true
    at(15_000, () => chain.mineBlock(1))
    at(25_000, () => {
      v3Server.lagBlocks = 1
      return chain.mine()
    })
    at(60_000, () => {
      v3Server.lagBlocks = 0
    })
    const steps: string[] = []
    const onProgress = ({ status }: { status: string }): void => void steps.push(status)
    const landed = await run(sendAndWait(clients, payment(0, 600, nowSeconds), { onProgress }))
    expect(landed.outcome).toBe('success')
    expect(steps).toEqual(['landed', 'finalized'])
    expect((await chain.account(shop.wallet.address)).balance).toBe(toNano(1))
  })

  it('accepts a message that the pool dropped when it is sent again', async () => {
    const { clients, run, at, nowSeconds, chain } = await startShop()
    chain.isHolding = true
    at(5000, () => chain.dropPool())
    at(12_000, () => chain.mine())
    const landed = await run(sendAndWait(clients, payment(0, 600, nowSeconds)))
    expect(landed.outcome).toBe('success')
    expect((await chain.account(shop.wallet.address)).balance).toBe(toNano(1))
  })

  it('finds its own message on resumption when it has used the seqno', async () => {
    const { clients, run, nowSeconds, chain } = await startShop()
    const boc = payment(0, 60, nowSeconds)
    const first = await run(sendAndWait(clients, boc))
    const again = await run(sendAndWait(clients, boc))
    expect(again.trace.trace_id).toBe(first.trace.trace_id)
    expect((await chain.account(shop.wallet.address)).balance).toBe(toNano(1))
  })

  it('is believed when it rejects a message and the index is ahead of its node', async () => {
    const { clients, run, at, nowSeconds, chain } = await startShop()
    await run(sendAndWait(clients, payment(0, 60, nowSeconds)))
    at(20_000, async () => {
      for (let block = 0; block < 20; block++) await chain.fund(shop.wallet.address, 1n)
    })
    const wrong = payment(9, 60, nowSeconds)
    await expect(run(sendAndWait(clients, wrong))).rejects.toMatchObject({
      code: 'ERR_TONPLUG_MESSAGE_REJECTED',
      exitCode: 33,
    })
  })
})
