// Writes docs/reference/v2 and v3: a page for each endpoint, one for each type that several of them have, and an index.
// With --check it compares instead, and fails when the pages are not what this script makes. Needs a build. Either way
// the compiler compares the types on the pages with those of the client.
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { APIS } from './reference/apis.mjs'
import { gatherCategories, gatherTypes } from './reference/endpoints.mjs'
import { indexPage } from './reference/index-page.mjs'
import { endpointPage, typePage } from './reference/pages.mjs'
import { proveTypes } from './reference/proof.mjs'

const isCheck = process.argv.includes('--check')

for (const api of APIS) {
  const categories = await gatherCategories(api)
  const types = await gatherTypes(api)
  const endpoints = categories.flatMap((category) => category.endpoints)
  const folder = `docs/reference/${api.name}`
  mkdirSync(folder, { recursive: true })
  const pages = new Map([['README.md', await prettify(indexPage(api, { categories, types }))]])
  for (const endpoint of endpoints) {
    pages.set(`${endpoint.name}.md`, await prettify(endpointPage(api, endpoint)))
  }
  for (const type of types) pages.set(`${type.name}.md`, await prettify(typePage(type)))
  const outdated = readdirSync(folder).filter((file) => !pages.has(file))
  if (isCheck) check(folder, pages, outdated)
  else write(folder, pages, outdated)
  if (!proveTypes(api, { endpoints, types })) process.exitCode = 1
}

function check(folder, pages, outdated) {
  const stale = [...pages]
    .filter(([file, text]) => readPage(join(folder, file)) !== text)
    .map(([file]) => file)
    .concat(outdated)
  for (const file of stale) console.error(`${folder}/${file} is stale: run pnpm docs:reference`)
  if (stale.length > 0) process.exitCode = 1
}

function write(folder, pages, outdated) {
  for (const file of outdated) rmSync(join(folder, file))
  for (const [file, text] of pages) writeFileSync(join(folder, file), text)
}

function readPage(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}

async function prettify(text) {
  return format(text, { ...(await resolveConfig('.prettierrc.json')), parser: 'markdown' })
}
