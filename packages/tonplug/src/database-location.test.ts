import { expect, it } from 'vitest'
import { locateDatabase } from './database-location.js'
import { UsageError } from './failure.js'

it('prefers --database to DATABASE_URL', () => {
  const environment = { DATABASE_URL: 'postgres://one/shop' }
  expect(locateDatabase(undefined, environment)).toMatchObject({ url: 'postgres://one/shop' })
  expect(locateDatabase('postgres://two/shop', environment)).toMatchObject({
    url: 'postgres://two/shop',
  })
})

it.each(['./.tonplug', '/var/lib/shop', 'C:\\shop'])('accepts %s as a folder', (folder) => {
  expect(locateDatabase(folder, {})).toEqual({ kind: 'pglite', folder, name: folder })
})

it('names a database without user and password', () => {
  const environment = { DATABASE_URL: 'postgresql://me:hunter2@db.shop:5433/shop?sslmode=require' }
  expect(locateDatabase(undefined, environment).name).toBe('postgresql://db.shop:5433/shop')
})

it.each([
  ['nothing', undefined, {}],
  ['an empty variable', undefined, { DATABASE_URL: '' }],
  ['a missing variable that became a string', undefined, { DATABASE_URL: 'undefined' }],
  ['a variable in the URL', undefined, { DATABASE_URL: 'postgres://${USER}:hunter2@db/shop' }],
  ['quotes', undefined, { DATABASE_URL: '"postgres://me:hunter2@db/shop"' }],
  ['another database', undefined, { DATABASE_URL: 'mysql://me:hunter2@db/shop' }],
  ['an invalid address', 'postgres://[', {}],
  ['a password as argument', 'postgres://me:hunter2@db/shop', {}],
  ['a password among the parameters', 'postgres://me@db/shop?password=hunter2', {}],
])('rejects %s without repeating a password', (_, option, environment) => {
  const locate = () => locateDatabase(option, environment)
  expect(locate).toThrow(UsageError)
  expect(locate).not.toThrow(/hunter2/)
})
