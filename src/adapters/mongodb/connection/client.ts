// Makes clients of the driver, and names the options of a URI that it refuses.
import { MongoClient, type MongoClientOptions } from 'mongodb'
import { asError } from '../../../domain/thrown.js'

/** A name and a value: a secret with an unencoded `&` also looks like several options. */
const OPTION = /^([a-z]+)=/i

const refusalOf = (uri: string, options: MongoClientOptions): string | undefined => {
  try {
    new MongoClient(uri, options)
    return undefined
  } catch (error) {
    return asError(error).message
  }
}

/** The options that the refusal is about: without one of them, the driver has another reason or none. */
const refusedOptions = (uri: string, options: MongoClientOptions, refusal: string): readonly string[] => {
  const [place = '', query = ''] = uri.split('?')
  const pairs = query.split('&')
  const names = [...new Set(pairs.flatMap((pair) => OPTION.exec(pair)?.[1] ?? []))]
  return names.filter((name) => {
    const others = pairs.filter((pair) => OPTION.exec(pair)?.[1] !== name)
    return refusalOf(`${place}?${others.join('&')}`, options) !== refusal
  })
}

/** Throws if the driver refuses the URI. The message names the options at fault, and quotes nothing else of the URI. */
export const makeClient = (uri: string, options: MongoClientOptions): MongoClient => {
  try {
    return new MongoClient(uri, options)
  } catch (error) {
    const names = refusedOptions(uri, options, asError(error).message)
    throw new Error(`the MongoDB driver refuses ${names.length === 0 ? 'the URI' : names.join(' and ')}`)
  }
}
