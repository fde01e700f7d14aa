import { readFileSync } from 'node:fs'
import { compileFunc } from '@ton-community/func-js'
import { Cell } from '@ton/core'
import { expect, test } from 'vitest'
import { compiledProbe, probeCode } from './probe.js'

// A compiler has its own pace.
const FOLDER = new URL('./contracts/', import.meta.url)

async function compileProbe(): Promise<Cell> {
  const result = await compileFunc({
    targets: ['probe.fc'],
    sources: (path) => readFileSync(new URL(path, FOLDER), 'utf8'),
  })
  if (result.status === 'error') throw new Error(result.message)
  return Cell.fromBase64(result.codeBoc)
}

test('the compiled probe equals contracts/probe.fc', async () => {
  const compiled = await compileProbe()
  expect(compiled.toBoc().toString('base64')).toBe(compiledProbe.boc)
  expect(probeCode().hash().toString('hex')).toBe(compiledProbe.hash)
})
