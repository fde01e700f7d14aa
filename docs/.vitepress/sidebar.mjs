// The lists beside the pages of the site. The build fails if a guide is not listed, or if a listed page is missing.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { addressOf, ROOT, titleOf } from './pages.mjs'

const GUIDES = [
  { text: 'Your server', names: ['express', 'nestjs', 'fetch'] },
  {
    text: 'Payments',
    names: [
      'rules-and-answers',
      'own-repository',
      'invoices',
      'creating-transfers',
      'amounts-and-fees',
      'proof-on-chain',
      'payment-watcher',
      'signature-never-matches',
    ],
  },
  {
    text: 'Keeping them',
    names: [
      'postgres',
      'your-own-database',
      'several-servers',
      'several-merchants',
      'rolling-deploys',
      'replaying',
    ],
  },
  {
    text: 'The chain',
    names: [
      'data-apis',
      'api-v3',
      'pagination-and-watching',
      'traces-and-actions',
      'contracts',
      'sending-and-waiting',
    ],
  },
  {
    text: 'Running it',
    names: [
      'production-checklist',
      'logs-and-health',
      'observability',
      'command-line',
      'test-your-shop',
    ],
  },
]

const START = [
  'start/express',
  'start/nestjs',
  'start/fetch',
  'common-problems',
  'comparison',
  'from-the-gateway-sdk',
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
      { text: 'Start', items: START.map((name) => item(`docs/${name}.md`)) },
      ...GUIDES.map(({ text, names }) => ({
        text,
        collapsed: false,
        items: names.map((name) => item(`docs/guide/${name}.md`)),
      })),
      { text: 'Reference', collapsed: false, items: references() },
      { text: 'Exports', collapsed: true, items: entries() },
      { text: 'Packages', collapsed: true, items: folders('packages') },
      { text: 'Examples', collapsed: true, items: folders('examples') },
      { text: 'Decisions', collapsed: true, items: files('docs/decisions') },
      { text: 'Project', collapsed: true, items: [item('CONTRIBUTING.md'), item('SECURITY.md')] },
    ],
  }
}

function references() {
  return [...files('docs/reference'), item('docs/assumptions.md')]
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

function item(file) {
  const link = addressOf(file).replace(/(index)?\.md$/, '')
  return { text: titleOf(file), link: `/${link}` }
}

function checkListed() {
  const guides = GUIDES.flatMap(({ names }) => names.map((name) => `guide/${name}`))
  const listed = [...START, ...guides].map((name) => `docs/${name}.md`)
  for (const folder of ['docs/start', 'docs/guide']) {
    for (const name of readdirSync(join(ROOT, folder)).filter((one) => one.endsWith('.md'))) {
      if (!listed.includes(`${folder}/${name}`)) {
        throw new Error(`${folder}/${name} is in no list of docs/.vitepress/sidebar.mjs`)
      }
    }
  }
}
