import { readFileSync } from 'node:fs'
import { compileFunc } from '@ton-community/func-js'
import { Cell } from '@ton/core'
import { expect, test, vi } from 'vitest'
import { codeOf, contractCodes } from './contract-codes.js'

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

test.each([
  ['jettonMinter', 'jetton-minter'],
  ['jettonWallet', 'jetton-wallet'],
  ['probe', 'probe'],
] as const)('%s is what contracts/%s.fc compiles to', async (name, file) => {
  const compiled = await compile(file)
  expect(compiled.toBoc().toString('base64')).toBe(contractCodes[name].boc)
  expect(codeOf(name).hash().toString('hex')).toBe(contractCodes[name].hash)
})
