// Which page of the site a Markdown file of the repository is.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

export const REPOSITORY = 'https://github.com/tonplug/tonplug'
export const ROOT = resolve(import.meta.dirname, '../..')

/** The page of a file, both as paths with `.md`: `packages/core/README.md` is `packages/core.md`. */
export function addressOf(file) {
  return file
    .replace(/^docs\//, '')
    .replace(/^(packages|examples)\/([^/]+)\/README\.md$/, '$1/$2.md')
    .replace(/(^|\/)README\.md$/, '$1index.md')
    .replace(/^(SECURITY|CONTRIBUTING)\.md$/, (name) => name.toLowerCase())
}

/** Whether a file of the repository has a page; the README of the repository is the home page. */
export function isPage(file) {
  return /^(docs\/|(packages|examples)\/[^/]+\/README\.md$|(README|SECURITY|CONTRIBUTING)\.md$)/.test(
    file,
  )
}

/** The title of a file: its first heading, without code marks. */
export function titleOf(file) {
  const heading = /^# (.+)$/m.exec(readFileSync(resolve(ROOT, file), 'utf8'))
  if (heading === null) throw new Error(`${file} has no title`)
  return heading[1].replaceAll('`', '')
}
