// Writes docs/reference/v2: a page for each endpoint of API v2, and an index.
// With --check it compares instead, and fails when the pages are not what this script makes. Needs a build. Either way
// the compiler compares the types on the pages with those of the client.
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { gatherCategories } from './reference/endpoints.mjs'
import { endpointPage, indexPage } from './reference/pages.mjs'
import { proveTypes } from './reference/proof.mjs'

const FOLDER = 'docs/reference/v2'

const categories = await gatherCategories()
const endpoints = categories.flatMap((category) => category.endpoints)
const pages = new Map([['README.md', await prettify(indexPage(categories))]])
for (const endpoint of endpoints) {
  pages.set(`${endpoint.name}.md`, await prettify(endpointPage(endpoint)))
}

mkdirSync(FOLDER, { recursive: true })
const outdated = readdirSync(FOLDER).filter((file) => !pages.has(file))
if (process.argv.includes('--check')) check()
else write()
if (!proveTypes(endpoints)) process.exitCode = 1

function check() {
  const stale = [...pages]
    .filter(([file, text]) => readPage(file) !== text)
    .map(([file]) => file)
    .concat(outdated)
  for (const file of stale) console.error(`${FOLDER}/${file} is stale: run pnpm docs:reference`)
  if (stale.length > 0) process.exitCode = 1
}

function write() {
  for (const file of outdated) rmSync(join(FOLDER, file))
  for (const [file, text] of pages) writeFileSync(join(FOLDER, file), text)
}

function readPage(file) {
  const path = join(FOLDER, file)
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}

async function prettify(text) {
  return format(text, { ...(await resolveConfig('.prettierrc.json')), parser: 'markdown' })
}
