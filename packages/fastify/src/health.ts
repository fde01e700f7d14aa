import type { FastifyInstance } from 'fastify'

/** A Payments, a payment watcher, or anything else with a health. */
export interface HealthSource {
  health(): Promise<{ status: 'up' | 'degraded' | 'down' }>
}

/** Adds a route that responds with a health as JSON: 200 for `up` and `degraded`, 503 for `down`. */
export function addHealth(scope: FastifyInstance, path: string, source: HealthSource): void {
  scope.get(path, async (_request, reply) => {
    const health = await source.health()
    return reply
      .code(health.status === 'down' ? 503 : 200)
      .headers({ 'content-type': 'application/json', 'cache-control': 'no-store' })
      .send(JSON.stringify(health))
  })
}
