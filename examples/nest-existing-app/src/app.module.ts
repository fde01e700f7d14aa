import { Module } from '@nestjs/common'
import { APP_FILTER, APP_GUARD } from '@nestjs/core'
import { TonplugModule } from '@tonplug/nestjs'
import { API_KEY, ApiKeyGuard } from './auth/api-key.guard'
import { env } from './env'
import { HealthController } from './health.controller'
import { OrdersModule } from './orders/orders.module'
import { OrdersRepository } from './orders/orders.repository'
import { PaymentsController } from './payments/payments.controller'
import { ProblemFilter } from './problem.filter'

@Module({
  imports: [
    OrdersModule,
    TonplugModule.forRootAsync({
      inject: [OrdersRepository],
      useFactory: (orders) => ({
        payments: { orders },
        webhook: { secrets: env('TONPAY_WEBHOOK_SECRET') },
      }),
    }),
  ],
  controllers: [HealthController, PaymentsController],
  providers: [
    { provide: API_KEY, useFactory: () => env('API_KEY') },
    { provide: APP_GUARD, useClass: ApiKeyGuard },
    { provide: APP_FILTER, useClass: ProblemFilter },
  ],
})
export class AppModule {}
