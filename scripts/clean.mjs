// Removes every build output.
import { rmSync } from 'node:fs'
import { packageFolders } from './files.mjs'

const outputs = packageFolders('packages', 'examples').map((folder) => `${folder}/dist`)
for (const output of [...outputs, 'docs/.vitepress/dist', 'docs/.vitepress/cache']) {
  rmSync(output, { recursive: true, force: true })
}
