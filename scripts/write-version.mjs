// Copies the version that `changeset version` gave to @tonplug/core into its source.
import { readFileSync, writeFileSync } from 'node:fs'
import { readJson } from './pack.mjs'

const SCOPE = 'packages/core/src/opentelemetry/scope.ts'

const { version } = readJson('packages/core/package.json')
const text = readFileSync(SCOPE, 'utf8')
writeFileSync(SCOPE, text.replace(/(?<=SCOPE_VERSION = ')[^']*/, version))
