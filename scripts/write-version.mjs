// Writes the version that `changeset version` has given to @tonplug/core into its source as well.
import { readFileSync, writeFileSync } from 'node:fs'
import { readJson } from './packed/archives.mjs'

const SCOPE = 'packages/core/src/opentelemetry/scope.ts'

const { version } = readJson('packages/core/package.json')
const text = readFileSync(SCOPE, 'utf8')
writeFileSync(SCOPE, text.replace(/(?<=SCOPE_VERSION = ')[^']*/, version))
