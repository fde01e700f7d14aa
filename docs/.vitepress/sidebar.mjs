// The lists beside the pages of the site. The build fails if a guide is not listed, or if a listed page is missing.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { addressOf, ROOT, titleOf } from './pages.mjs'

/** The learning path and the guides, in the order of the list beside the pages. */
export const GROUPS = [
  {
    text: 'Learn',
    names: [
      'start/first-payment',
      'start/first-payment-nestjs',
      'guide/your-own-database',
      'guide/prices-in-your-currency',
      'guide/production-checklist',
      'guide/several-servers',
    ],
  },
  {
    text: 'Your server',
    names: [
      'guide/express',
      'guide/fastify',
      'guide/nestjs',
      'guide/other-frameworks',
      'guide/clients-in-your-server',
    ],
  },
  {
    text: 'Take payments',
    names: [
      'guide/invoices',
      'guide/ton-connect',
      'guide/telegram',
      'guide/order-status',
      'guide/amounts-and-fees',
      'guide/when-another-amount-arrives',
      'guide/payment-watcher',
      'guide/streaming',
      'guide/several-merchants',
      'guide/test-your-shop',
      'guide/test-on-a-chain',
    ],
  },
  {
    text: 'Operate',
    names: [
      'guide/tickets',
      'guide/operators',
      'guide/desk',
      'guide/postgres',
      'guide/write-a-repository',
      'guide/monitoring',
      'guide/doctor',
      'common-problems',
    ],
  },
  {
    text: 'The gateway',
    names: [
      'start/gateway',
      'guide/creating-transfers',
      'guide/proof-on-chain',
      'guide/two-sources',
      'guide/signature-never-matches',
      'from-the-gateway-sdk',
    ],
  },
  {
    text: 'Read the chain',
    names: [
      'guide/data-apis',
      'guide/api-v3',
      'guide/api-v2-calls',
      'guide/pagination-and-watching',
      'guide/deposits',
      'guide/traces-and-actions',
      'guide/sending-and-waiting',
      'guide/contracts',
    ],
  },
  { text: 'Concepts', names: ['guide/rules-and-answers', 'comparison'] },
]

const PROJECT = [
  'docs/reference/guarantees.md',
  'docs/reference/scenarios.md',
  'docs/assumptions.md',
  'docs/reference/measurements.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
]

/** Returns the lists by the start of the address; exports and endpoints have their own lists. */
export function sidebar() {
  checkListed()
  return {
    '/reference/api/': [
      { text: 'All references', link: '/reference/' },
      { text: 'Exports', items: entries() },
    ],
    '/reference/v2/': endpoints('v2'),
    '/reference/v3/': endpoints('v3'),
    '/': [
      ...GROUPS.map(({ text, names }) => ({
        text,
        collapsed: false,
        items: names.map((name) => item(`docs/${name}.md`)),
      })),
      { text: 'Reference', collapsed: false, items: references() },
      { text: 'Exports', collapsed: true, items: entries() },
      { text: 'Packages', collapsed: true, items: folders('packages') },
      { text: 'Examples', collapsed: true, items: folders('examples') },
      {
        text: 'Project',
        collapsed: true,
        items: [
          ...PROJECT.map((file) => item(file)),
          { text: 'Decisions', collapsed: true, items: files('docs/decisions') },
        ],
      },
    ],
  }
}

function references() {
  return files('docs/reference').filter(({ file }) => !PROJECT.includes(file))
}

/** The entries of the packages: `@tonplug/core`, `@tonplug/core/contract`. */
function entries() {
  const folder = 'docs/reference/api/@tonplug'
  return readdirSync(join(ROOT, folder), { recursive: true })
    .filter((name) => name.endsWith('README.md'))
    .toSorted((one, other) => one.localeCompare(other))
    .map((name) => item(`${folder}/${name}`))
}

function endpoints(api) {
  return [
    { text: 'All references', link: '/reference/' },
    { text: titleOf(`docs/reference/${api}/README.md`), items: files(`docs/reference/${api}`) },
  ]
}

function folders(root) {
  return readdirSync(join(ROOT, root))
    .filter((name) => existsSync(join(ROOT, root, name, 'README.md')))
    .map((name) => ({ ...item(`${root}/${name}/README.md`), text: name }))
}

/** The pages of a folder, its index first. */
function files(folder) {
  const names = readdirSync(join(ROOT, folder)).filter((name) => name.endsWith('.md'))
  const isIndex = (name) => (name === 'README.md' ? 0 : 1)
  return names
    .toSorted((one, other) => isIndex(one) - isIndex(other))
    .map((name) => item(`${folder}/${name}`))
}

/** The entry of a page: its title, its link, and its file in the repository. */
export function item(file) {
  const link = addressOf(file).replace(/(index)?\.md$/, '')
  return { text: titleOf(file), link: `/${link}`, file }
}

function checkListed() {
  const listed = GROUPS.flatMap(({ names }) => names.map((name) => `docs/${name}.md`))
  for (const folder of ['docs/start', 'docs/guide']) {
    for (const name of readdirSync(join(ROOT, folder)).filter((one) => one.endsWith('.md'))) {
      if (!listed.includes(`${folder}/${name}`)) {
        throw new Error(`${folder}/${name} is in no list of docs/.vitepress/sidebar.mjs`)
      }
    }
  }
}
