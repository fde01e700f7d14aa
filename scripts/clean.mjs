// Removes every build output.
import { rmSync } from 'node:fs'
import { packageFolders } from './files.mjs'

for (const folder of packageFolders('packages', 'examples')) {
  rmSync(`${folder}/dist`, { recursive: true, force: true })
}
