import type { LineEdit } from './file-change.js'

/** Appends the variables of `.env` that are missing, each with its comment. */
export function editEnvironment(lines: readonly string[], wanted: string): LineEdit[] {
  const isSet = (name: string): boolean => lines.some((line) => line.startsWith(`${name}=`))
  const missing = wanted
    .trimEnd()
    .split(/\n(?=#)/)
    .filter((entry) => !isSet(/^(\w+)=/m.exec(entry)?.[1] ?? ''))
  // Before the line break at the end of the file.
  const index = lines.at(-1) === '' ? lines.length - 1 : lines.length
  return missing.map((added) => ({ index, added }))
}

/** Adds the script that creates and updates the tables, as the first of the scripts. */
export function editScripts(lines: readonly string[]): LineEdit[] {
  if (lines.some((line) => line.includes('tonplug migrate up'))) return []
  const scripts = lines.findIndex((line) => /^\s*"scripts": \{\s*$/.test(line))
  if (scripts === -1) return []
  const indent = /^\s*/.exec(lines[scripts + 1] ?? '')?.[0] ?? '    '
  const isOnly = lines[scripts + 1]?.trim().startsWith('}') === true
  const added = `${indent}"migrate:payments": "tonplug migrate up"${isOnly ? '' : ','}`
  return [{ index: scripts + 1, added }]
}
