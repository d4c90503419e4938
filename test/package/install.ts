// How the tests of the package install: packages that are cached are not requested from the registry.

export const INSTALL = ['install', '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'] as const
