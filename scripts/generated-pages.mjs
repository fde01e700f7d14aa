// Writes generated Markdown pages, or says which are stale.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { format, resolveConfig } from 'prettier'

/** Formats a page as `pnpm format` would. */
export async function prettify(text) {
  return format(text, { ...(await resolveConfig('.prettierrc.json')), parser: 'markdown' })
}

/**
 * Writes the pages; with `isCheck` it compares instead, and makes the script fail for each that differs.
 * @param pages a `Map` of texts by path
 * @param command what the reader of a complaint runs
 */
export function writePages(pages, { isCheck, command }) {
  for (const [path, text] of pages) {
    if (!isCheck) writeFileSync(path, text)
    else if (!existsSync(path) || readFileSync(path, 'utf8') !== text) complain(path, command)
  }
}

/** Says that a page is not what its script makes. */
export function complain(path, command) {
  console.error(`${path} is stale: run pnpm ${command}`)
  process.exitCode = 1
}
