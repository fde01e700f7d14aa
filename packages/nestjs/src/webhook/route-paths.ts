import 'reflect-metadata'
import { RequestMethod, VERSION_NEUTRAL, VersioningType } from '@nestjs/common'
import type { VersioningOptions } from '@nestjs/common'
import type { ApplicationConfig } from '@nestjs/core'

/** A method of a controller with a route. */
export interface RouteSource {
  /** The module of the controller. */
  module: object
  controller: object
  method: object
}

/** The configuration of an app that determines the paths of its routes. */
export interface PathConfig {
  config: ApplicationConfig
  /** Part of the metadata key of a module's path, set by RouterModule. */
  applicationId: string
  /** The prefix of an app that is registered as a Fastify plugin; otherwise ''. */
  pluginPrefix: string
}

type Version = VersioningOptions['defaultVersion']

// The metadata keys of Nest's decorators; the same in all majors, and exported in none of them.

/** Returns the request method of a route; `undefined` for a method without a route. */
export function requestMethodOf({ method }: RouteSource): RequestMethod | undefined {
  return Reflect.getMetadata('method', method) as RequestMethod | undefined
}

/** Returns the full paths of a route: global prefix, version, module, controller, method, as Nest joins them. */
export function fullPathsOf(source: RouteSource, pathConfig: PathConfig): string[] {
  const { config, pluginPrefix } = pathConfig
  const versioning = config.getVersioning()
  const versions = isVersionInPath(config) ? [versionOf(source, config)].flat() : [undefined]
  return versions.flatMap((version) =>
    ownPathsOf(source, pathConfig).map((path) => {
      const prefix = isExcluded(path, requestMethodOf(source), config)
        ? ''
        : config.getGlobalPrefix()
      return normalize([pluginPrefix, prefix, toSegment(version, versioning), path].join('/'))
    }),
  )
}

/** Returns the host and the version, unless it is part of the path. They distinguish routes with one path. */
export function hostAndVersionOf(source: RouteSource, config: ApplicationConfig): unknown[] {
  const version = isVersionInPath(config) ? [] : [versionOf(source, config)].flat().map(String)
  return [Reflect.getMetadata('host', source.controller), version]
}

function isVersionInPath(config: ApplicationConfig): boolean {
  return config.getVersioning()?.type === VersioningType.URI
}

function versionOf({ controller, method }: RouteSource, config: ApplicationConfig): Version {
  const ofMethod = Reflect.getMetadata('__version__', method) as Version
  const ofController = Reflect.getMetadata('__version__', controller) as Version
  return ofMethod ?? ofController ?? config.getVersioning()?.defaultVersion
}

function toSegment(
  version: string | symbol | undefined,
  versioning: VersioningOptions | undefined,
): string {
  if (version === undefined || version === VERSION_NEUTRAL) return ''
  const prefix = versioning?.type === VersioningType.URI ? (versioning.prefix ?? 'v') : ''
  return `${prefix === false ? '' : prefix}${String(version)}`
}

/** Returns the paths of module, controller and method, joined as Nest compares them with excluded paths. */
function ownPathsOf({ module, controller, method }: RouteSource, { applicationId }: PathConfig) {
  const ofModule =
    pathsUnder(`__module_path__${applicationId}`, module) ?? pathsUnder('__module_path__', module)
  const parts = [ofModule, pathsUnder('path', controller), pathsUnder('path', method)]
  return parts.reduce<string[]>(
    (paths, more = ['']) => paths.flatMap((path) => more.map((part) => join(path, part))),
    [''],
  )
}

function pathsUnder(key: string, target: object): string[] | undefined {
  const found = Reflect.getMetadata(key, target) as string | string[] | undefined
  return found === undefined ? undefined : [found].flat()
}

function join(path: string, part: string): string {
  return part === '' ? path : `${path.replace(/\/$/, '')}/${part.replace(/^\//, '')}`
}

function isExcluded(
  path: string,
  method: RequestMethod | undefined,
  config: ApplicationConfig,
): boolean {
  const { exclude = [] } = config.getGlobalPrefixOptions()
  return exclude.some(
    ({ requestMethod, pathRegex }) =>
      [RequestMethod.ALL, method].includes(requestMethod) && pathRegex.test(path),
  )
}

function normalize(path: string): string {
  return `/${path.split('/').filter(Boolean).join('/')}`
}
