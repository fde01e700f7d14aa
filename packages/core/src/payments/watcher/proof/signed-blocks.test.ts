import { expect, it } from 'vitest'
import { MAINNET_KEY_BLOCK } from '../../../proof/mainnet-key-block.js'
import type { Liteserver } from '../../../proof/liteserver.js'
import { signedBlocks } from './signed-blocks.js'

const none = () => Promise.reject(new Error('no connection'))
const liteserver = {
  getBlockProof: none,
  getAccountState: none,
  getTransactions: none,
} as unknown as Liteserver

const create = (changes: object) => {
  const { id, globalId } = MAINNET_KEY_BLOCK
  return signedBlocks({ liteserver, trusted: { id: { ...id, ...changes }, globalId } })
}

it.each<[string, object]>([
  ['rootHash', { rootHash: new Uint8Array(31) }],
  ['fileHash', { fileHash: Array.from({ length: 32 }, () => 0) }],
  ['workchain', { workchain: 0 }],
  ['seqno', { seqno: 0 }],
])('rejects a trusted block with an invalid %s', (name, changes) => {
  expect(() => create(changes)).toThrow(name)
  expect(() => create({})).not.toThrow()
})

it('is pending for a message whose time the index does not tell', async () => {
  const transaction = { hash: 'a'.repeat(64), lt: 0n }
  const message = { hash: 'b', sender: '0:1', recipient: '0:2', value: 5n, transaction }
  const verdict = await create({}).compare(
    { account: '0:2', wallet: '0:2', asset: 'TON', rawAmount: 5n, utime: 7, route: [message] },
    {},
  )
  expect(verdict).toEqual({
    kind: 'pending',
    reason: 'incomplete',
    detail: `the index returns no lt of ${transaction.hash}`,
  })
})
