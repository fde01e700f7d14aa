import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseSync, Visitor } from 'oxc-parser'
import { expect, it } from 'vitest'

const SOURCES = fileURLToPath(new URL('../../../src/', import.meta.url))
const SIGNATURE = 'payments/webhook/signature.ts'
/** Names of the two digests in the source: the computed and the claimed one. */
const DIGESTS = ['actual', 'claimed', 'digest']
/** Comparisons that end at the first difference. */
const LEAKING = ['==', '===', '!=', '!==', '<', '>', '<=', '>=']

function sourcesWith(word: string): string[] {
  return readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .filter((path) => readFileSync(SOURCES + path, 'utf8').includes(word))
}

it('S5 makes and compares digests of webhooks and of Telegram in one file each', () => {
  const files = ['telegram/init-data-signature.ts', SIGNATURE]
  expect(sourcesWith('createHmac').toSorted()).toEqual(files.toSorted())
  expect(sourcesWith('timingSafeEqual').toSorted()).toEqual(files.toSorted())
})

it('S5 compares digests by timingSafeEqual alone', () => {
  const source = readFileSync(SOURCES + SIGNATURE, 'utf8')
  const comparisons: string[] = []
  let safeComparisons = 0
  new Visitor({
    BinaryExpression({ operator, left, right, start, end }) {
      const isOfDigests = [left, right].some(
        (side) => side.type === 'Identifier' && DIGESTS.includes(side.name),
      )
      if (LEAKING.includes(operator) && isOfDigests) comparisons.push(source.slice(start, end))
    },
    CallExpression({ callee, start, end }) {
      if (source.slice(callee.start, callee.end) === 'nodeCrypto.timingSafeEqual') safeComparisons++
      const isMethodOfDigest =
        callee.type === 'MemberExpression' &&
        callee.object.type === 'Identifier' &&
        DIGESTS.includes(callee.object.name)
      if (isMethodOfDigest) comparisons.push(source.slice(start, end))
    },
  }).visit(parseSync(SIGNATURE, source).program)

  expect(safeComparisons).toBe(1)
  // Changes the case of what was claimed, and compares nothing.
  expect(comparisons).toEqual(['digest.toLowerCase()'])
})
