import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Target } from './target.js'

const FOLDER = join(import.meta.dirname, '..', 'corpus')

/** An input of the committed corpus. */
export interface Kept {
  file: string
  input: Uint8Array
}

/** Returns the kept inputs of a target. */
export function readCorpus({ name }: Target): Kept[] {
  const folder = join(FOLDER, name)
  mkdirSync(folder, { recursive: true })
  return readdirSync(folder)
    .toSorted()
    .map((file) => ({ file, input: readFileSync(join(folder, file)) }))
}

/** Adds an input to the corpus. @returns its path, relative to the root of the repository */
export function keep({ name }: Target, kind: 'failed' | 'reached', input: Uint8Array): string {
  const digest = createHash('sha256').update(input).digest('hex').slice(0, 12)
  const path = join('corpus', name, `${kind}-${digest}`)
  mkdirSync(join(FOLDER, name), { recursive: true })
  writeFileSync(join(FOLDER, '..', path), input)
  return join('fuzz', path)
}
