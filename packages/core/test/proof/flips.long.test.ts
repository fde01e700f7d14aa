import { createHash } from 'node:crypto'
import {
  followLinks,
  hashOf,
  proveAccount,
  readCellTree,
  readTransaction,
} from '@tonplug/core/proof'
import { nightSize } from '@tonplug/test-support/night-size'
import { readTestdata } from '@tonplug/test-support/testdata'
import { expect, it } from 'vitest'
import { createRandom } from '@tonplug/test-support/random'
import {
  flipBit,
  fromBase64,
  fromHex,
  recordedBytes,
  recordedTransactions,
  recordedValues,
} from './recorded.js'
import { ACCOUNT_FILES, recordedAccount } from './recorded-accounts.js'

const FLIPS = nightSize(100, 1000)
/** Bits of a proof of an account from one flip to the next one: each byte has a flip, or each bit. */
const STEP = nightSize(7, 1)

/** Counts the changed copies that are accepted. */
function acceptedFlips(
  bytes: Uint8Array,
  check: (changed: Uint8Array) => void,
  seed: number,
): number {
  check(bytes)
  const random = createRandom(seed)
  let accepted = 0
  for (let run = 0; run < FLIPS; run++) {
    try {
      check(flipBit(bytes, Math.floor(random() * bytes.length * 8)))
      accepted++
    } catch {
      // Rejected, as it must be.
    }
  }
  return accepted
}

it.each(['chain.hex', 'one-link-simplex.hex'])(
  `S147 accepts none of ${FLIPS} flipped bits of %s`,
  (file) => {
    const [first] = JSON.parse(readTestdata('proofs/expected.json')).links.filter(
      (link: { file: string }) => link.file === file,
    )
    const { workchain, shard, seqno, root_hash, file_hash } = first.from
    const hashes = { rootHash: fromHex(root_hash), fileHash: fromHex(file_hash) }
    const id = { workchain, shard: BigInt(`0x${shard}`), seqno, ...hashes }
    const check = (bytes: Uint8Array): void => void followLinks(bytes, { id, globalId: -239 })
    expect(acceptedFlips(recordedBytes(file), check, 1)).toBe(0)
  },
  1_800_000,
)

it.each(ACCOUNT_FILES)(
  `S147 accepts no flipped bit of %s, ${STEP === 1 ? 'of all' : `each ${STEP}th`}`,
  (file) => {
    const { block, account, proof } = recordedAccount(file)
    let accepted = 0
    for (const part of ['shardProof', 'proof', 'state'] as const) {
      for (let bit = 0; bit < proof[part].length * 8; bit += STEP) {
        try {
          proveAccount(block, account, { ...proof, [part]: flipBit(proof[part], bit) })
          accepted++
        } catch {
          // Rejected, as it must be.
        }
      }
    }
    expect(accepted).toBe(0)
  },
  1_800_000,
)

it.each(['block-basechain.hex', 'block-masterchain.hex'])(
  `S147 accepts none of ${FLIPS} flipped bits of %s, by its two hashes`,
  (file) => {
    const values = recordedValues(file)
    const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
    const check = (bytes: Uint8Array): void => {
      const isSame =
        hex(hashOf(readCellTree(bytes))) === values.get('root_hash') &&
        createHash('sha256').update(bytes).digest('hex') === values.get('file_hash')
      if (!isSame) throw new TypeError('another block')
    }
    expect(acceptedFlips(recordedBytes(file), check, 2)).toBe(0)
  },
  1_800_000,
)

it(`S147 accepts none of ${FLIPS} flipped bits of each recorded transaction`, () => {
  for (const [seed, { boc, hash, lt }] of recordedTransactions().entries()) {
    const id = { hash: fromHex(hash), lt: BigInt(lt) }
    const check = (bytes: Uint8Array): void => void readTransaction(readCellTree(bytes), id)
    expect(acceptedFlips(fromBase64(boc), check, seed)).toBe(0)
  }
}, 1_800_000)
