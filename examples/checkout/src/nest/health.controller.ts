import { Controller, Get, ServiceUnavailableException } from '@nestjs/common'
import type { PaymentWatcher } from '@tonplug/core'
import { InjectWatcher } from '@tonplug/nestjs'

/** Reports whether payments are being found. */
@Controller('health')
export class HealthController {
  constructor(@InjectWatcher() private readonly watcher: PaymentWatcher) {}

  @Get()
  async check(): Promise<object> {
    const health = await this.watcher.health()
    if (health.status === 'down') throw new ServiceUnavailableException(health)
    return health
  }
}
