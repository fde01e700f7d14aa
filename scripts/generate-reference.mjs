// Writes docs/reference/v2 and v3: a page for each endpoint, one for each type that several of them have, and an index.
// With --check it compares instead, and fails when the pages are not what this script makes. Needs a build. Either way
// the compiler compares the types on the pages with those of the client.
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { complain, prettify, writePages } from './generated-pages.mjs'
import { APIS } from './reference/apis.mjs'
import { gatherCategories, gatherTypes } from './reference/endpoints.mjs'
import { indexPage } from './reference/index-page.mjs'
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
  const outdated = readdirSync(folder)
    .map((file) => join(folder, file))
    .filter((path) => !pages.has(path))
  for (const path of outdated) {
    if (isCheck) complain(path, command)
    else rmSync(path)
  }
  writePages(pages, { isCheck, command })
  if (!proveTypes(api, { endpoints, types })) process.exitCode = 1
}
