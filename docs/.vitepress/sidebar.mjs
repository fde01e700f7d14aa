// What the site lists beside its pages. A page that no list has, or a list whose page is not there, fails the build.
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
      'creating-transfers',
      'amounts-and-fees',
      'proof-on-chain',
      'lost-webhooks',
      'signature-never-matches',
    ],
  },
  {
    text: 'Keeping them',
    names: ['postgres', 'your-own-database', 'several-servers', 'replaying'],
  },
  {
    text: 'The chain',
    names: [
      'data-apis',
      'api-v3',
      'paging-and-following',
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

/** The lists by the beginning of the address; the endpoints of each API have their own. */
export function sidebar() {
  checkListed()
  return {
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
      { text: 'Exports', collapsed: true, items: files('docs/reference/api') },
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
