import {
  Address,
  beginCell,
  Cell,
  contractAddress,
  loadTransaction,
  storeAccount,
  type Builder,
} from '@ton/core'
import { describe, expect, it } from 'vitest'
import { toBoc } from '@tonplug/simulator/internal'
import { readContract } from '../../src/proof/contract.js'
import { proveJettonWallet } from '../../src/proof/jetton-wallet.js'
import { readCellTree } from '../../src/proof/read-cells.js'
import { recordedBytes, recordedTransactions } from './recorded.js'
import { recordedAccount } from './recorded-accounts.js'

/** The hash of the library cell that is the code of each USDT wallet. */
const USDT_WALLET_CODE = '89468f02c78e570802e39979c8516fc38df07ea76a48357e0536f2ba7b3ee37b'

const usdt = recordedAccount('read-basechain.txt')
const master = `0:${Buffer.from(usdt.account.hash).toString('hex')}`
const masterState = readCellTree(usdt.proof.state)

/** Recorded credits of jetton wallets, with the owner that each wallet has notified. */
const credits = recordedTransactions().flatMap(({ op, account: wallet, boc }) => {
  if (op !== '178d4519') return []
  const { inMessage, outMessages } = loadTransaction(Cell.fromBase64(boc).beginParse())
  const notified = outMessages.values().find(({ info, body }) => {
    const isLong = body.bits.length >= 32
    return info.type === 'internal' && isLong && body.beginParse().loadUint(32) === 0x7362d09c
  })
  const owner = notified?.info.dest
  return owner instanceof Address && inMessage ? [{ wallet, owner: owner.toRawString() }] : []
})

/** Returns the code of USDT wallets: a library cell in the data of the recorded master. */
function walletCode(): Cell {
  const found = findLibrary(Cell.fromBoc(Buffer.from(usdt.proof.state))[0]!)
  if (found === undefined) throw new TypeError('the master has no code of wallets')
  return found
}

function findLibrary(cell: Cell): Cell | undefined {
  if (cell.hash().toString('hex') === USDT_WALLET_CODE) return cell
  for (const ref of cell.refs) {
    const found = findLibrary(ref)
    if (found !== undefined) return found
  }
  return undefined
}

/** Returns a state of a jetton wallet with this code. */
function stateOf(wallet: string, code: Cell) {
  const state = { type: 'active', state: { code, data: beginCell().endCell() } } as const
  const account = {
    addr: Address.parseRaw(wallet),
    storageStats: {
      used: { cells: 1n, bits: 1n },
      lastPaid: 0,
      duePayment: null,
      storageExtra: null,
    },
    storage: { lastTransLt: 0n, balance: { coins: 0n, other: null }, state },
  }
  const cell = beginCell().storeBit(1).store(storeAccount(account)).endCell()
  return readCellTree(toBoc(cell))
}

function prove(
  changed: { master?: string; owner?: string; wallet?: string } = {},
  { code = walletCode(), isPinned = false } = {},
) {
  const jetton = { master, ...recorded!, ...changed }
  const states = { master: masterState, wallet: stateOf(jetton.wallet, code) }
  return proveJettonWallet(jetton, states, { isPinned })
}

const [other, recorded] = credits

describe('proveJettonWallet', () => {
  it('derives the addresses of recorded USDT wallets from the recorded master', () => {
    expect(credits.map((credit) => prove(credit))).toEqual([
      // A wallet of another jetton.
      'unknown',
      ...credits.slice(1).map(() => 'confirmed'),
    ])
    expect(new Set(credits.map(({ wallet }) => wallet)).size).toBe(5)
  })

  it('S148 denies a wallet with other code than the master has', () => {
    const code = beginCell().storeUint(7, 8).endCell()
    expect(prove({}, { code })).toBe('denied')
    expect(prove({}, { code, isPinned: true })).toBe('denied')
  })

  it('cannot derive the wallet of another owner, and believes a pinned address', () => {
    expect(prove({ owner: other!.owner })).toBe('unknown')
    expect(prove({ wallet: other!.wallet })).toBe('unknown')
    expect(prove({ wallet: other!.wallet }, { isPinned: true })).toBe('confirmed')
  })

  it.each([
    ['a balance at its deployment', (bits: Builder) => bits.storeUint(0, 4).storeCoins(1_000_000)],
    ['another status', (bits: Builder) => bits.storeUint(1, 4).storeCoins(0)],
    ['more data', (bits: Builder) => bits.storeUint(0, 5).storeCoins(0)],
  ])('cannot derive the wallet of the right code, owner and master with %s', (_, begin) => {
    const code = walletCode()
    const walletWith = (head: Builder): string => {
      const { owner } = recorded!
      for (const raw of [owner, master]) head.storeAddress(Address.parseRaw(raw))
      return contractAddress(0, { code, data: head.endCell() }).toRawString()
    }
    const known = walletWith(beginCell().storeUint(0, 4).storeCoins(0))
    expect(prove({ wallet: known })).toBe('confirmed')
    expect(prove({ wallet: walletWith(begin(beginCell())) })).toBe('unknown')
  })

  it('rejects the state of another account', () => {
    const { wallet, owner } = recorded!
    const states = { master: masterState, wallet: stateOf(other!.wallet, walletCode()) }
    expect(() => proveJettonWallet({ master, owner, wallet }, states, { isPinned: true })).toThrow(
      'the state is of another account',
    )
  })

  it('reads a recorded state with extra storage', () => {
    const state = readCellTree(recordedBytes('storage-extra-account.hex'))
    const { code, data } = readContract(
      state,
      addressIn(recordedBytes('storage-extra-account.hex')),
    )
    expect([code.kind, data.kind]).toEqual(['ordinary', 'ordinary'])
  })
})

/** Returns the address that a state names. */
function addressIn(bytes: Uint8Array): string {
  const slice = Cell.fromBoc(Buffer.from(bytes))[0]!.beginParse()
  slice.loadBit()
  return slice.loadAddress().toRawString()
}
