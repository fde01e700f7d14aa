import type { Order, OrderRepository, Transition } from '@tonplug/core'
import { createTransferReport, memoryOrderRepository } from '@tonplug/core'
import { createOperator } from '@tonplug/core/operator'
import { transferCompleted, transferFailed, transferRefunded } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { levels, openShop, order, type ShopOptions } from '../shop.js'

const USDT = {
  raw: '0:b113a994b5024a16719f69139328eb759596c38a25f59028b146fecdc3621dfe',
  bounceable: 'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs',
}
const OTHER_MASTER = '0:c113a994b5024a16719f69139328eb759596c38a25f59028b146fecdc3621dfe'

/** Returns a repository whose order has invalid fields, as rows that JavaScript reads may have, until `fix` is called. */
function faultyOrders(
  wrong: object,
  right: Order = order(),
): { orders: OrderRepository; fix: () => void } {
  const orders = memoryOrderRepository([right])
  let isFaulty = true
  return {
    orders: {
      ...orders,
      find: async (key) => {
        const found = await orders.find(key)
        return found === null || !isFaulty ? found : { ...found, ...wrong }
      },
    },
    fix: () => void (isFaulty = false),
  }
}

describe('event and reference', () => {
  it.each([['transfer.refunded'], ['transfer.created'], ['']])(
    'S24 responds with 400 to the event %j',
    async (event) => {
      const shop = openShop()
      const answer = await shop.send({ ...transferRefunded({ any: 'thing' }), event })
      expect(answer).toMatchObject({ status: 400, decision: { kind: 'unsupported_event', event } })
    },
  )

  it('S24 responds with 200 to other events by option', async () => {
    const shop = openShop([order()], { unsupportedEvent: 'acknowledge' })
    expect(await shop.send(transferRefunded())).toMatchObject({ status: 200, body: '{"ok":true}' })
  })

  it('S24 responds with 400 to an event that is not a string', async () => {
    const answer = await openShop().send({ ...transferCompleted(), event: 7 })
    expect(answer).toMatchObject({ status: 400, decision: { kind: 'malformed_payload' } })
  })

  it('S25 parks a delivery of an unknown reference, with a warning', async () => {
    const shop = openShop()
    const answer = await shop.send(transferCompleted({ reference: 'nobody' }))
    expect(answer).toMatchObject({
      status: 200,
      decision: { kind: 'unknown_order', reference: 'nobody' },
    })
    expect(levels(shop).has('warn')).toBe(true)
  })
})

describe('orders that are final', () => {
  it('S26 decides duplicate for a completed order', async () => {
    const shop = openShop()
    await shop.send(transferCompleted())
    expect(await shop.send(transferCompleted())).toMatchObject({
      status: 200,
      decision: { kind: 'duplicate' },
    })
    await shop.settle()
    expect(shop.shipped).toEqual(['order-1'])
  })

  it('S27 does not change a completed order on a late failure', async () => {
    const failures: string[] = []
    const shop = openShop([order()], {
      onFailed: ({ order: failed }) => failures.push(failed.reference),
    })
    await shop.send(transferCompleted())
    expect(await shop.decide(transferFailed({ txHash: 'late' }))).toBe('duplicate')
    await shop.settle()
    expect(shop.orders.all()).toMatchObject([{ status: 'completed' }])
    expect(failures).toEqual([])
  })

  it('S27 calls no handler for a failure that loses a race against a payment', async () => {
    const failures: string[] = []
    const orders = memoryOrderRepository([order()])
    const shop = openShop([], {
      orders: {
        ...orders,
        fail: async (...call) => {
          const { rawAmount, ...data } = transferCompleted({ txHash: 'other' }).data
          const payment = { ...data, rawAmount: BigInt(rawAmount), isLate: false }
          await orders.complete({ reference: 'order-1' }, payment)
          return orders.fail(...call)
        },
      },
      onFailed: ({ transfer }) => failures.push(transfer.reference),
    })
    expect(await shop.decide(transferFailed())).toBe('duplicate')
    await shop.settle()
    expect(failures).toEqual([])
  })

  it('S43 completes an expired order as late', async () => {
    const isLate: boolean[] = []
    const shop = openShop([order({ status: 'expired' })], {
      onPaid: (event) => isLate.push(event.isLate),
    })
    expect(await shop.send(transferCompleted())).toMatchObject({
      decision: { kind: 'paid', isLate: true },
    })
    await shop.settle()
    expect(isLate).toEqual([true])
    expect(shop.orders.all()).toMatchObject([{ status: 'completed', payment: { isLate: true } }])
  })

  it('S42 reports a payment for a cancelled order', async () => {
    const raised: string[] = []
    const shop = openShop([order({ status: 'cancelled' })], {
      onExtraPayment: ({ decision }) => raised.push(decision.kind),
    })
    expect(await shop.send(transferCompleted())).toMatchObject({
      status: 200,
      decision: { kind: 'paid_after_cancel' },
    })
    await shop.settle()
    expect(raised).toEqual(['paid_after_cancel'])
    expect(shop.orders.all()).toMatchObject([{ status: 'cancelled' }])
  })

  it('S42 reports a payment for an order that is cancelled between the rules and the transition', async () => {
    const orders = memoryOrderRepository([order()])
    const racing = {
      ...orders,
      complete: (...call: Parameters<typeof orders.complete>): Promise<Transition> => {
        orders.cancel({ reference: 'order-1' })
        return orders.complete(...call)
      },
    }
    const shop = openShop([], { orders: racing })
    expect(await shop.decide(transferCompleted())).toBe('paid_after_cancel')
    await shop.settle()
    expect(shop.shipped).toEqual([])
  })
})

describe('status', () => {
  it('S28 records a failure with its hash, code and message', async () => {
    const failures: unknown[] = []
    const shop = openShop([order()], { onFailed: ({ failure }) => failures.push(failure) })
    const answer = await shop.send(transferFailed({ txHash: 'tx-failed' }))
    await shop.settle()
    expect(answer).toMatchObject({ status: 200, decision: { kind: 'failed', errorCode: 36 } })
    expect(failures).toMatchObject([
      { txHash: 'tx-failed', errorCode: 36, errorMessage: 'Not enough TON' },
    ])
    expect(shop.orders.all()).toMatchObject([{ status: 'failed' }])
  })

  it('S29 completes a failed order', async () => {
    const shop = openShop()
    expect(await shop.decide(transferFailed({ txHash: 'first' }))).toBe('failed')
    expect(await shop.decide(transferCompleted({ txHash: 'second' }))).toBe('paid')
    expect(shop.orders.all()).toMatchObject([
      { status: 'completed', payment: { txHash: 'second' } },
    ])
  })

  it.each(['pending', 'error', 'SUCCESS', ''])(
    'S30 S74 records the status %j as a failure of the order',
    async (status) => {
      const failures: unknown[] = []
      const shop = openShop([order()], { onFailed: ({ failure }) => failures.push(failure) })
      const failed = transferCompleted({ status, txHash: 'tx-failed', errorCode: 36 })
      const answer = await shop.send(failed)
      await shop.settle()
      expect(answer).toMatchObject({ status: 200, decision: { kind: 'failed', status } })
      const failure = { txHash: 'tx-failed', status, errorCode: 36 }
      expect(shop.orders.all()).toMatchObject([{ status: 'failed', failure }])
      expect(failures).toMatchObject([failure])
      expect(await shop.decide(transferCompleted())).toBe('paid')
    },
  )

  it('S74 records the failure of an expired order, which stays expired', async () => {
    const failures: unknown[] = []
    const shop = openShop([order({ status: 'expired' })], {
      onFailed: ({ failure }) => failures.push(failure),
    })
    expect(await shop.decide(transferFailed({ txHash: 'tx-failed' }))).toBe('failed')
    await shop.settle()
    const failure = { txHash: 'tx-failed', errorCode: 36, errorMessage: 'Not enough TON' }
    expect(shop.orders.all()).toMatchObject([{ status: 'expired', failure }])
    expect(failures).toMatchObject([failure])
  })
})

describe('amount', () => {
  it.each([
    ['one base unit less', { rawAmount: '10499999999', amount: '10.499999999' }],
    ['one base unit more', { rawAmount: '10500000001', amount: '10.500000001' }],
    ['a minus', { rawAmount: '-10500000000' }],
    ['an exponent', { rawAmount: '1e9' }],
    ['a fraction', { rawAmount: '10.5' }],
    ['hex', { rawAmount: '0x10' }],
    ['a leading zero', { rawAmount: '010500000000' }],
    ['nothing', { rawAmount: '' }],
    ['81 digits', { rawAmount: '1'.repeat(81) }],
  ])('S31 does not accept %s', async (_, amounts) => {
    const shop = openShop()
    const answer = await shop.send(transferCompleted(amounts))
    expect(answer).toMatchObject({
      status: 200,
      decision: { kind: 'amount_mismatch', expected: '10500000000', received: amounts.rawAmount },
    })
    expect(shop.orders.all()).toMatchObject([{ status: 'pending' }])
  })

  it.each(['0.33', '10', '', 'about ten'])(
    'S73 decides by rawAmount when the display amount is %j',
    async (amount) => {
      const shop = openShop([order({ rawAmount: 333_333_333n })])
      expect(await shop.decide(transferCompleted({ amount, rawAmount: '333333333' }))).toBe('paid')
    },
  )

  it('S73 calls the function amounts whatever the display amount is', async () => {
    const received: bigint[] = []
    const shop = openShop([order()], {
      amounts: (amounts) => received.push(amounts.received) > 0,
    })
    const rounded = transferCompleted({ amount: '0.33', rawAmount: '333333333' })
    expect(await shop.decide(rounded)).toBe('paid')
    expect(received).toEqual([333_333_333n])
  })

  it('S31 compares amounts beyond any float to the digit', async () => {
    const rawAmount = 2n ** 120n
    const jetton = {
      asset: USDT.raw,
      rawAmount: rawAmount.toString(),
      amount: rawAmount.toString(),
    }
    const shop = openShop([order({ rawAmount: rawAmount + 1n, asset: USDT.raw })])
    expect(await shop.decide(transferCompleted({ ...jetton, txHash: 'less' }))).toBe(
      'amount_mismatch',
    )
    const exact = openShop([order({ rawAmount, asset: USDT.raw })])
    expect(await exact.decide(transferCompleted(jetton))).toBe('paid')
    expect(exact.orders.all()).toMatchObject([{ payment: { rawAmount } }])
  })

  it('S32 decides amounts by a function of the shop with bigint values', async () => {
    const judged: [bigint, bigint][] = []
    const shop = openShop([order(), order({ reference: 'order-2' })], {
      amounts: ({ expected, received }) => {
        judged.push([expected, received])
        return received * 100n >= expected * 99n
      },
    })
    const nearly = { rawAmount: '10400000000', amount: '10.4' }
    const answer = await shop.send(transferCompleted(nearly))
    expect(answer.decision).toMatchObject({
      kind: 'paid',
      amountRule: 'custom',
      expected: '10500000000',
      received: '10400000000',
    })
    const half = { rawAmount: '5000000000', amount: '5', reference: 'order-2', txHash: 'half' }
    expect(await shop.decide(transferCompleted(half))).toBe('amount_mismatch')
    expect(judged).toEqual([
      [10_500_000_000n, 10_400_000_000n],
      [10_500_000_000n, 5_000_000_000n],
    ])
  })

  it('calls onMismatch with the reason', async () => {
    const seen: string[] = []
    const shop = openShop([order()], {
      onMismatch: ({ decision, reason }) => seen.push(decision.kind, reason),
    })
    await shop.send(transferCompleted({ rawAmount: '1', amount: '0.000000001' }))
    await shop.settle()
    expect(seen).toEqual(['amount_mismatch', 'underpaid'])
  })
})

describe('asset', () => {
  const base64 = USDT.bounceable.replace('_', '/')
  it.each([
    ['raw', USDT.raw],
    ['raw in capitals', USDT.raw.toUpperCase()],
    ['EQ', USDT.bounceable],
    ['UQ', 'UQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_p0p'],
    ['kQ', 'kQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_ntm'],
    ['plain base64', base64],
  ])('S33 accepts the jetton master in the format %s', async (_, asset) => {
    const shop = openShop([order({ asset: USDT.raw })])
    expect(await shop.decide(transferCompleted({ asset, assetTicker: 'whatever' }))).toBe('paid')
    const other = openShop([order({ asset })])
    expect(await other.decide(transferCompleted({ asset: USDT.bounceable }))).toBe('paid')
  })

  it.each([
    ['S33', 'another master with the same ticker', USDT.raw, OTHER_MASTER],
    ['S33', 'the same hash in the masterchain', USDT.raw, USDT.raw.replace('0:', '-1:')],
    ['S33', 'a wrong checksum', USDT.raw, `${USDT.bounceable.slice(0, 47)}A`],
    ['S34', 'a jetton instead of the native coin', 'TON', OTHER_MASTER],
    ['S34', 'the native coin instead of a jetton', USDT.raw, 'TON'],
    ['S34', 'another case of the native identifier', 'TON', 'ton'],
  ])('is refused when the order is in %s and the payment in %s', async (_, __, expected, asset) => {
    const shop = openShop([order({ asset: expected })])
    const answer = await shop.send(transferCompleted({ asset, assetTicker: 'TON' }))
    expect(answer).toMatchObject({
      status: 200,
      decision: { kind: 'asset_mismatch', expected, received: asset },
    })
  })

  it('S36 reports the amount when amount and asset are wrong', async () => {
    const wrong = { rawAmount: '1', amount: '0.000000001', asset: OTHER_MASTER }
    expect(await openShop().decide(transferCompleted(wrong))).toBe('amount_mismatch')
  })

  it('responds with 503 for an invalid order, and decides the report when it is fixed', async () => {
    const { orders, fix } = faultyOrders({ asset: 'usdt' }, order({ asset: USDT.raw }))
    const shop = openShop([], { orders })
    expect((await shop.send(transferCompleted({ asset: USDT.raw }))).status).toBe(503)
    fix()
    await shop.clock.advance(40_000)
    expect(shop.shipped).toEqual(['order-1'])
  })
})

describe('recipient', () => {
  const ours = transferCompleted().data.recipientAddr
  const theirs = transferCompleted().data.senderAddr
  const cases: [string, Partial<Order>, readonly string[] | undefined, string][] = [
    ['one of ours, and the column of the order is null', { recipient: null }, [ours], 'paid'],
    ['anybody, and the column of the order is null', { recipient: null }, undefined, 'paid'],
    ['one of ours', {}, [theirs, ours], 'paid'],
    ['not one of ours', {}, [theirs], 'wallet_mismatch'],
    ["the order's own wallet", { recipient: ours }, [theirs], 'paid'],
    ["not the order's own wallet", { recipient: theirs }, [ours], 'wallet_mismatch'],
    ['anybody, when no wallets are given', {}, undefined, 'paid'],
  ]
  it.each(cases)('S35 the wallet is %s', async (_, changes, wallets, kind) => {
    expect(await openShop([order(changes)], { wallets }).decide(transferCompleted())).toBe(kind)
  })

  it('S35 does not accept an invalid recipient', async () => {
    const shop = openShop([order()], { wallets: [ours] })
    expect(await shop.decide(transferCompleted({ recipientAddr: '<RECIPIENT_ADDR>' }))).toBe(
      'wallet_mismatch',
    )
  })

  it('rejects an invalid wallet in the options', () => {
    expect(() => openShop([order()], { wallets: ['EQ'] })).toThrow(
      /wallets\[0\]: "EQ" is not a TON address/,
    )
  })
})

describe('rules of the shop', () => {
  it('run after the built-in rules, and record the reason', async () => {
    const blockedSender = (): { reason: string } => ({ reason: 'the sender is blocked' })
    const shop = openShop([order()], { rules: [() => undefined, blockedSender] })
    expect(await shop.send(transferCompleted())).toMatchObject({
      status: 200,
      decision: { kind: 'rejected', rule: 'blockedSender', reason: 'the sender is blocked' },
    })
    expect(await shop.decide(transferCompleted({ asset: OTHER_MASTER, txHash: 'x' }))).toBe(
      'asset_mismatch',
    )
  })

  it.each([
    ['amounts', { amounts: () => Promise.resolve(false) }],
    ['amounts', { amounts: () => 1 }],
    ['rules[0]', { rules: [() => Promise.resolve(undefined)] }],
    ['rules[0]', { rules: [() => Promise.reject(new Error('late'))] }],
    ['rules[1]', { rules: [() => undefined, () => true] }],
  ])('rejects an invalid result of %s: %j', async (rule, options) => {
    // What JavaScript callers may write, whatever the types say.
    const shop = openShop([order()], options as unknown as ShopOptions)
    const error = { code: 'ERR_TONPLUG_RULE', details: { rule } }
    await expect(shop.send(transferCompleted())).rejects.toMatchObject(error)
    expect(shop.orders.all()).toMatchObject([{ status: 'pending' }])
  })

  it.each([
    ['createdAt must be a Date; received a string', { createdAt: '2026-11-21T20:00:00Z' }],
    ['createdAt must be a Date; received 1795290000000', { createdAt: 1_795_290_000_000 }],
    ['rawAmount must be a bigint of base units; received a', { rawAmount: '10500000000' }],
    [`completed'; received "paid"`, { status: 'paid' }],
  ])(
    'responds with 503 to an invalid order, logs "%s", and decides when it is fixed',
    async (field, wrong) => {
      const { orders, fix } = faultyOrders(wrong)
      const shop = openShop([], { orders })
      expect(await shop.send(transferCompleted())).toMatchObject({
        status: 503,
        decision: { reason: 'store' },
      })
      expect(JSON.stringify(shop.logger.lines)).toContain(JSON.stringify(field).slice(1, -1))
      fix()
      await shop.clock.advance(40_000)
      expect(shop.shipped).toEqual(['order-1'])
    },
  )

  it('reject the request when one throws, and decide the report once the rule is fixed', async () => {
    let isBroken = true
    const fragile = (): undefined => {
      if (isBroken) throw new TypeError('undefined is not a function')
    }
    const shop = openShop([order()], { rules: [fragile] })
    await expect(shop.send(transferCompleted())).rejects.toMatchObject({ code: 'ERR_TONPLUG_RULE' })
    const errors = shop.logger.lines.filter(({ level }) => level === 'error')
    expect(errors).toMatchObject([
      { fields: { error: { cause: { message: 'undefined is not a function' } } } },
    ])
    isBroken = false
    await shop.clock.advance(40_000)
    expect(shop.shipped).toEqual(['order-1'])
  })

  it('S37 complete the order and run the handler once for a valid payment', async () => {
    const shop = openShop([order()], { wallets: [transferCompleted().data.recipientAddr] })
    expect(await shop.send(transferCompleted())).toMatchObject({
      status: 200,
      decision: { kind: 'paid', isLate: false },
    })
    await shop.clock.advance(60_000)
    expect(shop.shipped).toEqual(['order-1'])
  })
})

describe('the explanation of a report', () => {
  const recipient = `0:${'ab'.repeat(32)}`
  const other = `0:${'cd'.repeat(32)}`

  it.each<[string, Partial<Order>, ShopOptions, string]>([
    ['the order', { recipient }, { wallets: [other] }, recipient],
    ['the options', {}, { wallets: [recipient, other] }, `${recipient}, ${other}`],
  ])('has each rule, and the wallets of %s', async (_, changes, options, wallets) => {
    const shop = openShop([order(changes)], {
      rules: [
        function noFridays() {
          return { reason: 'it is Friday' }
        },
        function noStrangers() {
          return undefined
        },
        function broken() {
          throw new Error('no connection')
        },
      ],
      ...options,
    })
    const wrong = { rawAmount: '7', asset: OTHER_MASTER, recipientAddr: `0:${'ef'.repeat(32)}` }
    await shop.send(transferCompleted(wrong))
    const operator = createOperator({ payments: shop.payments })
    const [listed] = await operator.list()
    const inspected = await operator.inspect(listed!.reportId)
    expect(inspected?.rules).toEqual([
      { rule: 'order exists', passed: true, received: 'order-1' },
      { rule: 'not completed', passed: true, received: 'pending' },
      { rule: 'succeeded', passed: true, expected: 'success', received: 'success' },
      { rule: 'amount', passed: false, expected: '10500000000', received: '7' },
      { rule: 'asset', passed: false, expected: 'TON', received: OTHER_MASTER },
      { rule: 'wallet', passed: false, expected: wallets, received: wrong.recipientAddr },
      { rule: 'noFridays', passed: false, received: 'it is Friday' },
      { rule: 'noStrangers', passed: true, received: undefined },
      { rule: 'broken', passed: false, received: 'the rule threw an error' },
    ])
  })

  it('has the empty reference of a transfer that names no order', async () => {
    const shop = openShop()
    const transfer = { ...transferCompleted().data, reference: '' }
    await shop.payments.submit(createTransferReport(transfer, { source: 'chain' }))
    const operator = createOperator({ payments: shop.payments })
    const [listed] = await operator.list()
    expect((await operator.inspect(listed!.reportId))?.rules).toEqual([
      { rule: 'order exists', passed: false, received: '' },
    ])
  })
})

describe('a payment in the second in which its order was created', () => {
  // The time of a block is a whole second.
  it.each([
    [999, undefined],
    [1000, true],
  ])('is early when the order is %i ms younger: %s', async (laterMs, isEarly) => {
    const date = '2026-01-05T12:00:00.000Z'
    const createdAt = new Date(Date.parse(date) + laterMs)
    const shop = openShop([order({ createdAt })])
    const { decision } = await shop.send(transferCompleted({ date }))
    expect(decision).toMatchObject({ kind: 'paid' })
    expect('isEarly' in decision ? decision.isEarly : undefined).toBe(isEarly)
  })
})
