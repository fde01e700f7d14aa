import {
  hashOf,
  MAINNET_KEY_BLOCK,
  proveAccount,
  readCellTree,
  type AccountId,
  type AccountProof,
  type BlockId,
} from '@tonplug/core/proof'
import { describe, expect, it } from 'vitest'
import { createValidators, SignedNetwork, tlBlockId, tlInt } from '@tonplug/simulator/internal'
import { readContract } from '../../src/proof/contract.js'
import { readAccountState } from '../../src/proof/liteserver.js'
import { startFakeLiteserver } from '../liteserver/fake-liteserver.js'
import { startSigned } from '../payments/proof/signed-shop.js'
import { ours } from '../payments/proof/two-sources.js'
import { fromHex, recordedBytes } from './recorded.js'
import { ACCOUNT_FILES, recordedAccount } from './recorded-accounts.js'

/** Another implementation of these proofs, in Rust. It has no binary for some platforms. */
const tonNet = await import('ton-net').catch(() => undefined)

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
const buffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes)

/** Asks ton-net for the newest key block that it can prove from a trusted one. */
async function walk(
  trusted: BlockId,
  { head, answer }: { head: BlockId; answer: (known: { seqno: number }) => Uint8Array },
) {
  const asBuffers = (id: BlockId) => ({
    ...id,
    rootHash: buffer(id.rootHash),
    fileHash: buffer(id.fileHash),
  })
  const { port, publicKey } = await startFakeLiteserver(async (query) => {
    if (query.readUInt32LE() !== 0x89b5e62e) {
      // A tag, a mode, a workchain and a shard precede the number of the known block.
      return buffer(answer({ seqno: query.readUInt32LE(20) }))
    }
    const state = [Buffer.alloc(32), tlInt(-1), Buffer.alloc(64)]
    return Buffer.concat([tlInt(0x85832881), tlBlockId(asBuffers(head)), ...state])
  })
  const id = { '@type': 'pub.ed25519', key: publicKey }
  const json = JSON.stringify({ liteservers: [{ ip: 0x7f000001, port, id }] })
  // The recorded blocks are old.
  const config = tonNet!.Config.fromJson(json).withMaxHeadAge(2 ** 31)
  const anchor = { ...asBuffers(trusted), shard: trusted.shard.toString(16) }
  const client = await tonNet!.TonClient.connectFrom(config, anchor)
  const found = await client.anchor()
  return found && { ...found, shard: BigInt(`0x${found.shard}`) }
}

function expectSameAccount(block: BlockId, account: AccountId, answer: AccountProof): void {
  const own = proveAccount(block, account, answer)
  const address = `${account.workchain}:${hex(account.hash)}`
  const other = tonNet!.verifyAccount({
    address,
    trustedRootHash: buffer(block.rootHash),
    shardProof: buffer(answer.shardProof),
    proof: buffer(answer.proof),
    state: buffer(answer.state),
  })
  expect(other.status === 'nonexistent').toBe(own.kind === 'absent')
  if (own.kind === 'absent') return
  expect(BigInt(other.lastTransLt)).toBeGreaterThan(own.last.lt)
  if (other.status !== 'active') return
  const { code, data } = readContract(own.state, address)
  const wanted = [other.code!, other.data!].map((bytes) => hex(hashOf(readCellTree(bytes))))
  expect([code, data].map((cell) => hex(hashOf(cell)))).toEqual(wanted)
}

describe.skipIf(tonNet === undefined)('proofs compared with ton-net', () => {
  it.each(ACCOUNT_FILES)('proves the same account of %s', (file) => {
    const { block, account, proof } = recordedAccount(file)
    expect(() => expectSameAccount(block, account, proof)).not.toThrow()
  })

  it('proves the same account of a network of its own', async () => {
    const { server, jetton } = await startSigned()
    const { id: block } = await server.seal()
    const wallet = await jetton.walletOf(ours)
    for (const hash of [wallet.hash, ours.hash, Buffer.alloc(32, 7)]) {
      const account = { workchain: 0, hash }
      const { signal } = new AbortController()
      const bytes = await server.getAccountState({ block, account }, { signal })
      const proof = readAccountState(bytes, block)
      expect(() => expectSameAccount(block, account, proof)).not.toThrow()
    }
  })

  it('proves the default key block of mainnet from the recorded one before', async () => {
    const { id } = MAINNET_KEY_BLOCK
    const before = {
      ...id,
      seqno: 59_238_081,
      rootHash: fromHex('6d0db70f5da0bf1500bdd97eadec0bb52cc7d399c013dc9534495b827c3685ed'),
      fileHash: fromHex('b52cf2a57c8a3ac9bd6532a72bb3bed13827faa07452ef25ee3dfde3257349d2'),
    }
    const answer = () => recordedBytes('one-link-simplex.hex')
    expect(await walk(before, { head: id, answer })).toEqual({
      ...id,
      rootHash: buffer(id.rootHash),
      fileHash: buffer(id.fileHash),
    })
  })

  it.each(['ordinary', 'simplex', 'simplex with an empty candidate'] as const)(
    'follows a changed set of a network of its own by signatures of the form: %s',
    async (form) => {
      const utime = Math.floor(Date.now() / 1000)
      const network = new SignedNetwork({ utime })
      network.form = form
      const named = { current: createValidators('next', 6), main: 5 }
      const { id } = network.append({ utime, names: named })
      network.append({ utime })
      const source = { head: network.head.id, answer: network.blockProof.bind(network) }
      expect(await walk(network.first.id, source)).toEqual(id)
    },
  )
})
