import { BadRequestException, Injectable } from '@nestjs/common'
import type { PipeTransform } from '@nestjs/common'
import { catalogue, findProduct } from './catalogue.js'
import type { Product } from './catalogue.js'

/** Turns a product's id into the product. */
@Injectable()
export class ProductPipe implements PipeTransform<unknown, Product> {
  /** @throws {BadRequestException} when the shop does not sell it. */
  transform(id: unknown): Product {
    const product = findProduct(id)
    if (product !== undefined) return product
    const choices = catalogue.map((known) => known.id).join(', ')
    throw new BadRequestException(`Send JSON with "product" set to one of: ${choices}`)
  }
}
