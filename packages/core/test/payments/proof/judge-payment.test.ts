import { Address, beginCell, comment, type Cell } from '@ton/core'
import { describe, expect, it } from 'vitest'
import type { ExpectedPayment } from '../../../src/payments/watcher/proof/expected-payment.js'
import { verifyPayment } from '../../../src/payments/watcher/proof/verify-payment.js'
import { canonicalTransactionHash } from '../../../src/payments/orders/transaction-hash.js'
import type { VerificationResult } from '../../../src/payments/ledger/payment-verifier.js'
import type { Trace } from '../../../src/toncenter/v3/schemas/trace.js'
import type { Transaction } from '../../../src/toncenter/v3/schemas/transaction.js'
import { randomReference } from '../../../src/shared/random-reference.js'
import { transferBody } from '@tonplug/simulator'
import {
  bouncedBy,
  failedBy,
  NOT_RUN,
  rawOf,
  writeTrace,
  type WrittenMessage,
  type WrittenTransaction,
} from '../../toncenter/sending/written-trace.js'

const account = (fill: number): Address => new Address(0, Buffer.alloc(32, fill))
const [payer, shop, forwarder, stranger] = [0xa1, 0xb0, 0xf0, 0xca].map(account) as [
  Address,
  Address,
  Address,
  Address,
]
const [payerWallet, shopWallet, forwarderWallet] = [0xa2, 0xb2, 0xf2].map(account) as [
  Address,
  Address,
  Address,
]
const [master, otherMaster] = [account(0x3a), account(0x3b)]
const body = beginCell().storeUint(0x7061_7965, 32).storeUint(1, 64).endCell()
const signed = beginCell().storeUint(0x7369676e, 32).endCell()
const AMOUNT = 5_000_000_000n

/** A wallet that an external message makes send these. */
function wallet(...out: readonly (WrittenTransaction | WrittenMessage)[]): WrittenTransaction {
  return { in: { from: null, to: payer, body: signed }, out }
}

const native = (more: Partial<WrittenMessage> = {}): WrittenMessage => ({
  from: payer,
  to: shop,
  value: AMOUNT,
  body,
  ...more,
})

/** Sent by the forwarder, whose own transaction costs 1000 nanocoins and each of its messages 400. */
const forwarded = (value: bigint, to = shop): WrittenTransaction => ({
  in: { from: forwarder, to, value },
})

function expectation(more: Partial<ExpectedPayment> = {}): ExpectedPayment {
  return {
    rawAmount: AMOUNT,
    asset: 'TON',
    recipient: shop.toRawString(),
    bodyHash: body.hash().toString('hex'),
    sender: payer.toRawString(),
    ...more,
  }
}

async function judge(
  root: WrittenTransaction,
  expected: ExpectedPayment = expectation(),
  more: Parameters<typeof writeTrace>[1] = {},
): Promise<VerificationResult> {
  const { traces, metadata } = await writeTrace(root, more)
  const [trace] = traces
  if (trace === undefined) throw new TypeError('no trace')
  return verifyPayment({ trace, metadata }, expected)
}

const told = (verdict: VerificationResult): string =>
  verdict.kind === 'verified' ? `proven ${verdict.payments[0].amount}` : verdict.reason

describe('a payment in the native coin', () => {
  it.each<[string, WrittenTransaction, string]>([
    ['arrives', { in: native() }, 'proven 5000000000'],
    [
      'arrives at an account without a contract',
      { in: native(), description: NOT_RUN },
      'proven 5000000000',
    ],
    [
      'arrives at a contract that fails and keeps it',
      { in: native(), description: failedBy(9) },
      'proven 5000000000',
    ],
    ['is one nanocoin less', { in: native({ value: AMOUNT - 1n }) }, 'other_amount'],
    ['is one nanocoin more', { in: native({ value: AMOUNT + 1n }) }, 'other_amount'],
    ['goes to another account', { in: native({ to: stranger }) }, 'other_recipient'],
    ['has another body', { in: native({ body: signed }) }, 'other_message'],
    [
      'bounces',
      {
        in: native(),
        description: bouncedBy(9),
        out: [{ in: { from: shop, to: payer, value: 4n, bounced: true } }],
      },
      'bounced',
    ],
  ])('is judged when it %s', async (_, transaction, expected) => {
    expect(told(await judge(wallet(transaction)))).toBe(expected)
  })

  it('is proven without the fee of its message where that is allowed', async () => {
    const root = wallet({ in: native({ value: AMOUNT - 400n }) })
    expect(told(await judge(root, expectation({ feeAllowance: 400n })))).toBe('proven 4999999600')
    expect(told(await judge(root, expectation({ feeAllowance: 399n })))).toBe('other_amount')
  })

  it('is refuted with the amount that arrived', async () => {
    const root = wallet({ in: native({ value: AMOUNT - 1n }) })
    expect(await judge(root)).toMatchObject({ detail: '4999999999 arrived of 5000000000' })
  })

  it('did not bounce when another payment to the recipient did', async () => {
    const bounced = {
      in: native({ body: signed }),
      description: bouncedBy(9),
      out: [{ in: { from: shop, to: payer, value: 4n, bounced: true } }],
    }
    const root = wallet({ in: native({ to: stranger }) }, bounced)
    expect(told(await judge(root))).toBe('other_recipient')
  })

  it('did not bounce when a contract that passed it on got money back from another account', async () => {
    const root = wallet({
      in: native({ to: forwarder }),
      out: [
        {
          in: { from: forwarder, to: stranger, value: AMOUNT },
          description: bouncedBy(9),
          out: [{ in: { from: stranger, to: forwarder, value: 4n, bounced: true } }],
        },
      ],
    })
    expect(told(await judge(root))).toBe('other_recipient')
  })

  it('is proven fifty times in one trace, at most', async () => {
    const payments = Array.from({ length: 51 }, () => ({ in: native() }))
    const verdict = await judge(wallet(...payments))
    expect(verdict.kind === 'verified' && verdict.payments).toHaveLength(50)
  })

  it('has the comment that was reported', async () => {
    const note = comment('order-1')
    const root = wallet({ in: native({ body: note }) })
    const bodyHash = note.hash().toString('hex')
    const verdictOf = async (text: string) => judge(root, expectation({ bodyHash, comment: text }))
    expect(told(await verdictOf('order-1'))).toBe('proven 5000000000')
    expect(told(await verdictOf('order-2'))).toBe('other_message')
  })

  it('is shown from the message of its payer on, without the fees', async () => {
    const root: WrittenTransaction = {
      in: { from: null, to: stranger, body: signed },
      out: [{ in: { from: stranger, to: payer, value: AMOUNT * 2n }, out: [{ in: native() }] }],
    }
    const verdict = await judge(root)
    const [shown] = verdict.kind === 'verified' ? verdict.payments : []
    const { lt } = Object.values((await writeTrace(root)).traces[0]?.transactions ?? {}).at(-1)!
    const message = { sender: payer.toRawString(), recipient: shop.toRawString(), value: AMOUNT }
    const [credit] = shown?.ledgerCredits ?? []
    expect(credit?.route).toHaveLength(2)
    expect(shown).not.toHaveProperty('jettonWallet')
    expect(shown).toMatchObject({
      credits: [credit?.id],
      claims: [{ route: [{ ...message, transaction: { hash: credit?.txHash, lt } }] }],
      comparedCredits: [
        { traceId: '', root: undefined, route: [{ ...message, fees: 0n, isShared: false }] },
      ],
    })
  })

  it('is not proven by a bounced message with its body', async () => {
    const back = native({ from: shop, to: payer, bounced: true })
    const root = wallet({ in: native({ body: signed }), out: [{ in: back }] })
    const expected = expectation({ recipient: payer.toRawString(), sender: undefined })
    expect(told(await judge(root, expected))).toBe('other_message')
  })

  describe('in an index that omits fields of messages', () => {
    type Message = Transaction['out_msgs'][number]
    const WITHOUT_CONTENT = { message_content: undefined }
    const WITHOUT_VALUE = { value: undefined }

    /** The trace in an index that omits these fields of sent or received messages. */
    async function judgeWithout(
      less: Partial<Message>,
      ends: readonly ('sent' | 'received')[],
    ): Promise<string> {
      const { traces } = await writeTrace(wallet({ in: native() }))
      const [trace] = traces as [Trace]
      const leaveOut = ({ in_msg, out_msgs, ...rest }: Transaction): Transaction => ({
        ...rest,
        in_msg: in_msg && ends.includes('received') ? { ...in_msg, ...less } : in_msg,
        out_msgs: ends.includes('sent') ? out_msgs.map((one) => ({ ...one, ...less })) : out_msgs,
      })
      const transactions = Object.fromEntries(
        Object.entries(trace.transactions ?? {}).map(([hash, one]) => [hash, leaveOut(one)]),
      )
      return told(verifyPayment({ trace: { ...trace, transactions } }, expectation()))
    }

    it.each([
      ['the bodies', WITHOUT_CONTENT],
      ['the values', WITHOUT_VALUE],
    ])('is neither proven nor refuted without %s at both ends', async (_, less) => {
      expect(await judgeWithout(less, ['sent', 'received'])).toBe('incomplete')
    })

    it.each([
      ['the body', 'sent', WITHOUT_CONTENT],
      ['the body', 'received', WITHOUT_CONTENT],
      ['the value', 'sent', WITHOUT_VALUE],
      ['the value', 'received', WITHOUT_VALUE],
    ] as const)('is proven by the other end without %s where it was %s', async (_, end, less) => {
      expect(await judgeWithout(less, [end])).toBe('proven 5000000000')
    })

    it('is refuted when it is the external message, which has no value', async () => {
      const { traces } = await writeTrace(wallet({ in: native({ to: stranger }) }))
      const [trace] = traces as [Trace]
      const [first] = Object.values(trace.transactions ?? {}) as [Transaction]
      expect(first.in_msg).toMatchObject({ source: undefined, value: undefined })
      // Some servers write an absent source so.
      Object.assign(first, { in_msg: { ...first.in_msg, hash: trace.external_hash, source: '' } })
      expect(told(verifyPayment({ trace }, expectation()))).toBe('other_recipient')
    })
  })

  it('is two payments when it is twice in one trace', async () => {
    const verdict = await judge(wallet({ in: native() }, { in: native() }))
    const payments = verdict.kind === 'verified' ? verdict.payments : []
    expect(payments.map(({ amount }) => amount)).toEqual([AMOUNT, AMOUNT])
    expect(new Set(payments.map(({ message }) => message)).size).toBe(2)
  })

  it('is found among wrong ones', async () => {
    const root = wallet({ in: native({ value: 1n }) }, { in: native() })
    expect(told(await judge(root))).toBe('proven 5000000000')
  })
})

describe('a payment that a contract forwards', () => {
  const via = (...out: readonly WrittenTransaction[]): WrittenTransaction =>
    wallet({ in: native({ to: forwarder, value: AMOUNT }), out })
  // One transaction and one message of the forwarder.
  const fees = 1400n

  it.each<[string, WrittenTransaction, string]>([
    ['whole', via(forwarded(AMOUNT)), 'proven 5000000000'],
    [
      'burning more than contracts take',
      wallet({
        in: native({ to: forwarder }),
        out: [forwarded(AMOUNT - 60_000_000n)],
        fees: 60_000_000n,
      }),
      'other_amount',
    ],
    ['less the fees of the chain', via(forwarded(AMOUNT - fees)), 'proven 4999998600'],
    ['less more than the fees', via(forwarded(AMOUNT - fees - 1n)), 'other_amount'],
    ['to another account', via(forwarded(AMOUNT, stranger)), 'other_recipient'],
    ['not at all', via(), 'other_recipient'],
    [
      'in two parts',
      via(forwarded(AMOUNT - 1_000_000n), forwarded(1_000_000n - fees)),
      'proven 4999998600',
    ],
    [
      'and part of it to another account',
      via(forwarded(AMOUNT - 1_000_000n), forwarded(990_000n, stranger)),
      'other_amount',
    ],
    [
      'and it bounces',
      via({
        in: { from: forwarder, to: shop, value: AMOUNT - fees },
        description: bouncedBy(9),
        out: [{ in: { from: shop, to: forwarder, value: 4n, bounced: true } }],
      }),
      'bounced',
    ],
    [
      'and returns the excesses to the payer',
      wallet({
        in: native({ to: forwarder, value: AMOUNT + 50_000_000n }),
        out: [forwarded(AMOUNT), forwarded(49_000_000n, payer)],
      }),
      'proven 5000000000',
    ],
  ])('is judged by what arrives: %s', async (_, root, expected) => {
    expect(told(await judge(root))).toBe(expected)
  })

  it('is one payment, whichever message of its route is named', async () => {
    // Two bodies on one way, as if each were a payment of its own.
    const other = beginCell().storeUint(0x7061_7965, 32).storeUint(2, 64).endCell()
    const root = wallet({
      in: native({ to: stranger }),
      out: [
        {
          in: { from: stranger, to: forwarder, value: AMOUNT, body: other },
          out: [forwarded(AMOUNT)],
        },
      ],
    })
    const verdicts = [
      await judge(root),
      await judge(
        root,
        expectation({
          bodyHash: other.hash().toString('hex'),
          sender: stranger.toRawString(),
        }),
      ),
    ]
    expect(verdicts.map(told)).toEqual(['proven 5000000000', 'proven 5000000000'])
    const credits = verdicts.map((one) => (one.kind === 'verified' ? one.payments[0].credits : []))
    expect(credits[0]).toHaveLength(1)
    expect(credits[0]).toEqual(credits[1])
  })

  it('is not proven by other transfers of the recipient', async () => {
    // The recipient is paid less, and sends itself the rest in the same trace.
    const root = wallet({
      in: native({ value: 1n }),
      out: [{ in: { from: shop, to: shop, value: AMOUNT } }],
    })
    expect(told(await judge(root))).toBe('other_amount')
  })
})

describe('a payment in a jetton', () => {
  const ask = (amount: bigint, to = shop, response = payer): Cell =>
    transferBody({ amount, to, response, forwardCoins: 1n })
  const internalTransfer = (amount: bigint): Cell =>
    beginCell().storeUint(0x178d4519, 32).storeUint(0, 64).storeCoins(amount).endCell()
  const jettons = ({
    amount = AMOUNT,
    description,
  }: { amount?: bigint; description?: object } = {}): WrittenTransaction => ({
    in: { from: payer, to: payerWallet, value: 200_000_000n, body: ask(amount) },
    out: [
      {
        in: { from: payerWallet, to: shopWallet, value: 100n, body: internalTransfer(amount) },
        ...(description && { description }),
        out: [{ in: { from: shopWallet, to: shop, value: 1n }, description: NOT_RUN }],
      },
    ],
  })
  const expected = (more: Partial<ExpectedPayment> = {}): ExpectedPayment =>
    expectation({
      asset: master.toRawString(),
      bodyHash: ask(AMOUNT).hash().toString('hex'),
      jettonWallet: shopWallet.toRawString(),
      ...more,
    })
  const known = (jetton: Address): { metadata: object } => ({
    metadata: Object.fromEntries(
      [payerWallet, shopWallet].map((address) => [
        rawOf(address),
        {
          is_indexed: true,
          token_info: [{ valid: true, type: 'jetton_wallets', extra: { jetton: rawOf(jetton) } }],
        },
      ]),
    ),
  })

  it('is proven when the master confirms the wallet', async () => {
    expect(told(await judge(wallet(jettons()), expected()))).toBe('proven 5000000000')
    const other = expected({ jettonWallet: stranger.toRawString() })
    expect(told(await judge(wallet(jettons()), other))).toBe('other_asset')
  })

  it('S93 depends on the jetton master alone, whatever the index attributes the wallet to', async () => {
    const unasked = expected({ jettonWallet: undefined })
    const fake = expected({ jettonWallet: stranger.toRawString() })
    for (const index of [known(master), known(otherMaster), {}]) {
      expect(told(await judge(wallet(jettons()), unasked, index))).toBe('unknown_asset')
      expect(told(await judge(wallet(jettons()), fake, index))).toBe('other_asset')
      expect(told(await judge(wallet(jettons()), expected(), index))).toBe('proven 5000000000')
    }
  })

  it('has the exact amount in base units', async () => {
    for (const amount of [AMOUNT - 1n, AMOUNT + 1n]) {
      const bodyHash = ask(amount).hash().toString('hex')
      const verdict = await judge(wallet(jettons({ amount })), expected({ bodyHash }))
      expect(told(verdict)).toBe('other_amount')
    }
  })

  it('is not proven when the wallet of the recipient rejects it', async () => {
    const description = bouncedBy(707)
    expect(told(await judge(wallet(jettons({ description })), expected()))).toBe('bounced')
  })

  it('fails when the wallet of the recipient does not accept it, and returns nothing', async () => {
    const description = failedBy(707)
    expect(told(await judge(wallet(jettons({ description })), expected()))).toBe('failed')
  })

  it('has its jetton wallet', async () => {
    expect(await judge(wallet(jettons()), expected())).toMatchObject({
      payments: [{ jettonWallet: shopWallet.toRawString() }],
    })
  })

  it('is refuted by coins to any recipient, and by a jetton for coins', async () => {
    const bodyHash = body.hash().toString('hex')
    for (const to of [shop, stranger]) {
      expect(await judge(wallet({ in: native({ to }) }), expected({ bodyHash }))).toMatchObject({
        reason: 'other_asset',
        detail: 'the payer sent no jetton',
      })
    }
    expect(await judge(wallet(jettons()), expected({ asset: 'TON' }))).toMatchObject({
      reason: 'other_asset',
      detail: 'the payer sent a jetton',
    })
  })

  it('did not bounce when it is a transfer to another owner that did', async () => {
    const request = ask(AMOUNT, stranger)
    const bodyHash = request.hash().toString('hex')
    const root: WrittenTransaction = {
      in: { from: payer, to: payerWallet, value: 200_000_000n, body: request },
      description: bouncedBy(706),
      out: [{ in: { from: payerWallet, to: payer, value: 1n, bounced: true } }],
    }
    expect(told(await judge(wallet(root), expected({ bodyHash })))).toBe('other_recipient')
  })

  it('is not proven by native coins, and native coins are not proven by a jetton', async () => {
    const bodyHash = body.hash().toString('hex')
    expect(told(await judge(wallet({ in: native() }), expected({ bodyHash })))).toBe('other_asset')
    const asCoin = expected({ asset: 'TON' })
    expect(told(await judge(wallet(jettons()), asCoin))).toBe('other_asset')
  })

  it('is proven completely when a contract forwards it', async () => {
    const first = ask(AMOUNT, forwarder)
    const onward = (to: Address, amount = AMOUNT): WrittenTransaction => ({
      in: { from: forwarder, to: forwarderWallet, value: 1000n, body: ask(amount, to, forwarder) },
      out: [
        {
          in: {
            from: forwarderWallet,
            to: shopWallet,
            value: 100n,
            body: internalTransfer(amount),
          },
        },
      ],
    })
    const through = (next: WrittenTransaction): WrittenTransaction =>
      wallet({
        in: { from: payer, to: payerWallet, value: 200_000_000n, body: first },
        out: [
          {
            in: {
              from: payerWallet,
              to: forwarderWallet,
              value: 100n,
              body: internalTransfer(AMOUNT),
            },
            out: [{ in: { from: forwarderWallet, to: forwarder, value: 1n }, out: [next] }],
          },
        ],
      })
    const passed = expected({ bodyHash: first.hash().toString('hex') })
    expect(told(await judge(through(onward(shop)), passed))).toBe('proven 5000000000')
    expect(told(await judge(through(onward(shop, AMOUNT - 1n)), passed))).toBe('other_amount')
    expect(told(await judge(through(onward(stranger)), passed))).toBe('other_recipient')
  })
})

describe('the name of a payment', () => {
  const root = wallet({ in: native() }, { in: native({ to: stranger, body: signed }) })

  async function hashes(): Promise<{ ids: string[]; trace: string; external: string }> {
    const { traces } = await writeTrace(root)
    const [trace] = traces
    return {
      ids: (trace?.transactions_order ?? []).map(canonicalTransactionHash),
      trace: canonicalTransactionHash(trace?.trace_id ?? ''),
      external: canonicalTransactionHash(trace?.external_hash ?? ''),
    }
  }

  it('is any transaction of its trace, and no other one', async () => {
    const { ids } = await hashes()
    const verdicts = await Promise.all(
      ids.map(async (txHash) => told(await judge(root, expectation({ txHash })))),
    )
    expect(verdicts).toEqual(ids.map(() => 'proven 5000000000'))
    const txHash = 'e'.repeat(64)
    expect(told(await judge(root, expectation({ txHash })))).toBe('other_message')
  })

  it('S117 chooses among equal payments: its own transaction, otherwise the first payment', async () => {
    const twice = wallet({ in: native() }, { in: native() })
    const { traces } = await writeTrace(twice)
    const ids = (traces[0]?.transactions_order ?? []).map(canonicalTransactionHash)
    const chosen = await Promise.all(
      ids.map(async (txHash) => {
        const verdict = await judge(twice, expectation({ txHash }))
        return verdict.kind === 'verified' ? verdict.payments[0].transactions : []
      }),
    )
    expect(chosen).toEqual([[ids[1]], [ids[1]], [ids[2]]])
  })

  it('is the first transaction of its trace, or the message that began it', async () => {
    const { trace, external } = await hashes()
    for (const traceId of [trace, external]) {
      expect(told(await judge(root, expectation({ traceId })))).toBe('proven 5000000000')
    }
    expect(told(await judge(root, expectation({ traceId: '0'.repeat(64) })))).toBe('other_trace')
  })

  it('includes its sender, if known', async () => {
    const sender = stranger.toRawString()
    expect(told(await judge(root, expectation({ sender })))).toBe('other_sender')
    expect(told(await judge(root, expectation({ sender: undefined })))).toBe('proven 5000000000')
  })
})

describe('the age of a payment', () => {
  const DAY = 86_400
  /** The time of the recipient's transaction, after a trace that began a day before. */
  const CREDITED = 1_780_000_000 + DAY
  const later = { marks: { now: CREDITED } }
  const RANDOM = randomReference()

  it.each<[string, number, string]>([
    ['61 seconds before its order is refuted', CREDITED + 61, 'older'],
    ['60 seconds before its order is proven', CREDITED + 60, 'proven 5000000000'],
    ['after its order is proven', CREDITED - 1, 'proven 5000000000'],
  ])('S82 is that of the credit: one %s', async (_, createdAt, verdict) => {
    const root = wallet({ in: native(), ...later })
    const createdMs = createdAt * 1000
    expect(told(await judge(root, expectation({ createdMs })))).toBe(verdict)
  })

  it('S82 is not checked without a creation time', async () => {
    expect(told(await judge(wallet({ in: native() })))).toBe('proven 5000000000')
  })

  it.each([
    ['names its order by a random reference', RANDOM, RANDOM, 'proven 5000000000'],
    ['names its order by a number', '17', '17', 'older'],
    ['has another comment', RANDOM, 'x', 'older'],
  ])(
    'S82 counts unless a random reference names the order: the message %s',
    async (_, reference, text, verdict) => {
      const note = comment(text)
      const createdMs = (CREDITED + DAY) * 1000
      const bodyHash = note.hash().toString('hex')
      const root = wallet({ in: native({ body: note }), ...later })
      const expected = expectation({ bodyHash, reference, createdMs })
      expect(told(await judge(root, expected))).toBe(verdict)
    },
  )

  it('is reported as the time of the last credit', async () => {
    const parts = [AMOUNT - 1_000_000n, 1_000_000n].map((value, index) => ({
      ...forwarded(value),
      marks: { now: CREDITED + index },
    }))
    const root = wallet({ in: native({ to: forwarder }), out: parts })
    const verdict = await judge(root)
    expect(verdict).toMatchObject({ payments: [{ utime: CREDITED + 1 }] })
    const transactions: readonly string[] =
      verdict.kind === 'verified' ? verdict.payments[0].transactions : []
    expect(transactions).toEqual(transactions.toSorted())
  })
})

describe('S82 the transactions of a payment', () => {
  /** Returns the positions in the trace of the transactions that a proof returns, for each payment. */
  async function positionsOf(root: WrittenTransaction): Promise<number[][]> {
    const { traces } = await writeTrace(root)
    const ids = (traces[0]?.transactions_order ?? []).map(canonicalTransactionHash)
    const verdict = await judge(root)
    const payments = verdict.kind === 'verified' ? verdict.payments : []
    return payments.map(({ transactions }) =>
      transactions.map((hash) => ids.indexOf(hash)).toSorted((one, other) => one - other),
    )
  }

  const via: WrittenTransaction = {
    in: native({ to: forwarder, value: AMOUNT + 50_000_000n }),
    out: [forwarded(AMOUNT), forwarded(49_000_000n, payer)],
  }

  it('are all of its route, from the payer to the recipient', async () => {
    expect(await positionsOf(wallet(via))).toEqual([[0, 1, 2]])
  })

  it('do not include what the recipient does with the money', async () => {
    const onward = { in: { from: shop, to: stranger, value: 1n } }
    expect(await positionsOf(wallet({ in: native(), out: [onward] }))).toEqual([[0, 1]])
  })

  it('do not include a transaction that sent several payments', async () => {
    const twice = wallet({ in: native() }, { in: native() })
    expect(await positionsOf(twice)).toEqual([[1], [2]])
  })

  it('include one that also returned change to its own sender', async () => {
    const root: WrittenTransaction = {
      in: { from: null, to: stranger, body: signed },
      out: [
        {
          in: { from: stranger, to: payer, value: AMOUNT * 2n },
          out: [{ in: native() }, { in: { from: payer, to: stranger, value: 5n } }],
        },
      ],
    }
    expect(await positionsOf(root)).toEqual([[0, 1, 2]])
  })
})

it('judges a trace in which every message has the body', async () => {
  // One way through two thousand contracts. Each could be the payer.
  let last: WrittenTransaction = { in: native({ from: account(1), to: stranger }) }
  for (let hop = 0; hop < 2000; hop++) {
    last = { in: native({ from: account(hop % 200), to: account((hop + 1) % 200) }), out: [last] }
  }
  const { traces } = await writeTrace(wallet(last))
  const [trace] = traces
  if (trace === undefined) throw new TypeError('no trace')
  // It would take longer than a test may, if each of them were followed through the whole trace.
  expect(verifyPayment({ trace }, expectation()).kind).toBe('contradicted')
})

describe('a proof', () => {
  it.each<[string, WrittenTransaction, object, string]>([
    ['while the trace is incomplete', wallet(native()), {}, 'not_final'],
    [
      'while a branch of it is incomplete',
      wallet({ in: native(), out: [{ from: shop, to: stranger }] }),
      {},
      'not_final',
    ],
    [
      'before it is in final blocks',
      wallet({ in: native(), marks: { finality: 'confirmed' } }),
      {},
      'not_final',
    ],
    [
      'by a forecast of an older server',
      wallet({
        in: native(),
        marks: { finality: undefined, emulated: true, mc_block_seqno: null },
      }),
      {},
      'not_final',
    ],
    [
      'by a trace without its transactions',
      wallet({ in: native() }),
      {
        is_incomplete: true,
        warning: 'trace is too large',
        transactions: undefined,
        trace: undefined,
      },
      'incomplete',
    ],
    [
      'by a trace that lacks a transaction which it counts',
      wallet({ in: native() }),
      {
        trace_info: { trace_state: 'complete', messages: 3, transactions: 3, pending_messages: 0 },
      },
      'incomplete',
    ],
    [
      'by a trace that the index could not put together',
      wallet({ in: native() }),
      {
        trace_info: { trace_state: 'broken', messages: 2, transactions: 2, pending_messages: 0 },
      },
      'incomplete',
    ],
  ])('settles nothing %s', async (_, root, more, reason) => {
    expect(await judge(root, expectation(), { ...more })).toMatchObject({
      kind: 'pending',
      reason,
    })
  })
})
