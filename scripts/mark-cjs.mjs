// Marks dist/cjs of every package as CommonJS: the packages themselves are "type": "module".
import { existsSync, writeFileSync } from 'node:fs'
import { packageFolders } from './files.mjs'

for (const folder of packageFolders('packages')) {
  // The command line has no CommonJS build.
  if (!existsSync(`${folder}/dist/cjs`)) continue
  writeFileSync(`${folder}/dist/cjs/package.json`, '{ "type": "commonjs" }\n')
}
