// Marks dist/cjs of every package as CommonJS: the packages themselves are "type": "module".
import { writeFileSync } from 'node:fs'
import { packageFolders } from './files.mjs'

for (const folder of packageFolders('packages')) {
  writeFileSync(`${folder}/dist/cjs/package.json`, '{ "type": "commonjs" }\n')
}
