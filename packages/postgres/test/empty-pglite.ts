import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import type { TestProject } from 'vitest/node'

/**
 * Tells tests where an empty database of PGlite is, for them to copy: to make one takes seconds, to open a copy a
 * fraction of one. It is made by the first run of the tests and kept for each version of PGlite.
 */
export async function setup({ provide }: TestProject): Promise<void> {
  const kept = resolve('node_modules/.cache/tonplug', `pglite-${await installedVersion()}`)
  if (!existsSync(kept)) await make(kept)
  provide('emptyPGlite', { folder: join(kept, 'folder'), archive: join(kept, 'memory.tar') })
}

async function installedVersion(): Promise<string> {
  const entry = createRequire(import.meta.url).resolve('@electric-sql/pglite')
  const manifest = await readFile(join(dirname(entry), '..', 'package.json'), 'utf8')
  // What every manifest has.
  return (JSON.parse(manifest) as { version: string }).version
}

/** Makes it elsewhere first, since what was cut short must not be taken for it. */
async function make(kept: string): Promise<void> {
  await mkdir(dirname(kept), { recursive: true })
  const unfinished = await mkdtemp(`${kept}-`)
  const db = await PGlite.create(join(unfinished, 'folder'))
  const archive = await db.dumpDataDir('none')
  await db.close()
  await writeFile(join(unfinished, 'memory.tar'), Buffer.from(await archive.arrayBuffer()))
  await rename(unfinished, kept).catch(async (cause: unknown) => {
    await rm(unfinished, { recursive: true, force: true })
    // Another run may have been faster.
    if (!existsSync(kept)) throw cause
  })
}
