// Defines which files may import which. Run by `pnpm check:imports`, after a build: packages import each other's `dist`.
import { readFileSync, readdirSync } from 'node:fs'

/** The folders of packages/core/src that each folder may import besides itself: two wings, proofs, and what they share. */
const CORE_FOLDERS = {
  shared: [],
  toncenter: ['shared'],
  proof: ['shared'],
  liteserver: ['shared', 'proof'],
  telegram: ['shared'],
  checkout: [],
  payments: ['shared', 'toncenter', 'proof'],
  bridge: ['shared', 'toncenter', 'payments'],
}

/** The folders of packages/core/src/payments that each of them may import besides itself. */
const PAYMENTS_FOLDERS = {
  orders: [],
  ledger: ['orders'],
  inbox: ['orders', 'ledger'],
  engine: ['orders', 'ledger', 'inbox'],
  webhook: ['orders', 'inbox', 'engine'],
  watcher: ['orders', 'ledger', 'inbox', 'engine'],
  invoices: ['orders', 'inbox', 'engine', 'watcher'],
  operator: ['orders', 'ledger', 'inbox', 'engine', 'watcher', 'invoices'],
}

/** The folders of packages/core/src/toncenter, lowest first. A folder imports only lower ones. */
const TONCENTER_LAYERS = [
  ['errors'],
  ['schema'],
  ['transport'],
  ['endpoint'],
  ['paging'],
  ['follow'],
  ['v2'],
  ['v3'],
  ['gateway'],
  ['chain'],
  ['contract'],
]

/** The packages that packages may import; others, such as framework adapters, import core only. */
const PACKAGES = {
  core: [],
  simulator: ['core', 'testing'],
  tonplug: readdirSync('packages'),
}

const CORE = '^packages/core/src/'
const TONCENTER = `${CORE}toncenter/`
const PAYMENTS = `${CORE}payments/`
const TESTS = String.raw`\.test(-d)?\.ts$|^packages/[^/]+/test/`

const anyOf = (names) => `(${names.join('|')})`

/** Forbids imports from one folder to the folders beside it that are not in `allowed`. */
const onlyAllowedFolders = (root, folder, allowed) => ({
  name: `${root.replace(/^\^packages\/|\/$/g, '')}/${folder}`,
  comment: `${folder} may import: ${allowed.join(', ') || 'nothing beside it'}`,
  severity: 'error',
  from: { path: `${root}${folder}/`, pathNot: TESTS },
  to: { path: `${root}[^/]+/`, pathNot: `${root}${anyOf([folder, ...allowed])}/` },
})

const packageRules = readdirSync('packages').flatMap((name) => {
  const { exports, peerDependenciesMeta = {} } = JSON.parse(
    readFileSync(`packages/${name}/package.json`, 'utf8'),
  )
  const entries = Object.values(exports ?? {})
    .map((entry) => entry.import?.default)
    .filter((path) => path !== undefined)
    .map((path) => path.replace('./dist/esm/', '').replace(/\.js$/, String.raw`\.ts`))
  const source = `^packages/${name}/src/`
  const allowed = PACKAGES[name] ?? ['core']
  return [
    {
      name: `${name}: allowed packages`,
      comment: `${name} may import: ${allowed.join(', ') || 'no other package'}`,
      severity: 'error',
      from: { path: source, pathNot: TESTS },
      to: {
        path: '^packages/',
        pathNot: `^packages/${anyOf([name, ...allowed])}/(src|dist|package\\.json)`,
      },
    },
    {
      name: `${name}: re-exports`,
      comment: 'Only the entries that package.json exports may re-export.',
      severity: 'error',
      from: { path: source, pathNot: `${source}${anyOf(entries)}$` },
      to: { dependencyTypes: ['export'] },
    },
    {
      name: `${name}: optional peers`,
      comment:
        'index.ts must load without optional peer dependencies; use another entry or a dynamic import.',
      severity: 'error',
      from: { path: `${source}index\\.ts$` },
      to: {
        path: [
          `node_modules/${anyOf(Object.keys(peerDependenciesMeta))}/`,
          String.raw`^packages/core/dist/esm/(contract|opentelemetry)\.js$`,
        ],
        reachable: true,
      },
    },
  ]
})

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'no cycles between files',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no cycles between folders of core',
      severity: 'error',
      scope: 'folder',
      from: { path: '^packages/core/src' },
      to: { circular: true },
    },
    {
      name: 'no import of index.ts inside its package',
      severity: 'error',
      from: { path: '^packages/([^/]+)/src/' },
      to: { path: '^packages/$1/src/index\\.ts$' },
    },
    {
      name: 'no relative import of another package',
      severity: 'error',
      from: { path: '^((packages|examples)/[^/]+)/' },
      to: { path: '^(packages|examples)/[^/]+/(src|test)/', pathNot: '^$1/' },
    },
    {
      name: 'no undeclared dependencies',
      comment: 'zod and eventsource-parser are part of the bundles.',
      severity: 'error',
      from: { path: '^(packages|examples)/[^/]+/src/', pathNot: TESTS },
      to: {
        path: 'node_modules/',
        pathNot: 'node_modules/(zod|eventsource-parser)/',
        dependencyTypesNot: ['npm', 'npm-peer', 'npm-optional', 'core'],
      },
    },
    {
      name: 'no unresolvable imports',
      comment: 'Servers map the imports of pages.',
      severity: 'error',
      from: { pathNot: [String.raw`\.child\.mjs$`, '^examples/(checkout|telegram)/public/'] },
      to: { couldNotResolve: true },
    },
    {
      name: 'core without frameworks and drivers',
      severity: 'error',
      from: { path: CORE, pathNot: TESTS },
      to: {
        path: 'node_modules/',
        pathNot: 'node_modules/(zod|eventsource-parser|@ton/core|@opentelemetry/api)/',
      },
    },
    {
      name: 'core without built-in modules',
      comment:
        'Only signatures and ids use node:crypto, so that clients also run in browsers. Liteservers need Node.',
      severity: 'error',
      from: {
        path: CORE,
        pathNot: [
          TESTS,
          `${CORE}liteserver/`,
          `${CORE}(payments/webhook/signature|proof/(signatures|validators)|shared/sha256|telegram/init-data-signature)\\.ts$`,
        ],
      },
      to: { dependencyTypes: ['core'] },
    },
    ...Object.entries(CORE_FOLDERS).map(([folder, allowed]) =>
      onlyAllowedFolders(CORE, folder, allowed),
    ),
    ...Object.entries(PAYMENTS_FOLDERS).map(([folder, allowed]) =>
      onlyAllowedFolders(PAYMENTS, folder, allowed),
    ),
    ...TONCENTER_LAYERS.flatMap((layer, index) =>
      layer.map((folder) =>
        onlyAllowedFolders(TONCENTER, folder, TONCENTER_LAYERS.slice(0, index).flat()),
      ),
    ),
    ...packageRules,
  ],
  options: {
    doNotFollow: { path: ['node_modules', '/dist/'] },
    // A module that is loaded on demand may need an optional peer.
    exclude: { dynamic: true },
    tsPreCompilationDeps: true,
    combinedDependencies: false,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
}
