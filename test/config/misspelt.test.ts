// Names in the environment: which are told as misspelt settings, and that no platform's are.
import { describe, expect, it } from 'vitest'
import { environmentHints } from '../../src/config/misspelt.js'
import { SETTING_NAMES } from '../../src/config/settings.js'

/** Names that shells, npm and platforms set, without values. */
const PLATFORMS = {
  shell: `_ PWD OLDPWD HOME USER LOGNAME SHELL SHLVL TERM TERM_PROGRAM COLORTERM PATH LANG LC_ALL LANGUAGE TZ EDITOR VISUAL PAGER
    LESS MAIL HOSTNAME HOSTTYPE HOSTFILE MACHTYPE OSTYPE IFS PS1 PS2 UID EUID PPID RANDOM DISPLAY SSH_AUTH_SOCK SSH_CLIENT
    SSH_CONNECTION SSH_TTY SUDO_USER XDG_RUNTIME_DIR XDG_DATA_DIRS XDG_CONFIG_DIRS XDG_SESSION_ID TMPDIR TEMP TMP NO_COLOR
    FORCE_COLOR CI DEBUG http_proxy https_proxy no_proxy HTTP_PROXY NO_PROXY ROOT MODE PORTS HOSTS`,
  Windows: `ALLUSERSPROFILE APPDATA COMPUTERNAME ComSpec HOMEDRIVE HOMEPATH LOCALAPPDATA NUMBER_OF_PROCESSORS OS PATHEXT
    ProgramData ProgramFiles SystemDrive SystemRoot USERDOMAIN USERNAME USERPROFILE windir`,
  npm: `INIT_CWD NODE NODE_ENV NODE_OPTIONS NODE_PATH NODE_EXTRA_CA_CERTS NODE_VERSION COLOR YARN_VERSION npm_command npm_config_cache
    npm_config_global_prefix npm_config_local_prefix npm_config_node_gyp npm_config_noproxy npm_config_prefix npm_config_registry
    npm_config_user_agent npm_config_userconfig npm_execpath npm_lifecycle_event npm_lifecycle_script npm_node_execpath
    npm_package_json npm_package_name npm_package_version npm_package_config_port`,
  systemd: `INVOCATION_ID JOURNAL_STREAM NOTIFY_SOCKET LISTEN_FDS LISTEN_PID LISTEN_FDNAMES MAINPID MANAGERPID SYSTEMD_EXEC_PID
    WATCHDOG_USEC WATCHDOG_PID RUNTIME_DIRECTORY STATE_DIRECTORY CACHE_DIRECTORY LOGS_DIRECTORY CONFIGURATION_DIRECTORY
    CREDENTIALS_DIRECTORY EXIT_CODE EXIT_STATUS SERVICE_RESULT MEMORY_PRESSURE_WATCH`,
  containers: `container HOSTNAME COMPOSE_PROJECT_NAME DOCKER_HOST HOST_IP HOST_NAME HOST_PORT MONGO_PORT MONGO_NAME
    MONGO_INITDB_ROOT_USERNAME MONGODB_USER PORTABLE AWS_PROFILE NATS_PORT_4222_TCP_ADDR DYNO PORT_8080 PORT0 PORT1 PORT_HTTP K_SERVICE K_REVISION
    WEBSITE_HOSTNAME WEBSITES_PORT RAILWAY_PUBLIC_DOMAIN FLY_APP_NAME RENDER_SERVICE_NAME`,
  Kubernetes: `KUBERNETES_SERVICE_HOST KUBERNETES_SERVICE_PORT KUBERNETES_SERVICE_PORT_HTTPS KUBERNETES_PORT KUBERNETES_PORT_443_TCP
    KUBERNETES_PORT_443_TCP_ADDR KUBERNETES_PORT_443_TCP_PORT KUBERNETES_PORT_443_TCP_PROTO POD_NAME POD_NAMESPACE POD_IP NODE_NAME
    NODE_IP HOST_NODE OTEL_EXPORTER_OTLP_ENDPOINT OTEL_SERVICE_NAME`,
}

/** What Kubernetes sets for a service in the same namespace, and Docker for a linked container. */
const ofService = (service: string): NodeJS.ProcessEnv => ({
  [`${service}_SERVICE_HOST`]: '10.0.0.1',
  [`${service}_SERVICE_PORT`]: '8080',
  [`${service}_SERVICE_PORT_HTTP`]: '8080',
  [`${service}_PORT`]: 'tcp://10.0.0.1:8080',
  [`${service}_PORT_8080_TCP`]: 'tcp://10.0.0.1:8080',
  [`${service}_PORT_8080_TCP_ADDR`]: '10.0.0.1',
  [`${service}_PORT_8080_TCP_PORT`]: '8080',
  [`${service}_PORT_8080_TCP_PROTO`]: 'tcp',
})

describe('a variable of the environment', () => {
  it.each([
    ['PROT', 'PORT'],
    ['port', 'PORT'],
    ['HSOT', 'HOST'],
    ['STOER', 'STORE'],
    ['DATADIR', 'DATA_DIR'],
    ['MONGODB_URL', 'MONGODB_URI'],
    ['mongodb-url', 'MONGODB_URI'],
    ['MONGO_URI', 'MONGODB_URI'],
    ['RATELIMITBURST', 'RATE_LIMIT_BURST'],
    ['MONGODB_URL_FILE', 'MONGODB_URI_FILE'],
    ['EVENTS_SECRETS', 'EVENTS_SECRET'],
    ['LOGLEVEL', 'LOG_LEVEL'],
  ])('is told without its value if its name is close to a setting: %s', (name, setting) => {
    expect(environmentHints({ PATH: '/bin', [name]: 'm4rker' })).toStrictEqual([
      `${name} is no setting and is ignored; ${setting} is one`,
    ])
  })

  it('is not told if it is a setting, or names the file of one', () => {
    const names = [...SETTING_NAMES, 'MONGODB_URI_FILE', 'EVENTS_URL_FILE', 'EVENTS_SECRET_FILE']
    expect(environmentHints(Object.fromEntries(names.map((name) => [name, '1'])))).toStrictEqual([])
  })

  it.each(Object.entries(PLATFORMS))('is not told if it is one of those that %s sets', (_, names) => {
    const environment = Object.fromEntries(names.split(/\s+/).map((name) => [name, '1']))
    expect(environmentHints(environment)).toStrictEqual([])
  })

  it.each(['HOST', 'PORT', 'STORE', 'METRIC', 'METRICS', 'EVENTS', 'MONGODB', 'NATS', 'ANIMAL_STORE'])(
    'is not told if Kubernetes sets it for a service named %s',
    (service) => {
      expect(environmentHints(ofService(service))).toStrictEqual([])
    },
  )
})
