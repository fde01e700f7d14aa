// Writes docs/reference/v2 and v3: a page for each endpoint, one for each type that several of them have, and an index;
// and docs/reference/api: a page for each entry of a package, from its declarations and docstrings.
// With --check it compares instead, and fails when the pages are not what this script makes. Needs a build. Either way
// the compiler compares the types on the pages with those of the client.
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { packageFolders } from './files.mjs'
import { complain, prettify, writePages } from './generated-pages.mjs'
import { APIS } from './reference/apis.mjs'
import { gatherCategories, gatherTypes } from './reference/endpoints.mjs'
import { indexPage } from './reference/index-page.mjs'
import { readEntries } from './reference/entries.mjs'
import { entryFile, entryPage } from './reference/entry-page.mjs'
import { endpointPage, typePage } from './reference/pages.mjs'
import { proveTypes } from './reference/proof.mjs'

const isCheck = process.argv.includes('--check')
const command = 'docs:reference'

for (const api of APIS) {
  const categories = await gatherCategories(api)
  const types = await gatherTypes(api)
  const endpoints = categories.flatMap((category) => category.endpoints)
  const folder = `docs/reference/${api.name}`
  mkdirSync(folder, { recursive: true })
  const index = await prettify(indexPage(api, { categories, types }))
  const pages = new Map([[join(folder, 'README.md'), index]])
  for (const endpoint of endpoints) {
    pages.set(join(folder, `${endpoint.name}.md`), await prettify(endpointPage(api, endpoint)))
  }
  for (const type of types) {
    pages.set(join(folder, `${type.name}.md`), await prettify(typePage(type)))
  }
  replacePages(folder, pages)
  if (!proveTypes(api, { endpoints, types })) process.exitCode = 1
}

const folder = 'docs/reference/api'
const entries = packageFolders('packages').flatMap(readEntries)
const pages = new Map()
for (const entry of entries) {
  pages.set(join(folder, entryFile(entry)), await prettify(entryPage(entry)))
}
mkdirSync(folder, { recursive: true })
replacePages(folder, pages)

/** Writes or compares what a folder holds, and nothing else may be in it. */
function replacePages(folder, pages) {
  const outdated = readdirSync(folder)
    .map((file) => join(folder, file))
    .filter((path) => !pages.has(path))
  for (const path of outdated) {
    if (isCheck) complain(path, command)
    else rmSync(path)
  }
  writePages(pages, { isCheck, command })
}
