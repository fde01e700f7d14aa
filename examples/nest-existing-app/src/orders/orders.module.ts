import { Global, Module } from '@nestjs/common'
import { OrdersController } from './orders.controller'
import { OrdersRepository } from './orders.repository'
import { OrdersService } from './orders.service'
import { TransfersService } from './transfers.service'
import { WarehouseService } from './warehouse.service'

/** Global, because all modules of the back office use the repository. */
@Global()
@Module({
  controllers: [OrdersController],
  providers: [OrdersRepository, OrdersService, TransfersService, WarehouseService],
  exports: [OrdersRepository],
})
export class OrdersModule {}
