import { beginCell, type Cell } from '@ton/core'
import {
  MAINNET_KEY_BLOCK,
  signedBlocks,
  type BlockId,
  type ShownCredit,
} from '@tonplug/core/proof'
import { walletV4 } from '@tonplug/simulator'
import { describe, expect, it } from 'vitest'
import {
  createChainLiteserver,
  createValidators,
  partialBlockProof,
  withhold,
  type ChainLiteserver,
} from '@tonplug/simulator/internal'
import { memoryAnchors } from '../../proof/memory-anchors.js'
import { receivedBy, startReceived } from './signed-shop.js'
import { ours } from './two-sources.js'

describe('S143 a liteserver that lies', () => {
  const elsewhere = walletV4(99).wallet.address

  it.each<[string, (server: ChainLiteserver) => void]>([
    [
      'withholds the account',
      (server) => {
        server.changeAccount = (answer) => {
          const [header, state] = answer.proof as [Cell, Cell]
          const tree = state.refs[0]!
          const accounts = tree.refs[1]!
          const builder = beginCell().storeBits(tree.bits)
          for (const ref of tree.refs) builder.storeRef(ref === accounts ? withhold(ref) : ref)
          const proof = beginCell().storeBits(state.bits).storeRef(builder.endCell())
          return { ...answer, proof: [header, proof.endCell({ exotic: true })], state: undefined }
        }
      },
    ],
    [
      'sends no state',
      (server) => (server.changeAccount = (one) => ({ ...one, state: undefined })),
    ],
    [
      'sends a state whose parts are withheld',
      (server) => (server.changeAccount = (one) => ({ ...one, state: withhold(one.state!) })),
    ],
    [
      'answers about another block',
      (server) =>
        (server.changeAccount = (one) => ({
          ...one,
          block: { ...one.block, seqno: one.block.seqno - 1 },
        })),
    ],
    ['leaves a transaction out', (server) => (server.changeTransactions = ([, ...rest]) => rest)],
    [
      'changes a transaction',
      (server) => (server.changeTransactions = ([first]) => [first!, withOtherBit(first!)]),
    ],
    ['sends no transactions', (server) => (server.changeTransactions = () => [])],
    [
      'sends a transaction with a withheld part',
      (server) => (server.changeTransactions = ([first]) => [withholdFirstRef(first!)]),
    ],
    [
      'sends three megabytes',
      (server) =>
        (server.changeBlockProof = (bytes) => Buffer.concat([bytes, Buffer.alloc(3 << 20)])),
    ],
    ['sends random bytes', (server) => (server.changeBlockProof = (bytes) => bytes.subarray(8))],
    [
      'adds bytes',
      (server) => (server.changeBlockProof = (bytes) => Buffer.concat([bytes, Buffer.alloc(4)])),
    ],
    [
      'shows no progress',
      (server) => {
        const { id } = server.network.first
        server.changeBlockProof = () =>
          partialBlockProof({ isComplete: false, from: id, to: id, links: [] })
      },
    ],
  ])('confirms and contradicts nothing when it %s', async (_, lie) => {
    const { claims, server, open } = await startReceived(3)
    lie(server)
    const verdict = await open().compare(claims[0]!, {})
    expect(verdict).toMatchObject({ kind: 'pending', reason: 'incomplete' })
  })

  it('never takes an account for another one', async () => {
    const { chain, claims, server, open } = await startReceived(1)
    await chain.sendFromFaucet({ to: elsewhere, value: 3n })
    server.changeAccount = ({ block }) => {
      const known = server.network.blocks.find(({ id }) => id.seqno === block.seqno)!
      return server.network.accountProof(known, BigInt(`0x${elsewhere.hash.toString('hex')}`))
    }
    expect(await open().compare(claims[0]!, {})).toMatchObject({ kind: 'pending' })
  })

  it.each([-65, 65])('holds payments when the newest block is %i seconds off', async (seconds) => {
    const { chain, claims } = await startReceived(1)
    const late = createChainLiteserver(chain, {
      clock: { nowMs: () => Date.now() + seconds * 1000 },
    })
    const witness = signedBlocks({ liteserver: late, trusted: late.trusted })
    expect(await witness.compare(claims[0]!, {})).toMatchObject({
      kind: 'pending',
      reason: 'unreachable',
      detail: expect.stringMatching(/^the newest block is 6\d seconds (old|ahead) by/),
    })
  })

  it('keeps to the newest block when the server returns an older one', async () => {
    const { chain, claims, server, open } = await startReceived(1)
    const answers: Buffer[] = []
    const record = (bytes: Buffer): Buffer => {
      answers.push(bytes)
      return bytes
    }
    server.changeBlockProof = record
    const witness = open()
    expect(await witness.compare(claims[0]!, {})).toEqual({ kind: 'confirmed' })
    await chain.sendFromFaucet({ to: ours, value: 3n })
    expect(await witness.compare(receivedBy(chain)[1]!, {})).toEqual({ kind: 'confirmed' })
    await chain.sendFromFaucet({ to: ours, value: 4n })
    server.changeBlockProof = () => answers[0]!
    const [, , third] = receivedBy(chain)
    expect(await witness.compare(third!, {})).toMatchObject({
      kind: 'pending',
      reason: 'not_found',
    })
    server.changeBlockProof = record
    expect(await witness.compare(third!, {})).toEqual({ kind: 'confirmed' })
  })

  it('stops for good when two signed blocks have one number', async () => {
    const { claims, server, open } = await startReceived(2)
    const witness = open()
    expect(await witness.compare(claims[1]!, {})).toEqual({ kind: 'confirmed' })
    const { network } = server
    const honest = network.blocks.pop()!
    network.append({ utime: honest.utime + 1, accounts: honest.accounts })
    server.isSealed = true
    const unknown = { ...claims[1]!, account: elsewhere.toRawString() }
    const claim: ShownCredit = {
      ...unknown,
      route: [{ ...unknown.route[0], recipient: elsewhere.toRawString() }],
    }
    const forked = await witness.compare(claim, {})
    expect(forked).toMatchObject({
      kind: 'differs',
      detail: expect.stringMatching(/^two signed masterchain blocks have the number \d+: \w{64}:/),
    })
    server.isSealed = false
    expect(await witness.compare(claim, {})).toEqual(forked)
  })

  it('stops for good when another process has proven another key block with one number', async () => {
    const { claims, server, open } = await startReceived(1)
    const { network } = server
    const named = { current: createValidators('next', 4), main: 4 }
    const { id } = network.append({ utime: Math.floor(Date.now() / 1000), names: named })
    const anchors = memoryAnchors()
    const shared = {
      ...anchors,
      loadBlock: async () =>
        anchors.blocks.length === 0 ? undefined : { ...id, fileHash: new Uint8Array(32) },
    }
    const witness = open({ anchors: shared })
    const forked = await witness.compare(claims[0]!, {})
    expect(forked).toMatchObject({
      kind: 'differs',
      detail: expect.stringMatching(/^two signed masterchain blocks have the number \d+: \w{64}:/),
    })
    expect(await witness.compare(claims[0]!, {})).toEqual(forked)
  })

  it('S146 starts at the key block of mainnet without another one, and proves nothing on another network', async () => {
    const { claims, server } = await startReceived(1)
    const asked: BlockId[] = []
    const liteserver = {
      ...server,
      getBlockProof: async (known: BlockId, call: { signal: AbortSignal }) => {
        asked.push(known)
        return await server.getBlockProof(server.network.first.id, call)
      },
    }
    const verdict = await signedBlocks({ liteserver }).compare(claims[0]!, {})
    expect(verdict).toMatchObject({
      kind: 'pending',
      detail: 'the proof does not start at the trusted block',
    })
    expect(asked).toEqual([MAINNET_KEY_BLOCK.id])
  })

  it('rejects a store that contradicts the trusted block', async () => {
    const { claims, server, open } = await startReceived(1)
    const anchors = memoryAnchors()
    anchors.blocks.push({ ...server.trusted.id, rootHash: new Uint8Array(32) })
    expect(await open({ anchors }).compare(claims[0]!, {})).toMatchObject({
      kind: 'pending',
      detail: expect.stringMatching(/is not the trusted one/),
    })
  })

  it('never goes below the trusted block of its options', async () => {
    const { claims, server, open } = await startReceived(1)
    const anchors = memoryAnchors()
    anchors.blocks.push(server.trusted.id)
    const utime = Math.floor(Date.now() / 1000)
    const named = { current: createValidators('next', 4), main: 4 }
    const { id } = server.network.append({ utime, names: named })
    const asked: number[] = []
    const liteserver = {
      ...server,
      getBlockProof: (known: BlockId, call: { signal: AbortSignal }) => {
        asked.push(known.seqno)
        return server.getBlockProof(known, call)
      },
    }
    const trusted = { id, globalId: -239 }
    expect(await open({ anchors, trusted, liteserver }).compare(claims[0]!, {})).toEqual({
      kind: 'confirmed',
    })
    expect(asked).toEqual([id.seqno])
  })

  it.each<[string, object]>([
    ['trusted', { trusted: { id: { seqno: 1 }, globalId: -239 } }],
    ['liteserver', { liteserver: {} }],
    ['anchors', { anchors: {} }],
  ])('rejects an invalid option %s', async (name, changed) => {
    const { open } = await startReceived(0)
    expect(() => open(changed)).toThrow(name)
  })
})

function withholdFirstRef(cell: Cell): Cell {
  const builder = beginCell().storeBits(cell.bits)
  for (const [index, ref] of cell.refs.entries())
    builder.storeRef(index === 0 ? withhold(ref) : ref)
  return builder.endCell()
}

function withOtherBit(cell: Cell): Cell {
  const builder = beginCell()
    .storeBits(cell.bits.substring(0, cell.bits.length - 1))
    .storeBit(!cell.bits.at(cell.bits.length - 1))
  for (const ref of cell.refs) builder.storeRef(ref)
  return builder.endCell()
}
