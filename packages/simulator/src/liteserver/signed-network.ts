import type { Cell } from '@ton/core'
import {
  makeBlock,
  makeConfig,
  makeState,
  shardsExtra,
  type NetworkAccount,
  type NetworkBlock,
} from './blocks.js'
import { merkleProof, toBoc, withholding } from './boc.js'
import { tlBlockId, tlBool, tlBytes, tlInt, type NetworkBlockId } from './tl.js'
import {
  catchainConfig,
  createValidators,
  shortListHash,
  signBlock,
  validatorSet,
  type SignatureForm,
  type NetworkValidator,
} from './validators.js'

/** Validators that a key block names. */
interface NamedValidators {
  current: readonly NetworkValidator[]
  /** Parameter 35: wins over the current set. */
  temporary?: readonly NetworkValidator[] | undefined
  /** Parameter 36: signs nothing before another key block names it. */
  next?: readonly NetworkValidator[] | undefined
  /** Parameter 32: signs nothing any more. */
  previous?: readonly NetworkValidator[] | undefined
  /** Number of validators of the masterchain. */
  main: number
  /** @default the sum of the weights of the current set */
  declaredWeight?: bigint | undefined
}

/** A masterchain block of the network. */
export interface MasterBlock extends NetworkBlock {
  utime: number
  /** The set that it names; of a key block only. */
  named?: NamedValidators | undefined
  shards: readonly NetworkBlock[]
  accounts: readonly NetworkAccount[]
}

/** A block that names validators. */
export interface KeyBlock extends MasterBlock {
  named: NamedValidators
}

export interface NextBlock {
  utime: number
  /** Of workchain 0. */
  accounts?: readonly NetworkAccount[]
  /** Number of bits of the shards' prefixes: 0 for one shard. */
  splits?: number
  /** Makes a key block. */
  names?: NamedValidators
  /** `a`, or `b` of older blocks. */
  shardForm?: number
}

const SHARD = 1n << 63n

/** A masterchain with its own validators. It is made from the schema, and shares no code with the verifier. */
export class SignedNetwork {
  readonly blocks: MasterBlock[] = []
  readonly globalId: number
  /** The first key block. */
  readonly first: KeyBlock
  form: SignatureForm = 'ordinary'
  #seqno = 1000
  #shardSeqno = 5000

  constructor({ globalId = -239, utime }: { globalId?: number; utime: number }) {
    this.globalId = globalId
    const named = {
      previous: createValidators('former', 5),
      current: createValidators('first', 5),
      next: createValidators('planned', 5),
      main: 4,
    }
    this.first = { ...this.make({ utime, names: named }), named }
    this.blocks.push(this.first)
  }

  get head(): MasterBlock {
    return this.blocks.at(-1) ?? this.first
  }

  append(next: NextBlock): MasterBlock {
    const block = this.make(next)
    this.blocks.push(block)
    return block
  }

  /** Makes the block after the head, without adding it. */
  make({ utime, accounts = [], splits = 0, names, shardForm = 0xa }: NextBlock): MasterBlock {
    const { globalId } = this
    const seqno = this.blocks.length === 0 ? this.#seqno : this.head.id.seqno + 1
    const shards = Array.from({ length: 2 ** splits }, (_, index) => {
      const shard = (BigInt(2 * index + 1) << BigInt(63 - splits)) & (2n ** 64n - 1n)
      const own = accounts.filter(({ hash }) => hash >> BigInt(256 - splits) === BigInt(index))
      const facts = { globalId, workchain: 0, shard, seqno: this.#shardSeqno++, utime }
      return makeBlock({ ...facts, state: makeState(facts, own) })
    })
    const config = makeConfig({
      28: catchainConfig(),
      34: validatorSet(names?.current ?? [], names?.main ?? 0, names?.declaredWeight),
      ...(names?.temporary && { 35: validatorSet(names.temporary, names.main) }),
      ...(names?.next && { 36: validatorSet(names.next, names.main) }),
      ...(names?.previous && { 32: validatorSet(names.previous, names.main) }),
    })
    const ids = shards.map(({ id }) => id)
    const facts = { globalId, workchain: -1, shard: SHARD, seqno, utime }
    const state = makeState(facts, [], shardsExtra(ids, { form: shardForm, config }))
    const round = this.blocks.length === 0 ? { validators: [], catchainSeqno: 0 } : this.roundOf()
    const block = makeBlock({
      ...facts,
      state,
      catchainSeqno: round.catchainSeqno,
      listHash: shortListHash(round.validators, round.catchainSeqno),
      ...(names && { config }),
    })
    return { ...block, utime, named: names, shards, accounts }
  }

  get newestKeyBlock(): KeyBlock {
    return this.blocks.findLast(isKeyBlock) ?? this.first
  }

  /** Returns the validators that sign after a key block. */
  roundOf(keyBlock = this.newestKeyBlock) {
    const { current, temporary, main } = keyBlock.named
    return {
      validators: (temporary ?? current).slice(0, main),
      catchainSeqno: keyBlock.id.seqno % 7,
    }
  }

  /** Writes a link. Its parts may be replaced by other ones. */
  link(from: MasterBlock, to: MasterBlock, changed: Partial<LinkParts> = {}): Buffer {
    const round = this.roundOf(isKeyBlock(from) ? from : undefined)
    const parts: LinkParts = {
      toKeyBlock: to.isKeyBlock,
      from: from.id,
      to: to.id,
      destProof: headerProof(to),
      configProof: configProof(from),
      signatures: signBlock(to.id, {
        ...round,
        listHash: shortListHash(round.validators, round.catchainSeqno),
        form: this.form,
      }),
      ...changed,
    }
    return Buffer.concat([
      tlInt(0x520fce1c),
      tlBool(parts.toKeyBlock),
      tlBlockId(parts.from),
      tlBlockId(parts.to),
      tlBytes(toBoc(parts.destProof)),
      tlBytes(toBoc(parts.configProof)),
      parts.signatures,
    ])
  }

  /** Returns `liteServer.partialBlockProof` from a key block to the head, of at most `limit` links. */
  blockProof(known: Pick<NetworkBlockId, 'seqno'>, limit = 16): Buffer {
    const start = this.blocks.find(({ id }) => id.seqno === known.seqno)
    if (start === undefined) throw new TypeError('the server does not have the block')
    const later = this.blocks.slice(this.blocks.indexOf(start) + 1)
    const way = later.filter((block) => block.isKeyBlock || block === this.head)
    const steps = way.slice(0, limit)
    let end = start
    const links: Buffer[] = []
    for (const to of steps) {
      links.push(this.link(end, to))
      end = to
    }
    return partialBlockProof({
      isComplete: steps.length === way.length,
      from: start.id,
      to: end.id,
      links,
    })
  }

  /** Returns the parts of `liteServer.accountState`. Other accounts are withheld. */
  accountProof(block: MasterBlock, hash: bigint): AccountAnswer {
    const bits = hash.toString(2).padStart(256, '0')
    const shard = block.shards.find(({ id }) => {
      const prefix = id.shard.toString(2).padStart(64, '0')
      return bits.startsWith(prefix.slice(0, prefix.lastIndexOf('1')))
    })
    if (shard === undefined) throw new TypeError('the block has no shard of the account')
    const others = block.accounts.filter((one) => one.hash !== hash)
    const own = block.accounts.find((one) => one.hash === hash)
    const withheld = [...others, ...(own ? [own] : [])].map(({ state }) => state)
    return {
      block: block.id,
      shardBlock: shard.id,
      shardProof: [stateHeaderProof(block), merkleProof(block.state)],
      proof: [stateHeaderProof(shard), merkleProof(withholding(shard.state, withheld))],
      state: own?.state,
    }
  }
}

function isKeyBlock(block: MasterBlock): block is KeyBlock {
  return block.named !== undefined
}

/** The parts of `liteServer.blockLinkForward`. */
export interface LinkParts {
  toKeyBlock: boolean
  from: NetworkBlockId
  to: NetworkBlockId
  destProof: Cell
  configProof: Cell
  signatures: Buffer
}

/** The parts of `liteServer.accountState`: what a liteserver answers about an account after a masterchain block. */
export interface AccountAnswer {
  /** The masterchain block. */
  block: NetworkBlockId
  /** The block of the account's shard. */
  shardBlock: NetworkBlockId
  /** Merkle proofs of the masterchain block and of its state, which names `shardBlock`. */
  shardProof: readonly Cell[]
  /** Merkle proofs of `shardBlock` and of its state, which has the hash of the account's state. */
  proof: readonly Cell[]
  /** The account; undefined when it does not exist. */
  state: Cell | undefined
}

/** The header of a block; the update of the state and the extra are withheld. */
export function headerProof({ cell }: NetworkBlock): Cell {
  return merkleProof(withholding(cell, cell.refs.slice(2)))
}

/** The header and the configuration; the update of the state is withheld. */
export function configProof({ cell }: NetworkBlock): Cell {
  return merkleProof(withholding(cell, cell.refs.slice(2, 3)))
}

/** The header and the update of the state; the extra is withheld. */
export function stateHeaderProof({ cell }: NetworkBlock): Cell {
  return merkleProof(withholding(cell, cell.refs.slice(3)))
}

export function partialBlockProof(parts: {
  isComplete: boolean
  from: NetworkBlockId
  to: NetworkBlockId
  links: readonly Buffer[]
}): Buffer {
  const { isComplete, from, to, links } = parts
  return Buffer.concat([
    tlInt(0x8ed0d2c1),
    tlBool(isComplete),
    tlBlockId(from),
    tlBlockId(to),
    tlInt(links.length),
    ...links,
  ])
}

/** Writes `liteServer.accountState`. */
export function writeAccountState(answer: AccountAnswer): Buffer {
  const { block, shardBlock, shardProof, proof, state } = answer
  return Buffer.concat([
    tlInt(0x7079c751),
    tlBlockId(block),
    tlBlockId(shardBlock),
    tlBytes(shardProof.length === 0 ? Buffer.alloc(0) : toBoc(...shardProof)),
    tlBytes(toBoc(...proof)),
    tlBytes(state === undefined ? Buffer.alloc(0) : toBoc(state)),
  ])
}

/** Writes `liteServer.transactionList`. */
export function writeTransactions(cells: readonly Cell[], block: NetworkBlockId): Buffer {
  return Buffer.concat([
    tlInt(0x6f26c60b),
    tlInt(cells.length),
    ...cells.map(() => tlBlockId(block)),
    tlBytes(cells.length === 0 ? Buffer.alloc(0) : toBoc(...cells)),
  ])
}
