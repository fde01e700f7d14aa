import { beginCell, Cell } from '@ton/core'
import { hashOf, proveAccount, type AccountProof, type ProofError } from '@tonplug/core/proof'
import { readTestdata } from '@tonplug/test-support/testdata'
import { describe, expect, it } from 'vitest'
import { createRandom } from '@tonplug/test-support/random'
import { flipBit } from './recorded.js'
import { ACCOUNT_FILES, recordedAccount, type RecordedAccount } from './recorded-accounts.js'

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
const expected: Record<string, never>[] = JSON.parse(readTestdata('proofs/expected.json')).accounts

function prove({ block, account, proof }: RecordedAccount) {
  return proveAccount(block, account, proof)
}

function problemOf(action: () => unknown): string {
  try {
    action()
  } catch (error) {
    return (error as ProofError).details.problem
  }
  return 'accepted'
}

/** Returns the recorded read with other bytes in its proof. */
function withProof(file: string, changed: Partial<AccountProof>): RecordedAccount {
  const recorded = recordedAccount(file)
  return { ...recorded, proof: { ...recorded.proof, ...changed } }
}

describe('proveAccount', () => {
  it.each(ACCOUNT_FILES)('proves the recorded account of %s, or its absence', (file) => {
    const wanted = expected.find((one) => one['file'] === file)!
    const proven = prove(recordedAccount(file))
    const { workchain, shard, seqno, rootHash, fileHash } = proven.block
    const shown = {
      workchain,
      shard: shard.toString(16),
      seqno,
      root_hash: hex(rootHash),
      file_hash: hex(fileHash),
    }
    const own = { ...shown, root_hash: wanted['masterchain_root_hash'], file_hash: '00'.repeat(32) }
    expect(shown).toEqual(wanted['shard_block'] ?? own)
    const last =
      proven.kind === 'present'
        ? {
            hash: hex(proven.last.hash),
            lt: proven.last.lt.toString(),
            state: hex(hashOf(proven.state)),
          }
        : {}
    expect([proven.kind === 'absent', last]).toEqual([
      wanted['absent'],
      wanted['absent']
        ? {}
        : {
            hash: wanted['last_trans_hash'],
            lt: wanted['last_trans_lt'],
            state: wanted['state_hash'],
          },
    ])
  })

  it('S147 rejects flipped bits of the recorded reads', () => {
    const random = createRandom(5)
    for (const file of ACCOUNT_FILES) {
      const { proof } = recordedAccount(file)
      for (const part of ['shardProof', 'proof', 'state'] as const) {
        const { length } = proof[part]
        for (let run = 0; run < (length === 0 ? 0 : 60); run++) {
          const bit = Math.floor(random() * length * 8)
          const changed = withProof(file, { [part]: flipBit(proof[part], bit) })
          expect([file, part, bit, problemOf(() => prove(changed))]).not.toContain('accepted')
        }
      }
    }
  })

  it('never takes a withheld account for an absent one', () => {
    const recorded = recordedAccount('read-basechain.txt')
    const random = createRandom(12)
    const problems = new Map<string, number>()
    for (let run = 0; run < 200; run++) {
      const hash = Uint8Array.from({ length: 32 }, () => Math.floor(random() * 256))
      const account = { workchain: 0, hash }
      const empty = withProof('read-basechain.txt', { state: new Uint8Array() })
      const problem = problemOf(() => prove({ ...empty, account }))
      problems.set(problem, (problems.get(problem) ?? 0) + 1)
    }
    expect(prove(recorded).kind).toBe('present')
    expect(Object.fromEntries(problems)).toEqual({ not_covered: 200 })
  })

  const other = recordedAccount('read-absent.txt')
  const near = recordedAccount('read-basechain.txt').account.hash
  it.each<[string, string, () => RecordedAccount]>([
    [
      'an empty state of an account that exists',
      'not_covered',
      () => withProof('read-basechain.txt', { state: new Uint8Array() }),
    ],
    [
      'an account of the masterchain in the block of a shard',
      'mismatch',
      () => {
        const { account, ...recorded } = withProof('read-basechain.txt', {
          shardProof: new Uint8Array(),
        })
        const { block } = prove(recordedAccount('read-basechain.txt'))
        return { ...recorded, block, account: { ...account, workchain: -1 } }
      },
    ],
    [
      'a state of an account that is proven to be absent',
      'mismatch',
      () =>
        withProof('read-absent.txt', { state: recordedAccount('read-basechain.txt').proof.state }),
    ],
    [
      'the state of another account',
      'mismatch',
      () =>
        withProof('read-basechain.txt', {
          state: recordedAccount('read-masterchain.txt').proof.state,
        }),
    ],
    [
      'a state whose code or data is withheld',
      'not_covered',
      () =>
        withProof('read-basechain.txt', {
          state: withheld(recordedAccount('read-basechain.txt').proof.state),
        }),
    ],
    [
      'the proof of another block',
      'mismatch',
      () => ({ ...recordedAccount('read-basechain.txt'), block: other.block }),
    ],
    [
      'the proof of a shard block that the masterchain does not name',
      'mismatch',
      () => withProof('read-basechain.txt', { proof: other.proof.proof }),
    ],
    [
      'a block with another number than its header',
      'mismatch',
      () => {
        const recorded = recordedAccount('read-basechain.txt')
        return { ...recorded, block: { ...recorded.block, seqno: recorded.block.seqno + 1 } }
      },
    ],
    [
      'a workchain that the proof does not show',
      'not_covered',
      () => ({ ...recordedAccount('read-basechain.txt'), account: { workchain: 1, hash: near } }),
    ],
    [
      'a shard proof for an account of the masterchain',
      'unexpected_data',
      () => ({ ...recordedAccount('read-basechain.txt'), account: { workchain: -1, hash: near } }),
    ],
    [
      'the proof of an account with the same prefix',
      'mismatch',
      () => ({
        ...recordedAccount('read-basechain.txt'),
        account: { workchain: 0, hash: flipBit(near, 255) },
      }),
    ],
    [
      'proofs in another order',
      'malformed',
      () => withProof('read-basechain.txt', { shardProof: new Uint8Array() }),
    ],
  ])('S146 rejects %s', (_, problem, change) => {
    expect(problemOf(() => prove(change()))).toBe(problem)
  })
})

/** Returns a state with a pruned branch instead of its first reference: its hash stays. */
function withheld(bytes: Uint8Array): Uint8Array {
  const whole = Cell.fromBoc(Buffer.from(bytes))[0]!
  const builder = beginCell().storeBits(whole.bits)
  for (const [index, ref] of whole.refs.entries()) {
    const pruned = beginCell()
      .storeUint(0x0101, 16)
      .storeBuffer(ref.hash())
      .storeUint(ref.depth(), 16)
      .endCell({ exotic: true })
    builder.storeRef(index === 0 ? pruned : ref)
  }
  const cell = builder.endCell()
  expect(cell.hash(0)).toEqual(whole.hash())
  return new Uint8Array(cell.toBoc())
}
