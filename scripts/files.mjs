// Lists workspace folders and the files below them, and writes files. Paths are relative to the repository root.
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Returns the folders below `roots` that contain a package.json. */
export function packageFolders(...roots) {
  return roots.flatMap((root) =>
    readdirSync(root)
      .map((name) => join(root, name))
      .filter((folder) => existsSync(join(folder, 'package.json'))),
  )
}

/** Returns the files below `folder` that end in `suffix`, without dependencies and build output. */
export function filesBelow(folder, suffix) {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (!entry.isDirectory()) return path.endsWith(suffix) ? [path] : []
    return ['node_modules', 'dist', '.check'].includes(entry.name) ? [] : filesBelow(path, suffix)
  })
}

/** Writes `[path, text]` below `folder` and removes all other files there. */
export function replaceFiles(folder, files) {
  for (const [path, text] of files) writeChanged(join(folder, path), text)
  const kept = new Set(files.map(([path]) => join(folder, path)))
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isFile() && !kept.has(path)) rmSync(path)
  }
}

/** Keeps the time of an unchanged file, so that an incremental build skips it. */
export function writeChanged(file, text) {
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
