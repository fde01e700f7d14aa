import { expect, it } from 'vitest'
import { openShop } from './shop.js'

it.each(['TON', 'USDT'])(
  'a transfer in %s is paid, reported, verified and fulfilled',
  async (ticker) => {
    const { simulator, order, calls, v3, isCompleted } = await openShop()
    const { gateway, usdt, merchant, buyer } = simulator
    const asset = ticker === 'TON' ? 'TON' : usdt.master.toString()
    const reference = order({ rawAmount: 10_500_000n, asset })
    const { report, transaction } = await simulator.pay(reference)
    expect(report).toMatchObject({ isDelivered: true, attempts: [{ status: 200 }] })
    const { txHash } = gateway.transfer(reference)
    expect(await calls(1)).toEqual([{ kind: 'paid', reference, txHash }])
    expect(await isCompleted(reference)).toBe(true)

    const transfer = gateway.transfer(reference)
    const { messages } = await v3.messages({ body_hash: transfer.bodyBase64Hash, limit: 10 })
    expect(messages).toMatchObject([{ in_msg_tx_hash: transfer.txHash }])
    const { traces } = await v3.traces({ tx_hash: [transfer.txHash ?? ''], limit: 1 })
    expect(traces).toMatchObject([{ trace_id: transfer.traceId }])
    expect(transfer.traceId).toBe(transaction.transaction.hash().toString('base64'))
    expect(transfer).toMatchObject({
      status: 'success',
      asset,
      assetTicker: ticker,
      senderAddr: buyer.address.toString({ bounceable: false }),
      recipientAddr: merchant.address.toString({ bounceable: false }),
    })
    const jettons = ticker === 'USDT' ? 10_500_000n : 0n
    expect(await usdt.balanceOf(merchant.address)).toBe(jettons)
  },
)
