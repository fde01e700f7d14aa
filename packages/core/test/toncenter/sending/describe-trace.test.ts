import { Address, beginCell, comment, type Cell } from '@ton/core'
import { describe, expect, it } from 'vitest'
import { parseTrace, type ParsedTrace } from '../../../src/toncenter/chain/parse-trace.js'
import {
  bouncedBy,
  failedBy,
  NOT_RUN,
  rawOf,
  writeTrace,
  type WrittenMessage,
  type WrittenTransaction,
} from './written-trace.js'

const account = (fill: number): Address => new Address(0, Buffer.alloc(32, fill))
const [alice, bob, carol] = [account(0xa1), account(0xb0), account(0xca)]
const [aliceWallet, bobWallet, master] = [account(0xa2), account(0xb2), account(0x3a)]
const signed = beginCell().storeUint(0x7369676e, 32).endCell()

/** A wallet that an external message makes send these. */
function wallet(out: WrittenTransaction['out'], description?: object): WrittenTransaction {
  const told = { in: { from: null, to: alice, body: signed }, out: out ?? [] }
  return description === undefined ? told : { ...told, description }
}

async function describeWritten(
  root: WrittenTransaction,
  more: Parameters<typeof writeTrace>[1] = {},
): Promise<ParsedTrace> {
  const { traces, metadata } = await writeTrace(root, more)
  const [trace] = traces
  if (trace === undefined) throw new TypeError('no trace')
  return parseTrace(trace, { metadata })
}

const payment = (more: Partial<WrittenMessage> = {}): WrittenMessage => ({
  from: alice,
  to: bob,
  value: 5_000_000_000n,
  ...more,
})

const NO_COMMENT = { comment: undefined, encryptedComment: undefined }

function commentOf([transfer]: ParsedTrace['transfers']): object {
  return { comment: transfer?.comment, encryptedComment: transfer?.encryptedComment }
}

describe('comments of plain transfers', () => {
  const long = 'Bestellung Nr. 4711 — спасибо 🎉 '.repeat(40)
  const encrypted = Buffer.alloc(96, 0x5e)
  const odd = beginCell().storeUint(0, 32).storeUint(1, 3).endCell()

  it.each<[string, Cell | undefined, object]>([
    ['none', undefined, {}],
    ['an empty body', beginCell().endCell(), {}],
    ['a short one', comment('Order 17'), { comment: 'Order 17' }],
    ['an empty one', comment(''), { comment: '' }],
    ['one over many cells', comment(long), { comment: long }],
    ['one with a byte order mark', comment('\uFEFFa'), { comment: '\uFEFFa' }],
    [
      'bytes that are no UTF-8',
      beginCell().storeUint(0, 32).storeUint(0xff41, 16).endCell(),
      { comment: '\uFFFDA' },
    ],
    ['bits that are no bytes', odd, {}],
    [
      'an encrypted one over two cells',
      beginCell()
        .storeUint(0x2167da4b, 32)
        .storeBuffer(encrypted.subarray(0, 50))
        .storeRef(beginCell().storeBuffer(encrypted.subarray(50)).endCell())
        .endCell(),
      { encryptedComment: encrypted.toString('base64') },
    ],
    [
      'fewer bits than an opcode has',
      beginCell().storeUint(5, 20).endCell(),
      { comment: undefined },
    ],
  ])('are read: %s', async (_, body, expected) => {
    const message = body === undefined ? payment() : payment({ body })
    const { transfers } = await describeWritten(wallet([{ in: message }]))
    expect(transfers).toHaveLength(1)
    expect(transfers[0]).toMatchObject({
      kind: 'native',
      sender: rawOf(alice),
      recipient: rawOf(bob),
      amount: 5_000_000_000n,
      outcome: 'arrived',
    })
    expect(commentOf(transfers)).toEqual({ ...NO_COMMENT, ...expected })
    expect(transfers[0]?.bodyHash).toBe((body ?? beginCell().endCell()).hash().toString('base64'))
  })
})

describe('a value that is not a trace', () => {
  it.each([{}, undefined, null, 'trace', [], { traces: [] }, { trace_info: {} }])(
    'is rejected: %j',
    (given) => {
      // As a caller without types.
      expect(() => parseTrace(given as never)).toThrow(
        'parseTrace: trace must be one of the traces that v3.traces() returns',
      )
    },
  )
})

describe('native transfers', () => {
  it.each<[string, object | undefined, object]>([
    ['to an account without a contract', NOT_RUN, { outcome: 'arrived', reason: undefined }],
    [
      'with too little for gas',
      { ...NOT_RUN, compute_ph: { skipped: true, reason: 'no_gas' } },
      { outcome: 'arrived', reason: undefined },
    ],
    [
      'as a server before the middle of 2024 writes it',
      { ...NOT_RUN, compute_ph: { type: 'skipped', skip_reason: 'no_state' } },
      { outcome: 'arrived', reason: undefined },
    ],
    [
      'to a contract that failed and kept the money',
      failedBy(9),
      { outcome: 'arrived', reason: 'the contract failed with exit code 9 (cell underflow)' },
    ],
    [
      'to a contract whose actions failed',
      {
        type: 'ord',
        aborted: true,
        compute_ph: { success: true },
        action: { success: false, result_code: 37 },
      },
      { outcome: 'arrived', reason: expect.stringContaining('37 (not enough Toncoin)') },
    ],
    [
      'that could not pay for its way back',
      { ...failedBy(134), bounce: { type: 'nofunds' } },
      { outcome: 'arrived', reason: 'the contract failed with exit code 134' },
    ],
  ])('have arrived %s', async (_, description, expected) => {
    const { transfers } = await describeWritten(
      wallet([{ in: payment(), ...(description && { description }) }]),
    )
    expect(transfers).toMatchObject([{ kind: 'native', ...expected }])
  })

  it('have bounced with the returned message, which is not a transfer of its own', async () => {
    const back = { from: bob, to: alice, value: 4_999_000_000n, bounced: true, bounce: false }
    const described = await describeWritten(
      wallet([{ in: payment(), description: bouncedBy(65535), out: [{ in: back }] }]),
    )
    expect(described.transfers).toMatchObject([
      {
        outcome: 'bounced',
        returned: 4_999_000_000n,
        reason: 'the contract failed with exit code 65535; its value was returned',
      },
    ])
    expect(described).toMatchObject({ outcome: 'failure', failures: [{ exitCode: 65535 }] })
    expect(described.messages.map(({ isBounced }) => isBounced)).toEqual([false, true])
  })

  it('have bounced when they are bounceable and the recipient has no contract', async () => {
    const description = { ...NOT_RUN, bounce: { type: 'ok' } }
    const back = { from: bob, to: alice, value: 4_999_000_000n, bounced: true }
    const { outcome, reason, transfers } = await describeWritten(
      wallet([{ in: payment(), description, out: [{ in: back }] }]),
    )
    expect({ outcome, reason }).toEqual({
      outcome: 'failure',
      reason: `${rawOf(bob)}: the contract was not executed (no_state); its value was returned`,
    })
    expect(transfers).toMatchObject([{ outcome: 'bounced' }])
  })

  it('are on their way until their recipient has received them', async () => {
    const described = await describeWritten(wallet([{ in: payment() }, payment({ to: carol })]))
    expect(described).toMatchObject({ isComplete: false, outcome: 'unknown' })
    expect(described.transfers.map(({ outcome }) => outcome)).toEqual(['arrived', 'pending'])
  })

  it.each<[string, object, boolean]>([
    ['final, as its transactions say', { finality: 'finalized' }, true],
    ['final, on a server that does not say it', { finality: null }, true],
    ['in blocks that can be undone', { finality: 'confirmed' }, false],
    ['a forecast', { finality: 'pending', emulated: true }, false],
    ['a forecast of an older server', { finality: null, emulated: true }, false],
    ['in no block, on an older server', { finality: null, mc_block_seqno: null }, false],
  ])('have the finality of a trace that is %s', async (_, marks, isFinal) => {
    const root = wallet([{ in: payment(), marks }])
    expect(await describeWritten(root)).toMatchObject({ isFinal, isComplete: true })
  })

  it('have an outcome of their own when a wallet sends 254 at once', async () => {
    const out = Array.from({ length: 254 }, (_, index): WrittenTransaction => {
      const message = payment({ to: account(index), value: BigInt(index + 1) })
      return index === 100 ? { in: message, description: bouncedBy(1), out: [] } : { in: message }
    })
    const batch = { from: alice, to: alice, body: beginCell().storeUint(0xae42e5a4, 32).endCell() }
    const described = await describeWritten(wallet([{ in: batch, out }]))
    expect(described.transfers.map((one) => (one.kind === 'native' ? one.amount : 0n))).toEqual(
      out.map((_, index) => BigInt(index + 1)),
    )
    expect(described.failures).toHaveLength(1)
  })

  it('have arrived although the wallet ran out of gas after it had sent them', async () => {
    const compute_ph = { success: true, exit_code: -14 }
    const committed = { type: 'ord', aborted: false, compute_ph, action: { success: true } }
    expect(await describeWritten(wallet([{ in: payment() }], committed))).toMatchObject({
      outcome: 'success',
    })
    expect(await describeWritten(wallet([], committed))).toMatchObject({
      outcome: 'failure',
      reason: expect.stringContaining('exit code -14 (out of gas)'),
    })
  })

  it('are a failure when the wallet skipped one of its actions', async () => {
    const action = { success: true, tot_actions: 3, skipped_actions: 1, result_code: 0 }
    const done = {
      type: 'ord',
      aborted: false,
      compute_ph: { success: true, exit_code: 0 },
      action,
    }
    const { outcome, reason } = await describeWritten(wallet([{ in: payment() }], done))
    expect({ outcome, reason }).toMatchObject({
      outcome: 'failure',
      reason: expect.stringContaining('1 of its 3 actions were skipped'),
    })
  })

  it('have an amount of 0 and extraCurrencies when they carry no nanocoins', async () => {
    const { transfers } = await describeWritten(
      wallet([{ in: payment({ value: 0n, currencies: { '100': '7' } }) }]),
    )
    expect(transfers).toMatchObject([{ amount: 0n, extraCurrencies: { '100': 7n } }])
  })

  it('do not include calls of contracts, external messages and empty messages', async () => {
    const call = beginCell().storeUint(0x12345678, 32).endCell()
    const described = await describeWritten(
      wallet([
        { in: payment({ body: call }), out: [{ from: bob, to: null, body: call }] },
        { in: payment({ value: 0n }) },
      ]),
    )
    expect(described.transfers).toEqual([])
    expect(described.messages).toMatchObject([
      { opcode: '0x12345678', value: 5_000_000_000n },
      { opcode: undefined, value: 0n },
    ])
    expect(described.outcome).toBe('success')
  })

  it('change the balances of their accounts as the trace states', async () => {
    const described = await describeWritten(
      wallet([
        { in: payment(), fees: 7n, out: [{ in: payment({ from: bob, to: carol, value: 1n }) }] },
      ]),
    )
    expect(described.fees).toBe(1000n + 400n + 7n + 400n + 1000n)
    expect(described.accounts).toEqual({
      [rawOf(alice)]: { change: -5_000_000_000n - 1400n, fees: 1400n },
      [rawOf(bob)]: { change: 5_000_000_000n - 1n - 407n, fees: 407n },
      [rawOf(carol)]: { change: 1n - 1000n, fees: 1000n },
    })
  })
})

interface JettonOptions {
  payload?: (body: ReturnType<typeof beginCell>) => void
  queryId?: bigint
  recipient?: Address
}

function jettonTransfer({ payload, queryId = 77n, recipient = bob }: JettonOptions = {}): Cell {
  const body = beginCell().storeUint(0x0f8a7ea5, 32).storeUint(queryId, 64).storeCoins(3_000_000n)
  body.storeAddress(recipient).storeAddress(alice).storeBit(false).storeCoins(1n)
  if (payload === undefined) body.storeBit(false)
  else payload(body)
  return body.endCell()
}

function internalTransfer(amount = 3_000_000n, queryId = 77n): Cell {
  const body = beginCell().storeUint(0x178d4519, 32).storeUint(queryId, 64).storeCoins(amount)
  return body.storeAddress(alice).storeAddress(alice).storeCoins(1n).storeBit(false).endCell()
}

const opcode = (code: number): Cell => beginCell().storeUint(code, 32).storeUint(77, 64).endCell()

/** A completed jetton transfer, with the notification and the excesses. */
function jetton(
  body: Cell,
  received: Partial<WrittenTransaction> = {
    out: [
      {
        in: { from: bobWallet, to: bob, value: 1n, body: opcode(0x7362d09c) },
        description: NOT_RUN,
      },
      { in: { from: bobWallet, to: alice, value: 9_000n, body: opcode(0xd53276db) } },
    ],
  },
): WrittenTransaction {
  const passed = { from: aliceWallet, to: bobWallet, value: 40_000_000n, body: internalTransfer() }
  return {
    in: { from: alice, to: aliceWallet, value: 50_000_000n, body },
    out: [{ in: passed, ...received }],
  }
}

function walletRow(of: Address, jettonMaster: Address = master): object {
  const extra = { jetton: rawOf(jettonMaster), owner: rawOf(of), balance: '1' }
  return { is_indexed: true, token_info: [{ type: 'jetton_wallets', valid: true, extra }] }
}

const known = {
  [rawOf(aliceWallet)]: walletRow(alice),
  [rawOf(bobWallet)]: walletRow(bob),
}

describe('transfers of jettons', () => {
  it('have their master from the metadata', async () => {
    const { transfers, outcome } = await describeWritten(wallet([jetton(jettonTransfer())]), {
      metadata: known,
    })
    expect(outcome).toBe('success')
    expect(transfers).toMatchObject([
      {
        kind: 'jetton',
        sender: rawOf(alice),
        recipient: rawOf(bob),
        amount: 3_000_000n,
        jetton: rawOf(master),
        senderWallet: rawOf(aliceWallet),
        recipientWallet: rawOf(bobWallet),
        queryId: 77n,
        value: 50_000_000n,
        forwardAmount: 1n,
        outcome: 'arrived',
        bodyHash: jettonTransfer().hash().toString('base64'),
      },
    ])
  })

  it('have their master from the actions of any type, if there are any', async () => {
    const details = {
      asset: rawOf(master),
      sender_jetton_wallet: rawOf(aliceWallet),
      receiver_jetton_wallet: rawOf(bobWallet),
      amount: '3000000',
    }
    const action = { action_id: Buffer.alloc(32).toString('base64'), start_lt: '1', end_lt: '2' }
    const common = { ...action, start_utime: 1, end_utime: 2, transactions: [], success: true }
    const actions = [
      { ...common, type: 'jetton_transfer', details },
      { ...common, type: 'jetton_transfer', details: null },
      { ...common, type: 'never_heard_of', details: null },
    ]
    const { transfers } = await describeWritten(wallet([jetton(jettonTransfer())]), { actions })
    expect(transfers).toMatchObject([{ kind: 'jetton', jetton: rawOf(master) }])
  })

  it.each<[string, object]>([
    ['the index knows nothing', {}],
    ['the wallets are of two masters', { ...known, [rawOf(bobWallet)]: walletRow(bob, carol) }],
    [
      "the recipient's wallet belongs to another account",
      { ...known, [rawOf(bobWallet)]: walletRow(carol) },
    ],
    [
      'the index does not trust the wallets',
      {
        [rawOf(bobWallet)]: {
          token_info: [{ type: 'jetton_wallets', valid: false, extra: { jetton: rawOf(master) } }],
        },
      },
    ],
  ])('are of an unknown jetton when %s', async (_, metadata) => {
    const { transfers } = await describeWritten(wallet([jetton(jettonTransfer())]), { metadata })
    expect(transfers).toMatchObject([{ kind: 'jetton', outcome: 'arrived', jetton: undefined }])
  })

  it.each<[string, JettonOptions['payload'], string | undefined]>([
    ['in a reference', (body) => body.storeBit(true).storeRef(comment('Order 17')), 'Order 17'],
    [
      'in a reference, over many cells',
      (body) => body.storeBit(true).storeRef(comment('слово '.repeat(60))),
      'слово '.repeat(60),
    ],
    [
      'in the body itself',
      (body) => body.storeBit(false).storeSlice(comment('Order 17').beginParse()),
      'Order 17',
    ],
    ['without a valid opcode', (body) => body.storeBit(true).storeRef(opcode(5)), undefined],
    ['that is missing, as some wallets write it', () => undefined, undefined],
    ['in a reference that is missing', (body) => body.storeBit(true), undefined],
  ])('have a comment %s', async (_, payload, expected) => {
    const body = jettonTransfer({ payload: payload ?? (() => undefined) })
    const { transfers } = await describeWritten(wallet([jetton(body)]))
    expect(transfers).toMatchObject([{ kind: 'jetton', outcome: 'arrived' }])
    expect(commentOf(transfers)).toEqual({ ...NO_COMMENT, comment: expected })
  })

  it('have an encrypted comment', async () => {
    const cell = beginCell().storeUint(0x2167da4b, 32).storeBuffer(Buffer.alloc(40, 9)).endCell()
    const body = jettonTransfer({ payload: (one) => one.storeBit(true).storeRef(cell) })
    const { transfers } = await describeWritten(wallet([jetton(body)]))
    expect(commentOf(transfers)).toEqual({
      ...NO_COMMENT,
      encryptedComment: Buffer.alloc(40, 9).toString('base64'),
    })
  })

  it('have failed and bounced when the wallet of the sender has too few jettons', async () => {
    const asked = { from: alice, to: aliceWallet, value: 50_000_000n, body: jettonTransfer() }
    const back = { from: aliceWallet, to: alice, value: 49_000_000n, bounced: true }
    const described = await describeWritten(
      wallet([{ in: asked, description: bouncedBy(706), out: [{ in: back }] }]),
    )
    expect(described.transfers).toMatchObject([
      {
        kind: 'jetton',
        outcome: 'bounced',
        reason: 'the contract failed with exit code 706; its value was returned',
        recipientWallet: undefined,
      },
    ])
    expect(described.outcome).toBe('failure')
  })

  it('have bounced when the wallet of the recipient rejects them', async () => {
    const back = { from: bobWallet, to: aliceWallet, value: 39_000_000n, bounced: true }
    const received = { description: bouncedBy(707), out: [{ in: back }] }
    const { transfers } = await describeWritten(wallet([jetton(jettonTransfer(), received)]))
    expect(transfers).toMatchObject([
      { kind: 'jetton', outcome: 'bounced', receivedIn: expect.any(String) },
    ])
  })

  it.each<[string, object, string]>([
    ['the wallet of the recipient failed and kept the money', failedBy(5), 'failed'],
    ['the wallet of the recipient was not run', NOT_RUN, 'failed'],
  ])('have failed when %s', async (_, description, outcome) => {
    const { transfers } = await describeWritten(wallet([jetton(jettonTransfer(), { description })]))
    expect(transfers).toMatchObject([{ kind: 'jetton', outcome }])
  })

  it('have arrived although the recipient could not process the notification', async () => {
    const notified = { from: bobWallet, to: bob, value: 1_000_000n, body: opcode(0x7362d09c) }
    const described = await describeWritten(
      wallet([jetton(jettonTransfer(), { out: [{ in: notified, description: failedBy(11) }] })]),
    )
    expect(described.transfers).toMatchObject([{ kind: 'jetton', outcome: 'arrived' }])
    expect(described).toMatchObject({ outcome: 'failure', failures: [{ exitCode: 11 }] })
  })

  it.each<[string, Cell]>([
    ['another amount', internalTransfer(2n)],
    ['another query', internalTransfer(3_000_000n, 78n)],
    ['nothing at all', opcode(1)],
  ])('have an unknown outcome when a contract says %s to the other wallet', async (_, body) => {
    const asked = { from: alice, to: aliceWallet, value: 50_000_000n, body: jettonTransfer() }
    const passed = { from: aliceWallet, to: bobWallet, value: 40_000_000n, body }
    const { transfers } = await describeWritten(wallet([{ in: asked, out: [{ in: passed }] }]))
    expect(transfers).toMatchObject([
      { kind: 'jetton', outcome: 'unknown', recipientWallet: undefined },
    ])
  })

  it('are distinguished when one wallet makes several that are alike', async () => {
    const carolWallet = account(0xc2)
    const asked = {
      from: alice,
      to: aliceWallet,
      value: 50_000_000n,
      body: jettonTransfer({ recipient: carol }),
    }
    const passed = { from: aliceWallet, to: carolWallet, value: 1n, body: internalTransfer() }
    const { transfers } = await describeWritten(
      wallet([
        jetton(jettonTransfer()),
        { in: asked, out: [{ in: passed, description: failedBy(707) }] },
      ]),
    )
    expect(transfers).toMatchObject([
      { recipient: rawOf(bob), recipientWallet: rawOf(bobWallet), outcome: 'arrived' },
      { recipient: rawOf(carol), recipientWallet: rawOf(carolWallet), outcome: 'failed' },
    ])
  })

  it('are on their way between the wallets', async () => {
    const asked = { from: alice, to: aliceWallet, value: 50_000_000n, body: jettonTransfer() }
    const passed = {
      from: aliceWallet,
      to: bobWallet,
      value: 40_000_000n,
      body: internalTransfer(),
    }
    const { transfers } = await describeWritten(wallet([{ in: asked, out: [passed] }]))
    expect(transfers).toMatchObject([{ outcome: 'pending', recipientWallet: rawOf(bobWallet) }])
    const { transfers: asks } = await describeWritten(wallet([asked]))
    expect(asks).toMatchObject([{ outcome: 'pending', recipientWallet: undefined }])
  })

  it('are not transfers when the body is truncated', async () => {
    const body = beginCell().storeUint(0x0f8a7ea5, 32).storeUint(1, 64).endCell()
    const asked = { from: alice, to: aliceWallet, value: 50_000_000n, body }
    const { transfers, messages } = await describeWritten(wallet([{ in: asked }]))
    expect(transfers).toEqual([])
    expect(messages).toMatchObject([{ opcode: '0x0f8a7ea5' }])
  })
})

describe('transfers of NFTs', () => {
  const item = account(0x17)
  const body = beginCell()
    .storeUint(0x5fcc3d14, 32)
    .storeUint(5, 64)
    .storeAddress(bob)
    .storeAddress(alice)
    .storeBit(false)
    .storeCoins(10n)
    .storeBit(true)
    .storeRef(comment('a gift'))
    .endCell()
  const asked = { from: alice, to: item, value: 60_000_000n, body }

  it('have the item', async () => {
    const assigned = { from: item, to: bob, value: 10n, body: opcode(0x05138d91) }
    const { transfers } = await describeWritten(wallet([{ in: asked, out: [{ in: assigned }] }]))
    expect(transfers).toMatchObject([
      {
        kind: 'nft',
        item: rawOf(item),
        sender: rawOf(alice),
        recipient: rawOf(bob),
        queryId: 5n,
        forwardAmount: 10n,
        comment: 'a gift',
        outcome: 'arrived',
      },
    ])
  })

  it('have bounced when the sender is not the owner', async () => {
    const back = { from: item, to: alice, value: 59_000_000n, bounced: true }
    const { transfers } = await describeWritten(
      wallet([{ in: asked, description: bouncedBy(401), out: [{ in: back }] }]),
    )
    expect(transfers).toMatchObject([{ kind: 'nft', outcome: 'bounced' }])
  })

  it('are on their way until the item has changed its owner', async () => {
    const { transfers } = await describeWritten(wallet([asked]))
    expect(transfers).toMatchObject([{ kind: 'nft', outcome: 'pending' }])
  })
})
