import { beginCell, Dictionary, type Builder, type Cell } from '@ton/core'
import { merkleUpdate, toBoc } from './boc.js'
import type { NetworkBlockId } from './tl.js'
import { sha256 } from './validators.js'

/** A block with the state after it. */
export interface NetworkBlock {
  id: NetworkBlockId
  cell: Cell
  state: Cell
  isKeyBlock: boolean
}

/** An account in a state. */
export interface NetworkAccount {
  hash: bigint
  state: Cell
  last: { hash: bigint; lt: bigint }
}

const EMPTY = beginCell().endCell()
const MASTERCHAIN_SHARD = 1n << 63n

function storeShard(builder: Builder, workchain: number, shard: bigint): Builder {
  let bits = 0
  while ((shard >> BigInt(63 - bits)) << BigInt(63 - bits) !== shard) bits++
  const prefix = shard ^ (1n << BigInt(63 - bits))
  return builder.storeUint(0, 2).storeUint(bits, 6).storeInt(workchain, 32).storeUint(prefix, 64)
}

export interface BlockFacts {
  globalId: number
  workchain: number
  shard: bigint
  seqno: number
  utime: number
  listHash?: number
  catchainSeqno?: number
  state: Cell
  /** The configuration of a key block. */
  config?: Cell | undefined
}

/** Makes `block#11ef55aa`. Messages, value flow and former blocks are left out: proofs withhold them. */
export function makeBlock(facts: BlockFacts): NetworkBlock {
  const { globalId, workchain, shard, seqno, utime, state, config } = facts
  const { listHash = 0, catchainSeqno = 0 } = facts
  const isMasterchain = workchain === -1
  const info = storeShard(
    beginCell()
      .storeUint(0x9bc7a987, 32)
      .storeUint(0, 32)
      .storeBit(!isMasterchain)
      .storeUint(0, 5)
      .storeBit(config !== undefined)
      .storeUint(0, 1 + 8)
      .storeUint(seqno, 32)
      .storeUint(0, 32),
    workchain,
    shard,
  )
    .storeUint(utime, 32)
    .storeUint(0, 64)
    .storeUint(0, 64)
    .storeUint(listHash, 32)
    .storeUint(catchainSeqno, 32)
    .storeUint(0, 32)
    .storeUint(0, 32)
    .storeRef(EMPTY)
    .endCell()
  const extra = beginCell()
    .storeUint(0x4a33f6fd, 32)
    .storeRef(EMPTY)
    .storeRef(EMPTY)
    .storeRef(EMPTY)
    .storeUint(0, 256)
    .storeUint(0, 256)
    .storeMaybeRef(isMasterchain ? masterchainExtra(config) : null)
    .endCell()
  const cell = beginCell()
    .storeUint(0x11ef55aa, 32)
    .storeInt(globalId, 32)
    .storeRef(info)
    .storeRef(EMPTY)
    .storeRef(merkleUpdate(EMPTY, state))
    .storeRef(extra)
    .endCell()
  const fileHash = sha256(toBoc(cell))
  const id = { workchain, shard, seqno, rootHash: cell.hash(0), fileHash }
  return { id, cell, state, isKeyBlock: config !== undefined }
}

/** `masterchain_block_extra#cca5` without shards, fees and signatures. */
function masterchainExtra(config: Cell | undefined): Cell {
  const extra = beginCell()
    .storeUint(0xcca5, 16)
    .storeBit(config !== undefined)
    .storeBit(0)
    .storeBit(0)
  for (let sum = 0; sum < 2; sum++) extra.storeCoins(0).storeBit(0)
  extra.storeRef(EMPTY)
  if (config !== undefined) extra.storeUint(0x55, 256).storeRef(config)
  return extra.endCell()
}

/** Returns the parameters of a configuration: `Hashmap 32 ^Cell`. */
export function makeConfig(parameters: Readonly<Record<number, Cell>>): Cell {
  const dictionary = Dictionary.empty(Dictionary.Keys.Uint(32), Dictionary.Values.Cell())
  for (const [index, cell] of Object.entries(parameters)) dictionary.set(Number(index), cell)
  return beginCell().storeDictDirect(dictionary).endCell()
}

/** Makes `shard_state#9023afe2`. */
export function makeState(
  facts: Pick<BlockFacts, 'globalId' | 'workchain' | 'shard' | 'seqno' | 'utime'>,
  accounts: readonly NetworkAccount[],
  custom: Cell | null = null,
): Cell {
  const { globalId, workchain, shard, seqno, utime } = facts
  return storeShard(beginCell().storeUint(0x9023afe2, 32).storeInt(globalId, 32), workchain, shard)
    .storeUint(seqno, 32)
    .storeUint(0, 32)
    .storeUint(utime, 32)
    .storeUint(0, 64)
    .storeUint(0, 32)
    .storeRef(EMPTY)
    .storeBit(0)
    .storeRef(makeAccounts(accounts))
    .storeRef(EMPTY)
    .storeMaybeRef(custom)
    .endCell()
}

/** `depth_balance$_ split_depth:(#<= 30) balance:CurrencyCollection` of nothing. */
function storeSum(builder: Builder): Builder {
  return builder.storeUint(0, 5).storeCoins(0).storeBit(0)
}

/** `HashmapAugE 256 ShardAccount DepthBalanceInfo`. */
function makeAccounts(accounts: readonly NetworkAccount[]): Cell {
  const root = beginCell().storeBit(accounts.length > 0)
  if (accounts.length > 0) {
    const entries = accounts.map((account) => ({
      key: account.hash.toString(2).padStart(256, '0'),
      account,
    }))
    root.storeRef(makeFork(entries))
  }
  return storeSum(root).endCell()
}

interface Entry {
  /** The bits of the key that are left. */
  key: string
  account: NetworkAccount
}

function makeFork(entries: readonly Entry[]): Cell {
  const [first = { key: '' }] = entries
  let common = first.key.length
  for (const { key } of entries) {
    let same = 0
    while (same < common && key[same] === first.key[same]) same++
    common = same
  }
  // The long form of a label: 10, its length, its bits.
  const lengthBits = first.key.length === 0 ? 0 : first.key.length.toString(2).length
  const node = beginCell().storeUint(0b10, 2).storeUint(common, lengthBits)
  for (const bit of first.key.slice(0, common)) node.storeBit(bit === '1')
  if (entries.length === 1 && 'account' in first) {
    const { state, last } = first.account
    return storeSum(node).storeRef(state).storeUint(last.hash, 256).storeUint(last.lt, 64).endCell()
  }
  for (const branch of ['0', '1']) {
    const below = entries.filter(({ key }) => key[common] === branch)
    node.storeRef(
      makeFork(below.map(({ key, account }) => ({ key: key.slice(common + 1), account }))),
    )
  }
  return storeSum(node).endCell()
}

/** Makes `masterchain_state_extra#cc26`; nothing follows the blocks of the shards. @param form `a`, or `b` of older blocks */
export function shardsExtra(
  shards: readonly NetworkBlockId[],
  { form = 0xa, config }: { form?: number; config: Cell },
): Cell {
  const dictionary = Dictionary.empty(Dictionary.Keys.Int(32), Dictionary.Values.Cell())
  dictionary.set(0, makeTree(shards, MASTERCHAIN_SHARD, form))
  return beginCell()
    .storeUint(0xcc26, 16)
    .storeDict(dictionary)
    .storeUint(0x55, 256)
    .storeRef(config)
    .endCell()
}

/** `BinTree ShardDescr` */
function makeTree(shards: readonly NetworkBlockId[], shard: bigint, form: number): Cell {
  const exact = shards.find((one) => one.shard === shard)
  if (exact !== undefined) {
    return beginCell()
      .storeBit(0)
      .storeUint(form, 4)
      .storeUint(exact.seqno, 32)
      .storeUint(0, 32)
      .storeUint(0, 64)
      .storeUint(0, 64)
      .storeBuffer(exact.rootHash)
      .storeBuffer(exact.fileHash)
      .endCell()
  }
  const half = (shard & -shard) >> 1n
  return beginCell()
    .storeBit(1)
    .storeRef(makeTree(shards, shard - half, form))
    .storeRef(makeTree(shards, shard + half, form))
    .endCell()
}
