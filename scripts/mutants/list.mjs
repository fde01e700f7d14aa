// All changes of the folders, numbered, and the sources that contain them.
import { createHash } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { instrument } from './instrument.mjs'

export const FOLDERS = ['orders', 'ledger', 'engine', 'inbox', 'watcher']
export const root = fileURLToPath(new URL('../../', import.meta.url))
export const cache = `${root}node_modules/.cache/mutants/`

/** @typedef {import('./instrument.mjs').Mutant & { id: number, folder: string, file: string, order: string }} Listed */

/** @type {Map<string, string>} */
export const sources = new Map()
/** @type {Listed[]} */
export const mutants = []
/** @type {Map<string, number>} */
const seen = new Map()
for (const folder of FOLDERS)
  for (const name of readdirSync(`${root}packages/core/src/payments/${folder}`).sort()) {
    if (!name.endsWith('.ts') || name.endsWith('.test.ts')) continue
    const file = `${root}packages/core/src/payments/${folder}/${name}`
    const source = instrument(file, readFileSync(file, 'utf8'), mutants.length + 1)
    sources.set(file, source.code)
    for (const mutant of source.mutants) {
      const key = `${folder}/${name} ${mutant.from} ${mutant.to}`
      const nth = (seen.get(key) ?? 0) + 1
      seen.set(key, nth)
      // A sample takes the mutants in this order.
      const order = createHash('sha256').update(`${key} ${nth}`).digest('hex')
      mutants.push({ ...mutant, id: mutants.length + 1, folder, file: relative(root, file), order })
    }
  }
