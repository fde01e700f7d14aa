// Brings build output to the copies of packages that pnpm keeps for the Nest examples and the bench. One that has another
// major of Nest than packages/nestjs gets a copy next to its own Nest ("injected" in its package.json); pnpm makes it
// at install time, before there is a build.
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
