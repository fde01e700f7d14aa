// Maps Markdown files of the repository to pages of the site.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

export const REPOSITORY = 'https://github.com/tonplug/tonplug'
export const ROOT = resolve(import.meta.dirname, '../..')

/** Returns the page of a file, both as paths with `.md`: `packages/core/README.md` is `packages/core.md`. */
export function addressOf(file) {
  return file
    .replace(/^docs\//, '')
    .replace(/^(packages|examples)\/([^/]+)\/README\.md$/, '$1/$2.md')
    .replace(/(^|\/)README\.md$/, '$1index.md')
    .replace(/^(SECURITY|CONTRIBUTING)\.md$/, (name) => name.toLowerCase())
}

/** Returns true for files that have a page; the README of the repository is the home page. */
export function isPage(file) {
  return /^(docs\/|(packages|examples)\/[^/]+\/README\.md$|(README|SECURITY|CONTRIBUTING)\.md$)/.test(
    file,
  )
}

/** Returns the first heading of a file, without code marks. */
export function titleOf(file) {
  const heading = /^# (.+)$/m.exec(readFileSync(resolve(ROOT, file), 'utf8'))
  if (heading === null) throw new Error(`${file} has no heading`)
  return heading[1].replaceAll('`', '')
}
