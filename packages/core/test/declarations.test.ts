import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const DIST = fileURLToPath(new URL('../dist/esm/', import.meta.url))

it('declares nothing that TypeScript 5.6 cannot read: there, byte arrays have no type parameter', () => {
  const paths = readdirSync(DIST, { recursive: true, encoding: 'utf8' })
  const declarations = paths.filter((path) => path.endsWith('.d.ts'))
  const generic = declarations.filter((path) =>
    /Array<ArrayBuffer|Buffer</.test(readFileSync(DIST + path, 'utf8')),
  )
  expect(declarations.length).toBeGreaterThan(50)
  expect(generic).toEqual([])
})
