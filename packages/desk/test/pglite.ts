import { readFile } from 'node:fs/promises'
import { PGlite } from '@electric-sql/pglite'
import { inject } from 'vitest'

/** Creates an empty PGlite in memory from a copy, which is faster than a new one. */
export async function createPGlite(): Promise<PGlite> {
  const archive = await readFile(inject('emptyPGlite').archive)
  return PGlite.create({ loadDataDir: new Blob([archive]) })
}
