import 'reflect-metadata'
import type { ModulesContainer } from '@nestjs/core'
import { WEBHOOK_INSTANCE } from '../tonplug.tokens.js'
import type { Wrapper } from './webhook-routes.js'

/** The name of a class or factory of an app that injects what stands under a token; modules' own need is left out. */
export function findInjector(modules: ModulesContainer, token: string): string | undefined {
  const wrappers = [...modules.values()].flatMap(({ providers, controllers, injectables }) => [
    ...providers.values(),
    ...controllers.values(),
    ...injectables.values(),
  ])
  const found = wrappers.find(
    (wrapper) => wrapper.token !== WEBHOOK_INSTANCE && injectionsOf(wrapper).includes(token),
  )
  return found && String(found.name)
}

// The keys under which Nest's decorators keep their facts; the same in all majors, and exported in none of them.

function injectionsOf({ inject, metatype }: Wrapper): unknown[] {
  if (inject) return inject.map((one) => (isOptional(one) ? one.token : one))
  if (typeof metatype !== 'function') return []
  return [
    ...metadataOf<{ param: unknown }>('self:paramtypes', metatype).map(({ param }) => param),
    ...metadataOf<{ type: unknown }>('self:properties_metadata', metatype).map(({ type }) => type),
  ]
}

function isOptional(injection: unknown): injection is { token: unknown } {
  return typeof injection === 'object' && injection !== null && 'token' in injection
}

function metadataOf<Fact>(key: string, target: object): Fact[] {
  return (Reflect.getMetadata(key, target) as Fact[] | undefined) ?? []
}
