import { beginCell, Cell, loadTransaction } from '@ton/core'
import {
  proveHistory,
  readCellTree,
  readTransaction,
  type ProofCell,
  type ProofError,
  type ProvenTransaction,
  type TransactionId,
} from '@tonplug/core/proof'
import { describe, expect, it } from 'vitest'
import { fromBase64, fromHex, recordedTransactions, type RecordedTransaction } from './recorded.js'

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
const recorded = recordedTransactions()

function idOf({ hash, lt }: RecordedTransaction): TransactionId {
  return { hash: fromHex(hash), lt: BigInt(lt) }
}

function cellOf({ boc }: RecordedTransaction): ProofCell {
  return readCellTree(fromBase64(boc))
}

function read(one: RecordedTransaction): ProvenTransaction {
  return readTransaction(cellOf(one), idOf(one))
}

function accountOf({ account }: RecordedTransaction): Uint8Array {
  return fromHex(account.slice(2))
}

function problemOf(action: () => unknown): string {
  try {
    action()
  } catch (error) {
    return (error as ProofError).details.problem
  }
  return 'accepted'
}

describe('readTransaction', () => {
  it('reads the 56 recorded transactions as @ton/core does', () => {
    expect(recorded).toHaveLength(56)
    for (const one of recorded) {
      const transaction = read(one)
      expect(hex(transaction.account)).toBe(one.account.slice(2))
      expect(hex(transaction.previous.hash)).toBe(one.prev_hash)
      expect(transaction.previous.lt).toBe(BigInt(one.prev_lt))
      expect(transaction.message?.kind === 'internal' ? 'internal' : 'external-in').toBe(one.in)
      const peer = loadTransaction(Cell.fromBase64(one.boc).asSlice())
      const { description, inMessage } = peer
      expect(transaction.utime).toBe(peer.now)
      if (description.type !== 'generic') throw new TypeError('expected ordinary transactions')
      const { computePhase, actionPhase, aborted, bouncePhase } = description
      const hasRun = computePhase.type === 'vm' && computePhase.success && actionPhase?.success
      expect(transaction.description).toEqual({
        kind: 'ordinary',
        isAborted: aborted,
        isExecuted: hasRun === true && !aborted,
        hasBouncePhase: bouncePhase !== undefined && bouncePhase !== null,
      })
      if (transaction.message?.kind !== 'internal' || inMessage?.info.type !== 'internal') continue
      const { source, destination, value, isBounced, createdLt, body } = transaction.message
      const { info } = inMessage
      expect({
        source,
        destination,
        value,
        isBounced,
        createdLt,
        body: hex(body.hashes[0]!),
      }).toEqual({
        source: info.src.toRawString(),
        destination: info.dest.toRawString(),
        value: info.value.coins,
        isBounced: info.bounced,
        createdLt: info.createdLt,
        body: inMessage.body.hash().toString('hex'),
      })
    }
  })

  it('S143 rejects a cell that does not have the claimed hash', () => {
    const [first, second] = recorded as [RecordedTransaction, RecordedTransaction]
    expect(problemOf(() => readTransaction(cellOf(first), idOf(second)))).toBe('mismatch')
  })

  it('S143 rejects a cell with the right hash and another logical time', () => {
    const [first] = recorded as [RecordedTransaction]
    const wrong = { ...idOf(first), lt: BigInt(first.lt) + 1n }
    expect(problemOf(() => readTransaction(cellOf(first), wrong))).toBe('mismatch')
  })

  it('S143 rejects a transaction whose message is withheld, although its hash is right', () => {
    const [first] = recorded as [RecordedTransaction]
    const whole = Cell.fromBase64(first.boc)
    const builder = beginCell().storeSlice(withoutRefs(whole))
    for (const ref of whole.refs) builder.storeRef(prune(ref))
    const withheld = builder.endCell()
    expect(withheld.hash(0)).toEqual(whole.hash())
    const cell = readCellTree(new Uint8Array(withheld.toBoc()))
    expect(problemOf(() => readTransaction(cell, idOf(first)))).toBe('not_covered')
  })

  it('rejects a cell of another type', () => {
    const cell = beginCell().storeUint(0b0110, 4).storeUint(0, 1000).endCell()
    const id = { hash: new Uint8Array(cell.hash()), lt: 0n }
    const proven = readCellTree(new Uint8Array(cell.toBoc()))
    expect(problemOf(() => readTransaction(proven, id))).toBe('unexpected_data')
  })
})

describe('proveHistory', () => {
  /** The longest part of one account's history among the recorded transactions, newest first. */
  const history = recorded
    .map((newest) => {
      const chain = [newest]
      for (;;) {
        const { prev_hash } = chain.at(-1)!
        const previous = recorded.find(({ hash }) => hash === prev_hash)
        if (previous === undefined) return chain
        chain.push(previous)
      }
    })
    .reduce((longest, chain) => (chain.length > longest.length ? chain : longest))
  const newest = history[0]!
  const range = { account: accountOf(newest), newest: idOf(newest) }

  it('proves each transaction by the hash that the next one names', () => {
    expect(history.length).toBeGreaterThan(3)
    const { transactions, next } = proveHistory(range, history.map(cellOf))
    expect(transactions.map(({ hash }) => hex(hash))).toEqual(history.map(({ hash }) => hash))
    expect(next).toEqual({
      hash: fromHex(history.at(-1)!.prev_hash),
      lt: BigInt(history.at(-1)!.prev_lt),
    })
    const pairs = recorded.filter((one) => recorded.some(({ prev_hash }) => prev_hash === one.hash))
    expect(pairs).toHaveLength(35)
  })

  it('ends above the transaction that was proven before, also over several answers', () => {
    const knownDownTo = idOf(history.at(-1)!)
    const first = proveHistory({ ...range, knownDownTo }, history.slice(0, 2).map(cellOf))
    expect(first.next).toEqual(idOf(history[2]!))
    const rest = { ...range, newest: first.next!, knownDownTo }
    const second = proveHistory(rest, history.slice(2, -1).map(cellOf))
    expect(second.next).toBeUndefined()
    expect(proveHistory({ ...range, knownDownTo: range.newest }, [])).toEqual({
      transactions: [],
      next: undefined,
    })
  })

  it.each<[string, string, () => unknown]>([
    ['a gap', 'mismatch', () => proveHistory(range, [history[0]!, history[2]!].map(cellOf))],
    ['a repeated cell', 'mismatch', () => proveHistory(range, [newest, newest].map(cellOf))],
    [
      'a first cell that is not the proven one',
      'mismatch',
      () => proveHistory(range, [cellOf(history[1]!)]),
    ],
    [
      'a transaction of another account',
      'mismatch',
      () => proveHistory({ ...range, account: new Uint8Array(32) }, [cellOf(newest)]),
    ],
    [
      'a cell below the range',
      'unexpected_data',
      () => proveHistory({ ...range, knownDownTo: idOf(history[1]!) }, history.map(cellOf)),
    ],
    [
      'a history that has another transaction at the proven time',
      'mismatch',
      () => {
        const knownDownTo = { ...idOf(history[1]!), hash: new Uint8Array(32) }
        return proveHistory({ ...range, knownDownTo }, [cellOf(newest)])
      },
    ],
    [
      'a history that bypasses the transaction that was proven before',
      'mismatch',
      () => {
        const knownDownTo = { hash: new Uint8Array(32), lt: BigInt(history[1]!.lt) + 1n }
        return proveHistory({ ...range, knownDownTo }, [cellOf(newest)])
      },
    ],
  ])('S143 rejects %s', (_, problem, prove) => {
    expect(problemOf(prove)).toBe(problem)
  })
})

function withoutRefs(cell: Cell) {
  return beginCell().storeBits(cell.bits).endCell().asSlice()
}

/** Returns the pruned branch of level 1 that replaces a cell. */
function prune(cell: Cell): Cell {
  return beginCell()
    .storeUint(1, 8)
    .storeUint(1, 8)
    .storeBuffer(cell.hash())
    .storeUint(cell.depth(), 16)
    .endCell({ exotic: true })
}
