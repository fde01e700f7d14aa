// Copies build output to the copies of packages that pnpm keeps for the Nest examples and the bench. Folders with another
// major version of Nest than packages/nestjs use such copies ("injected" in package.json); pnpm creates them at install
// time, before the build.
import { cpSync, existsSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { packageFolders } from './files.mjs'

for (const example of [...packageFolders('examples'), 'bench']) {
  const scope = join(example, 'node_modules/@tonplug')
  for (const name of existsSync(scope) ? readdirSync(scope) : []) {
    const source = resolve('packages', name)
    const copy = realpathSync(join(scope, name))
    if (copy === source) continue
    rmSync(join(copy, 'dist'), { recursive: true, force: true })
    cpSync(join(source, 'dist'), join(copy, 'dist'), { recursive: true, preserveTimestamps: true })
  }
}
