import { randomBytes } from 'node:crypto'
import { beginCell, loadAccount, storeAccount, toNano, type Cell } from '@ton/core'
import { signedBlocks, type ShownCredit } from '@tonplug/core/proof'
import { jettonMinter, walletV4 } from '@tonplug/simulator'
import { createFakeClock } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import {
  createChainLiteserver,
  createValidators,
  type NextBlock,
} from '@tonplug/simulator/internal'
import { memoryAnchors } from '../../proof/memory-anchors.js'
import { countOf, receivedBy, shownOf, startReceived, startSigned } from './signed-shop.js'
import { agreed, look, ours, payWithCustomPayload } from './two-sources.js'

describe('signedBlocks', () => {
  it.each(['ordinary', 'simplex', 'simplex with an empty candidate'] as const)(
    'proves payments in the native coin and in a jetton by signatures of the form: %s',
    async (form) => {
      const { native, token, index, reported, server, prove } = await startSigned()
      server.network.form = form
      for (const transfer of [native, token]) {
        const single = await look({ v3: index() }, reported(transfer))
        expect(single.kind).toBe('verified')
        expect(await prove(transfer)).toEqual(agreed(single))
      }
    },
  )

  it('S150 proves the wallet once for 100 orders that wait', async () => {
    const { chain, claims, server, open } = await startReceived(100)
    const witness = open()
    const verdicts = await Promise.all(claims.map((claim) => witness.compare(claim, {})))
    expect(new Set(verdicts.map(({ kind }) => kind))).toEqual(new Set(['confirmed']))
    expect(countOf(server)).toEqual([1, 1, 7])
    await chain.sendFromFaucet({ to: ours, value: 5n })
    const more = receivedBy(chain).slice(-3)
    await Promise.all(more.map((claim) => witness.compare(claim, {})))
    expect(countOf(server)).toEqual([1, 1, 1])
  })

  it('proves a jetton wallet once', async () => {
    const { payer, jetton, token, server, open, prove } = await startSigned()
    const witness = open()
    await prove(token, witness)
    expect(countOf(server)).toEqual([2, 3, 1])
    const next = await jetton.pay(payer, { reference: 'order-3', to: ours, amount: 5n })
    expect(await prove(next, witness)).toMatchObject({ kind: 'verified' })
    expect(countOf(server)).toEqual([1, 1, 1])
  })

  it('S148 refuses a credit of a jetton wallet with other code than the master names', async () => {
    const { chain, jetton, token, server, prove } = await startSigned()
    const wallet = await jetton.walletOf(ours)
    const state = await chain.accountCell(wallet)
    const otherCode = jettonMinter(ours).init.code!
    server.states.set(wallet.toRawString(), withCode(state, otherCode))
    expect(await prove(token)).toMatchObject({
      kind: 'contradicted',
      reason: 'sources_differ',
      detail: expect.stringMatching(/does not have the code of the jetton's wallets/),
    })
    server.states.clear()
    expect(await prove(token)).toMatchObject({ kind: 'verified' })
  })

  it.each<[string, (claim: ShownCredit) => Partial<ShownCredit>]>([
    ['a larger amount', ({ rawAmount }) => ({ rawAmount: rawAmount + 1n })],
    ['money of another account', () => ({ wallet: `0:${'1'.repeat(64)}` })],
    ['another time', ({ utime }) => ({ utime: utime + 1 })],
    [
      'another sender',
      ({ route }) => ({ route: [{ ...route[0], sender: `0:${'1'.repeat(64)}` }] }),
    ],
    ['another body', ({ route }) => ({ route: [{ ...route[0], bodyHash: '1'.repeat(64) }] })],
    ['another message', ({ route }) => ({ route: [{ ...route[0], hash: '1'.repeat(64) }] })],
    [
      'a transaction that the account does not have',
      ({ route: [one] }) => ({
        route: [{ ...one, transaction: { ...one.transaction, lt: one.transaction.lt - 1n } }],
      }),
    ],
    [
      'another hash of the transaction',
      ({ route: [one] }) => ({
        route: [{ ...one, transaction: { ...one.transaction, hash: '1'.repeat(64) } }],
      }),
    ],
  ])('S141 contradicts an index that shows %s', async (_, change) => {
    const { claims, open } = await startReceived(3)
    const claim = claims[1]!
    expect(await open().compare({ ...claim, ...change(claim) }, {})).toMatchObject({
      kind: 'differs',
    })
    expect(await open().compare(claim, {})).toEqual({ kind: 'confirmed' })
  })

  it('S141 contradicts an index that shows returned money, or a message from outside', async () => {
    const { chain, payer, native, server, open } = await startSigned()
    const elsewhere = walletV4(98).wallet.address
    await payer.pay({ reference: 'order-9', to: elsewhere, value: toNano(2), bounce: true })
    const [returned] = chain.index.ofAccount(elsewhere).map(shownOf)
    expect(await open().compare(returned!, {})).toEqual({
      kind: 'differs',
      detail: 'the money was returned',
    })
    const root = chain.transactions.find(
      ({ transaction }) => transaction.hash().toString('hex') === native.txHash,
    )!
    const account = payer.address.toRawString()
    const id = { hash: native.txHash, lt: root.transaction.lt }
    const route = [{ ...returned!.route[0], recipient: account, transaction: id }] as const
    const outside = { ...returned!, account, wallet: account, route }
    expect(await open().compare(outside, {})).toEqual({
      kind: 'differs',
      detail: `${native.txHash} was not caused by another account`,
    })
    expect(server.network.blocks).toHaveLength(3)
  })

  it('proves the account of the payer, too, when its message has a custom payload', async () => {
    const { server, prove, ...paid } = await startSigned()
    expect(await prove(await payWithCustomPayload(paid))).toMatchObject({ kind: 'verified' })
    expect(countOf(server)).toEqual([3, 4, 2])
  })

  it('holds a payment that signed blocks do not have yet', async () => {
    const { chain, server, open } = await startReceived(1)
    await server.seal()
    await chain.sendFromFaucet({ to: ours, value: 7n })
    server.isSealed = true
    const [, claim] = receivedBy(chain)
    const witness = open()
    expect(await witness.compare(claim!, {})).toMatchObject({ kind: 'pending' })
    server.isSealed = false
    expect(await witness.compare(claim!, {})).toEqual({ kind: 'confirmed' })
  })

  it('holds a payment while the index does not return the time of its transaction', async () => {
    const { claims, open } = await startReceived(1)
    const [claim] = claims
    const [one] = claim!.route
    const route = [{ ...one, transaction: { ...one.transaction, lt: 0n } }] as const
    const witness = open()
    expect(await witness.compare({ ...claim!, route }, {})).toMatchObject({
      kind: 'pending',
      reason: 'incomplete',
    })
    expect(await witness.compare(claim!, {})).toEqual({ kind: 'confirmed' })
  })

  it('takes jetton wallets with their masters and owners only', async () => {
    const { open } = await startReceived(1)
    const [master, owner, wallet] = [1, 2, 3].map((digit) => `0:${`${digit}`.repeat(64)}`)
    const pinned = { master: master!, owner: owner!, wallet: wallet! }
    expect(() => open({ jettonWallets: [pinned] })).not.toThrow()
    for (const field of ['master', 'owner', 'wallet']) {
      expect(() => open({ jettonWallets: [{ ...pinned, [field]: 'unknown' }] })).toThrow(
        expect.objectContaining({ code: 'ERR_TONPLUG_CONFIGURATION' }),
      )
    }
  })

  it('S145 follows a changed set, a temporary one, splits and merges of shards', async () => {
    const { chain, claims, server, open } = await startReceived(1)
    const { network } = server
    const witness = open()
    const utime = (): number => Math.floor(Date.now() / 1000)
    const steps: Partial<NextBlock>[] = [
      { names: { current: createValidators('second', 6), main: 5 } },
      {
        names: {
          current: createValidators('never', 4),
          temporary: createValidators('temporary', 4),
          main: 4,
        },
      },
      { splits: 2 },
      { splits: 1, shardForm: 0xb },
      {},
    ]
    for (const step of steps) {
      if (step.names) network.append({ utime: utime(), names: step.names })
      await chain.sendFromFaucet({ to: ours, value: 9n })
      const { accounts } = await server.seal()
      if (!step.names) network.append({ utime: utime(), accounts, ...step })
      server.isSealed = true
      expect(await witness.compare(receivedBy(chain).at(-1)!, {})).toEqual({ kind: 'confirmed' })
      server.isSealed = false
    }
    expect(await witness.compare(claims[0]!, {})).toEqual({ kind: 'confirmed' })
  })
})

describe('signedBlocks and large messages of strangers', () => {
  it.each([
    ['a process that has proven the wallet before', true],
    ['a new process', false],
  ])('proves a payment above them in %s', async (_, isKnown) => {
    const { chain, claims, open } = await startReceived(1)
    const witness = open()
    if (isKnown) await witness.compare(claims[0]!, {})
    for (let count = 0; count < 4; count++) {
      await chain.sendFromFaucet({ to: ours, value: toNano(1), body: largeBody(1900) })
    }
    await chain.sendFromFaucet({ to: ours, value: toNano(5) })
    expect(await witness.compare(receivedBy(chain).at(-1)!, {})).toEqual({ kind: 'confirmed' })
  })
})

/** Returns a tree with this many cells of random bytes. */
function largeBody(leaves: number): Cell {
  const leaf = () => beginCell().storeBuffer(randomBytes(120)).endCell()
  let cells = Array.from({ length: leaves }, leaf)
  while (cells.length > 1) {
    const parents: Cell[] = []
    for (let at = 0; at < cells.length; at += 4) {
      const parent = beginCell()
      for (const cell of cells.slice(at, at + 4)) parent.storeRef(cell)
      parents.push(parent.endCell())
    }
    cells = parents
  }
  return cells[0]!
}

describe('S149 signedBlocks', () => {
  it('holds a payment while the server is silent, and confirms it afterwards', async () => {
    const clock = createFakeClock()
    const { chain, claims, server } = await startReceived(1)
    const late = createChainLiteserver(chain, { clock })
    const witness = signedBlocks({ liteserver: late, trusted: late.trusted, clock })
    late.before = () => new Promise(() => undefined)
    const held = witness.compare(claims[0]!, {})
    // The look at the account waits for the one at the newest block.
    await expect.poll(() => clock.pendingTimers()).toHaveLength(2)
    await clock.advance(60_000)
    expect(await held).toMatchObject({ kind: 'pending', reason: 'incomplete' })
    late.before = () => undefined
    expect(await witness.compare(claims[0]!, {})).toEqual({ kind: 'confirmed' })
    expect(clock.pendingTimers()).toEqual([])
    expect(server.calls).toEqual([])
  })

  it.each([
    ['getBlockProof', 2],
    ['getAccountState', 1],
    ['getTransactions', 1],
  ] as const)('holds a payment after a minute without an answer to %s', async (silent, timers) => {
    const clock = createFakeClock()
    const { chain, claims } = await startReceived(1)
    const late = createChainLiteserver(chain, { clock })
    const witness = signedBlocks({ liteserver: late, trusted: late.trusted, clock })
    late.before = (call) => (call === silent ? new Promise(() => undefined) : undefined)
    const held = witness.compare(claims[0]!, {})
    const state = () => [late.calls.at(-1), clock.pendingTimers().length]
    await expect.poll(state).toEqual([silent, timers])
    await clock.advance(60_000)
    expect(await held).toEqual({
      kind: 'pending',
      reason: 'incomplete',
      detail: 'the proof takes more than 60 seconds; the next look continues',
    })
  })

  it('holds a payment after a minute without the states of a jetton and its wallet', async () => {
    const clock = createFakeClock({ startMs: Date.now() })
    const { token, server, prove } = await startSigned({ clock })
    // The first one is for the transactions of the wallet.
    server.before = () =>
      server.calls.at(-1) === 'getAccountState' && server.calls.includes('getTransactions')
        ? new Promise(() => undefined)
        : undefined
    const held = prove(token)
    const state = () => [server.calls.at(-1), clock.pendingTimers().length]
    await expect.poll(state).toEqual(['getAccountState', 1])
    await clock.advance(60_000)
    expect(await held).toMatchObject({
      kind: 'pending',
      detail: expect.stringMatching(/the proof takes more than 60 seconds/),
    })
  })

  it('resumes a walk after a restart at the key block of the last answer', async () => {
    const { claims, server, open } = await startReceived(1)
    const { network } = server
    const utime = Math.floor(Date.now() / 1000)
    for (let key = 0; key < 40; key++) {
      network.append({ utime, names: { current: createValidators(`set ${key}`, 4), main: 4 } })
    }
    const anchors = memoryAnchors()
    let answers = 0
    server.before = (call) => {
      if (call === 'getBlockProof' && ++answers > 2) throw new TypeError('connection lost')
    }
    expect(await open({ anchors }).compare(claims[0]!, {})).toEqual({
      kind: 'pending',
      reason: 'unreachable',
      detail: 'connection lost',
    })
    const keyBlocks = network.blocks.filter(({ isKeyBlock }) => isKeyBlock)
    expect(anchors.blocks.map(({ seqno }) => seqno)).toEqual(
      [16, 32].map((index) => keyBlocks[index]!.id.seqno),
    )
    server.before = () => undefined
    countOf(server)
    expect(await open({ anchors }).compare(claims[0]!, {})).toEqual({ kind: 'confirmed' })
    expect(countOf(server)).toEqual([1, 1, 1])
    expect(anchors.blocks.at(-1)!.seqno).toBe(keyBlocks.at(-1)!.id.seqno)
  })

  it('continues a history that is too long for one look', async () => {
    const { claims, server, open } = await startReceived(20)
    server.changeTransactions = (cells) => cells.slice(0, 1)
    let pages = 0
    server.before = (call) => {
      if (call === 'getTransactions' && ++pages === 12) throw new TypeError('connection lost')
    }
    const witness = open()
    expect(await witness.compare(claims[0]!, {})).toMatchObject({ kind: 'pending' })
    expect(await witness.compare(claims[19]!, {})).toEqual({ kind: 'confirmed' })
    countOf(server)
    expect(await witness.compare(claims[0]!, {})).toEqual({ kind: 'confirmed' })
    expect(countOf(server)).toEqual([1, 1, 9])
  })
})

describe('S149 signedBlocks after a restart', () => {
  it('reads an older payment from the last proven transaction down, not from the newest one', async () => {
    const { chain, claims, server, open } = await startReceived(64)
    const anchors = memoryAnchors()
    expect(await open({ anchors }).compare(claims[63]!, {})).toEqual({ kind: 'confirmed' })
    expect(anchors.transactions.get(ours.toRawString())).toMatchObject([
      { lt: claims[63]!.route[0].transaction.lt },
    ])
    for (let count = 0; count < 48; count++) await chain.sendFromFaucet({ to: ours, value: 5n })
    countOf(server)
    const restarted = open({ anchors })
    expect(await restarted.compare(claims[50]!, {})).toEqual({ kind: 'confirmed' })
    expect(countOf(server)).toEqual([1, 1, 1])
    // The newer ones are read when one of them is asked for, down to the last proven one.
    expect(await restarted.compare(receivedBy(chain)[111]!, {})).toEqual({ kind: 'confirmed' })
    expect(countOf(server)).toEqual([1, 1, 3])
    expect(anchors.transactions.get(ours.toRawString())).toHaveLength(2)
  })

  it('stores one transaction of the wallet for 100 orders, and none of other accounts', async () => {
    const { claims, open } = await startReceived(100)
    const anchors = memoryAnchors()
    const witness = open({ anchors })
    await Promise.all(claims.map((claim) => witness.compare(claim, {})))
    expect([...anchors.transactions.values()].map(({ length }) => length)).toEqual([1])
    const [claim] = claims
    const elsewhere = { ...claim!.route[0], recipient: walletV4(99).wallet.address.toRawString() }
    await witness.compare({ ...claim!, route: [elsewhere] }, {})
    expect([...anchors.transactions.keys()]).toEqual([ours.toRawString()])
  })

  it('holds payments while the account does not have the transaction proven before', async () => {
    const { claims, open } = await startReceived(2)
    const anchors = memoryAnchors()
    const address = ours.toRawString()
    const { lt } = claims[1]!.route[0].transaction
    const hash = new Uint8Array(32)
    for (const id of [
      { lt, hash },
      { lt: lt + 10n, hash },
    ]) {
      anchors.transactions.set(address, [id])
      expect(await open({ anchors }).compare(claims[1]!, {})).toMatchObject({
        kind: 'pending',
        reason: 'incomplete',
        detail: 'the account does not have a transaction proven before',
      })
    }
    anchors.transactions.clear()
    expect(await open({ anchors }).compare(claims[1]!, {})).toEqual({ kind: 'confirmed' })
  })

  it('confirms a payment whose proof cannot be stored at the next look', async () => {
    const { claims, open } = await startReceived(1)
    const anchors = memoryAnchors()
    let isDown = true
    const failing = {
      ...anchors,
      saveTransaction: async (...saved: Parameters<typeof anchors.saveTransaction>) => {
        if (isDown) throw new TypeError('the database is down')
        await anchors.saveTransaction(...saved)
      },
    }
    const witness = open({ anchors: failing })
    expect(await witness.compare(claims[0]!, {})).toMatchObject({
      kind: 'pending',
      detail: 'the database is down',
    })
    isDown = false
    expect(await witness.compare(claims[0]!, {})).toEqual({ kind: 'confirmed' })
    expect(anchors.transactions.size).toBe(1)
  })
})

function withCode(state: Cell, code: Cell): Cell {
  const slice = state.beginParse()
  slice.loadBit()
  const account = loadAccount(slice)
  if (account.storage.state.type !== 'active') throw new TypeError('no contract')
  account.storage.state.state.code = code
  return beginCell().storeBit(1).store(storeAccount(account)).endCell()
}
