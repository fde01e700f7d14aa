import { readFileSync } from 'node:fs'
import { compileFunc } from '@ton-community/func-js'
import { Cell } from '@ton/core'
import { expect, test, vi } from 'vitest'
import { codeOf, compiledCodes } from './contract-codes.js'

// A compiler has its own pace.
vi.setConfig({ testTimeout: 60_000 })

const FOLDER = new URL('./contracts/', import.meta.url)

async function compile(name: string): Promise<Cell> {
  const result = await compileFunc({
    targets: [`${name}.fc`],
    sources: (path) => readFileSync(new URL(path, FOLDER), 'utf8'),
  })
  if (result.status === 'error') throw new Error(result.message)
  return Cell.fromBase64(result.codeBoc)
}

test('probe is what contracts/probe.fc compiles to', async () => {
  const compiled = await compile('probe')
  expect(compiled.toBoc().toString('base64')).toBe(compiledCodes.probe.boc)
  expect(codeOf('probe').hash().toString('hex')).toBe(compiledCodes.probe.hash)
})

// The hashes by which the contracts are known on the network.
test.each([
  ['jettonMinter', '0571976c63ec1b7550230a2609dbedb36e1b64ef8d022a16b34ea57063185b2f'],
  ['jettonWallet', 'a760d629d5343e76d045017d9dc216fc8a307a8377815feb2b0a5c490e733486'],
] as const)('%s is the standard one', (name, hash) => {
  expect(codeOf(name).hash().toString('hex')).toBe(hash)
})
