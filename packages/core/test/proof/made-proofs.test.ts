import { beginCell, type Cell } from '@ton/core'
import {
  followLinks,
  hashOf,
  proveAccount,
  readCellTree,
  type AccountId,
  type ProofError,
} from '@tonplug/core/proof'
import { describe, expect, it } from 'vitest'
import {
  type AccountAnswer,
  configProof,
  createValidators,
  headerProof,
  type LinkParts,
  type MasterBlock,
  merkleProof,
  type NetworkAccount,
  type NetworkValidator,
  partialBlockProof,
  shortListHash,
  signBlock,
  SignedNetwork,
  stateHeaderProof,
  tlInt,
  toBoc,
  validatorSet,
  withholding,
} from '@tonplug/simulator/internal'

const utime = 1_790_000_000
const globalId = -239

function problemOf(action: () => unknown): string {
  try {
    action()
  } catch (error) {
    return `${(error as ProofError).details.problem}: ${(error as ProofError).message}`
  }
  return 'accepted'
}

/** Follows one link of a network, from its first block to a new one. */
function followOne(
  network: SignedNetwork,
  to: MasterBlock,
  changed: Partial<LinkParts> = {},
  from: MasterBlock = network.first,
) {
  const links = [network.link(from, to, changed)]
  const proof = { isComplete: true, from: from.id, to: changed.to ?? to.id, links }
  return followLinks(partialBlockProof(proof), { id: from.id, globalId })
}

/** Signatures of a block by some validators, in the round of a network. */
function signedBy(
  network: SignedNetwork,
  block: MasterBlock,
  validators: readonly NetworkValidator[],
): Buffer {
  const round = network.roundOf()
  const listHash = shortListHash(round.validators, round.catchainSeqno)
  const { catchainSeqno } = round
  return signBlock(block.id, { validators, catchainSeqno, listHash, form: network.form })
}

describe('followLinks on a network of its own', () => {
  it('accepts a link with all signatures, and with just more than two thirds', () => {
    const network = new SignedNetwork({ utime })
    const to = network.append({ utime })
    expect(followOne(network, to).blocks).toEqual([{ id: to.id, isKeyBlock: false, utime }])
    const three = network.roundOf().validators.slice(0, 3)
    expect(
      followOne(network, to, { signatures: signedBy(network, to, three) }).blocks,
    ).toHaveLength(1)
  })

  it('S144 rejects exactly two thirds of the weight', () => {
    const six = new SignedNetwork({ utime })
    const key = six.append({ utime, names: { current: createValidators('six', 6), main: 6 } })
    const to = six.append({ utime })
    const some = (count: number) => ({
      signatures: signedBy(six, to, six.roundOf().validators.slice(0, count)),
    })
    expect(problemOf(() => followOne(six, to, some(4), key))).toMatch(/two thirds/)
    expect(problemOf(() => followOne(six, to, some(5), key))).toBe('accepted')
  })

  it('S144 counts weights of 60 bits to the last unit', () => {
    const third = 1n << 59n
    for (const [rest, problem] of [
      [third, 'two thirds'],
      [third - 1n, 'accepted'],
    ] as const) {
      const network = new SignedNetwork({ utime })
      const signers = createValidators('signers', 2, third)
      const current = [...signers, ...createValidators('silent', 1, rest)]
      const key = network.append({ utime, names: { current, main: 3 } })
      const to = network.append({ utime })
      const signatures = signedBy(network, to, signers)
      expect(problemOf(() => followOne(network, to, { signatures }, key))).toContain(problem)
    }
  })

  it('S144 takes two thirds of the sum of the weights, not of the declared one', () => {
    const network = new SignedNetwork({ utime })
    const names = { current: createValidators('five', 5), main: 5, declaredWeight: 1n << 50n }
    const key = network.append({ utime, names })
    const to = network.append({ utime })
    const signatures = signedBy(network, to, names.current.slice(0, 3))
    expect(problemOf(() => followOne(network, to, { signatures }, key))).toMatch(/two thirds/)
    expect(problemOf(() => followOne(network, to, {}, key))).toBe('accepted')
  })

  it.each<[string, readonly NetworkValidator[], string]>([
    ['a validator without weight', createValidators('none', 4, 0n), 'has no weight'],
    [
      'more weight than the network allows',
      createValidators('much', 4, 1n << 60n),
      'out of bounds',
    ],
    [
      'one key twice',
      [...createValidators('twice', 3), createValidators('twice', 1)[0]!],
      'one key twice',
    ],
  ])('S144 rejects a set that has %s', (_, current, message) => {
    const network = new SignedNetwork({ utime })
    const key = network.append({ utime, names: { current, main: 4 } })
    const to = network.append({ utime })
    expect(problemOf(() => followOne(network, to, {}, key))).toContain(message)
  })

  it.each<[string, (network: SignedNetwork, to: MasterBlock) => readonly NetworkValidator[]]>([
    ['that are not of the masterchain', ({ first }) => first.named!.current.slice(1)],
    ['of another set', () => createValidators('strangers', 4)],
    ['of the planned set', ({ first }) => first.named!.next!],
    ['of the previous set', ({ first }) => first.named!.previous!],
    ['of the set that the next key block names', (_, to) => to.named!.current.slice(0, 4)],
  ])('S144 rejects signatures of validators %s', (_, signersOf) => {
    const network = new SignedNetwork({ utime })
    const names = { current: createValidators('next', 4), main: 4 }
    const to = network.append({ utime, names })
    const round = network.roundOf(network.first)
    const signatures = signBlock(to.id, {
      validators: signersOf(network, to),
      catchainSeqno: round.catchainSeqno,
      listHash: shortListHash(round.validators, round.catchainSeqno),
      form: 'ordinary',
    })
    expect(problemOf(() => followOne(network, to, { signatures }))).toMatch(/is not a validator/)
  })

  it.each(['ordinary', 'simplex'] as const)(
    'S144 rejects votes of the form %s that are not final',
    (form) => {
      const network = new SignedNetwork({ utime })
      network.form = form
      const to = network.append({ utime })
      const { validators, catchainSeqno } = network.roundOf()
      const signatures = signBlock(to.id, {
        validators,
        catchainSeqno,
        listHash: shortListHash(validators, catchainSeqno),
        form,
        isApproval: true,
      })
      expect(problemOf(() => followOne(network, to, { signatures }))).toMatch(
        /signature is invalid/,
      )
    },
  )

  it('S144 rejects signatures of another block', () => {
    for (const form of ['ordinary', 'simplex', 'simplex with an empty candidate'] as const) {
      const network = new SignedNetwork({ utime })
      network.form = form
      const to = network.append({ utime })
      const other = network.make({ utime: utime + 1 })
      const signatures = signedBy(network, other, network.roundOf().validators)
      expect(problemOf(() => followOne(network, to, { signatures }))).toMatch(/mismatch/)
    }
  })

  it('takes the temporary set, and rejects a link that withholds it', () => {
    const network = new SignedNetwork({ utime })
    const [current, temporary] = [createValidators('current', 4), createValidators('short', 4)]
    const key = network.append({ utime, names: { current, temporary, main: 4 } })
    const to = network.append({ utime })
    expect(problemOf(() => followOne(network, to, {}, key))).toBe('accepted')
    const round = network.roundOf()
    const listHash = shortListHash(current, round.catchainSeqno)
    const parts = { catchainSeqno: round.catchainSeqno, listHash, form: 'ordinary' } as const
    const signatures = signBlock(to.id, { ...parts, validators: current })
    const set = validatorSet(temporary, 4)
    const withheld = merkleProof(withholding(key.cell, [key.cell.refs[2]!, leafOf(key.cell, set)]))
    expect(
      problemOf(() => followOne(network, to, { signatures, configProof: withheld }, key)),
    ).toMatch(/^not_covered/)
    expect(problemOf(() => followOne(network, to, { signatures }, key))).toMatch(/another list/)
  })

  it.each<[string, (network: SignedNetwork, to: MasterBlock) => Partial<LinkParts>]>([
    [
      'another network',
      (_, to) => ({ destProof: headerProof({ ...to, cell: withGlobalId(to.cell) }) }),
    ],
    ['another block', ({ first }) => ({ destProof: headerProof(first) })],
    ['a shard of the masterchain', (_, { id }) => ({ to: { ...id, shard: 1n << 62n } })],
    ['another workchain', (_, { id }) => ({ to: { ...id, workchain: 0 } })],
    ['another number than its header', (_, { id }) => ({ to: { ...id, seqno: id.seqno + 1 } })],
    ['a block that is called a key block', () => ({ toKeyBlock: true })],
    ['a proof in a proof', (_, to) => ({ destProof: merkleProof(headerProof(to)) })],
    ['a configuration of another block', (_, to) => ({ configProof: configProof(to) })],
    ['a withheld configuration', ({ first }) => ({ configProof: headerProof(first) })],
    ['another file', (_, { id }) => ({ to: { ...id, fileHash: Buffer.alloc(32) } })],
  ])('S146 rejects a link to %s', (_, change) => {
    const network = new SignedNetwork({ utime })
    const to = network.append({ utime })
    expect(problemOf(() => followOne(network, to, change(network, to)))).not.toBe('accepted')
    expect(problemOf(() => followOne(network, to))).toBe('accepted')
  })

  it('S146 rejects links that begin at an ordinary block, go back, or repeat', () => {
    const network = new SignedNetwork({ utime })
    const [first, plain, last] = [
      network.first,
      network.append({ utime }),
      network.append({ utime }),
    ]
    const follow = (...links: Buffer[]) =>
      problemOf(() => {
        const proof = { isComplete: true, from: first.id, to: last.id, links }
        return followLinks(partialBlockProof(proof), { id: first.id, globalId })
      })
    const one = network.link(first, plain)
    expect(follow(one, network.link(plain, last, { configProof: configProof(first) }))).toMatch(
      /not a key block/,
    )
    expect(follow(network.link(first, first))).toMatch(/does not move forward/)
    expect(follow(one, one)).toMatch(/where the one before ends/)
    expect(follow(Buffer.concat([tlInt(0xef7e1bef), one.subarray(4)]))).toMatch(/backward/)
  })
})

describe('proveAccount on a network of its own', () => {
  const accounts = [0x11n, 0x51n, 0x91n, 0xd1n].map((first, index): NetworkAccount => {
    const state = beginCell().storeUint(index, 32).endCell()
    return { hash: (first << 248n) | 7n, state, last: { hash: 5n, lt: 9n } }
  })
  const idOf = (hash: bigint): AccountId => ({
    workchain: 0,
    hash: Buffer.from(hash.toString(16).padStart(64, '0'), 'hex'),
  })
  const prove = (block: MasterBlock, account: AccountId, answer: AccountAnswer) =>
    proveAccount(block.id, account, {
      shardProof: toBoc(...answer.shardProof),
      proof: toBoc(...answer.proof),
      state: answer.state === undefined ? new Uint8Array() : toBoc(answer.state),
    })

  it.each([0, 1, 2])('finds each account in its shard after %i splits', (splits) => {
    const network = new SignedNetwork({ utime })
    const block = network.append({ utime, accounts, splits, shardForm: splits === 1 ? 0xb : 0xa })
    for (const { hash, state } of accounts) {
      const proven = prove(block, idOf(hash), network.accountProof(block, hash))
      expect(proven).toMatchObject({ kind: 'present', last: { lt: 9n } })
      const provenHash = 'state' in proven ? hashOf(proven.state) : new Uint8Array()
      expect(state.hash().equals(provenHash)).toBe(true)
    }
    const absent = accounts[1]!.hash + 1n
    const whole = { ...network.accountProof(block, absent), state: undefined }
    expect(prove(block, idOf(absent), whole).kind).toBe('absent')
  })

  it('rejects the block of another shard, of an older or a newer one', () => {
    const network = new SignedNetwork({ utime })
    const old = network.append({ utime, accounts, splits: 1 })
    const block = network.append({ utime, accounts, splits: 1 })
    const next = network.append({ utime, accounts, splits: 2 })
    const [own, , other] = accounts
    const honest = network.accountProof(block, own!.hash)
    expect(prove(block, idOf(own!.hash), honest).kind).toBe('present')
    for (const { proof } of [
      network.accountProof(block, other!.hash),
      network.accountProof(old, own!.hash),
      network.accountProof(next, own!.hash),
    ]) {
      expect(problemOf(() => prove(block, idOf(own!.hash), { ...honest, proof }))).toMatch(
        /^mismatch/,
      )
    }
    const { shardProof } = network.accountProof(old, own!.hash)
    expect(problemOf(() => prove(block, idOf(own!.hash), { ...honest, shardProof }))).toMatch(
      /^mismatch/,
    )
  })

  it('rejects an account of a shard for one of the masterchain, and the reverse', () => {
    const network = new SignedNetwork({ utime })
    const block = network.append({ utime, accounts })
    const [{ hash } = { hash: 0n }] = accounts
    const answer = network.accountProof(block, hash)
    const ofMasterchain = { ...idOf(hash), workchain: -1 }
    expect(problemOf(() => prove(block, ofMasterchain, answer))).not.toBe('accepted')
    const swapped = { ...answer, proof: [stateHeaderProof(block), merkleProof(block.state)] }
    expect(problemOf(() => prove(block, idOf(hash), swapped))).toMatch(/^mismatch/)
  })

  it('never takes a withheld shard or state for an absence', () => {
    const network = new SignedNetwork({ utime })
    const block = network.append({ utime, accounts, splits: 1 })
    const [{ hash } = { hash: 0n }] = accounts
    const answer = network.accountProof(block, hash)
    const custom = block.state.refs.at(-1)!
    const [header] = answer.shardProof as [Cell]
    const shardProof = [header, merkleProof(withholding(block.state, [custom.refs[0]!]))]
    expect(problemOf(() => prove(block, idOf(hash), { ...answer, shardProof }))).toMatch(
      /^not_covered/,
    )
    expect(problemOf(() => prove(block, idOf(hash), { ...answer, state: undefined }))).toMatch(
      /^not_covered/,
    )
  })
})

it('writes bags that the strict reader accepts', () => {
  const network = new SignedNetwork({ utime })
  const { cell, id } = network.first
  expect(id.rootHash.equals(hashOf(readCellTree(toBoc(cell))))).toBe(true)
})

/** Returns the cell of a tree that refers to another one. */
function leafOf(tree: Cell, wanted: Cell): Cell {
  const found = findParent(tree, wanted)
  if (found === undefined) throw new TypeError('not part of the tree')
  return found
}

function findParent(tree: Cell, wanted: Cell): Cell | undefined {
  if (tree.refs.some((ref) => ref.equals(wanted))) return tree
  for (const ref of tree.refs) {
    const found = findParent(ref, wanted)
    if (found !== undefined) return found
  }
  return undefined
}

/** Returns a block with the number of the test network. */
function withGlobalId(cell: Cell): Cell {
  const slice = cell.beginParse()
  const builder = beginCell().storeUint(slice.loadUint(32), 32).storeInt(-3, 32)
  for (const ref of cell.refs) builder.storeRef(ref)
  return builder.endCell()
}
