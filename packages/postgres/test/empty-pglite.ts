import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import type { TestProject } from 'vitest/node'

/**
 * Provides tests with the path of an empty PGlite database to copy, because creating one takes seconds. The first run of the
 * tests creates it, and it is kept for each version of PGlite.
 */
export async function setup({ provide }: TestProject): Promise<void> {
  const kept = resolve('node_modules/.cache/tonplug', `pglite-${await installedVersion()}`)
  if (!existsSync(kept)) await make(kept)
  provide('emptyPGlite', { folder: join(kept, 'folder'), archive: join(kept, 'memory.tar') })
}

async function installedVersion(): Promise<string> {
  const entry = createRequire(import.meta.url).resolve('@electric-sql/pglite')
  const manifest = await readFile(join(dirname(entry), '..', 'package.json'), 'utf8')
  // Every manifest has a version.
  return (JSON.parse(manifest) as { version: string }).version
}

/** Creates it under another name first, so that an incomplete one is never used. */
async function make(kept: string): Promise<void> {
  await mkdir(dirname(kept), { recursive: true })
  const unfinished = await mkdtemp(`${kept}-`)
  const db = await PGlite.create(join(unfinished, 'folder'))
  const archive = await db.dumpDataDir('none')
  await db.close()
  await writeFile(join(unfinished, 'memory.tar'), Buffer.from(await archive.arrayBuffer()))
  await rename(unfinished, kept).catch(async (cause: unknown) => {
    await rm(unfinished, { recursive: true, force: true })
    // Another run may have created it.
    if (!existsSync(kept)) throw cause
  })
}
