import type { InitChoices } from './plan.js'
import type { Project } from './project.js'

/** Returns the commands that install the packages which package.json does not list yet. */
export function installCommands(project: Project, choices: InitChoices): string[] {
  const { packageManager, dependencies } = project
  const { runtime, development } = packagesOf(project, choices)
  const add = packageManager === 'npm' ? 'npm install' : `${packageManager} add`
  const missing = (names: string[]): string =>
    names.filter((name) => !dependencies.has(name)).join(' ')
  return [
    [add, missing(runtime)],
    [packageManager === 'npm' ? `${add} --save-dev` : `${add} -D`, missing(development)],
  ]
    .filter(([, names]) => names !== '')
    .map((words) => words.join(' '))
}

function packagesOf(
  { framework, language, testRunner }: Project,
  { orders }: InitChoices,
): { runtime: string[]; development: string[] } {
  const bridge = framework === 'nest' ? '@tonplug/nestjs' : '@tonplug/express'
  const isPostgres = orders === 'postgres'
  return {
    runtime: ['@tonplug/core', bridge, ...(isPostgres ? ['@tonplug/postgres', 'pg'] : [])],
    development: [
      '@tonplug/simulator',
      ...(isPostgres ? ['@electric-sql/pglite', 'tonplug'] : []),
      ...(isPostgres && language === 'ts' ? ['@types/pg'] : []),
      ...(testRunner === 'node-test' ? [] : [testRunner]),
      ...(framework === 'nest' ? ['@nestjs/testing'] : []),
    ],
  }
}
