/**
 * What Claude Code reads, and what Stopgate does with it. The keys are those of `Settings` in sdk.d.ts of
 * @anthropic-ai/claude-agent-sdk 0.3.326, the variables those of its documentation that change how a headless run works.
 * A test holds that every name under `works` is read somewhere; docs/claude-code-settings.md shows the table.
 */
const list = (names: string): readonly string[] => names.trim().split(/\s+/);

/** Read, and acted on. */
export const WORKING_KEYS = list(`
  agent allowManagedHooksOnly allowedHttpHookUrls allowedMcpServers apiKeyHelper autoCompactEnabled deniedMcpServers
  disableAllHooks disabledMcpjsonServers effortLevel env hooks
  httpHookAllowedEnvVars model permissions sandbox
`);

/** Of the screen, the desktop or remote sessions: a headless run of Claude Code does not use them either. */
export const SCREEN_KEYS = list(`
  $schema agentPushNotifEnabled allowClaudeInChromeWithManagedMcp allowedChannelPlugins askUserQuestionTimeout
  autoScrollEnabled autoUpdatesChannel autoUploadSessions bashEditDiffEnabled channelsEnabled companyAnnouncements
  crossSessionInbound daemonColdStart defaultView desktopSessionCleanupPeriodDays dialogExpiry disableAgentView
  disableDeepLinkRegistration disableRemoteControl disableReplyCheck disableWindowsBashCommandSplit editorMode
  emojiCompletionEnabled enableAllProjectMcpServers enabledMcpjsonServers fastModePerSessionOptIn feedbackDrafts feedbackSurveyRate fileSuggestion
  footerLinksRegexes inputNeededNotifEnabled isolatePeerMachines keybindingFlavor maxProseWidth modelPicker
  pluginSuggestionMarketplaces pluginTrustMessage prUrlTemplate preferredNotifChannel prefersReducedMotion
  promptSuggestionEnabled remote remoteControlAtStartup respondToBashCommands showClearContextOnPlanAccept
  showMessageTimestamps showThinkingSummaries showTurnDuration skipAutoPermissionPrompt
  skipDangerousModePermissionPrompt spellcheck spinnerTipsEnabled spinnerTipsOverride spinnerVerbs sshConfigs
  sshHostCommands subagentStatusLine syncClaudeAiPlugins syncClaudeAiSkills syntaxHighlightingDisabled
  teammateMode terminalProgressBarEnabled terminalTitleFromRename theme timeFormat tui verbose viewMode
  vimInsertModeRemaps voice voiceEnabled wheelScrollAccelerationEnabled workflowKeywordTriggerEnabled
  wslInheritsWindowsSettings
`);

/** Without effect here: named at the start when they are set. */
export const IDLE_KEYS = list(`
  additionalMarketplaces advisorModel allowAllClaudeAiMcps allowManagedMcpServersOnly
  allowManagedPermissionRulesOnly allowedMarketplaces allowedProviders alwaysThinkingEnabled
  appendPlugins attribution attributionProject attributionProjectPolicy autoCompactWindow autoContinueAtUsageLimit
  autoDreamEnabled autoMemoryDirectory autoMemoryEnabled autoMode availableModels availableModelsMatch
  awsAuthRefresh awsCredentialExport bashOutputMaxChars blockedMarketplaces claudeMd claudeMdExcludes
  cleanupPeriodDays defaultShell deniedModels disableArtifact disableAutoMode
  disableBundledSkills disableClaudeAiConnectors disableCommandPluginSources disableSideloadFlags
  disableSkillShellExecution disableWorkflows enableArtifact
  enableWorkflows enabledPlugins enforceAvailableModels extraKnownMarketplaces fallbackModel
  fastMode fileCheckpointingEnabled forceLoginGatewayUrl forceLoginMethod forceLoginOrgUUID
  forceRemoteSettingsRefresh gatewayInternalNetworks gcpAuthRefresh idleCompaction includeCoAuthoredBy
  includeGitInstructions language managedMcpServers managedSourcesBehavior maxEffortLevel minimumVersion
  modelOverrides modelPricing modelSettings otelHeadersHelper outputStyle parentSettingsBehavior plansDirectory
  pluginConfigs policyHelper precomputeCompactionEnabled prependPlugins processWrapper promptCacheTtl
  proxyAuthHelper requiredMaximumVersion requiredMinimumVersion respectGitignore
  skillListingBudgetFraction skillListingMaxDescChars skillOverrides skipWebFetchPreflight statusLine
  strictKnownMarketplaces strictPluginOnlyCustomization subagentPromptCacheTtl switchModelsOnFlag
  taskOutputMaxChars timeZone todoFeatureEnabled ultracode useAutoModeDuringPlan workflowSizeGuideline worktree
`);

/** Read, and acted on. */
export const WORKING_VARIABLES = list(`
  ANTHROPIC_API_KEY ANTHROPIC_AUTH_TOKEN ANTHROPIC_BASE_URL ANTHROPIC_CUSTOM_HEADERS ANTHROPIC_DEFAULT_HAIKU_MODEL
  ANTHROPIC_DEFAULT_OPUS_MODEL ANTHROPIC_DEFAULT_SONNET_MODEL ANTHROPIC_MODEL ANTHROPIC_SMALL_FAST_MODEL
  API_TIMEOUT_MS BASH_DEFAULT_TIMEOUT_MS BASH_MAX_OUTPUT_LENGTH BASH_MAX_TIMEOUT_MS
  CLAUDE_CODE_API_KEY_HELPER_TTL_MS CLAUDE_CODE_AUTO_COMPACT_WINDOW CLAUDE_CODE_DISABLE_BACKGROUND_TASKS
  CLAUDE_CODE_EFFORT_LEVEL CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION CLAUDE_CODE_MAX_CONTEXT_TOKENS
  CLAUDE_CODE_MAX_CONCURRENT_SUBAGENTS CLAUDE_CODE_MAX_OUTPUT_TOKENS CLAUDE_CODE_MAX_RETRIES
  CLAUDE_CODE_PRINT_BG_WAIT_CEILING_MS CLAUDE_CODE_SESSIONEND_HOOKS_TIMEOUT_MS CLAUDE_CODE_STOP_HOOK_BLOCK_CAP
  CLAUDE_CONFIG_DIR CLAUDE_ENV_FILE CLAUDE_JOB_DIR HTTPS_PROXY HTTP_PROXY MAX_MCP_OUTPUT_TOKENS
  MCP_TIMEOUT MCP_TOOL_TIMEOUT NO_PROXY
`);

/** Without effect here: named at the start when they are set. */
export const IDLE_VARIABLES = list(`
  ANTHROPIC_AWS_BASE_URL ANTHROPIC_BEDROCK_BASE_URL ANTHROPIC_FOUNDRY_BASE_URL ANTHROPIC_FOUNDRY_RESOURCE
  ANTHROPIC_UNIX_SOCKET ANTHROPIC_VERTEX_BASE_URL ANTHROPIC_VERTEX_PROJECT_ID
  CLAUDE_BASH_MAINTAIN_PROJECT_WORKING_DIR CLAUDE_CODE_API_BASE_URL
  CLAUDE_CODE_CLIENT_CERT CLAUDE_CODE_CLIENT_KEY
  CLAUDE_CODE_DISABLE_EXPERIMENTAL_BETAS CLAUDE_CODE_DISABLE_THINKING CLAUDE_CODE_ENABLE_TELEMETRY
  CLAUDE_CODE_EXTRA_BODY CLAUDE_CODE_FILE_READ_MAX_OUTPUT_TOKENS
  CLAUDE_CODE_MAX_TOOL_USE_CONCURRENCY CLAUDE_CODE_OAUTH_TOKEN CLAUDE_CODE_PROMPT_CACHE_TTL CLAUDE_CODE_SHELL
  CLAUDE_CODE_SHELL_PREFIX CLAUDE_CODE_SUBAGENT_EFFORT CLAUDE_CODE_SUBAGENT_MODEL CLAUDE_CODE_TOOL_MEMORY_LIMIT
  CLAUDE_CODE_USE_ANTHROPIC_AWS CLAUDE_CODE_USE_BEDROCK CLAUDE_CODE_USE_FOUNDRY CLAUDE_CODE_USE_GATEWAY
  CLAUDE_CODE_USE_VERTEX DISABLE_AUTO_COMPACT DISABLE_COMPACT DISABLE_PROMPT_CACHING MAX_THINKING_TOKENS
`);
