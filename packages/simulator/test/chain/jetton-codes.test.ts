import { expect, test } from 'vitest'
import { codeOf } from '../../src/chain/jetton.js'

// The code hashes of these contracts on the network.
test.each([
  ['jettonMinter', '0571976c63ec1b7550230a2609dbedb36e1b64ef8d022a16b34ea57063185b2f'],
  ['jettonWallet', 'a760d629d5343e76d045017d9dc216fc8a307a8377815feb2b0a5c490e733486'],
] as const)('has the standard contract as %s', (name, hash) => {
  expect(codeOf(name).hash().toString('hex')).toBe(hash)
})
