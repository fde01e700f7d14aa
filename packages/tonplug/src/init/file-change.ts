import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A line that is added to a file, or that replaces one. */
export interface LineEdit {
  /** The number of lines before it. */
  index: number
  /** The line that it replaces. */
  removed?: string
  added: string
}

/** A file that is created, or lines that are added to one. */
export type FileChange =
  { path: string; kind: 'create'; text: string } | { path: string; kind: 'edit'; edits: LineEdit[] }

/** Returns the lines of a file; `undefined` when it does not exist. */
export function readLines(folder: string, path: string): string[] | undefined {
  const file = join(folder, path)
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n') : undefined
}

/** Returns a file's text after its edits. */
export function applyEdits(lines: readonly string[], edits: readonly LineEdit[]): string {
  const result = lines.flatMap((line, index) => {
    const here = edits.filter((edit) => edit.index === index)
    const isReplaced = here.some(({ removed }) => removed !== undefined)
    return [...here.map(({ added }) => added), ...(isReplaced ? [] : [line])]
  })
  const atEnd = edits.filter(({ index }) => index >= lines.length)
  return [...result, ...atEnd.map(({ added }) => added)].join('\n')
}

/** Returns a change as a diff without context. */
export function describeChange(change: FileChange): string {
  if (change.kind === 'create') {
    const lines = change.text.trimEnd().split('\n')
    return [`+++ ${change.path} (new)`, ...lines.map((line) => `+${line}`)].join('\n')
  }
  const lines = change.edits.flatMap(({ index, removed, added }) => [
    `@@ line ${index + 1} @@`,
    ...(removed === undefined ? [] : [`-${removed}`]),
    ...added.split('\n').map((line) => `+${line}`),
  ])
  return [`+++ ${change.path}`, ...lines].join('\n')
}
