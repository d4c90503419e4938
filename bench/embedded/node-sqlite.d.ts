// The part of Node 24's node:sqlite that the comparison calls; the types of Node 20 do not know it.
declare module 'node:sqlite' {
  export class DatabaseSync {
    constructor(path: string)
    exec(sql: string): void
    prepare(sql: string): { run(...values: readonly (string | number | null)[]): { lastInsertRowid: number | bigint } }
  }
}
